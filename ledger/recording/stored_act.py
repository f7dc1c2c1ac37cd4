"""Find what was recorded under the key of an act, and compare it with an act sent again under that key.

An act that is sent again is read as it was the first time: after the same events, with the same players in the seats.
So `f` is compared with the fold of that time, even if the hand has gone on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast
from uuid import UUID

from msgspec import structs

from ledger.errors import HandledgerError
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.lines import split_facts
from ledger.formats.handscript.live import LineResult, LiveLines
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import GameSet, HandOpened, OptionSet, TournamentSet
from ledger.hidden_cards import CARD_EVENTS
from ledger.marks import unpack_origins
from ledger.people import StagedPeople
from ledger.recording import recording_errors
from ledger.recording.author import parse_writer
from ledger.recording.line_reader import read_line
from ledger.recording.one_line import split_line_facts
from ledger.recording.table_undo import undo_at_table
from ledger.recording.undo import TYPING_ERROR, build_undo, is_undo
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from ledger.table.fold import fold_table_entries
from ledger.table.order import put_in_order

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.people import People
    from ledger.recording.author import Author
    from ledger.store import Ledger
    from ledger.store.commits import Commit
    from ledger.table.state import SeatState
    from ledger.vocabulary import Millis, Seat

REST_SUFFIX: Final = ":rest"
"""Suffix of the key of the commit with the hand's events after its opening. The act's own key has the opening."""
ENDED_SUFFIX: Final = ":table"
"""Suffix of the key of the commit with which the act ended the hand at the table."""
BEFORE_SUFFIX: Final = ":ahead"
"""Suffix of the key of the commit with the table's events before those of the hand."""
AFTER_SUFFIX: Final = ":behind"
"""Suffix of the key of the commit with the table's events after those of the hand."""
_OPENING_SUFFIX: Final = ":hand"
"""Suffix of the key of the opening's commit in ledgers of older programs.

There the act's own key has the other events.
"""
_KEY_SUFFIXES: Final = ("", REST_SUFFIX, ENDED_SUFFIX, BEFORE_SUFFIX, AFTER_SUFFIX, _OPENING_SUFFIX)

_MAX_LINES: Final = 4
"""The most lines in the description of an act."""
_COMMITMENT: Final = re.compile(r"\{[0-9a-f]{64}\}")
"""A hidden card: the hash of the card and a secret."""

_E = TypeVar("_E", bound="Event")


def find_stored_act(ledger: Ledger, settings: Settings, writer: Author, key: str) -> StoredAct | None:
    """Return the act that is recorded under a key, or None."""
    if not key:
        return None
    with ledger.database.reading() as link:
        sql = "SELECT key, position FROM log WHERE key IN (?, ?, ?, ?, ?, ?)"
        log_rows = link.execute(sql, [key + suffix for suffix in _KEY_SUFFIXES]).fetchall()
        commits = {log_key[len(key) :]: ledger.reader.commit_at(link, position) for log_key, position in log_rows}
    stored_commits = {suffix: commit for suffix, commit in commits.items() if commit is not None}
    return StoredAct(ledger, settings, writer, stored_commits) if "" in stored_commits else None


