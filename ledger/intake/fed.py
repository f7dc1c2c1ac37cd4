"""Hands that a feed records act by act: what the ledger has of a hand, and what a longer reading adds.

A feed is a source that grows during play. Each time it has grown, its running hand is read again and compared with the
recorded one. New events are appended, changed ones are corrected. Events that somebody else recorded meanwhile, such as
a correction, stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from uuid import UUID

import msgspec

from ledger.decoders import build_json_decoder
from ledger.entry import NO_ORIGIN, EventOrigin, Provenance
from ledger.event import Event
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.hand.events import HandEvent
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.intake.chunk_preparation import PreparedHand
from ledger.marks import pack_origins, unpack_origins
from ledger.store import CommitDraft
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import remember_hand
from ledger.store.log.hand_facts import infer_hand_facts
from ledger.store.requests.amendments import build_table_correction
from ledger.streams import hand_stream, table_stream
from ledger.table.events import TableOpened

if TYPE_CHECKING:
    from ledger.hand.opening import HandOpened
    from ledger.store import Ledger
    from ledger.store.commits import HandRow
    from ledger.vocabulary import Millis

FEED_AUTHOR: Final = "feed"
"""The writer of a feed's commits."""

_decode: Final = build_json_decoder(list[HandEvent]).decode
_encode: Final = msgspec.json.Encoder().encode
_KEY_PREFIX: Final = "feed:"
_REREAD_REASON: Final = "the source changed as it grew"


def decode_events(hand: PreparedHand) -> list[HandEvent]:
    """Return the events of a prepared hand."""
    return _decode(hand.draft.data)


def find_accounts(ledger: Ledger, opened: HandOpened) -> list[HandRow]:
    """Return the ledger's accounts of a hand: same table, number and start time."""
    table_key = TableKey(opened.venue, opened.tournament, opened.table)
    rows = ledger.hands(
        venue=table_key.venue, tournament=table_key.tournament, table=table_key.table, number=opened.number
    )
    return [row for row in rows if row.started == opened.started]


@dataclass(slots=True)
class FedHand:
    """A hand that a feed has recorded, or is recording."""

    stream: UUID
    feed: str  # id of the feed
    all_events: list[HandEvent]  # by any writer
    numbered: list[tuple[int, HandEvent]] = field(
        default_factory=list
    )  # the feed's events in force, with their versions

    @property
    def events(self) -> list[HandEvent]:
        """The feed's events in force."""
        return [event for _, event in self.numbered]

    def has_recorded(self, read_events: Sequence[HandEvent]) -> bool:
        """Whether the feed recorded all of these events. An older copy of the source has fewer."""
        return self.events[: len(read_events)] == read_events


def find_fed_hand(ledger: Ledger, stream: UUID) -> FedHand | None:
    """Return a hand as its feed recorded it, or None if no feed did."""
    entries = ledger.entries(stream)
    if not entries or entries[0].recorded.writer != FEED_AUTHOR:
        return None
    feed_events = [
        (entry.version, cast("HandEvent", entry.event)) for entry in entries if entry.recorded.writer == FEED_AUTHOR
    ]
    feed_id = entries[0].recorded.key.removeprefix(_KEY_PREFIX).partition(":")[0]
    return FedHand(
        stream, feed_id, [cast("HandEvent", entry.event) for entry in entries], apply_corrections(feed_events)
    )


class FedHands:
    """The fed hands of a ledger. Each table is read once, when it is first needed."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._tables: dict[TableKey, dict[tuple[str, Millis | None], UUID]] = {}

    def find_match(self, hand: PreparedHand) -> PreparedHand | None:
        """Return the ledger's account of a hand that a feed recorded completely, or None."""
        opened = hand.opened
        table_key = TableKey(opened.venue, opened.tournament, opened.table)
        if table_key not in self._tables:
            self._tables[table_key] = dict(_find_live_hands(self._ledger, table_key))
        stream = self._tables[table_key].get((opened.number, opened.started))
        fed_hand = None if stream is None else find_fed_hand(self._ledger, stream)
        if fed_hand is None or not fed_hand.has_recorded(decode_events(hand)):
            return None
        first_commit = self._ledger.stream(fed_hand.stream)[0]
        draft = hand.draft._replace(
            stream=fed_hand.stream, count=first_commit.count, data=first_commit.data, marks=first_commit.marks
        )
        table_hand = remember_hand(fed_hand.all_events, fed_hand.stream.hex)
        return PreparedHand(hand.start, hand.length, draft, table_hand, opened, hand.is_incomplete, hand.is_unbalanced)


