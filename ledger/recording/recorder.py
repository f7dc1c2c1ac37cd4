"""Record a table while it is played. Each line is saved before it is answered.

A mistake is corrected by an event; nothing is deleted. Several devices may record one table: each says which version it
has seen, and the second one learns what the first recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from msgspec import structs

from ledger.entry import Provenance
from ledger.errors import ConflictError
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.lines import split_facts
from ledger.formats.handscript.live import LineResult, LiveLines
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet, HandOpened, OptionSet, TournamentSet
from ledger.hidden_cards import hide_cards
from ledger.marks import pack_origins
from ledger.recording import recording_errors
from ledger.recording.act_facts import wrap_chosen_events, wrap_sent_events
from ledger.recording.author import Author
from ledger.recording.conflicts import build_key_conflict, build_version_conflict
from ledger.recording.event_checks import check_events, find_stream_kind
from ledger.recording.line_reader import read_line
from ledger.recording.one_line import LineFacts, split_line_facts
from ledger.recording.record_result import RecordResult
from ledger.recording.running_hand import TableLook, find_last_start, read_next_lines, read_seats
from ledger.recording.stored_act import (
    AFTER_SUFFIX,
    BEFORE_SUFFIX,
    ENDED_SUFFIX,
    REST_SUFFIX,
    StoredAct,
    find_stored_act,
    suffix_key,
)
from ledger.recording.table_drafts import build_opening_draft, build_table_draft
from ledger.recording.table_undo import undo_at_table
from ledger.recording.undo import TYPING_ERROR, build_undo, is_undo
from ledger.store.commits import CommitDraft, Outcome
from ledger.store.log.hand_facts import infer_hand_facts
from ledger.streams import hand_stream, table_stream
from ledger.table.events import GameChanged, StakesChanged
from ledger.table.played import build_hand_played

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.store import Ledger
    from ledger.table.state import SeatState
    from ledger.vocabulary import Millis, PlayerId, Seat

_SECOND_MILLIS: Final = 1_000
_HAND_SETTINGS: Final = (GameSet, OptionSet, TournamentSet)


class Recorder:
    """One table of a ledger, between hands or within one."""

    def __init__(
        self, ledger: Ledger, settings: Settings, opening: Sequence[Event] = (), author: Author | None = None
    ) -> None:
        """Take the ledger, the table, the events that open each of its hands, and who records."""
        self.ledger = ledger
        self.author = author or Author()
        self.table = table_stream(settings.venue, settings.tournament, settings.table)
        self.lines = LiveLines(ledger.people, settings, opening)
        self.stream: UUID | None = None
        self.hand_events: list[HandEvent] = []  # of the running hand, including corrections
        # Who keeps the table walked knows it sooner.
        self.seats: Callable[[], Mapping[Seat, SeatState]] = lambda: read_seats(ledger, self.settings)
        self.lines.sits(self._seated_players)
        self._last_look = TableLook(ledger, settings)
        self._is_opened = False  # the ledger has the event that opens the table
        self._last_time = find_last_start(ledger, settings)  # of a hand's start, or of a fact of the table
        self.look()

    # the state of the table

    @property
    def settings(self) -> Settings:
        """The table."""
        return self.lines.settings

    @property
    def running(self) -> bool:
        """Whether a hand is in progress."""
        return self.stream is not None

    @property
    def version(self) -> int:
        """The version of the running hand's last event, or 0 between hands."""
        return len(self.hand_events)

    @property
    def numbered(self) -> list[tuple[int, HandEvent]]:
        """The events of the running hand after corrections, with their versions."""
        return apply_corrections(list(enumerate(self.hand_events, 1)))

    @property
    def state(self) -> HandState:
        """The state of the running hand. Do not change it."""
        return self.lines.state

    def look(self) -> None:
        """Read from the ledger whether a hand is running, and all its events, by any device."""
        ends, running_stream = self._last_look.repeat()
        if running_stream is None:
            self.stream, self.hand_events = None, []
            self.lines.rest()
            return
        if running_stream == self.stream and self.lines.in_hand and ends.hand_version == self.version:
            return
        self.stream = running_stream
        self.hand_events = cast("list[HandEvent]", self.ledger.events(running_stream))
        self._resume_lines()

    @contextmanager
    def steady(self) -> Iterator[None]:
        """Look at the table, and rely on that look in this context until something is recorded here.

        Without it, each question is put to the ledger again. An act is checked against what was recorded meanwhile when
        it is appended.
        """
        self.look()
        with self._last_look.trusted():
            yield

    def find_table_version(self) -> int:
        """Return the version of the table's last event, 0 before the first."""
        return self._last_look.find_ends().version

    def _reset(self) -> None:
        """Read the table again, since the last line was not recorded."""
        self._last_look.forget()
        self.stream, self.hand_events = None, []
        self.lines.rest()
        self.look()

    def _resume_lines(self) -> None:
        """Continue the lines after the events in force."""
        self.lines.resume([event for _, event in self.numbered], self._find_start())

    def _find_start(self) -> Millis | None:
        first_event = self.hand_events[0]
        return first_event.started if isinstance(first_event, HandOpened) else None

    # recording

    def tell(self, text: str, *, key: str = "", behind: int | None = None, is_new: bool = False) -> RecordResult:
        """Record a line. It is saved when this returns.

        `behind`: the version that the writer has seen; `ConflictError` if somebody recorded more since. `key`: a line
        that is sent again under the same key is recorded once. `is_new`: `find_repeat` has just returned None for the
        key. `UnreadableHandError` describes a bad line.
        """
        if not is_new and (earlier_result := self.find_repeat(key, lambda stored: stored.read(text))) is not None:
            return earlier_result
        self.expect(behind)
        if is_undo(text):
            return self.undo(key=key, is_new=is_new)
        line_parts = split_facts(text)
        if len(line_parts) > 1:
            return self._record_several(line_parts, key)
        new_facts = self._read_line(text, self.lines)
        if not new_facts.events and not new_facts.ends:
            return RecordResult("header", (), self.version)
        return self._append([new_facts], key)

    def _record_several(self, texts: Sequence[str], key: str) -> RecordResult:
        """Record all facts of one line, or none."""
        trial_lines = LiveLines(self.ledger.people, structs.replace(self.settings), self.lines.opening)
        trial_lines.sits(self._seated_players)
        if self.running:
            trial_lines.resume([event for _, event in self.numbered], self._find_start())
        for text in texts:
            self._read_line(text, trial_lines)
        line_facts = [
            part_facts for text in texts if (part_facts := self._read_line(text, self.lines)).events or part_facts.ends
        ]
        if not line_facts:
            return RecordResult("header", (), self.version)
        return self._append(line_facts, key)

    def _read_line(self, text: str, lines: LiveLines) -> LineResult:
        return read_line(text, lines, self.seats, self._next_start())

    def _seated_players(self) -> dict[Seat, PlayerId]:
        """Return the named players by their seats."""
        return {seat: seat_state.player for seat, seat_state in self.seats().items() if seat_state.player}

    def record_events(
        self,
        events: Sequence[Event],
        times: Mapping[int, Millis],
        *,
        key: str = "",
        behind: int | None = None,
        former_act: StoredAct | None = None,
    ) -> RecordResult:
        """Record events that a program sends: of the running hand, of a new hand, or of the table.

        `times`: by index of the event. `former_act`: as in `find_repeat`. Raise `UsageError` if the events are of
        several kinds, or don't fit here.
        """
        if (
            earlier_result := self.find_repeat(key, lambda act: [wrap_sent_events(events, times, act.kind)], former_act)
        ) is not None:
            return earlier_result
        self.expect(behind)
        kind = find_stream_kind(events, running=self.running)
        check_events(events, self.lines, self.settings, self.ledger.people)
        begins_hand = isinstance(events[0], HandOpened)
        is_of_hand = kind == "hand"
        if is_of_hand and not begins_hand:
            self.lines.follow(events)
        new_facts = wrap_sent_events(events, times, kind)
        result = self._append([new_facts], key)
        if begins_hand and self.running:
            self._resume_lines()
        return result

    def add(
        self,
        events: Sequence[HandEvent],
        *,
        inferred: Sequence[int] = (),
        key: str = "",
        behind: int | None = None,
        is_new: bool = False,
    ) -> RecordResult:
        """Record chosen events of the running hand. `inferred`: the indexes of those that nobody entered one by one."""
        new_facts = wrap_chosen_events(events, inferred)
        if not is_new and (earlier_result := self.find_repeat(key, lambda _: [new_facts])) is not None:
            return earlier_result
        self.expect(behind)
        if not self.running:
            raise recording_errors.no_hand_running()
        self.lines.follow(events)
        return self._append([new_facts], key)

    def begin(
        self, number: str, events: Sequence[HandEvent], *, key: str = "", behind: int | None = None
    ) -> RecordResult:
        """Begin a hand with the events that were proposed for it."""
        self.expect(behind)
        hand_line = self._read_line(f"hand {number}", self.lines)
        self.lines.follow(events)
        return self._append([hand_line, wrap_chosen_events(events, range(len(events)))] if events else [hand_line], key)

    def undo(
        self,
        *,
        why: str = TYPING_ERROR,
        key: str = "",
        behind: int | None = None,
        former_act: StoredAct | None = None,
        is_new: bool = False,
    ) -> RecordResult:
        """Undo the last event of the running hand by a correction that says who and why. The event stays on record."""
        if not is_new and (earlier_result := self.find_repeat(key, lambda act: act.undo(why), former_act)) is not None:
            return earlier_result
        self.expect(behind)
        if not self.running:
            return self._undo_between_hands(why, key)
        numbered = self.numbered
        has_only_begun = all(isinstance(event, (HandOpened, *_HAND_SETTINGS)) for _, event in numbered)
        if has_only_begun and len(numbered) <= 1 + len(self.lines.opening):
            raise recording_errors.only_begun()
        correction = build_undo(numbered, self.author, self.ledger.people, why)
        return self._append([LineResult("hand", [correction])], key)

    def _undo_between_hands(self, reason: str, key: str) -> RecordResult:
        """Undo the last fact of the table. If that is the end of a hand, the hand is running again."""
        table_undo = undo_at_table(self.ledger, self.table, self.author, self.ledger.people, reason)
        self.author.require_permission(
            LineResult("table" if table_undo.hand is None else "hand", [table_undo.correction])
        )
        moment = self.ledger.now()
        drafts = [self._table_draft([table_undo.correction], moment, key)]
        if table_undo.hand is not None and table_undo.hand_correction is not None:
            encoded_event = self.ledger.mapper.encode("hand", [table_undo.hand_correction])
            provenance = Provenance(moment, self.author.clock, self.author.name, suffix_key(key, REST_SUFFIX))
            drafts.append(
                CommitDraft("hand", table_undo.hand, table_undo.hand_version, 1, encoded_event, b"", provenance)
            )
        outcomes = self.ledger.append_all(drafts, strict=True)
        if isinstance(table_undo.undone_event, StakesChanged | GameChanged) and not self.lines.revert_stakes():
            self.lines = read_next_lines(self.ledger, self.settings, self._seated_players) or self.lines
        self.look()
        events, stream = (table_undo.correction,), self.stream or self.table
        return RecordResult("table", events, outcomes[0].version, stream, position=outcomes[-1].position)

    def stop(self, *, key: str = "") -> RecordResult:
        """Stop the running hand without a result, since nobody saw how it ended."""
        if not self.running:
            raise recording_errors.no_hand_running()
        return self._append([LineResult("hand", ends=True)], key)

    def find_stored(self, key: str) -> StoredAct | None:
        """Return what is recorded under a key, None if nothing is."""
        return find_stored_act(self.ledger, self.settings, self.author, key)

    def find_repeat(
        self, key: str, read_again: Callable[[StoredAct], Sequence[LineResult]], former_act: StoredAct | None = None
    ) -> RecordResult | None:
        """Return the result of the act that was recorded under a key, or None. A device without an answer asks again.

        `read_again` reads in the act's place what the device sends now; `ConflictError` if that differs. `former_act`:
        an act under an older program's key, which counts only if it is the same.
        """
        stored_act = self.find_stored(key)
        if stored_act is None:
            return self.repeat_result(former_act) if former_act is not None and former_act.is_same(read_again) else None
        if not stored_act.is_same(read_again):
            raise build_key_conflict(stored_act)
        return self.repeat_result(stored_act)

    def repeat_result(self, stored_act: StoredAct) -> RecordResult:
        """Return the result of an act that was sent again."""
        self.look()
        return RecordResult(
            stored_act.kind,
            tuple(stored_act.events),
            stored_act.version,
            stored_act.stream,
            stored_act.stream != self.stream,
            is_repeat=True,
            position=stored_act.position,
        )

    def position(self) -> int:
        """Return the log position of the last event at this table, 0 before the first."""
        ends = self._last_look.find_ends()
        return ends.position if self.stream is None else max(ends.position, ends.hand_position)

    def expect(self, seen_version: int | None) -> None:
        """Raise `ConflictError` if the running hand isn't at the version that the writer saw."""
        if seen_version is not None and seen_version != self.version:
            raise build_version_conflict(self, seen_version)

    def _append(self, act_facts: Sequence[LineResult], key: str) -> RecordResult:
        """Append the facts of an act, all at once. If somebody else was first, read the table again and refuse."""
        seen_version = self.version
        is_of_hand = True
        try:
            line_facts = split_line_facts(act_facts)
            is_of_hand = line_facts.hand is not None
            for part_facts in (line_facts.table_before, line_facts.hand, line_facts.table_after):
                if part_facts is not None:
                    self.author.require_permission(part_facts)
            if line_facts.hand is None:
                assert line_facts.table_before is not None  # noqa: S101 - something was told
                return self._append_facts(line_facts.table_before, key)
            return self._append_hand(line_facts, line_facts.hand, key)
        except ConflictError as error:
            self._reset()
            raise (build_version_conflict(self, seen_version) if is_of_hand else error) from error
        except BaseException:
            self._reset()
            raise

    def _append_hand(self, line_facts: LineFacts, hand_facts: LineResult, key: str) -> RecordResult:
        moment = self.ledger.now()
        events = cast("list[HandEvent]", hand_facts.events)
        if self.author.hides_cards and events:
            events = hide_cards([*self.hand_events, *events], self.ledger.people)[len(self.hand_events) :]
        drafts = self._hand_drafts(hand_facts, events, moment, key, line_facts.opening_count) if events else []
        stream = drafts[0].stream if drafts else cast("UUID", self.stream)
        drafts += self._table_drafts(line_facts, hand_facts, events, stream, moment, key)
        needs_table = hand_facts.begins or line_facts.table_before or line_facts.table_after
        opening = self._opening_drafts(moment) if needs_table else []
        outcomes = self._store_drafts([*opening, *drafts], strict=True)
        self._is_opened = self._is_opened or bool(opening)
        if any(outcome.state == "same" for outcome in outcomes[len(opening) : len(opening) + 1]):
            self.look()
            return RecordResult("hand", tuple(events), self.version, stream, hand_facts.ends, is_repeat=True)
        all_events = [*self.hand_events, *events]
        if hand_facts.ends:
            self.stream, self.hand_events = None, []
            self.lines.rest()
        else:
            self.stream, self.hand_events = stream, all_events
            if self.author.hides_cards or any(isinstance(event, CorrectionMade) for event in events):
                self._resume_lines()
        position = outcomes[-1].position
        return RecordResult("hand", tuple(events), len(all_events), stream, hand_facts.ends, position=position)

    def _store_drafts(self, drafts: Sequence[CommitDraft], *, strict: bool) -> list[Outcome]:
        """Append drafts, all or none. A single one becomes durable together with those of other tables."""
        outcomes = (
            [self.ledger.append_draft(drafts[0])] if len(drafts) == 1 else self.ledger.append_all(drafts, strict=strict)
        )
        self._last_look.forget()
        return outcomes

    def _table_drafts(
        self,
        line_facts: LineFacts,
        hand_facts: LineResult,
        events: list[HandEvent],
        stream: UUID,
        moment: Millis,
        key: str,
    ) -> list[CommitDraft]:
        """Return the commits for the table: facts before the hand's events, the hand if it ended, facts after it."""
        drafts: list[CommitDraft] = []
        table_before, table_after = line_facts.table_before, line_facts.table_after
        if table_before is not None:
            before_key = suffix_key(key, BEFORE_SUFFIX)
            drafts.append(self._table_draft(table_before.events, moment, before_key, table_before))
        if hand_facts.ends:
            numbered = list(enumerate([*self.hand_events, *events], 1))
            table_hand = build_hand_played(fold([event for _, event in apply_corrections(numbered)]), stream.hex)
            drafts.append(self._table_draft([table_hand], moment, suffix_key(key, ENDED_SUFFIX) if events else key))
        if table_after is not None:
            after_key = suffix_key(key, AFTER_SUFFIX)
            drafts.append(self._table_draft(table_after.events, moment, after_key, table_after))
        return drafts

    def _hand_drafts(
        self, hand_facts: LineResult, events: list[HandEvent], moment: Millis, key: str, opening_count: int
    ) -> list[CommitDraft]:
        """Return the commits for events of a hand. The first `opening_count` get their own, so that the hand counts as running."""
        split_index = opening_count if 0 < opening_count < len(events) else len(events)
        drafts: list[CommitDraft] = []
        for start, stop in ((0, split_index), (split_index, len(events))):
            draft_events = events[start:stop]
            if not draft_events:
                continue
            encoded_events = self.ledger.mapper.encode("hand", draft_events)
            times = {
                event_index - start: hand_facts.times.get(event_index, moment) for event_index in range(start, stop)
            }
            inferred = [event_index - start for event_index in hand_facts.inferred if start <= event_index < stop]
            marks = pack_origins([0, 0] * len(draft_events), inferred, times)
            provenance = Provenance(
                moment, self.author.clock, self.author.name, suffix_key(key, REST_SUFFIX) if start else key
            )
            stream, index_facts = drafts[0].stream if drafts else self.stream, None
            if stream is None:
                index_facts = infer_hand_facts(draft_events, live=True)
                if index_facts.started is not None and index_facts.started - moment < _SECOND_MILLIS:
                    self._last_time = max(self._last_time, index_facts.started)
                stream = hand_stream(
                    index_facts.venue,
                    index_facts.table,
                    index_facts.number,
                    index_facts.started,
                    sha256(encoded_events).digest(),
                )
            drafts.append(
                CommitDraft(
                    "hand",
                    stream,
                    self.version + 1 + start,
                    len(draft_events),
                    encoded_events,
                    marks,
                    provenance,
                    index_facts,
                )
            )
        return drafts

    def _append_facts(self, table_facts: LineResult, key: str) -> RecordResult:
        moment = max(self.ledger.now(), self._last_time)
        drafts = [*self._opening_drafts(moment), self._table_draft(table_facts.events, moment, key, table_facts)]
        outcomes = self._store_drafts(drafts, strict=False)
        last_outcome, self._last_time, self._is_opened = outcomes[-1], moment, True
        version, is_repeat = last_outcome.version + len(table_facts.events) - 1, last_outcome.state == "same"
        events, position = tuple(table_facts.events), last_outcome.position
        return RecordResult("table", events, version, self.table, is_repeat=is_repeat, position=position)

    def _opening_drafts(self, moment: Millis) -> list[CommitDraft]:
        """Return the draft that opens the table, if it may be missing. Its key makes sure that it is stored once."""
        return [] if self._is_opened else [build_opening_draft(self.ledger, self.author, self.settings, moment)]

    def _table_draft(
        self, events: Sequence[Event], moment: Millis, key: str, table_facts: LineResult | None = None
    ) -> CommitDraft:
        return build_table_draft(self.ledger, self.author, self.table, events, moment, key, table_facts)

    def _next_start(self) -> datetime:
        """Return when a hand begins that begins now: after all events of the table."""
        return datetime.fromtimestamp(max(self.ledger.now(), self._last_time + 1) / 1000, UTC)
