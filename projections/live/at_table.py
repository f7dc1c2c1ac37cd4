"""One table under its books, kept up to the moment: a running hand is judged after each of its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledger.hand.fold import fold
from ledger.recording.running import end_of
from ledger.replay import PlayedHand
from ledger.store.accounts import told as told_to
from ledger.streams import table_stream
from ledger.table.listing import listed
from ledger.table.played import played
from ledger.table.standing import Told
from projections.audit import Audit
from projections.table_context import Table, TableContexts
from projections.walk.spoiled import spoiled

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from ledger.table.state import TableState
    from projections.finding import Finding
    from projections.obligations.due import Due
    from projections.rulebook import Rulebook


class SoFar(NamedTuple):
    """A finding in a hand that runs."""

    finding: Finding
    mendable: bool  # it speaks of what can still be put right in this hand: before the deal, all of it


class AtTable:
    """A table of a ledger, walked to where it is now under some books."""

    def __init__(self, ledger: Ledger, place: Place, books: Sequence[Rulebook]) -> None:
        """Take the ledger, the table and the books."""
        self._ledger = ledger
        self._place = place
        self.books = list(books)
        self._audit = Audit(self.books, compared=False)
        self._walked: tuple[int, Table] | None = None

    @property
    def state(self) -> TableState:
        """The table behind its last hand. Do not change it."""
        return self._now()[1].state

    def due(self, book: Rulebook) -> Due:
        """Return what is due on the coming hand under a book, or was on the one that runs."""
        _, table = self._now()
        return table.doubted(book.name, table.coming()[book.name], None)

    def findings(self, events: Sequence[HandEvent], stream: UUID) -> list[SoFar]:
        """Return what is found so far in a running hand of which these events are recorded, corrections too."""
        version, table = self._now()
        return so_far(self._audit, table, version + 1, PlayedHand(events, None, stream))

    def _now(self) -> tuple[int, Table]:
        """Return the version that the table's stream has reached, and the table there."""
        version = end_of(self._ledger, table_stream(*self._place))
        if self._walked is None or self._walked[0] != version:
            table = Table(self._audit.books, spoiled(self._ledger))
            for _ in table.contexts(told_to(self._ledger, self._place)):
                pass
            self._walked = version, table
        return self._walked


def so_far(audit: Audit, table: Table, version: int, hand: PlayedHand) -> list[SoFar]:
    """Judge a hand that runs at a table: what its end alone can show is not asked, nor what is due before it was due.

    Blinds and button are looked at once the cards are dealt: until then they may still be placed.
    """
    stream = "" if hand.stream is None else hand.stream.hex
    remembered = listed(table.state, played(fold(hand.events), stream))
    contexts = TableContexts(table, Told(version, remembered), remembered)
    books = {book.name: book for book in audit.books}
    early = not dealt(hand.final)
    found = []
    for one in audit.add(hand, contexts):
        trait = books[one.book].clauses[one.clause].trait
        if trait is not None and not trait.ended and not (early and (trait.table or trait.of_seat)):
            found.append(SoFar(one, early or trait.mendable))
    return found


def dealt(state: HandState) -> bool:
    """Whether the cards of a hand are dealt, as far as the record goes: whoever had to post has posted, or has not."""
    return bool(state.deal_completed or state.trail or state.past)
