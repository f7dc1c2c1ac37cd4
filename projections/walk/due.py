"""What is due at a table, before one of its hands or on the coming one, as one document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import NothingFoundError
from ledger.store.accounts import Place
from ledger.store.accounts import told as told_to
from ledger.table.breaks import Chain, breaks
from projections.amounts import amount
from projections.queries import addresses
from projections.reports.owed import Occupied, OwedDocument, Recorded, RecordedPost
from projections.result import reference
from projections.table_context import due_before
from projections.walk.adopted import House
from projections.walk.spoiled import spoiled

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from ledger.table.events import HandPlayed
    from ledger.table.state import TableState
    from projections.rulebook import Rulebook


def as_adopted(ledger: Ledger, row: TableRow, before: str | None = None) -> OwedDocument:
    """Return what is due under the book that was the house's then."""
    house = House(ledger)
    at = ledger.now() if before is None else addresses.hand_of(ledger, row, before).started
    book = house.under(row.venue, row.table, at)
    told = document(ledger, row, [book], before)
    told.books = [house.reference(book)]
    return told


def document(ledger: Ledger, row: TableRow, books: list[Rulebook], before: str | None = None) -> OwedDocument:
    """Return what is due at a table, before one of its hands or on the coming one."""
    told = told_to(ledger, Place(row.venue, row.tournament, row.table))
    stream = None if before is None else addresses.hand_of(ledger, row, before).stream.hex
    unread = spoiled(ledger)
    chain = Chain()
    state, hand, due = due_before(told, books, stream, unread, chain)
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
        breaks=chain.found if stream is None else list(breaks(told, stream)),
    )


def _game(state: TableState, hand: HandPlayed | None) -> str:
    if hand is None:
        return ""
    stakes = hand.bets if hand.betting == "limit" and hand.bets else hand.blinds
    said = "/".join(amount(chips, hand.unit, hand.exponent) for chips in stakes)
    return f"{hand.betting} {hand.variant or state.variant} {said}".strip()


def _occupied(ledger: Ledger, state: TableState, hand: HandPlayed | None) -> list[Occupied]:

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

    if hand is None:
        return None
    return Recorded(
        hand.button,
        hand.small,
        hand.big,
        sorted(one.seat for one in hand.dealt_in),
        [RecordedPost(post.seat, post.role, post.live, post.dead) for post in hand.posts],
    )
