"""What a ledger holds under the key of an act, and whether an act that comes under that key again is the same.

The act is read as it would have been when it was recorded: behind the same events, with the same people in the
seats. So `f` is compared with the fold that it was then, however far the hand has gone since.
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
from ledger.hand.opening import GameSet, HandOpened, OptionSet, TournamentSet
from ledger.hidden_cards import CARD_EVENTS
from ledger.marks import unpack_origins
from ledger.people import StagedPeople
from ledger.recording import recording_errors
from ledger.recording.line_reader import read_line
from ledger.recording.one_line import split_line_facts
from ledger.recording.table_undo import undo_at_table
from ledger.recording.undo import TYPING_ERROR, is_undo, make_undo
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

REST_SUFFIX, ENDED_SUFFIX, BEFORE_SUFFIX, AFTER_SUFFIX = ":rest", ":table", ":ahead", ":behind"
"""Ends of the keys of one act's further commits: the hand's own events behind the first ones, that the table was told
of a hand that ended, and what the same line told of the table before and after the hand."""
_BEGUN_SUFFIX: Final = ":hand"
"""As REST, of an older program: there the act's own key is the rest's, and this one's the hand's beginning."""
_KEY_SUFFIXES: Final = ("", REST_SUFFIX, ENDED_SUFFIX, BEFORE_SUFFIX, AFTER_SUFFIX, _BEGUN_SUFFIX)
_MAX_LINES: Final = 4
"""So many of its lines say what an act was."""
_COMMITMENT: Final = re.compile(r"\{[0-9a-f]{64}\}")

_E = TypeVar("_E", bound="Event")


class _ActFacts(NamedTuple):
    """Events with what their marks say: which of them nobody said one by one, and when each was."""

    events: list[Event]
    inferred: frozenset[int]
    times: tuple[Millis | None, ...]


class StoredAct:
    """One act as it stands in a ledger: all commits under its key."""

    def __init__(self, ledger: Ledger, settings: Settings, writer: Author, commits: Mapping[str, Commit]) -> None:
        """Take the ledger, the table that asks, who writes there, and the commits by the ends of their keys ("" is one)."""
        self._ledger, self._settings, self._author, self._commits = ledger, settings, writer, commits
        self._table_key = TableKey(settings.venue, settings.tournament, settings.table)
        self._table = table_stream(*self._table_key)
        self.main_commit = commits[""]

    @property
    def position(self) -> int:
        """The position of its last event in the log."""
        return max(commit.position for commit in self._commits.values())

    @property
    def stream(self) -> UUID:
        """The stream of its hand, or of the table."""
        return UUID(hex=self._ended_hand) if self._ended_hand else self.main_commit.stream

    @property
    def version(self) -> int:
        """The version of its last event in that stream; of a hand that it ended without one, 0."""
        commits = [self._commits[suffix] for suffix in ("", REST_SUFFIX) if suffix in self._commits]
        return 0 if self._ended_hand else max(commit.version + commit.count - 1 for commit in commits)

    @cached_property
    def _ended_hand(self) -> str:
        """The hand that it left without an event of its own; "" = none."""
        if self.main_commit.kind != "table":
            return ""
        return next(
            (event.hand for event in self._decode_events(self.main_commit) if isinstance(event, HandPlayed)), ""
        )

    @property
    def is_of_hand(self) -> bool:
        """Whether it is an act in a hand, not a fact between hands."""
        return self.main_commit.kind == "hand" or bool(self._ended_hand)

    @property
    def kind(self) -> str:
        """What it tells of: "hand" or "table"."""
        return "hand" if self.is_of_hand else "table"

    @cached_property
    def is_of_table(self) -> bool:
        """Whether it was recorded at the table that asks."""
        if not self.is_of_hand:
            return self.main_commit.stream == self._table
        first = next(iter(self._ledger.events(self.stream)), None)
        return isinstance(first, HandOpened) and TableKey(first.venue, first.tournament, first.table) == self._table_key

    @cached_property
    def _hand_before(self) -> list[Event]:
        """The events of its hand that were recorded before it."""
        if not self.is_of_hand:
            return []
        if self.main_commit.kind == "hand":
            return self._ledger.events(self.stream)[: self.main_commit.version - 1]
        return [
            entry.event for entry in self._ledger.entries(self.stream) if entry.position < self.main_commit.position
        ]

    # how it would be read again

    @cached_property
    def lines(self) -> LiveLines:
        """The lines of the table as they stood before it; what they learn is nobody else's."""
        settings, opening, started = structs.replace(self._settings), [], None
        first_event = next(iter(self._hand_before or self._decode_events(self.main_commit)), None)
        if isinstance(first_event, HandOpened):
            settings = Settings(
                first_event.venue,
                first_event.table,
                first_event.seats,
                first_event.tournament,
                first_event.club,
                witnesses=first_event.witnesses,
            )
            started = first_event.started
            own_events = [] if self._hand_before else self._decode_events(self.main_commit)
            opening = [event for event in own_events if isinstance(event, GameSet | OptionSet | TournamentSet)]
        lines = LiveLines(StagedPeople(self._ledger.people), settings, opening)
        if self._hand_before:
            numbered = apply_corrections(list(enumerate(cast("list[HandEvent]", self._hand_before), 1)))
            lines.resume([event for _, event in numbered], started)
        return lines

    def read(self, text: str) -> list[LineResult]:
        """Return what a line would have told in its place."""
        if is_undo(text):
            return self.undo(TYPING_ERROR)
        first_event = self._decode_events(self.main_commit)[0]
        started = first_event.started if isinstance(first_event, HandOpened) else None
        moment = datetime.fromtimestamp((self.main_commit.at if started is None else started) / 1000, UTC)
        return [read_line(part, self.lines, self._read_seats, moment) for part in split_facts(text)]

    def undo(self, reason: str) -> list[LineResult]:
        """Return what taking back the event before it would have told."""
        people = StagedPeople(self._ledger.people)
        if not self.is_of_hand:
            table_undo = undo_at_table(
                self._ledger, self._table, self._author, people, reason, before_version=self.main_commit.version
            )
            return [LineResult("table", [table_undo.correction])]
        numbered = apply_corrections(list(enumerate(cast("list[HandEvent]", self._hand_before), 1)))
        return [LineResult("hand", [make_undo(numbered, self._author, people, reason)])]

    @property
    def was_proposed(self) -> bool:
        """Whether it began a hand with events that were proposed: an older program kept them under two keys."""
        return _BEGUN_SUFFIX in self._commits

    def read_proposal(self) -> list[LineResult]:
        """Return what it tells, if it began a hand as it was proposed; `UsageError` if it did not."""
        own_facts = self._read_facts([self._commits[suffix] for suffix in ("", REST_SUFFIX) if suffix in self._commits])
        written_count = self.main_commit.count if isinstance(own_facts.events[0], HandOpened) else 0
        if self.was_proposed or (
            written_count and own_facts.inferred == frozenset(range(written_count, len(own_facts.events)))
        ):
            return [LineResult("hand", own_facts.events, sorted(own_facts.inferred), begins=written_count > 0)]
        raise recording_errors.nothing_proposed()

    def _read_seats(self) -> Mapping[Seat, SeatState]:
        sql = "SELECT coalesce(max(version + count - 1), 0) FROM log WHERE stream = ? AND position < ?"
        with self._ledger.database.reading() as link:
            version_row = link.execute(sql, (self._table.bytes, self.main_commit.position)).fetchone()
        return fold_table_entries(
            put_in_order(
                [entry for entry in table_entries(self._ledger, self._table_key) if entry.version <= version_row[0]]
            )
        ).seats

    # whether it is the same

    def is_same(self, read_again: Callable[[StoredAct], Sequence[LineResult]]) -> bool:
        """Whether what is read in its place tells what it tells: the same events, at the same times, marked alike."""
        if not self.is_of_table:
            return False
        try:
            line_facts = split_line_facts(read_again(self))
        except (HandledgerError, ValueError, LookupError):
            return False
        if line_facts.hand is None:
            return not self.is_of_hand and self._is_same_part(line_facts.table_before, self.main_commit)
        if not self.is_of_hand or line_facts.hand.ends != (ENDED_SUFFIX in self._commits or bool(self._ended_hand)):
            return False
        hand_commits = (
            []
            if self._ended_hand
            else [self._commits[suffix] for suffix in ("", REST_SUFFIX) if suffix in self._commits]
        )
        return (
            self._has_same_facts(line_facts.hand, hand_commits)
            and self._is_same_part(line_facts.table_before, self._commits.get(BEFORE_SUFFIX))
            and self._is_same_part(line_facts.table_after, self._commits.get(AFTER_SUFFIX))
        )

    def _is_same_part(self, table_facts: LineResult | None, commit: Commit | None) -> bool:
        """Whether facts about the table are those of a commit, or neither is there."""
        if table_facts is None or commit is None:
            return table_facts is None and commit is None
        return self._has_same_facts(table_facts, [commit])

    def _has_same_facts(self, read_facts: LineResult, commits: Sequence[Commit]) -> bool:
        stored_facts, people = self._read_facts(commits), self._ledger.people
        stated_times = (read_facts.times.get(index) for index in range(len(read_facts.events)))
        times = tuple(None if moment == self.main_commit.at else moment for moment in stated_times)
        return (
            _open_cards(read_facts.events, people) == _open_cards(stored_facts.events, people)
            and frozenset(read_facts.inferred) == stored_facts.inferred
            and times == stored_facts.times
        )

    def _read_facts(self, commits: Sequence[Commit]) -> _ActFacts:
        """Return what some commits hold; a time that nobody said is None."""
        events: list[Event] = []
        inferred: set[int] = set()
        times: list[Millis | None] = []
        for commit in sorted(commits, key=lambda one: one.position):
            marks = unpack_origins(commit.marks, commit.count)
            inferred |= {len(events) + index for index, mark in enumerate(marks) if mark.basis == "derived"}
            times += [None if mark.time == commit.at else mark.time for mark in marks]
            events += self._decode_events(commit)
        return _ActFacts(events, frozenset(inferred), tuple(times))

    def _decode_events(self, commit: Commit) -> list[Event]:
        return list(self._ledger.mapper.decode(commit.kind, commit.data))

    # what is said of it

    @property
    def events(self) -> list[Event]:
        """What it tells of its hand, or of the table."""
        return self._read_facts(
            [self._commits[suffix] for suffix in ("", REST_SUFFIX) if suffix in self._commits]
        ).events

    def describe(self) -> str:
        """Return its lines, without cards that were not shown."""
        if not self.is_of_table:
            return "an act at another table"
        earlier = [mask_cards(event) for event in self._hand_before]
        act_lines = ["stop"] if self._ended_hand else self._write_lines(earlier, self.events)
        commit_before, commit_after = (self._commits.get(suffix) for suffix in (BEFORE_SUFFIX, AFTER_SUFFIX))
        act_lines = [*(self._write_lines([], self._decode_events(commit_before)) if commit_before else ()), *act_lines]
        return "; ".join(
            [*act_lines, *(self._write_lines([], self._decode_events(commit_after)) if commit_after else ())][
                -_MAX_LINES:
            ]
        )

    def _write_lines(self, earlier: Sequence[Event], events: Iterable[Event]) -> list[str]:
        return self.lines.tell([*earlier, *(mask_cards(event) for event in events)])[len(earlier) :]


