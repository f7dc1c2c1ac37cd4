"""Accounts of one source on their way into the ledger: encoded, folded, stored in one transaction.

What a table remembers of its hands (`HandPlayed`) is stored in the same transaction as the hands,
in the order of the source, for the first account of each hand only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

import msgspec

from ledger.account import Reject, TableAccount, write_detail
from ledger.entry import Place, Recorded
from ledger.event import Event
from ledger.hand.opening import HandOpened
from ledger.house.events import SourceImported, SourceRejected
from ledger.intake.accounting import Bytes
from ledger.intake.neighbours import Neighbours
from ledger.intake.preparing import Prepared
from ledger.marks import pack
from ledger.store import Draft, Outcome, Progress
from ledger.store.erasing import forget_again
from ledger.streams import HOUSE, table_stream
from ledger.table.events import HandPlayed, TableOpened
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from ledger.store import Ledger

_encode: Final = msgspec.json.Encoder().encode


class Standing(msgspec.Struct):
    """How far the import of a source has come: what an interrupted one goes on from."""

    line: int = 1  # of the next byte
    new: int = 0
    same: int = 0
    second: int = 0
    rejected: int = 0
    unbalanced: int = 0
    incomplete: int = 0
    faults: int = 0  # rejects that a better reader may read: the source is not done with
    number: str = ""  # of the last hand: facts about the table are known by what they follow
    bytes: Bytes = msgspec.field(default_factory=Bytes)


class Told(NamedTuple):
    """Something for a table's stream, in the order of the source."""

    stream: UUID
    hand: int  # index of the hand's draft, -1 = a fact of the table itself
    item: HandPlayed | Draft
    opened: HandOpened | None


