"""`handledger floor TABLE`: one screen for a stopped game."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from cli import opening, options, output
from ledger import safe
from ledger.clocks import when
from ledger.errors import UsageError
from projections.amounts import amount
from projections.queries import addresses
from projections.reports.teller import cards

if TYPE_CHECKING:
    from ledger.store import TableRow
    from projections.finding import Finding
    from projections.walk.floor import Floor, LastHand


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
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Show a table where the game is stopped: the last hands, what was wrong in them, what is due now and why.

    Without -r it goes by the rulebook that the house had adopted. Of each hand it is said how many were
    dealt since, as far as this ledger knows: what can still be put right hangs on that, and is the floor's to say.
    Exit 0 if nothing was found in these hands, 1 if anything was.

    \b
    handledger floor T7
    handledger floor T7 -r rrop4 -n 5
    """  # noqa: D301 - \b keeps the lines of the examples
    from cli.judged_documents import FloorDocument, FloorHand
    from projections import rulebook
    from projections.walk.floor import floor

    chosen = [rulebook.load(name) for name in dict.fromkeys(books or ())]
    if len(chosen) > 1:
        raise UsageError(
            "a stopped game goes by one rulebook", "Say one -r; handledger owed puts several side by side."
        )
    with opening.opened(ledger) as book:
        row = addresses.table(book, table)
        found = floor(book, row, chosen, hands)
    if format_ == "json":
        output.document(
            FloorDocument(
                venue=row.venue,
                tournament=row.tournament,
                table=row.table,
                hands=[FloorHand(*one) for one in found.hands],
                due=found.due,
                why=found.why,
            ),
            file,
        )
    else:
        output.put("\n".join(_lines(row, found)), file)
    raise typer.Exit(1 if any(one.findings for one in found.hands) else 0)


def _lines(row: TableRow, found: Floor) -> Iterator[str]:
    from projections.reports.owed import text

    width = min(output.width(), 120)
    if found.due is None:
        yield safe.terminal(f"table {row.table}  {row.venue}", width)
        yield from textwrap.wrap(safe.terminal(found.why, 400), width)
    else:
        yield text(found.due, width=width)
    yield ""
    yield f"the last {len(found.hands)} hands" if len(found.hands) > 1 else "the last hand"
    for one in found.hands:
        yield from _hand(one, width)


def _hand(one: LastHand, width: int) -> Iterator[str]:
    hand = one.hand
    won = ", ".join(
        f"{safe.name(player, 16)} {amount(chips, hand.unit, hand.exponent)}" for player, chips in hand.won if chips
    )
    board = " | ".join(cards(board) for board in hand.board.split("/")) if hand.board else "no board"
    since = "none dealt since" if not one.since else f"{one.since} dealt since"
    head = f"  {safe.terminal(hand.number, 24)}  {safe.terminal(when(hand.local, hand.zone), 30)}  {board}  "
    yield safe.cut(f"{head}pot {amount(hand.pot, hand.unit, hand.exponent)}{f' → {won}' if won else ''}", width)
    yield f"      {since}{'' if one.findings else '; nothing was found'}"
    for finding in one.findings:
        yield from _finding(finding, width)


def _finding(found: Finding, width: int) -> Iterator[str]:
    where = f"seat {found.seat}: " if found.seat is not None else ""
    should = f" Should be: {found.should}." if found.should else ""
    said = f"✗ {found.book} {found.clause} ({found.severity}, {found.certainty}) {where}{found.saw}.{should}"
    yield from textwrap.wrap(safe.terminal(said, 600), width, initial_indent="      ", subsequent_indent="        ")
    if found.money:
        shares = ", ".join(
            f"seat {one.seat} {'has' if one.amount > 0 else 'lacks'} {amount(abs(one.amount), found.unit, found.exponent)}"
            for one in found.money
        )
        yield f"        {shares} (sums to 0)"