def _find_live_hands(ledger: Ledger, table_key: TableKey) -> Iterator[tuple[tuple[str, Millis | None], UUID]]:
    """Yield number and start time of a table's hands without a source, each with its stream."""
    sql = (
        "SELECT h.number, h.started, l.stream FROM hands AS h JOIN places AS p ON p.id = h.place "
        "JOIN log AS l ON l.position = h.position "
        "WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND l.source IS NULL"
    )
    with ledger.database.reading() as link:
        rows = link.execute(sql, tuple(table_key)).fetchall()
    for number, started, stream in rows:
        yield (number, started), UUID(bytes=bytes(stream))


# the drafts of a feed


class FeedCommits(NamedTuple):
    """The commits that a reading adds to the ledger."""

    drafts: list[CommitDraft]
    events: list[Event]  # of the hand
    corrections: int = 0
    is_end: bool = False


def begin_hand(hand: PreparedHand, feed_id: str, moment: Millis) -> FeedCommits:
    """Return the commits that begin a fed hand. The first one ends before the seats, so the hand counts as running."""
    events = decode_events(hand)
    marks = unpack_origins(hand.draft.marks, len(events))
    seat_indexes = (index for index, event in enumerate(events) if isinstance(event, SeatDealtIn | SeatLeftOut))
    split_index = next(seat_indexes, len(events))
    first_data = _encode(events[:split_index])
    opened = hand.opened
    stream = hand_stream(opened.venue, opened.table, opened.number, opened.started, sha256(first_data).digest())
    first_draft = _build_feed_draft(stream, 1, events[:split_index], marks[:split_index], feed_id, moment)
    drafts = [first_draft._replace(hand=infer_hand_facts(events[:split_index], live=True))]
    if events[split_index:]:
        drafts.append(
            _build_feed_draft(stream, split_index + 1, events[split_index:], marks[split_index:], feed_id, moment)
        )
    return FeedCommits([*drafts, _build_opening_draft(hand, moment)], list(events))


def extend_hand(ledger: Ledger, fed_hand: FedHand, hand: PreparedHand, moment: Millis, *, is_over: bool) -> FeedCommits:
    """Return the commits that bring a fed hand up to date. `is_over`: nothing more of it will come.

    When it is over, its table gets its summary. If more comes later, the summary is corrected.
    """
    new_events, marks, correction_count = _find_additions(ledger, fed_hand, hand)
    drafts: list[CommitDraft] = []
    if new_events:
        version = len(fed_hand.all_events) + 1
        drafts.append(_build_feed_draft(fed_hand.stream, version, new_events, marks, fed_hand.feed, moment))
    if not is_over:
        return FeedCommits(drafts, list(new_events), correction_count)
    played_key = f"{_KEY_PREFIX}played:{fed_hand.stream.hex}"
    is_known = _is_stored(ledger, played_key)
    all_events = [*fed_hand.all_events, *new_events]
    if not is_known or new_events:
        drafts += _build_table_drafts(
            ledger,
            fed_hand.stream,
            hand,
            all_events,
            Provenance(moment, "system", FEED_AUTHOR, played_key),
            is_repeated=is_known,
        )
    return FeedCommits(drafts, list(new_events), correction_count, not is_known)


def _find_additions(
    ledger: Ledger, fed_hand: FedHand, hand: PreparedHand
) -> tuple[list[HandEvent], list[EventOrigin], int]:
    """Return the events that a reading adds to a hand, their origins, and the number of corrections."""
    events = decode_events(hand)
    additions: list[HandEvent] = []
    marks: list[EventOrigin] = []
    correction_count = 0
    if fed_hand.has_recorded(events):
        return additions, marks, correction_count
    read_marks = unpack_origins(hand.draft.marks, len(events))
    for voided_versions, after_version, start_index, stop_index in _diff_events(fed_hand.numbered, events):
        if after_version is not None:
            correction_count += 1
            reason = ledger.people.text(_REREAD_REASON)
            additions.append(
                CorrectionMade(voided_versions, after_version, stop_index - start_index, "software", "", reason)
            )
            marks.append(NO_ORIGIN)
        additions += events[start_index:stop_index]
        marks += read_marks[start_index:stop_index]
    return additions, marks, correction_count


