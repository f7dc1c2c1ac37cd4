"""Build the cues of a recording's index: one for each hand, each moment of it, and each finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from math import inf
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from ledger.clocks import find_local_time, format_wall_time
from ledger.hand import opening
from ledger.hand.ending import CorrectionMade
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import phrase, phrase_count
from projections.addresses.address_book import AddressBook
from projections.amount_text import MoneyFormat
from projections.reports.event_text import EventDescriber, format_game
from projections.tape.tape_clock import MomentTimes, TapeClock

if TYPE_CHECKING:
    from ledger.entry import Entry, Provenance
    from ledger.event import Event
    from ledger.export.hands import Export
    from ledger.store import HandRow
    from ledger.vocabulary import Millis
    from projections.findings.finding import Finding

CueKind: TypeAlias = Literal["hand", "act", "finding"]

_SETUP_EVENTS: Final = (
    opening.HandOpened,
    opening.GameSet,
    opening.OptionSet,
    opening.TournamentSet,
    opening.SeatDealtIn,
    opening.SeatLeftOut,
)
"""Events of a hand's setup, which a camera doesn't see."""

_ACT_MILLIS: Final = 4_000
_FINDING_MILLIS: Final = 8_000
_HAND_WITHOUT_END_MILLIS: Final = 10_000
"""How long cues are shown at most, in milliseconds."""

_LONGEST_HAND_MILLIS: Final = 10 * 60_000
"""A hand whose end isn't recorded is shown until the next hand, unless that began later than this."""

_ORDER: Final[dict[CueKind, int]] = {"hand": 0, "act": 1, "finding": 2}


class Cue(NamedTuple):
    """A caption for a span of the recording."""

    start: Millis  # from the recording's first frame
    end: Millis
    kind: CueKind
    address: str  # T7/408, T7/408@12
    lines: tuple[str, ...]

    @property
    def order(self) -> tuple[Millis, int]:
        """The place of a cue among others: by its start, a hand before its acts and findings."""
        return self.start, _ORDER[self.kind]


class HandCues(NamedTuple):
    """The cues of one hand; the first is the hand's own."""

    hand: Cue
    moments: list[Cue]
    table: TableKey
    has_end: bool  # the record shows when the hand ended


class TimedEvent(NamedTuple):
    """An event of a hand with its description, and when it happened."""

    version: int
    event: Event
    text: str
    times: MomentTimes


