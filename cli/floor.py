"""`handledger floor TABLE`: show a stopped game on one screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import common_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.clocks import describe_local_time, format_wall_time
from ledger.errors import UsageError
from ledger.hand.titles import format_game_title
from ledger.text.language import join_clauses, join_list, join_sentences, phrase, phrase_count
from ledger.text.screen_lines import wrap_text
from projections.addresses import hand_address
from projections.addresses.address_grammar import quote_for_shell
from projections.amount_text import amount
from projections.reports.event_text import format_cards
from projections.sentences.cases import awaited_name, status_name
from projections.sentences.due_list import table_title
from projections.sentences.words import certainty_name, severity_name

if TYPE_CHECKING:
    from ledger.store import TableRow
    from projections.cases.case_documents import CaseLine
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
        raise UsageError(
            phrase("a stopped game goes by one rulebook"),
            phrase("Say one -r; handledger due puts several side by side."),
        )
    with ledger_options.open_ledger(url) as ledger:
        table_row = hand_address.find_table(ledger, table)
        rulebooks = load_books(ledger, books)
        desk = build_floor_desk(ledger, table_row, rulebooks, hands)
    if format_ == "json":
        console.write_document(
            FloorDocument(
                venue=table_row.venue,
                tournament=table_row.tournament,
                table=table_row.table,
                hands=[
                    FloorHand(
                        last_hand.hand,
                        last_hand.hands_since,
                        last_hand.findings,
                        judged=not last_hand.not_judged_reason,
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
        book_names = [rulebook.name for rulebook in rulebooks]
        console.write_text("\n".join(_format_desk(table_row, desk, book_names)), file)
    raise typer.Exit(1 if any(last_hand.findings for last_hand in desk.hands) else 0)


def _format_desk(table_row: TableRow, desk: FloorDesk, book_names: Sequence[str]) -> Iterator[str]:
    width = min(console.find_width(), 120)
    yield console.paint(safe.terminal(_format_headline(table_row, desk), width), "bold")
    yield from _wrap_text(_describe_ruling(desk), width, "  ")
    yield from _format_dues(desk, width)
    yield console.paint(phrase_count("last hand", "last {count} hands", max(len(desk.hands), 1)), "bold")
    for last_hand in desk.hands:
        yield from _format_hand(last_hand, width, judged=desk.judged)
    if desk.cases:
        yield console.paint(phrase("open cases"), "bold")
    for case in desk.cases:
        yield from _wrap_text(f"{_describe_case(case)}: {case.claim or case.subject}", width, "  ")
    introduction = phrase("try: ")
    for suggested_command in _suggest_commands(desk, book_names):
        yield introduction + suggested_command
        introduction = " " * safe.columns(introduction)


def _describe_case(case: CaseLine) -> str:
    """Return a case's number, status and next deadline."""
    status = status_name(case.status)
    if case.due is None:
        return phrase("{case} ({status})", case=case.number, status=status)
    due_time = format_wall_time(case.due.due)[:16].replace("T", " ")
    return phrase(
        "{case} ({status}, {action} due {time} UTC)",
        case=case.number,
        status=status,
        action=awaited_name(case.due.what),
        time=due_time,
    )


def _format_headline(table_row: TableRow, desk: FloorDesk) -> str:
    heading_parts = [table_title(table_row.tournament, table_row.table), table_row.venue]
    if desk.due is not None:
        heading_parts.append(format_game_title(desk.due.game))
        heading_parts.extend(
            phrase("under {book} ({edition})", book=book.name, edition=book.edition) for book in desk.due.books
        )
    return "  ".join(heading_parts)


def _describe_ruling(desk: FloorDesk) -> str:
    """Return whether the newest hand can still be corrected or ruled on."""
    if not desk.hands:
        return phrase("No hand of this table is recorded.")
    number = desk.hands[0].hand.number
    if desk.running:
        return phrase("Hand {hand} isn't over: its actions can still be corrected.", hand=number)
    rulings = [phrase("Hand {hand} is finished and the next hasn't been dealt. You can still rule on it.", hand=number)]
    if len(desk.hands) > 1:
        rulings.append(phrase("Earlier hands are usually too late to rule on: check your rulebook."))
    return join_sentences(rulings)


def _format_dues(desk: FloorDesk, width: int) -> Iterator[str]:
    from projections.reports.owed_report import format_summary

    number = desk.due.playing if desk.due is not None else ""
    heading = (
        phrase("due on hand {hand}", hand=safe.terminal(number, 24)) if number else phrase("due on the coming hand")
    )
    yield console.paint(heading, "bold")
    if desk.due is None:
        yield from _wrap_text(desk.no_dues_reason, width, "  ")
    else:
        yield from format_summary(desk.due, width=width)


def _suggest_commands(desk: FloorDesk, book_names: Sequence[str]) -> Iterator[str]:
    """Yield the commands that a floor manager is likely to run next."""
    book_options = "".join(f" -r {quote_for_shell(name)}" for name in book_names)
    if desk.due is None and not book_names:
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
    winners = join_list(
        [f"{safe.name(player, 16)} {amount(chips, hand.unit, hand.exponent)}" for player, chips in hand.won if chips]
    )
    board = " | ".join(format_cards(board) for board in hand.board.split("/")) if hand.board else phrase("no board")
    since_text = phrase("no hand dealt since")
    if last_hand.hands_since:
        since_text = phrase_count("{count} dealt since", "{count} dealt since", last_hand.hands_since)
    sign, verdict_text = _describe_verdict(last_hand, judged=judged)
    yield safe.cut(f"{sign} {hand.address}  {join_clauses([verdict_text, since_text])}", width)
    pot_text = phrase("pot {amount}", amount=amount(hand.pot, hand.unit, hand.exponent))
    if winners:
        pot_text = f"{pot_text} → {winners}"
    yield safe.cut(f"    {safe.terminal(describe_local_time(hand.local, hand.zone), 30)}  {board}  {pot_text}", width)
    for finding in last_hand.findings:
        yield from _format_finding(finding, width)


def _describe_verdict(last_hand: LastHand, *, judged: bool) -> tuple[str, str]:
    """Return the sign of a hand, and its verdict."""
    not_judged_reason = last_hand.not_judged_reason if judged else phrase("not judged")
    if last_hand.findings:
        finding_count = len(last_hand.findings)
        verdict_text = phrase_count("{count} finding", "{count} findings", finding_count)
        return "✗", join_clauses([verdict_text, not_judged_reason]) if judged and not_judged_reason else verdict_text
    return ("?", not_judged_reason) if not_judged_reason else ("✓", phrase("nothing wrong found"))


def _format_finding(finding: Finding, width: int) -> Iterator[str]:
    from projections.reports.finding_text import describe_money, format_headline, format_should_be

    sentences = [phrase("✗ {headline}.", headline=format_headline(finding))]
    if finding.should:
        sentences.append(phrase("Should be: {correct}.", correct=format_should_be(finding)))
    weight = phrase(
        "({citation}, {severity}, {certainty})",
        citation=finding.citation,
        severity=severity_name(finding.severity),
        certainty=certainty_name(finding.certainty),
    )
    yield from _wrap_text(f"{join_sentences(sentences)} {weight}", width, "    ", hang="      ")
    if finding.money:
        yield from _wrap_text(describe_money(finding.money, finding.unit, finding.exponent), width, "      ")


def _wrap_text(text: str, width: int, indent: str, hang: str = "") -> list[str]:
    """Return a text from people or files as wrapped lines, harmless."""
    return wrap_text(safe.terminal(text, 800), width, first_indent=indent, later_indent=hang or indent + "  ")
