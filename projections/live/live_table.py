"""One table under its books, kept up to the moment: a running hand is judged after each of its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from ledger.hand.fold import fold
from ledger.recording.running import end_of
from ledger.replay import PlayedHand
from ledger.store.table_streams import standings
from ledger.store.table_streams import told as told_to
from ledger.streams import table_stream
from ledger.table.listing import listed
from ledger.table.order import in_order
from ledger.table.plain import InPlace
from ledger.table.played import played
from ledger.table.standing import Told
from projections.audit.auditor import Audit
from projections.table_walk.table_context import Table, TableContexts
from projections.table_walk.unread_lines import spoiled
from projections.tables.changed_tables import find_continued_hands

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from ledger.store.table_streams import Stream
    from ledger.table.state import TableState
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import Spoiled
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due


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
        self._audit = Audit(self.books, compared=False, kept=False)  # it is asked after each event, for months
        self._walked: _Walked | None = None
        self._sessions: dict[UUID, int] = {}  # of the hand that runs

    @property
    def state(self) -> TableState:
        """The table behind its last hand. Do not change it."""
        return self._now().table.state

    def due(self, book: Rulebook) -> Due:
        """Return what is due on the coming hand under a book, or was on the one that runs."""
        table = self._now().table
        return table.doubted(book.name, table.coming()[book.name], None)

    def findings(self, events: Sequence[HandEvent], stream: UUID) -> list[SoFar]:
        """Return what is found so far in a running hand of which these events are recorded, corrections too."""
        walked = self._now()
        return so_far(
            self._audit,
            walked.table,
            walked.version + 1,
            PlayedHand(events, None, stream, session=self._session_of(stream)),
        )

    def _session_of(self, stream: UUID) -> int:
        if stream not in self._sessions:
            self._sessions = {stream: _session(self._ledger, self._place, stream)}
        return self._sessions[stream]

    def look(self) -> None:
        """Walk the table to where it is now."""
        self._now()

    def over(self, stream: UUID) -> list[SoFar]:
        """Return what is found in a hand that ended just now: `look` came before its last line, and nothing since."""
        if self._walked is None:
            return []
        events = cast("list[HandEvent]", self._ledger.events(stream))
        hand = PlayedHand(events, None, stream, session=_session(self._ledger, self._place, stream))
        return so_far(self._audit, self._walked.table, self._walked.version + 1, hand, over=True)

    def _now(self) -> _Walked:
        """Return the table as far as its stream goes now."""
        version = end_of(self._ledger, table_stream(*self._place))
        if self._walked is None or self._walked.version != version:
            unread = spoiled(self._ledger, self._place)
            self._walked = self._on(unread) or self._anew(version, unread)
        return self._walked

    def _on(self, unread: dict[str, Spoiled]) -> _Walked | None:
        """Go on from where the table was walked to; None if what came in may stand before that, or speaks of it.

        A walk from the first hand, behind each hand of a night, would take longer and longer.
        """
        walked, self._walked = self._walked, None  # one that an error stops half-way is of no use
        if walked is None or unread != walked.unread or not walked.read.whole:
            return None
        told = told_to(self._ledger, self._place, walked.version)
        if not walked.hands.isdisjoint(find_continued_hands(self._ledger, walked.reached)) or not walked.read.read(
            told
        ):
            return None
        walked.go(told)
        return walked

    def _anew(self, version: int, unread: dict[str, Spoiled]) -> _Walked:
        told = told_to(self._ledger, self._place)
        read = told.in_place()
        if not read.whole:
            read = InPlace.arranged(told, in_order(told))
        walked = _Walked(Table(self._audit.books, unread), read, unread, version)
        walked.go(told)
        return walked


def _session(ledger: Ledger, place: Place, stream: UUID) -> int:
    """Return which hand of its number a hand is at its table; the table hasn't been told of one that runs."""
    row = ledger.hand(stream.hex)
    if row is None or row.accounts == 1:
        return 1
    known = standings(told_to(ledger, place))
    if stream.hex in known:
        return known[stream.hex].session
    others = (one.stream.hex for one in ledger.hands(**place._asdict(), number=row.number))
    return 1 + max((known[one].session for one in others if one in known), default=0)


class _Walked:
    """A table walked to its end, which may go on from there."""

    def __init__(self, table: Table, read: InPlace, unread: dict[str, Spoiled], version: int) -> None:
        """Take the table, what is read of its order, what was not read of hands, and a version that it reaches at least."""
        self.table, self.read, self.unread, self.version = table, read, unread, version
        self.hands: set[bytes] = set()  # their streams
        self.reached = 0  # position of the log

    def go(self, told: Stream) -> None:
        """Walk the table through what it was told."""
        for sat in self.table.contexts(told):
            self.hands.add(bytes.fromhex(sat.hand.hand))
        self.version, self.reached = max(self.version, self.read.version), told.end


def so_far(audit: Audit, table: Table, version: int, hand: PlayedHand, *, over: bool = False) -> list[SoFar]:
    """Judge a hand that runs at a table: what its end alone can show is not asked, nor what is due before it was due.

    Blinds and button are looked at once the cards are dealt: until then they may still be placed. `over`: it ended.
    """
    stream = "" if hand.stream is None else hand.stream.hex
    remembered = listed(table.state, played(fold(hand.events), stream))
    contexts = TableContexts(table, Told(version, remembered), remembered)
    books = {book.name: book for book in audit.books}
    early = not dealt(hand.final)
    found = []
    for one in audit.add(hand, contexts):
        trait = books[one.book].clauses[one.clause].trait
        if over:
            found.append(SoFar(one, mendable=False))
        elif trait is not None and not trait.ended and not (early and (trait.table or trait.of_seat)):
            found.append(SoFar(one, early or trait.mendable))
    return found


def dealt(state: HandState) -> bool:
    """Whether the cards of a hand are dealt, as far as the record goes: whoever had to post has posted, or has not."""
    return bool(state.deal_completed or state.round.actions or state.rounds)
