"""`handledger floor TABLE`: one screen for a stopped game."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import common_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.clocks import describe_local_time, format_wall_time
from ledger.errors import UsageError
from ledger.hand.titles import game_title
from projections.addresses import hand_address
from projections.addresses.address_grammar import quote_for_shell
from projections.amount_text import amount
from projections.reports.event_text import format_cards

if TYPE_CHECKING:
    from ledger.store import TableRow
    from projections.findings.finding import Finding
    from projections.live.floor_desk import FloorDesk, LastHand


def command(
    table: Annotated[
        str,
        typer.Argument(
            help="A table: T7, tournament/table or venue/table.", autocompletion=common_options.complete_tables
        ),
    ],
    *,
    books: common_options.Books = None,
    hands: Annotated[int, typer.Option("--hands", "-n", min=1, max=50, help="How many hands to show.")] = 3,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Show a stopped game: last hands, findings and what is due."""
    from cli.documents.judged_documents import FloorDocument, FloorHand
    from projections.books.shelf import load_books
    from projections.live.floor_desk import build_floor_desk

    if len(set(books or ())) > 1:
        raise UsageError("a stopped game goes by one rulebook", "Say one -r; handledger due puts several side by side.")
    with ledger_options.opened(url) as ledger:
        table_row = hand_address.find_table(ledger, table)
        rulebooks = load_books(ledger, books)
        desk = build_floor_desk(ledger, table_row, rulebooks, hands)
    if format_ == "json":
        console.document(
            FloorDocument(
                venue=table_row.venue,
                tournament=table_row.tournament,
                table=table_row.table,
                hands=[
                    FloorHand(
                        last_hand.hand, last_hand.hands_since, last_hand.findings, judged=not last_hand.not_judged
                    )
                    for last_hand in desk.hands
                ],
                due=desk.due,
                why=desk.no_dues_reason,
                judged=desk.judged,
                running=desk.running,
                cases=desk.cases,
            ),
            file,
        )
    else:
        console.write_text("\n".join(_format_desk(table_row, desk, [last_hand.name for last_hand in rulebooks])), file)
    raise typer.Exit(1 if any(last_hand.findings for last_hand in desk.hands) else 0)


def _format_desk(table_row: TableRow, desk: FloorDesk, books: Sequence[str]) -> Iterator[str]:
    width = min(console.width(), 120)
    yield console.paint(safe.terminal(_headline(table_row, desk), width), "bold")
    yield from _wrap_text(_describe_ruling(desk), width, "  ")
    yield from _format_dues(desk, width)
    yield console.paint(f"last {len(desk.hands)} hands" if len(desk.hands) > 1 else "last hand", "bold")
    for last_hand in desk.hands:
        yield from _format_hand(last_hand, width, judged=desk.judged)
    if desk.cases:
        yield console.paint("open cases", "bold")
    for case in desk.cases:
        deadline_text = ""
        if case.due is not None:
            deadline_text = f", {case.due.what} due {format_wall_time(case.due.due)[:16].replace('T', ' ')} UTC"
        yield from _wrap_text(
            f"{case.number} ({case.status}{deadline_text}): {case.claim or case.subject}", width, "  "
        )
    yield from (
        f"{'     ' if command_index else 'try: '}{last_hand}"
        for command_index, last_hand in enumerate(_suggest_commands(desk, books))
    )


def _headline(table_row: TableRow, desk: FloorDesk) -> str:
    table_text = (
        f"tournament {table_row.tournament} table {table_row.table}"
        if table_row.tournament
        else f"table {table_row.table}"
    )
    heading_parts = [table_text, table_row.venue]
    if desk.due is not None:
        heading_parts.append(game_title(desk.due.game))
        heading_parts += [f"under {book.name} ({book.edition})" for book in desk.due.books]
    return "  ".join(heading_parts)


