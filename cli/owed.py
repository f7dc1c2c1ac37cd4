"""`handledger owed`: where button and blinds belong, who owes what, who may play, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli import opening, options, output
from ledger.errors import NothingFoundError, UsageError
from projections.amounts import amount
from projections.queries import addresses

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from ledger.table.events import HandPlayed
    from ledger.table.state import TableState
    from projections.reports.owed import Occupied, OwedDocument, Recorded
    from projections.rulebook import Rulebook


def command(
    table: Annotated[
        str | None,
        typer.Argument(
            help="A table: its name, tournament/name, or venue/name; none = all, a line each.",
            autocompletion=options.complete_tables,
        ),
    ] = None,
    *,
    before: Annotated[
        str | None,
        typer.Option(
            "--before", metavar="HAND", help="What was due on this hand of the table, instead of the coming one."
        ),
    ] = None,
    books: options.Books = None,
    as_of: options.AsOf = None,
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say what is due at a table: positions, posts, who may play, and how it came so.

    Without -r it is said under the rulebook that the house had adopted for the table at that time.

    \b
    handledger owed T3 -r hilton
    handledger owed -r hilton                all tables, a line each
    handledger owed T3 --before 712 -r hilton -r rrop4
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections import rulebook

    chosen = [rulebook.load(name) for name in dict.fromkeys(books or ())]
    if table is None:
        from cli import owed_everywhere

        if before is not None:
            raise UsageError("--before names a hand of one table", "Name the table.")
        with opening.opened(ledger, as_of=as_of) as book:
            owed_everywhere.tell(book, chosen, format_, file)
        return
    with opening.opened(ledger, as_of=as_of) as book:
        found = addresses.table(book, table)
        told = (document if chosen else _as_adopted)(book, found, chosen, before)
    if format_ == "json":
        output.document(told, file)
        return
    from projections.reports.owed import text

    bold = (lambda words: output.paint(words, "bold")) if file is None else str
    output.put(text(told, width=min(output.width(), 120), bold=bold), file)


def _as_adopted(ledger: Ledger, row: TableRow, _: list[Rulebook], before: str | None) -> OwedDocument:
    """Return what is due under the book that was the house's then."""
    from projections.walk.adopted import House

    house = House(ledger)
    at = ledger.now() if before is None else addresses.hand_of(ledger, row, before).started
    book = house.under(row.venue, row.table, at)
    told = document(ledger, row, [book], before)
    told.books = [house.reference(book)]
    return told


def document(ledger: Ledger, row: TableRow, books: list[Rulebook], before: str | None) -> OwedDocument:
    """Return what is due at a table, before one of its hands or on the coming one."""
    from ledger.store.accounts import Place
    from ledger.store.accounts import told as told_to
    from ledger.table.breaks import breaks
    from projections.reports.owed import OwedDocument
    from projections.result import reference
    from projections.table_context import due_before
    from projections.walk.spoiled import spoiled

    told = told_to(ledger, Place(row.venue, row.tournament, row.table))
    stream = None if before is None else addresses.hand_of(ledger, row, before).stream.hex
    unread = spoiled(ledger)
    state, hand, due = due_before(told, books, stream, unread)
    if stream is not None and hand is None:
        raise NothingFoundError(
            f"hand {before!r} is not the account of the hand that this table goes by",
            "Say its number alone: that is the account that stands. handledger accounts shows all.",
        )
    game = hand or state.last
    return OwedDocument(
        venue=row.venue,
        tournament=row.tournament,
        table=row.table,
        game=_game(state, game),
        unit=game.unit if game else state.unit,
        exponent=game.exponent if game else state.exponent,
        after=state.number,
        before=hand.number if hand else "",
        books=[reference(book) for book in books],
        occupied=_occupied(ledger, state, hand),
        recorded=_recorded(hand),
        due=due,
        breaks=list(breaks(told, stream)),
    )


def _game(state: TableState, hand: HandPlayed | None) -> str:
    if hand is None:
        return ""
    stakes = hand.bets if hand.betting == "limit" and hand.bets else hand.blinds
    said = "/".join(amount(chips, hand.unit, hand.exponent) for chips in stakes)
    return f"{hand.betting} {hand.variant or state.variant} {said}".strip()


def _occupied(ledger: Ledger, state: TableState, hand: HandPlayed | None) -> list[Occupied]:
    from projections.reports.owed import Occupied

    found = {
        held.seat: Occupied(held.seat, _name(ledger, held.player), held.stack, held.presence)
        for held in state.seats.values()
    }
    for one in hand.dealt_in if hand else ():  # who came with the hand itself
        found[one.seat] = Occupied(one.seat, _name(ledger, one.player), one.before, "present")
    for left in hand.left_out if hand else ():
        found.setdefault(left.seat, Occupied(left.seat, _name(ledger, left.player), left.stack, left.reason))
    return [found[seat] for seat in sorted(found)]


def _name(ledger: Ledger, player: str) -> str:
    return ledger.people.name(player) or f"({player[:6]})"


def _recorded(hand: HandPlayed | None) -> Recorded | None:
    from projections.reports.owed import Recorded, RecordedPost

    if hand is None:
        return None
    return Recorded(
        hand.button,
        hand.small,
        hand.big,
        sorted(one.seat for one in hand.dealt_in),
        [RecordedPost(post.seat, post.role, post.live, post.dead) for post in hand.posts],
    )
