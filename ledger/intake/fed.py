"""Hands that a feed tells act by act: what the ledger has of one, and what a longer reading adds to it.

A feed is a source that grows while people play. Each time it has grown it is read anew, and the hand that
runs is compared with what was told of it: what is new is appended, what reads otherwise now is corrected.
What somebody else recorded of the hand meanwhile, a correction for one, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from uuid import UUID

import msgspec

from ledger.entry import NO_ORIGIN, EventOrigin, Provenance
from ledger.event import Event
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.hand.events import HandEvent
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.intake.preparing import PreparedHand
from ledger.marks import pack_origins, unpack_origins
from ledger.store import Draft
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import remember_hand
from ledger.store.log.hand_facts import facts_of
from ledger.store.requests.amendments import table_correction
from ledger.streams import hand_stream, table_stream
from ledger.table.events import TableOpened

if TYPE_CHECKING:
    from ledger.hand.opening import HandOpened
    from ledger.store import Ledger
    from ledger.store.commits import HandRow
    from ledger.vocabulary import Millis

FEED_AUTHOR: Final = "feed"
"""Who wrote what a feed told."""

_decode: Final = msgspec.json.Decoder(list[HandEvent]).decode
_encode: Final = msgspec.json.Encoder().encode
_KEY_PREFIX: Final = "feed:"
_REREAD_REASON: Final = "the source told it otherwise when it had grown"


def prepared_events(hand: PreparedHand) -> list[HandEvent]:
    """Return the events of a hand that was read."""
    return _decode(hand.draft.data)


def find_accounts(ledger: Ledger, opened: HandOpened) -> list[HandRow]:
    """Return the accounts that the ledger has of a hand: of its number at its table, begun at its time."""
    place = TableKey(opened.venue, opened.tournament, opened.table)
    rows = ledger.hands(venue=place.venue, tournament=place.tournament, table=place.table, number=opened.number)
    return [row for row in rows if row.started == opened.started]


@dataclass(slots=True)
class FedHand:
    """A hand of the ledger that a feed told, or tells."""

    stream: UUID
    feed: str  # which one
    all_events: list[HandEvent]  # all of its events, by whomever
    numbered: list[tuple[int, HandEvent]] = field(
        default_factory=list
    )  # those of the feed that hold, with their versions

    @property
    def events(self) -> list[HandEvent]:
        """What the feed tells of the hand, as it was read last."""
        return [event for _, event in self.numbered]

    def has_told(self, events: Sequence[HandEvent]) -> bool:
        """Whether the feed told all of these events, or more: an older copy of the source holds fewer."""
        return self.events[: len(events)] == events


def find_fed_hand(ledger: Ledger, stream: UUID) -> FedHand | None:
    """Return what a feed told of a hand, None if none did."""
    entries = ledger.entries(stream)
    if not entries or entries[0].recorded.by != FEED_AUTHOR:
        return None
    own = [(entry.version, cast("HandEvent", entry.event)) for entry in entries if entry.recorded.by == FEED_AUTHOR]
    feed = entries[0].recorded.key.removeprefix(_KEY_PREFIX).partition(":")[0]
    return FedHand(stream, feed, [cast("HandEvent", entry.event) for entry in entries], apply_corrections(own))


class FedHands:
    """The fed hands of a ledger, as they were when each table was first asked about."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._tables: dict[TableKey, dict[tuple[str, Millis | None], UUID]] = {}

    def find_match(self, hand: PreparedHand) -> PreparedHand | None:
        """Return a hand as the ledger has it already, because a feed told all of it act by act; None if not."""
        opened = hand.opened
        place = TableKey(opened.venue, opened.tournament, opened.table)
        if place not in self._tables:
            self._tables[place] = dict(_live_hands(self._ledger, place))
        stream = self._tables[place].get((opened.number, opened.started))
        found = None if stream is None else find_fed_hand(self._ledger, stream)
        if found is None or not found.has_told(prepared_events(hand)):
            return None
        first = self._ledger.stream(found.stream)[0]
        draft = hand.draft._replace(stream=found.stream, count=first.count, data=first.data, marks=first.marks)
        played = remember_hand(found.all_events, found.stream.hex)
        return PreparedHand(hand.start, hand.length, draft, played, opened, hand.is_incomplete, hand.is_unbalanced)


def _live_hands(ledger: Ledger, place: TableKey) -> Iterator[tuple[tuple[str, Millis | None], UUID]]:
    """Yield number and time of the hands of a table that came from no source, each with its stream."""
    sql = (
        "SELECT h.number, h.started, l.stream FROM hands AS h JOIN places AS p ON p.id = h.place "
        "JOIN log AS l ON l.position = h.position "
        "WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND l.source IS NULL"
    )
    with ledger.database.reading() as link:
        rows = link.execute(sql, tuple(place)).fetchall()
    for number, started, stream in rows:
        yield (number, started), UUID(bytes=bytes(stream))


# what is appended


class FeedCommits(NamedTuple):
    """What a reading adds to the ledger."""

    drafts: list[Draft]
    events: list[Event]  # of the hand
    corrections: int = 0
    is_end: bool = False