class Writer:
    """Takes what a reader yields and stores it, one transaction at each `store`."""

    def __init__(
        self, ledger: Ledger, source: str, reader: str, at: Millis, standing: Standing
    ) -> None:
        """Take the ledger, the digest of the source, its reader, the time, and where it stands."""
        self.ledger = ledger
        self._source = source
        self._reader = reader
        self._at = at
        self.standing = standing
        self.drafts: list[Draft] = []
        self._told: list[Told] = []
        self._rejects: list[Reject] = []
        self._imported: SourceImported | None = None
        self._after = 0  # table facts since the last hand
        self._tables: dict[tuple[str, str, str], UUID] = {}
        self._opened: set[UUID] = set()
        self._neighbours = Neighbours()
        self._span = (0, 0)

    def hand(self, hand: Prepared) -> None:
        """Take one hand."""
        opened = hand.opened
        self.standing.incomplete += hand.incomplete
        self.standing.unbalanced += hand.unbalanced
        self._told.append(Told(
            self._table(opened.venue, opened.tournament, opened.table), len(self.drafts), hand.played, opened
        ))  # fmt: skip
        self.drafts.append(hand.draft)
        self.standing.number = opened.number
        self._after = 0

    def table(self, account: TableAccount) -> None:
        """Take facts about a table.

        Their key is what they say and what they follow, so that a longer copy of the same source
        does not tell them twice.
        """
        stream = self._table(account.venue, account.tournament, account.table)
        data = _encode(account.events)
        marks = pack(account.places, account.derived, account.times)
        context = (
            f"{stream.hex}\0{self.standing.number}\0{self._after}\0{sorted(account.times.items())}"
        )
        key = sha256(context.encode("utf-8", "surrogatepass") + data).hexdigest()
        self._after += 1
        place = Place(self._source, account.start, account.length)
        recorded = Recorded(self._at, "system", "import", f"table:{key}", place)
        draft = Draft("table", stream, None, len(account.events), data, marks, recorded)
        self._told.append(Told(stream, -1, draft, None))

    def _table(self, venue: str, tournament: str, table: str) -> UUID:
        found = self._tables.get((venue, tournament, table))
        if found is None:
            found = self._tables[venue, tournament, table] = table_stream(venue, tournament, table)
        return found

    def reject(self, reject: Reject) -> None:
        """Take a span that cannot be read."""
        self._rejects.append(reject)

    def store(self, start: int, length: int, imported: SourceImported | None = None) -> None:
        """Store what was taken from this span of the source, and how far that is.

        `imported` is given when the span is the whole source: it is stored too, with the counts
        that only now are known, and no progress need be kept.
        """
        self._span = (start, length)
        self._imported = imported
        self.ledger.append_all(
            self.drafts, then=self._following, source=self._source, reader=self._reader,
            progress=None if imported else self._progress,
            also=partial(forget_again, self.ledger, source=self._source),
        )  # fmt: skip
        self.forget()

    def _progress(self) -> Progress:
        return Progress(sum(self._span), _encode(self.standing).decode())

    def forget(self) -> None:
        """Forget what was taken: it is stored."""
        self.drafts, self._told, self._rejects = [], [], []

    def _count(self, outcomes: Sequence[Outcome]) -> None:
        standing = self.standing
        for outcome in outcomes:
            if outcome.state == "same":
                standing.same += 1
            elif outcome.account > 1:
                standing.second += 1
            else:
                standing.new += 1

    def _following(self, outcomes: Sequence[Outcome]) -> list[Draft]:
        """Return what the other streams get, now that it is known which hands are new."""
        self._count(outcomes)
        wanted = [
            told for told in self._told
            if told.hand < 0 or (outcomes[told.hand].state == "new" and outcomes[told.hand].account == 1)
        ]  # fmt: skip
        wanted.sort(key=_BY_TABLE)  # stable: within a table the source's order stays
        drafts: list[Draft] = []
        for (stream, fact), run in groupby(wanted, key=lambda told: (told.stream, told.hand < 0)):
            found = list(run)
            if not fact and stream not in self._opened:
                self._opened.add(stream)
                drafts.append(self._opening(stream, found[0].opened))
            if fact:
                drafts += [told.item for told in found if isinstance(told.item, Draft)]
            else:
                drafts.append(
                    self._draft(
                        stream, [told.item for told in found if isinstance(told.item, HandPlayed)]
                    )
                )
        return drafts + self._order(outcomes) + self._house()

    def _order(self, outcomes: Sequence[Outcome]) -> list[Draft]:
        """Return what must be said of the order of hands that were on record already."""
        for stream, at, hand, _ in self._told:
            if isinstance(hand, HandPlayed):
                new = outcomes[at].state == "new" and outcomes[at].account == 1
                self._neighbours.take(stream, hand, new=new)
        return [
            self._draft(stream, [said], f"order:{stream.hex}:{said.after_hand}:{said.before_hand}")
            for stream, said in self._neighbours.said()
        ]

    def _house(self) -> list[Draft]:
        """Return what the house's stream gets: rejected spans, and that the source was read."""
        drafts: list[Draft] = []
        if self._rejects:
            text = self.ledger.people.text
            events = [
                SourceRejected(
                    self._source, r.start, r.length, r.line, r.code, text(write_detail(r))
                )
                for r in self._rejects
            ]
            key = f"rejected:{self._source}:{self._reader}:{self._span[0]}"
            drafts.append(self._of_house(events, key))
        if self._imported:
            done = msgspec.structs.replace(
                self._imported, new=self.standing.new, same=self.standing.same,
                second=self.standing.second,
            )  # fmt: skip
            key = f"imported:{done.source}:{done.reader}:{done.new}:{done.rejected}"
            drafts.append(self._of_house([done], key))
        return drafts

    def _of_house(self, events: Sequence[Event], key: str) -> Draft:
        recorded = Recorded(self._at, "system", "import", key)
        return Draft("house", HOUSE, None, len(events), _encode(events), b"", recorded)

    def _opening(self, stream: UUID, opened: HandOpened | None) -> Draft:
        """Return the event that says which table this is; its key stores it once."""
        assert opened is not None  # noqa: S101 - told with every hand
        event = TableOpened(
            opened.venue,
            opened.table,
            opened.tournament,
            opened.club,
            opened.seats,
            opened.witnesses,
        )
        return self._draft(stream, [event], f"opened:{stream.hex}")

    def _draft(self, stream: UUID, events: Sequence[Event], key: str = "") -> Draft:
        recorded = Recorded(self._at, "system", "import", key, Place(self._source, *self._span))
        return Draft("table", stream, None, len(events), _encode(events), b"", recorded)


_BY_TABLE: Final = itemgetter(0)