def mask_cards(event: _E) -> _E:
    """Return an event with ?? for each of its cards."""
    if not isinstance(event, CARD_EVENTS) or not event.cards:
        return event
    cards = _COMMITMENT.sub("??", event.cards)
    return structs.replace(event, cards="??" * (len(cards) // 2))


def suffix_key(key: str, suffix: str) -> str:
    """Return the key of one more commit of an act, "" for an act without a key."""
    return key + suffix if key else ""


class _RecordedFacts(NamedTuple):
    """Events with their marks."""

    events: list[Event]
    inferred: frozenset[int]  # indexes of inferred events
    times: tuple[Millis | None, ...]  # None: not stated


class StoredAct:
    """An act on record: all commits under its key."""

    def __init__(self, ledger: Ledger, settings: Settings, writer: Author, commits: Mapping[str, Commit]) -> None:
        """Take the ledger, the asking table's settings and writer, and the commits by the suffixes of their keys."""
        self._ledger, self._settings, self._author, self._commits = ledger, settings, writer, commits
        self._table_key = TableKey(settings.venue, settings.tournament, settings.table)
        self._table = table_stream(*self._table_key)
        self.main_commit = commits[""]

    # What it is

    @property
    def is_of_hand(self) -> bool:
        """Whether the act belongs to a hand, not between hands."""
        return self.main_commit.kind == "hand" or bool(self._stopped_hand)

    @property
    def kind(self) -> str:
        """The kind of stream that the act belongs to: "hand" or "table"."""
        return "hand" if self.is_of_hand else "table"

    @cached_property
    def is_of_table(self) -> bool:
        """Whether the act was recorded at the asking table."""
        if not self.is_of_hand:
            return self.main_commit.stream == self._table
        first = next(iter(self._ledger.events(self.stream)), None)
        return isinstance(first, HandOpened) and TableKey(first.venue, first.tournament, first.table) == self._table_key

    @property
    def was_proposed(self) -> bool:
        """Whether an older program recorded the act as a hand's start that it had proposed itself."""
        return _OPENING_SUFFIX in self._commits

    @property
    def position(self) -> int:
        """The position of the act's last event in the log."""
        return max(commit.position for commit in self._commits.values())

    @property
    def stream(self) -> UUID:
        """The stream of the act's hand, or of the table."""
        return UUID(hex=self._stopped_hand) if self._stopped_hand else self.main_commit.stream

    @property
    def version(self) -> int:
        """The version of the act's last event in that stream; 0 if it stopped a hand without an event."""
        if self._stopped_hand:
            return 0
        return max(commit.version + commit.count - 1 for commit in self._own_commits)

    @property
    def events(self) -> list[Event]:
        """The act's events in its hand or, between hands, at the table."""
        return self._decode_facts(self._own_commits).events

    def describe(self) -> str:
        """Return the act's last lines, without its cards."""
        if not self.is_of_table:
            return "an act at another table"
        masked_events = [mask_cards(event) for event in self._earlier_events]
        lines_before = self._write_part(BEFORE_SUFFIX)
        own_lines = ["stop"] if self._stopped_hand else self._write_lines(self.events, masked_events)
        lines_after = self._write_part(AFTER_SUFFIX)
        return "; ".join([*lines_before, *own_lines, *lines_after][-_MAX_LINES:])

    def _write_part(self, suffix: str) -> list[str]:
        """Return the lines of the commit with a suffix; none if there is no such commit."""
        commit = self._commits.get(suffix)
        return [] if commit is None else self._write_lines(self._decode_events(commit), [])

    def _write_lines(self, events: Iterable[Event], earlier_events: Sequence[Event]) -> list[str]:
        masked_events = [mask_cards(event) for event in events]
        return self.lines.write_lines([*earlier_events, *masked_events])[len(earlier_events) :]

    # Reading a line in its place

    @cached_property
    def lines(self) -> LiveLines:
        """A reader of lines in the state before the act. What it learns stays in it."""
        first_event = next(iter(self._earlier_events or self._decode_events(self.main_commit)), None)
        if not isinstance(first_event, HandOpened):
            return LiveLines(StagedPeople(self._ledger.people), structs.replace(self._settings), [])
        settings = Settings(
            first_event.venue,
            first_event.table,
            first_event.seats,
            first_event.tournament,
            first_event.club,
            witnesses=first_event.witnesses,
        )
        opening_events = [] if self._earlier_events else self._decode_events(self.main_commit)
        games = [event for event in opening_events if isinstance(event, GameSet | OptionSet | TournamentSet)]
        lines = LiveLines(StagedPeople(self._ledger.people), settings, games)
        if self._earlier_events:
            lines.resume([event for _, event in self._number_earlier_events()], first_event.started)
        return lines

    def read(self, text: str) -> list[LineResult]:
        """Return what a line would have told in the act's place."""
        if is_undo(text):
            return self.undo(TYPING_ERROR)
        first_event = self._decode_events(self.main_commit)[0]
        started = first_event.started if isinstance(first_event, HandOpened) else None
        moment = datetime.fromtimestamp((self.main_commit.at if started is None else started) / 1000, UTC)
        return [read_line(part, self.lines, self._find_seats, moment) for part in split_facts(text)]

    def undo(self, reason: str) -> list[LineResult]:
        """Return what taking back the event before the act would have told."""
        people, author = StagedPeople(self._ledger.people), self._find_author()
        if self.is_of_hand:
            correction = build_undo(self._number_earlier_events(), author, people, reason)
            return [LineResult("hand", [correction])]
        table_undo = undo_at_table(
            self._ledger, self._table, author, people, reason, before_version=self.main_commit.version
        )
        return [LineResult("table", [table_undo.correction])]

    def _find_author(self) -> Author:
        """Return who recorded the act: somebody else may be signed in on the tablet by now."""
        correction = self._decode_events(self.main_commit)[0]
        if not parse_writer(self.main_commit.recorded.writer).user or not isinstance(correction, CorrectionMade):
            return self._author
        return self._author._replace(person=correction.person, role=correction.by)

    def read_proposal(self) -> list[LineResult]:
        """Return what the act tells if it started a hand as proposed. `UsageError` if it didn't."""
        facts = self._decode_facts(self._own_commits)
        opening_count = self.main_commit.count if isinstance(facts.events[0], HandOpened) else 0
        indexes_after_opening = frozenset(range(opening_count, len(facts.events)))
        if self.was_proposed or (opening_count and facts.inferred == indexes_after_opening):
            return [LineResult("hand", facts.events, sorted(facts.inferred), begins=opening_count > 0)]
        raise recording_errors.nothing_proposed()

    def _number_earlier_events(self) -> list[tuple[int, HandEvent]]:
        """Return the hand's events before the act that weren't taken back, with their versions."""
        return apply_corrections(list(enumerate(cast("list[HandEvent]", self._earlier_events), 1)))

    def _find_seats(self) -> Mapping[Seat, SeatState]:
        """Return the table's seats as they were before the act."""
        sql = "SELECT coalesce(max(version + count - 1), 0) FROM log WHERE stream = ? AND position < ?"
        with self._ledger.database.reading() as link:
            (last_version,) = link.execute(sql, (self._table.bytes, self.main_commit.position)).fetchone()
        entries = table_entries(self._ledger, self._table_key)
        return fold_table_entries(put_in_order([entry for entry in entries if entry.version <= last_version])).seats

    # Comparing

    def is_same(self, read_again: Callable[[StoredAct], Sequence[LineResult]]) -> bool:
        """Whether an act read in this one's place tells the same: the events, their times and which are inferred."""
        if not self.is_of_table:
            return False
        try:
            line_facts = split_line_facts(read_again(self))
        except (HandledgerError, ValueError, LookupError):
            return False
        if line_facts.hand is None:
            return not self.is_of_hand and self._is_same_part(line_facts.table_before, self.main_commit)
        if not self.is_of_hand or line_facts.hand.ends != self._ends_hand:
            return False
        return (
            self._has_same_facts(line_facts.hand, [] if self._stopped_hand else self._own_commits)
            and self._is_same_part(line_facts.table_before, self._commits.get(BEFORE_SUFFIX))
            and self._is_same_part(line_facts.table_after, self._commits.get(AFTER_SUFFIX))
        )

    def _is_same_part(self, table_facts: LineResult | None, commit: Commit | None) -> bool:
        """Whether a commit has these facts about the table, or there are neither facts nor commit."""
        if table_facts is None or commit is None:
            return table_facts is None and commit is None
        return self._has_same_facts(table_facts, [commit])

    def _has_same_facts(self, line_result: LineResult, commits: Sequence[Commit]) -> bool:
        recorded_facts, people = self._decode_facts(commits), self._ledger.people
        stated_times = (line_result.times.get(index) for index in range(len(line_result.events)))
        times = tuple(None if moment == self.main_commit.at else moment for moment in stated_times)
        return (
            _open_cards(line_result.events, people) == _open_cards(recorded_facts.events, people)
            and frozenset(line_result.inferred) == recorded_facts.inferred
            and times == recorded_facts.times
        )

    # Its commits

    @property
    def _own_commits(self) -> list[Commit]:
        """The commits with the act's own events: the opening of a hand, if it started one, and the rest."""
        return [self._commits[suffix] for suffix in ("", REST_SUFFIX) if suffix in self._commits]

    @property
    def _ends_hand(self) -> bool:
        return ENDED_SUFFIX in self._commits or bool(self._stopped_hand)

    @cached_property
    def _stopped_hand(self) -> str:
        """The id of the hand that the act stopped without an event in it; "" = none."""
        if self.main_commit.kind != "table":
            return ""
        events = self._decode_events(self.main_commit)
        return next((event.hand for event in events if isinstance(event, HandPlayed)), "")

    @cached_property
    def _earlier_events(self) -> list[Event]:
        """The events of the act's hand that were recorded before it."""
        if not self.is_of_hand:
            return []
        if self.main_commit.kind == "hand":
            return self._ledger.events(self.stream)[: self.main_commit.version - 1]
        last_position = self.main_commit.position
        return [entry.event for entry in self._ledger.entries(self.stream) if entry.position < last_position]

    def _decode_facts(self, commits: Sequence[Commit]) -> _RecordedFacts:
        """Return the events of commits with what their marks say, in the order of the log."""
        events: list[Event] = []
        inferred: set[int] = set()
        times: list[Millis | None] = []
        for commit in sorted(commits, key=lambda commit: commit.position):
            marks = unpack_origins(commit.marks, commit.count)
            inferred |= {len(events) + index for index, mark in enumerate(marks) if mark.basis == "derived"}
            times += [None if mark.time == commit.at else mark.time for mark in marks]
            events += self._decode_events(commit)
        return _RecordedFacts(events, frozenset(inferred), tuple(times))

    def _decode_events(self, commit: Commit) -> list[Event]:
        return list(self._ledger.mapper.decode(commit.kind, commit.data))


def _open_cards(events: Iterable[Event], people: People) -> list[Event]:
    """Return events with the hidden cards that the ledger still knows."""

    def open_card(match: re.Match[str]) -> str:
        opening = people.opening(match[0])
        return match[0] if opening is None else opening[2]

    return [
        structs.replace(event, cards=_COMMITMENT.sub(open_card, event.cards))
        if isinstance(event, CARD_EVENTS)
        else event
        for event in events
    ]