def _describe_ruling(desk: FloorDesk) -> str:
    """Return whether chips of the newest hand can still be moved, as far as the ledger knows."""
    if not desk.hands:
        return "No hand of this table is recorded."
    number = desk.hands[0].hand.number
    if desk.running:
        return f"Hand {number} isn't over: its actions can still be corrected."
    custom_note = " Earlier hands are usually too late to rule on: check your rulebook." if len(desk.hands) > 1 else ""
    return f"Hand {number} is finished and the next hasn't been dealt. You can still rule on it.{custom_note}"


def _format_dues(desk: FloorDesk, width: int) -> Iterator[str]:
    from projections.reports.owed_report import format_summary

    number = desk.due.playing if desk.due is not None else ""
    yield console.paint(f"due on hand {safe.terminal(number, 24)}" if number else "due on the coming hand", "bold")
    if desk.due is None:
        yield from _wrap_text(desk.no_dues_reason, width, "  ")
    else:
        yield from format_summary(desk.due, width=width)


def _suggest_commands(desk: FloorDesk, books: Sequence[str]) -> Iterator[str]:
    """Yield commands that a floor manager goes on with."""
    book_options = "".join(f" -r {quote_for_shell(book)}" for book in books)
    if desk.due is None and not books:
        book_options = " -r hilton"  # without a rulebook the command would only ask for one
    yield f"handledger due {quote_for_shell(desk.address)}{book_options}"
    suggested_hand = next(
        (last_hand for last_hand in desk.hands if last_hand.findings), desk.hands[0] if desk.hands else None
    )
    if suggested_hand is not None:
        event_suffix = f"@{suggested_hand.findings[0].version}" if suggested_hand.findings else ""
        event_address = quote_for_shell(suggested_hand.hand.address + event_suffix)
        yield f"handledger replay {event_address}{book_options}"
        yield f'handledger case open {event_address} --claim "…" --by floor'


def _format_hand(last_hand: LastHand, width: int, *, judged: bool) -> Iterator[str]:
    hand = last_hand.hand
    winners = ", ".join(
        f"{safe.name(player, 16)} {amount(chips, hand.unit, hand.exponent)}" for player, chips in hand.won if chips
    )
    board = " | ".join(format_cards(board) for board in hand.board.split("/")) if hand.board else "no board"
    since_text = "no hand dealt since" if not last_hand.hands_since else f"{last_hand.hands_since} dealt since"
    sign, verdict_text = _describe_verdict(last_hand, judged=judged)
    yield safe.cut(f"{sign} {hand.address}  {verdict_text}; {since_text}", width)
    pot_text = f"pot {amount(hand.pot, hand.unit, hand.exponent)}{f' → {winners}' if winners else ''}"
    yield safe.cut(f"    {safe.terminal(describe_local_time(hand.local, hand.zone), 30)}  {board}  {pot_text}", width)
    for finding in last_hand.findings:
        yield from _format_finding(finding, width)


def _describe_verdict(last_hand: LastHand, *, judged: bool) -> tuple[str, str]:
    """Return the sign of a hand and what judging it gave."""
    not_judged = last_hand.not_judged if judged else "not judged"
    if last_hand.findings:
        finding_count = len(last_hand.findings)
        verdict_text = f"{finding_count} finding{'s' * (finding_count != 1)}"
        return "✗", f"{verdict_text}; {not_judged}" if judged and not_judged else verdict_text
    return ("?", not_judged) if not_judged else ("✓", "nothing wrong found")


def _format_finding(finding: Finding, width: int) -> Iterator[str]:
    from projections.reports.finding_text import describe_money, format_headline, format_should_be

    should_text = f" Should be: {format_should_be(finding)}." if finding.should else ""
    sentence = (
        f"✗ {format_headline(finding)}.{should_text} ({finding.citation}, {finding.severity}, {finding.certainty})"
    )
    yield from _wrap_text(sentence, width, "    ", hang="      ")
    if finding.money:
        yield from _wrap_text(describe_money(finding.money, finding.unit, finding.exponent), width, "      ")


def _wrap_text(text: str, width: int, indent: str, hang: str = "") -> list[str]:
    """Return text of people and files as harmless lines."""
    return textwrap.wrap(
        safe.terminal(text, 800), width, initial_indent=indent, subsequent_indent=hang or indent + "  "
    )