class _EventDifference(NamedTuple):
    """Events that a new reading replaces or adds."""

    voided_versions: tuple[int, ...]
    after_version: int | None  # of the event that the new events follow; None = at the end
    start_index: int  # of the new events in the reading
    stop_index: int


def _diff_events(
    numbered_events: Sequence[tuple[int, HandEvent]], events: Sequence[HandEvent]
) -> Iterator[_EventDifference]:
    """Yield the differences between the recorded events and those of a new reading."""
    earlier_events = [event for _, event in numbered_events]
    versions = [version for version, _ in numbered_events]
    common_count = next(
        (
            index
            for index, (earlier_event, new_event) in enumerate(zip(earlier_events, events, strict=False))
            if earlier_event != new_event
        ),
        len(earlier_events),
    )
    matcher = SequenceMatcher(None, earlier_events[common_count:], events[common_count:], autojunk=False)
    for operation, start, stop, new_start, new_stop in matcher.get_opcodes():
        if operation == "equal":
            continue
        start, stop = common_count + start, common_count + stop  # noqa: PLW2901 - counted from the beginning
        voided_versions = tuple(versions[start:stop])
        is_appended = start == len(earlier_events)
        after_version = versions[start - 1] if start else 0
        yield _EventDifference(
            voided_versions, None if is_appended else after_version, common_count + new_start, common_count + new_stop
        )


def _build_table_drafts(
    ledger: Ledger,
    stream: UUID,
    hand: PreparedHand,
    events: list[HandEvent],
    provenance: Provenance,
    *,
    is_repeated: bool,
) -> list[CommitDraft]:
    """Return the drafts for the table of a hand that is over. `is_repeated`: the table already has its summary."""
    opened = hand.opened
    table = table_stream(opened.venue, opened.tournament, opened.table)
    table_events: list[Event] = [remember_hand(events, stream.hex)]
    if is_repeated:
        hand_row = next(hand_row for hand_row in find_accounts(ledger, opened) if hand_row.stream == stream)
        correction = CorrectionMade((), 0, 0, "software", "", ledger.people.text(_REREAD_REASON))
        table_events = build_table_correction(ledger, hand_row, table_events[0], correction)  # type: ignore[arg-type] # the one HandPlayed
        provenance = provenance._replace(key=f"{provenance.key}:{len(events)}")
    if not table_events:
        return []
    return [CommitDraft("table", table, None, len(table_events), _encode(table_events), b"", provenance)]


def _is_stored(ledger: Ledger, commit_key: str) -> bool:
    with ledger.database.reading() as link:
        return link.execute("SELECT 1 FROM log WHERE key = ?", (commit_key,)).fetchone() is not None


def _build_opening_draft(hand: PreparedHand, moment: Millis) -> CommitDraft:
    """Return the draft that opens the table. Its key makes sure that it is stored once."""
    opened = hand.opened
    table = table_stream(opened.venue, opened.tournament, opened.table)
    event = TableOpened(opened.venue, opened.table, opened.tournament, opened.club, opened.seats, opened.witnesses)
    provenance = Provenance(moment, "system", FEED_AUTHOR, f"opened:{table.hex}")
    return CommitDraft("table", table, None, 1, _encode([event]), b"", provenance)


def _build_feed_draft(
    stream: UUID, version: int, events: Sequence[HandEvent], marks: Sequence[EventOrigin], feed_id: str, moment: Millis
) -> CommitDraft:
    """Return a draft of the feed. Its key contains the feed's id, and makes sure that it is stored once."""
    places = [number for mark in marks for number in (mark.start, mark.length)]
    inferred = [index for index, mark in enumerate(marks) if mark.basis == "derived"]
    times = {index: mark.time for index, mark in enumerate(marks) if mark.time is not None}
    provenance = Provenance(moment, "system", FEED_AUTHOR, f"{_KEY_PREFIX}{feed_id}:{stream.hex}:{version}")
    return CommitDraft(
        "hand", stream, version, len(events), _encode(events), pack_origins(places, inferred, times), provenance
    )