def find_stored_act(ledger: Ledger, settings: Settings, writer: Author, key: str) -> StoredAct | None:
    """Return what is recorded under a key, None if nothing is."""
    if not key:
        return None
    with ledger.database.reading() as link:
        sql = "SELECT key, position FROM log WHERE key IN (?, ?, ?, ?, ?, ?)"
        log_rows = link.execute(sql, [key + suffix for suffix in _KEY_SUFFIXES]).fetchall()
        commits = {log_row[0][len(key) :]: ledger.reader.commit_at(link, log_row[1]) for log_row in log_rows}
    stored_commits = {suffix: commit for suffix, commit in commits.items() if commit is not None}
    return StoredAct(ledger, settings, writer, stored_commits) if "" in stored_commits else None


def mask_cards(event: _E) -> _E:
    """Return an event without cards that were not shown."""
    if not isinstance(event, CARD_EVENTS) or not event.cards:
        return event
    cards = _COMMITMENT.sub("??", event.cards)
    return structs.replace(event, cards="??" * (len(cards) // 2))


def _open_cards(events: Iterable[Event], people: People) -> list[Event]:
    """Return events with their hidden cards as they were told, where the ledger still knows them."""

    def card(match: re.Match[str]) -> str:
        opening = people.opening(match[0])
        return match[0] if opening is None else opening[2]

    return [
        structs.replace(event, cards=_COMMITMENT.sub(card, event.cards)) if isinstance(event, CARD_EVENTS) else event
        for event in events
    ]