class TapeIndex:
    """Collects the cues of hands. `untimed_*` and `outside_hands` count what isn't on the recording."""

    def __init__(self, export: Export, clock: TapeClock, length: Millis | None = None) -> None:
        """Create an empty index. `export` decides what its readers may see. `length`: of the recording; None = unknown."""
        self.hands: list[HandCues] = []
        self.hand_count = 0
        self.untimed_hands = 0  # hands without a time
        self.outside_hands = 0  # before the recording begins, or after it ends
        self.untimed_acts = 0  # acts and findings without a time of their own, in hands on the recording
        self._export = export
        self._clock = clock
        self._length = length
        self._addresses = AddressBook(export.ledger)

    def add_hand(self, hand_row: HandRow, findings: Sequence[Finding] = ()) -> None:
        """Add the cues of a hand, or count why it has none."""
        self.hand_count += 1
        entries = self._export.ledger.entries(hand_row.stream)
        start_times = read_start(entries)
        timed_events = self._describe_events(entries, start_times)
        first_place = self._clock.locate(start_times)
        places = {event.version: self._clock.locate(event.times) for event in timed_events}
        known_places = [place for place in (first_place, *places.values()) if place is not None]
        if not known_places:
            self.untimed_hands += 1
            return
        start, end = min(known_places), max(known_places)
        if end < 0 or (self._length is not None and start > self._length):
            self.outside_hands += 1
            return
        acts = [event for event in timed_events if not isinstance(event.event, _SETUP_EVENTS)]
        self.untimed_acts += sum(places[act.version] is None for act in acts)
        moments = self._build_act_cues(hand_row, acts, places)
        moments += self._build_finding_cues(hand_row, findings, places, start)
        has_end = any(places[act.version] is not None for act in acts) and end > start
        hand_cue = Cue(
            max(start, 0),
            end if has_end else start + _HAND_WITHOUT_END_MILLIS,
            "hand",
            self._addresses.find_hand_address(hand_row),
            self._format_hand(hand_row, timed_events, start_times, findings, has_end=has_end),
        )
        table = TableKey(hand_row.venue, hand_row.tournament, hand_row.table)
        self.hands.append(HandCues(hand_cue, sorted(moments, key=_get_order), table, has_end))

    def end_hands_at_next(self) -> None:
        """Sort the hands by their start. Show those without a recorded end until the next hand at their table."""
        self.hands.sort(key=lambda hand_cues: hand_cues.hand.order)
        next_start: dict[TableKey, Millis] = {}
        for index in reversed(range(len(self.hands))):
            hand_cues = self.hands[index]
            hand, following = hand_cues.hand, next_start.get(hand_cues.table)
            if not hand_cues.has_end and following is not None and 0 < following - hand.start <= _LONGEST_HAND_MILLIS:
                self.hands[index] = hand_cues._replace(hand=hand._replace(end=following))
            next_start[hand_cues.table] = hand.start

    def _describe_events(self, entries: Sequence[Entry], start_times: MomentTimes) -> list[TimedEvent]:
        """Return the events of a hand that readers may see, with descriptions and times."""
        events, visible_entries, people = self._export.visible_hand(entries)
        describer = EventDescriber(people)
        late_commits = find_late_commits(entries)
        return [
            TimedEvent(entry.version, event, describer.describe(event), read_times(entry, start_times, late_commits))
            for entry, event in zip(visible_entries, events, strict=True)
        ]

    def _build_act_cues(
        self, hand_row: HandRow, acts: Iterable[TimedEvent], places: Mapping[int, Millis | None]
    ) -> list[Cue]:
        """Return a cue for each moment. Acts at the same time share a cue."""
        placed_acts = sorted(
            ((place, act) for act in acts if (place := places[act.version]) is not None and place >= 0),
            key=lambda placed_act: (placed_act[0], placed_act[1].version),
        )
        moments = [
            (place, [act for _, act in group]) for place, group in groupby(placed_acts, key=lambda placed: placed[0])
        ]
        starts = [place for place, _ in moments]
        ends = [int(min(place + _ACT_MILLIS, next_place)) for place, next_place in pairwise([*starts, inf])]
        return [
            Cue(
                place,
                end,
                "act",
                self._addresses.find_hand_address(hand_row, acts_of_moment[0].version),
                tuple(act.text for act in acts_of_moment),
            )
            for (place, acts_of_moment), end in zip(moments, ends, strict=True)
        ]

    def _build_finding_cues(
        self, hand_row: HandRow, findings: Iterable[Finding], places: Mapping[int, Millis | None], hand_start: Millis
    ) -> list[Cue]:
        cues = []
        for finding in findings:
            place = places.get(finding.version)
            lines = [self._format_finding(finding)]
            if place is None:
                self.untimed_acts += 1
                lines.append(phrase("The act has no time of its own: look from the start of the hand."))
                place = hand_start
            start = max(place, 0)
            cues.append(
                Cue(
                    start,
                    start + _FINDING_MILLIS,
                    "finding",
                    self._addresses.find_hand_address(hand_row, finding.version),
                    tuple(lines),
                )
            )
        return cues

    def _format_finding(self, finding: Finding) -> str:
        """Return a finding's headline; for readers outside the house only its clause and seat, since it may show cards."""
        if self._export.is_unchanged:
            return f"{finding.citation}: {finding.saw}"
        if finding.seat is None:
            return finding.citation
        seat_text = phrase("seat {seat}", seat=finding.seat)
        return f"{finding.citation}: {seat_text}"

    def _format_hand(
        self,
        hand_row: HandRow,
        timed_events: Iterable[TimedEvent],
        start_times: MomentTimes,
        findings: Sequence[Finding],
        *,
        has_end: bool,
    ) -> tuple[str, ...]:
        heading = [self._addresses.find_hand_address(hand_row)]
        games = [timed_event.event for timed_event in timed_events if isinstance(timed_event.event, opening.GameSet)]
        heading += [format_game(game, MoneyFormat(game)) for game in games]
        if start_times.room is not None:
            heading.append(format_wall_time(start_times.room).replace("T", " "))
        lines = ["  ".join(heading)]
        if findings:
            lines.append(phrase_count("{count} finding", "{count} findings", len(findings)))
        if not has_end:
            lines.append(phrase("The record doesn't say when this hand ended."))
        return tuple(lines)


def _get_order(cue: Cue) -> tuple[Millis, int]:
    return cue.order


def read_start(entries: Sequence[Entry]) -> MomentTimes:
    """Return when a hand began, by UTC and by its room's clock."""
    opened = entries[0].event
    if not isinstance(opened, opening.HandOpened):
        return MomentTimes(None, None)
    room_time = find_local_time(opened.started, opened.written) if opened.written else None
    return MomentTimes(opened.started, None if room_time is None else room_time.wall)


def find_late_commits(entries: Sequence[Entry]) -> frozenset[Provenance] | None:
    """Return the correction commits of a hand that was recorded at the table, or None for an imported hand.

    Such a commit has the time of the correction, which may be days later.
    """
    if entries[0].recorded.source is not None:
        return None
    return frozenset(entry.recorded for entry in entries if isinstance(entry.event, CorrectionMade))


def read_times(entry: Entry, start_times: MomentTimes, late_commits: frozenset[Provenance] | None) -> MomentTimes:
    """Return when an event happened. `late_commits`: from `find_late_commits`.

    An imported event has a time only if its source gives one. An event recorded at the table has its commit's time.
    """
    moment = entry.mark.time
    if moment is None and late_commits is not None and entry.recorded not in late_commits:
        moment = entry.recorded.time
    if moment is None:
        return MomentTimes(None, None)
    if start_times.moment is None or start_times.room is None:
        return MomentTimes(moment, None)
    return MomentTimes(moment, moment + start_times.room - start_times.moment)
