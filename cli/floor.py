"""`handledger floor TABLE`: one screen for a stopped game."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli import opening, options, output
from ledger import safe
from ledger.clocks import wall, when
from ledger.errors import UsageError
from ledger.hand.titles import titled
from projections.addresses import hand_address
from projections.addresses.address_book import quote_for_shell
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
            help="A table: its name, tournament/name, or venue/name.", autocompletion=options.complete_tables
        ),
    ],
    *,
    books: options.Books = None,
    hands: Annotated[int, typer.Option("--hands", "-n", min=1, max=50, help="How many of the last hands.")] = 3,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Show a table where the game is stopped: the last hands, what was wrong in them, what is due now and why.

    Without -r it goes by the rulebook that the house had adopted. Above all it says whether the newest hand is
    over and whether another was dealt since, as far as this ledger knows: by custom a ruling is asked for before
    the next deal, and none of our books says otherwise. Seats are told that may not simply play; open cases, too.
    Exit 0 if nothing was found in these hands, 1 if anything was.

    \b
    handledger floor T7
    handledger floor T7 -r rrop4 -n 5
    """  # noqa: D301 - \b keeps the lines of the examples
    from cli.judged_documents import FloorDocument, FloorHand
    from projections.books.shelf import load_books
    from projections.live.floor_desk import floor_desk

    if len(set(books or ())) > 1:
        raise UsageError(
            "a stopped game goes by one rulebook", "Say one -r; handledger owed puts several side by side."
        )
    with opening.opened(url) as ledger:
        row = hand_address.find_table(ledger, table)
        under = load_books(ledger, books)
        found = floor_desk(ledger, row, under, hands)
    if format_ == "json":
        output.document(
            FloorDocument(
                venue=row.venue,
                tournament=row.tournament,
                table=row.table,
                hands=[
                    FloorHand(one.hand, one.hands_since, one.findings, judged=not one.not_judged) for one in found.hands
                ],
                due=found.due,
                why=found.no_dues_reason,
                judged=found.judged,
                running=found.running,
                cases=found.cases,
            ),
            file,
        )
    else:
        output.put("\n".join(_lines(row, found, [one.name for one in under])), file)
    raise typer.Exit(1 if any(one.findings for one in found.hands) else 0)


def _lines(row: TableRow, found: FloorDesk, books: Sequence[str]) -> Iterator[str]:
    width = min(output.width(), 120)
    yield output.paint(safe.terminal(_headline(row, found), width), "bold")
    yield from _wrap(_ruling(found), width, "  ")
    yield from _due(found, width)
    yield output.paint(f"last {len(found.hands)} hands" if len(found.hands) > 1 else "last hand", "bold")
    for one in found.hands:
        yield from _hand(one, width, judged=found.judged)
    if found.cases:
        yield output.paint("open cases", "bold")
    for case in found.cases:
        until = ""
        if case.due is not None:
            until = f", {case.due.what} due {wall(case.due.due)[:16].replace('T', ' ')} UTC"
        yield from _wrap(f"{case.number} ({case.status}{until}): {case.claim or case.subject}", width, "  ")
    yield from (f"{'     ' if at else 'try: '}{one}" for at, one in enumerate(_next(found, books)))


def _headline(row: TableRow, found: FloorDesk) -> str:
    where = f"tournament {row.tournament} table {row.table}" if row.tournament else f"table {row.table}"
    parts = [where, row.venue]
    if found.due is not None:
        parts.append(titled(found.due.game))
        parts += [f"under {book.name} ({book.edition})" for book in found.due.books]
    return "  ".join(parts)


def _ruling(found: FloorDesk) -> str:
    """Return whether chips of the newest hand can still be moved, as far as the ledger knows."""
    if not found.hands:
        return "No hand of it is on record."
    number = found.hands[0].hand.number
    if found.running:
        return f"Hand {number} is not over: its acts can still be put right."
    late = " On earlier hands it is late, by custom." if len(found.hands) > 1 else ""
    return f"Hand {number} is finished and the next hasn't been dealt. You can still rule on it.{late}"


def _due(found: FloorDesk, width: int) -> Iterator[str]:
    from projections.reports.owed_report import format_summary

    # The table is told of a hand when it is over: what is due behind one that is being kept is due on that one.
    newest = found.hands[0].hand.number if found.hands else ""
    kept = found.running and found.due is not None and found.due.after != newest
    yield output.paint(f"due on hand {safe.terminal(newest, 24)}" if kept else "due on the coming hand", "bold")
    if found.due is None:
        yield from _wrap(found.no_dues_reason, width, "  ")
    else:
        yield from format_summary(found.due, width=width)


def _next(found: FloorDesk, books: Sequence[str]) -> Iterator[str]:
    """Yield commands that a floor manager goes on with."""
    under = "".join(f" -r {quote_for_shell(book)}" for book in books)
    yield f"handledger owed {quote_for_shell(found.address)}{under}"
    wrong = next((one for one in found.hands if one.findings), found.hands[0] if found.hands else None)
    if wrong is not None:
        at = f"@{wrong.findings[0].version}" if wrong.findings else ""
        event = quote_for_shell(wrong.hand.address + at)
        yield f"handledger replay {event}{under}"
        yield f'handledger case open {event} --claim "…" --by floor'


def _hand(one: LastHand, width: int, *, judged: bool) -> Iterator[str]:
    hand = one.hand
    won = ", ".join(
        f"{safe.name(player, 16)} {amount(chips, hand.unit, hand.exponent)}" for player, chips in hand.won if chips
    )
    board = " | ".join(format_cards(board) for board in hand.board.split("/")) if hand.board else "no board"
    since = "none dealt since" if not one.hands_since else f"{one.hands_since} dealt since"
    mark, said = ("✗", "") if one.findings else ("✓", ", nothing was found") if judged else ("?", ", not judged")
    if judged and one.not_judged:
        mark, said = "✗" if one.findings else "?", ""
    line = f"{mark} {hand.address}  {safe.terminal(when(hand.local, hand.zone), 30)}  {board}  "
    line += f"pot {amount(hand.pot, hand.unit, hand.exponent)}{f' → {won}' if won else ''}"
    yield safe.cut(f"{line}  ({since}{said})", width)
    if judged and one.not_judged:
        yield f"  {one.not_judged}"
    for finding in one.findings:
        yield from _finding(finding, width)


def _finding(found: Finding, width: int) -> Iterator[str]:
    from projections.reports.finding_text import describe_money, headline, should_be

    should = f" Should be: {should_be(found)}." if found.should else ""
    said = f"✗ {headline(found)}.{should} ({found.citation}, {found.severity}, {found.certainty})"
    yield from _wrap(said, width, "    ", hang="      ")
    if found.money:
        yield from _wrap(describe_money(found.money, found.unit, found.exponent), width, "      ")


def _wrap(text: str, width: int, indent: str, hang: str = "") -> list[str]:
    """Return text of people and files as harmless lines."""
    return textwrap.wrap(
        safe.terminal(text, 800), width, initial_indent=indent, subsequent_indent=hang or indent + "  "
    )