def begin_hand(hand: PreparedHand, feed: str, at: Millis) -> FeedCommits:
    """Return how a hand begins that a feed tells: what is played first, so that it counts as one that runs."""
    events = prepared_events(hand)
    marks = unpack_origins(hand.draft.marks, len(events))
    seated = (index for index, event in enumerate(events) if isinstance(event, SeatDealtIn | SeatLeftOut))
    cut = next(seated, len(events))
    data = _encode(events[:cut])
    opened = hand.opened
    stream = hand_stream(opened.venue, opened.table, opened.number, opened.started, sha256(data).digest())
    first = _feed_draft(stream, 1, events[:cut], marks[:cut], feed, at)
    drafts = [first._replace(hand=facts_of(events[:cut], live=True))]
    if events[cut:]:
        drafts.append(_feed_draft(stream, cut + 1, events[cut:], marks[cut:], feed, at))
    return FeedCommits([*drafts, _opening_draft(hand, at)], list(events))


def extend_hand(ledger: Ledger, before: FedHand, hand: PreparedHand, at: Millis, *, over: bool) -> FeedCommits:
    """Return what makes a fed hand what it is read as now; `over`: nothing more of it is to come.

    Its table is told of it once, when it is over; what it remembers is corrected where more comes behind that.
    """
    new, marks, changes = _find_additions(ledger, before, hand)
    drafts = [_feed_draft(before.stream, len(before.all_events) + 1, new, marks, before.feed, at)] if new else []
    if not over:
        return FeedCommits(drafts, list(new), changes)
    key = f"{_KEY_PREFIX}played:{before.stream.hex}"
    known = _is_stored(ledger, key)
    events = [*before.all_events, *new]
    if not known or new:
        drafts += _table_drafts(
            ledger, before.stream, hand, events, Provenance(at, "system", FEED_AUTHOR, key), again=known
        )
    return FeedCommits(drafts, list(new), changes, not known)


def _find_additions(
    ledger: Ledger, before: FedHand, hand: PreparedHand
) -> tuple[list[HandEvent], list[EventOrigin], int]:
    """Return the events that a reading adds to a hand, with their marks, and how many of them are corrections."""
    events = prepared_events(hand)
    new: list[HandEvent] = []
    marks: list[EventOrigin] = []
    changes = 0
    if before.has_told(events):
        return new, marks, changes
    told = unpack_origins(hand.draft.marks, len(events))
    for voids, after, start, stop in _diff_events(before.numbered, events):
        if after is not None:
            changes += 1
            why = ledger.people.text(_REREAD_REASON)
            new.append(CorrectionMade(voids, after, stop - start, "software", "", why))
            marks.append(NO_ORIGIN)
        new += events[start:stop]
        marks += told[start:stop]
    return new, marks, changes


def _diff_events(
    own: Sequence[tuple[int, HandEvent]], events: Sequence[HandEvent]
) -> Iterator[tuple[tuple[int, ...], int | None, int, int]]:
    """Yield what differs: versions that fall, behind which one the new events stand (None: at the end), and these."""
    told = [event for _, event in own]
    versions = [version for version, _ in own]
    same = next((at for at, (one, other) in enumerate(zip(told, events, strict=False)) if one != other), len(told))
    rest = SequenceMatcher(None, told[same:], events[same:], autojunk=False)
    for what, start, stop, first, last in rest.get_opcodes():
        if what == "equal":
            continue
        start, stop = same + start, same + stop  # noqa: PLW2901 - counted from the beginning
        voids = tuple(versions[start:stop])
        appended = start == len(told)
        yield voids, None if appended else versions[start - 1] if start else 0, same + first, same + last


def _table_drafts(
    ledger: Ledger, stream: UUID, hand: PreparedHand, events: list[HandEvent], recorded: Provenance, *, again: bool
) -> list[Draft]:
    """Return what a table is told of a hand that is over; `again`: of what came behind its end."""
    opened = hand.opened
    table = table_stream(opened.venue, opened.tournament, opened.table)
    follows: list[Event] = [remember_hand(events, stream.hex)]
    if again:
        row = next(row for row in find_accounts(ledger, opened) if row.stream == stream)
        made = CorrectionMade((), 0, 0, "software", "", ledger.people.text(_REREAD_REASON))
        follows = table_correction(ledger, row, follows[0], made)  # type: ignore[arg-type] # the one HandPlayed
        recorded = recorded._replace(key=f"{recorded.key}:{len(events)}")
    return [Draft("table", table, None, len(follows), _encode(follows), b"", recorded)] if follows else []


def _is_stored(ledger: Ledger, key: str) -> bool:
    with ledger.database.reading() as link:
        return link.execute("SELECT 1 FROM log WHERE key = ?", (key,)).fetchone() is not None


def _opening_draft(hand: PreparedHand, at: Millis) -> Draft:
    """Return the event that says which table this is; its key stores it once."""
    one = hand.opened
    table = table_stream(one.venue, one.tournament, one.table)
    event = TableOpened(one.venue, one.table, one.tournament, one.club, one.seats, one.witnesses)
    recorded = Provenance(at, "system", FEED_AUTHOR, f"opened:{table.hex}")
    return Draft("table", table, None, 1, _encode([event]), b"", recorded)


def _feed_draft(
    stream: UUID, version: int, events: Sequence[HandEvent], marks: Sequence[EventOrigin], feed: str, at: Millis
) -> Draft:
    """Return a commit of a feed; its key says which feed, and stores it once."""
    places = [number for mark in marks for number in (mark.start, mark.length)]
    inferred = [index for index, mark in enumerate(marks) if mark.how == "derived"]
    times = {index: mark.at for index, mark in enumerate(marks) if mark.at is not None}
    recorded = Provenance(at, "system", FEED_AUTHOR, f"{_KEY_PREFIX}{feed}:{stream.hex}:{version}")
    return Draft("hand", stream, version, len(events), _encode(events), pack_origins(places, inferred, times), recorded)
