"""A table that is recorded while it is played: each line and each act is durable before it is answered.

What was told wrongly is corrected by an event, never taken out. Several devices may record one table: an
append says behind which event it stands, and whoever comes second is told what the other did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from uuid import UUID

from msgspec import structs

from ledger.entry import Provenance
from ledger.errors import ConflictError, UsageError
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.lines import parts
from ledger.formats.handscript.live import LiveLines, Taken
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade, HandCompleted, HandVoided
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet, HandOpened, OptionSet, TournamentSet
from ledger.hiding import hide_cards
from ledger.marks import pack_origins
from ledger.recording.checking import check_events, stream_kind
from ledger.recording.line_reader import read_line
from ledger.recording.one_line import LineFacts, split_line_facts
from ledger.recording.running import find_last_version, find_running_stream
from ledger.recording.stored_act import (
    AFTER_SUFFIX,
    BEFORE_SUFFIX,
    ENDED_SUFFIX,
    REST_SUFFIX,
    StoredAct,
    find_stored_act,
    mask_cards,
)
from ledger.recording.table_undo import undo_at_table
from ledger.recording.undo import TYPING_ERROR, is_undo, make_undo
from ledger.recording.writer import Author
from ledger.store.commits import Draft
from ledger.store.hands.hand_accounts import TableKey, entries_after
from ledger.store.hands.table_streams import table_entries as told_to
from ledger.store.log.hand_facts import facts_of
from ledger.streams import hand_stream, table_stream
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.fold import fold_table_entries
from ledger.table.order import put_in_order
from ledger.table.played import build_hand_played

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.store import Ledger
    from ledger.table.state import SeatState
    from ledger.vocabulary import Millis, PlayerId, Seat

_HAND_SETTINGS: Final = (GameSet, OptionSet, TournamentSet)


class RecordResult(NamedTuple):
    """What was recorded: the events, and the version of the last one in its stream."""

    kind: str  # "hand", "table", "header": nothing was recorded, it holds for what follows
    events: tuple[Event, ...]
    version: int
    stream: UUID | None = None
    hand_ended: bool = False
    is_repeat: bool = False  # it had been recorded before, under the same key


class Recorder:
    """One table of a ledger, between hands or within one."""

    def __init__(
        self, ledger: Ledger, settings: Settings, opening: Sequence[Event] = (), author: Author | None = None
    ) -> None:
        """Take the ledger, the table, what holds for each of its hands, and who records."""
        self.ledger = ledger
        self.author = author or Author()
        self.table = table_stream(settings.venue, settings.tournament, settings.table)
        self.lines = LiveLines(ledger.people, settings, opening)
        self.stream: UUID | None = None
        self.recorded: list[HandEvent] = []  # of the running hand, corrections too
        self.seats: Callable[[], Mapping[Seat, SeatState]] = (
            self._read_seats
        )  # who keeps the table walked knows it sooner
        self.lines.sits(self._seated_players)
        self._last_time = self._find_last_start()  # when a hand began here last, or the table was told of something
        self.look()

    # what is known

    @property
    def settings(self) -> Settings:
        """The table."""
        return self.lines.settings

    @property
    def running(self) -> bool:
        """Whether a hand runs."""
        return self.stream is not None

    @property
    def version(self) -> int:
        """The version of the running hand's last event; 0 = no hand runs."""
        return len(self.recorded)

    @property
    def numbered(self) -> list[tuple[int, HandEvent]]:
        """The events of the running hand that hold, with their versions."""
        return apply_corrections(list(enumerate(self.recorded, 1)))

    @property
    def state(self) -> HandState:
        """The running hand as it stands. Do not change it."""
        return self.lines.state

    def _find_last_start(self) -> Millis:
        """Return when the last hand of the table began: a clock that went back puts the next one behind it all the same.

        0 where it lies more than a day ahead: that is no clock that was set back, but a hand of another time.
        """
        s = self.settings
        rows = self.ledger.hands(venue=s.venue, tournament=s.tournament, table=s.table, order="newest", limit=1)
        began = next((row.started for row in rows), None)
        return began if began is not None and began - self.ledger.now() < _DAY_MILLIS else 0

    def look(self) -> None:
        """Learn how the ledger has it: whether a hand runs, and what was recorded of it by whomever."""
        found = find_running_stream(self.ledger, self.settings)
        if found is None:
            self.stream, self.recorded = None, []
            self.lines.rest()
            return
        if found == self.stream and self.lines.in_hand and find_last_version(self.ledger, found) == self.version:
            return
        self.stream = found
        self.recorded = cast("list[HandEvent]", self.ledger.events(found))
        self._resume_lines()

    def _reset(self) -> None:
        """Know nothing, and learn it again: what was taken was not recorded."""
        self.stream, self.recorded = None, []
        self.lines.rest()
        self.look()

    def _resume_lines(self) -> None:
        """Let the lines go on behind the events that hold."""
        self.lines.resume([event for _, event in self.numbered], self._find_start())

    def _find_start(self) -> Millis | None:
        first = self.recorded[0]
        return first.started if isinstance(first, HandOpened) else None

    # what is recorded

    def tell(self, text: str, *, key: str = "", behind: int | None = None) -> RecordResult:
        """Record what a line tells; when this returns it is durable.

        `behind`: the version that whoever writes has seen last; `ConflictError` if more was recorded meanwhile.
        `key`: told again under the same key, it is recorded once. `UnreadableHandError` says what is wrong with the line.
        """
        if (there := self.recorded_under(key, lambda act: act.read(text))) is not None:
            return there
        self.expect(behind)
        if is_undo(text):
            return self.undo(key=key)
        several = parts(text)
        if len(several) > 1:
            return self._record_several(several, key)
        taken = self._read_line(text, self.lines)
        if not taken.events and not taken.ends:
            return RecordResult("header", (), self.version)
        return self._append([taken], key)

    def _record_several(self, texts: Sequence[str], key: str) -> RecordResult:
        """Record the facts of one line: all of them, or none."""
        trial = LiveLines(self.ledger.people, structs.replace(self.settings), self.lines.opening)
        trial.sits(self._seated_players)
        if self.running:
            trial.resume([event for _, event in self.numbered], self._find_start())
        for text in texts:
            self._read_line(text, trial)
        found = [taken for text in texts if (taken := self._read_line(text, self.lines)).events or taken.ends]
        if not found:
            return RecordResult("header", (), self.version)
        return self._append(found, key)

    def _read_line(self, text: str, lines: LiveLines) -> Taken:
        return read_line(text, lines, self.seats, self._next_start())

    def _seated_players(self) -> dict[Seat, PlayerId]:
        """Return the players at the table by their seats, as far as lines name them."""
        return {seat: held.player for seat, held in self.seats().items() if held.player}

    def _read_seats(self) -> Mapping[Seat, SeatState]:
        """Return who sits at the table."""
        s = self.settings
        return fold_table_entries(put_in_order(told_to(self.ledger, TableKey(s.venue, s.tournament, s.table)))).seats

    def record_events(
        self,
        events: Sequence[Event],
        times: Mapping[int, Millis],
        *,
        key: str = "",
        behind: int | None = None,
        former: StoredAct | None = None,
    ) -> RecordResult:
        """Record events as a program sends them, of the running hand, of one that begins with them, or of the table.

        `times` by index; `former` as in `recorded_under`. `UsageError` where they are of several kinds, or cannot stand here.
        """
        if (there := self.recorded_under(key, lambda act: [_take_sent(events, times, act.kind)], former)) is not None:
            return there
        self.expect(behind)
        kind = stream_kind(events, running=self.running)
        check_events(events, self.lines, self.settings, self.ledger.people)
        begins = isinstance(events[0], HandOpened)
        of_hand = kind == "hand"
        if of_hand and not begins:
            self.lines.follow(events)
        taken = _take_sent(events, times, kind)
        done = self._append([taken], key)
        if begins and self.running:
            self._resume_lines()
        return done

    def add(
        self, events: Sequence[HandEvent], *, inferred: Sequence[int] = (), key: str = "", behind: int | None = None
    ) -> RecordResult:
        """Record events of the running hand that were chosen, not written. `inferred`: which of them nobody said one by one."""
        taken = take_chosen(events, inferred)
        if (there := self.recorded_under(key, lambda _: [taken])) is not None:
            return there
        self.expect(behind)
        if not self.running:
            raise UsageError("no hand runs at this table", 'Begin one: "hand 412", or take the proposed one.')
        self.lines.follow(events)
        return self._append([taken], key)

    def begin(
        self, number: str, events: Sequence[HandEvent], *, key: str = "", behind: int | None = None
    ) -> RecordResult:
        """Begin a hand with the events that were proposed for it, all at once: nobody wrote them one by one."""
        self.expect(behind)
        began = self._read_line(f"hand {number}", self.lines)
        self.lines.follow(events)
        return self._append([began, take_chosen(events, range(len(events)))] if events else [began], key)

    def undo(
        self, *, why: str = TYPING_ERROR, key: str = "", behind: int | None = None, former: StoredAct | None = None
    ) -> RecordResult:
        """Take back the last event that holds of the running hand: it stays on record, and a correction says who and why."""
        if (there := self.recorded_under(key, lambda act: act.undo(why), former)) is not None:
            return there
        self.expect(behind)
        if not self.running:
            return self._undo_between_hands(why, key)
        numbered = self.numbered
        began = all(isinstance(event, (HandOpened, *_HAND_SETTINGS)) for _, event in numbered)
        if began and len(numbered) <= 1 + len(self.lines.opening):
            raise UsageError("there is nothing to take back", _BEGUN_HINT)
        made = make_undo(numbered, self.author, self.ledger.people, why)
        return self._append([Taken("hand", [made])], key)

    def _undo_between_hands(self, why: str, key: str) -> RecordResult:
        """Take back the last fact of the table; after the end of a hand the hand runs again."""
        undone = undo_at_table(self.ledger, self.table, self.author, self.ledger.people, why)
        now = self.ledger.now()
        drafts = [self._table_draft([undone.correction], now, key)]
        if undone.hand is not None and undone.hand_correction is not None:
            data = self.ledger.mapper.encode("hand", [undone.hand_correction])
            recorded = Provenance(now, self.author.clock, self.author.name, _suffix_key(key, REST_SUFFIX))
            drafts.append(Draft("hand", undone.hand, undone.hand_version, 1, data, b"", recorded))
        outcomes = self.ledger.append_all(drafts, strict=True)
        self.look()
        return RecordResult("table", (undone.correction,), outcomes[0].version, self.stream or self.table)

    def stop(self, *, key: str = "") -> RecordResult:
        """Leave the running hand as it is: nobody saw how it ended."""
        if not self.running:
            raise UsageError("no hand runs at this table")
        return self._append([Taken("hand", ends=True)], key)

    def find_stored(self, key: str) -> StoredAct | None:
        """Return what is recorded under a key, None if nothing is."""
        return find_stored_act(self.ledger, self.settings, self.author, key)

    def recorded_under(
        self, key: str, read: Callable[[StoredAct], Sequence[Taken]], former: StoredAct | None = None
    ) -> RecordResult | None:
        """Return what was recorded under a key before, None if nothing was: a device that got no answer asks again.

        `read` says what the device tells now, read where the act stands; `ConflictError` if that is something else.
        `former`: an act under a key of an older program, which is taken for this one only if it is the same.
        """
        act = self.find_stored(key)
        if act is None:
            return self.repeat_result(former) if former is not None and former.is_same(read) else None
        if not act.is_same(read):
            raise ConflictError(
                f"something else is recorded under this key: {act.describe()}",
                "Nothing was recorded now. Send each act under a key of its own.",
            )
        return self.repeat_result(act)

    def repeat_result(self, act: StoredAct) -> RecordResult:
        """Return what was recorded, of an act that is sent again."""
        self.look()
        return RecordResult(
            act.kind, tuple(act.events), act.version, act.stream, act.stream != self.stream, is_repeat=True
        )

    def position(self) -> int:
        """Return the position in the log of what was recorded last at this table; 0 = nothing yet."""
        sql = "SELECT position FROM log WHERE stream = ? ORDER BY version DESC LIMIT 1"
        with self.ledger.database.reading() as link:
            rows = [
                link.execute(sql, (stream.bytes,)).fetchone()
                for stream in (self.table, self.stream)
                if stream is not None
            ]
        return max((int(row[0]) for row in rows if row is not None), default=0)

    def expect(self, behind: int | None) -> None:
        """Raise `ConflictError` if the running hand does not stand at the version that whoever writes saw last."""
        if behind is not None and behind != self.version:
            raise self._conflict_error(behind)

    def _conflict_error(self, behind: int) -> ConflictError:
        """Say what somebody else recorded after a version, or what is missing before it."""
        if self.running and behind > self.version:
            missing = (
                f"event {behind} is" if behind == self.version + 1 else f"events {self.version + 1} to {behind} are"
            )
            return ConflictError(
                f"this hand has {self.version} events, not {behind}: {missing} missing",
                "Send what is missing first. If the hand is another one, look at the table again.",
            )
        told = "; ".join(self._lines_since(behind)) if self.running else "the hand ended"
        return ConflictError(
            f"this table has moved on to event {self.version}, from {behind}: {told}",
            "Look at the table, and enter it again if it still holds.",
        )

    def _lines_since(self, version: int) -> list[str]:
        """Return the last lines of the running hand after a version, without cards that were not shown."""
        return self.lines.tell([mask_cards(event) for event in self.recorded])[version:][-3:]

    def conflict_since(self, position: int) -> ConflictError:
        """Say what somebody else recorded at this table after a position of the log."""
        told = self._table_lines_since(position)
        if self.stream is not None:
            told += self._lines_since(sum(entry.position <= position for entry in self.ledger.entries(self.stream)))
        return ConflictError(
            f"this table has moved on: {'; '.join(told[-3:])}",
            "Look at the table, and enter it again if it still holds.",
        )

    def _table_lines_since(self, position: int) -> list[str]:
        """Return what the table was told after a position of the log."""
        sql = "SELECT coalesce(max(version + count - 1), 0) FROM log WHERE stream = ? AND position <= ?"
        with self.ledger.database.reading() as link:
            row = link.execute(sql, (self.table.bytes, position)).fetchone()
        events = [entry.event for entry in entries_after(self.ledger, self.table, row[0])]
        return [
            f"hand {event.number} ended" if isinstance(event, HandPlayed) else self.lines.tell([event])[0]
            for event in events
            if not isinstance(event, TableOpened)
        ]

    def _append(self, takens: Sequence[Taken], key: str) -> RecordResult:
        """Append what was told, all at once; where somebody else was first, know what they did, and refuse."""
        before = self.version
        running = True
        try:
            told = split_line_facts(takens)
            running = told.hand is not None
            for taken in (told.table_before, told.hand, told.table_after):
                if self.author.check is not None and taken is not None:
                    self.author.check(taken.kind, taken.events)
            if told.hand is None:
                assert told.table_before is not None  # noqa: S101 - something was told
                return self._append_facts(told.table_before, key)
            return self._append_hand(told, told.hand, key)
        except ConflictError as error:
            self._reset()
            raise (self._conflict_error(before) if running else error) from error
        except BaseException:
            self._reset()
            raise

    def _append_hand(self, told: LineFacts, taken: Taken, key: str) -> RecordResult:
        now = self.ledger.now()
        events = cast("list[HandEvent]", taken.events)
        if self.author.hides_cards and events:
            events = hide_cards([*self.recorded, *events], self.ledger.people)[len(self.recorded) :]
        drafts = self._hand_drafts(taken, events, now, key, told.opening_count) if events else []
        stream = drafts[0].stream if drafts else cast("UUID", self.stream)
        recorded = [*self.recorded, *events]
        opening = self._opening_drafts(now) if taken.begins or told.table_before or told.table_after else []
        if told.table_before is not None:
            drafts.append(
                self._table_draft(told.table_before.events, now, _suffix_key(key, BEFORE_SUFFIX), told.table_before)
            )
        if taken.ends:
            remembered = build_hand_played(
                fold([event for _, event in apply_corrections(list(enumerate(recorded, 1)))]), stream.hex
            )
            drafts.append(self._table_draft([remembered], now, _suffix_key(key, ENDED_SUFFIX) if events else key))
        if told.table_after is not None:
            drafts.append(
                self._table_draft(told.table_after.events, now, _suffix_key(key, AFTER_SUFFIX), told.table_after)
            )
        outcomes = self.ledger.append_all([*opening, *drafts], strict=True)
        if any(outcome.state == "same" for outcome in outcomes[len(opening) : len(opening) + 1]):
            self.look()
            return RecordResult("hand", tuple(events), self.version, stream, taken.ends, is_repeat=True)
        if taken.ends:
            self.stream, self.recorded = None, []
            self.lines.rest()
        else:
            self.stream, self.recorded = stream, recorded
            if self.author.hides_cards or any(isinstance(event, CorrectionMade) for event in events):
                self._resume_lines()
        return RecordResult("hand", tuple(events), len(recorded), stream, taken.ends)

    def _hand_drafts(self, taken: Taken, events: list[HandEvent], now: Millis, key: str, first: int) -> list[Draft]:
        """Return the commits of events of a hand; `first` of them stand apart, so that it counts as one that runs."""
        cut = first if 0 < first < len(events) else len(events)
        drafts: list[Draft] = []
        for start, stop in ((0, cut), (cut, len(events))):
            some = events[start:stop]
            if not some:
                continue
            data = self.ledger.mapper.encode("hand", some)
            times = {at - start: taken.times.get(at, now) for at in range(start, stop)}
            marks = pack_origins([0, 0] * len(some), [at - start for at in taken.inferred if start <= at < stop], times)
            recorded = Provenance(
                now, self.author.clock, self.author.name, _suffix_key(key, REST_SUFFIX) if start else key
            )
            stream, facts = drafts[0].stream if drafts else self.stream, None
            if stream is None:
                facts = facts_of(some, live=True)
                if facts.started is not None and facts.started - now < _SECOND_MILLIS:
                    self._last_time = max(self._last_time, facts.started)
                stream = hand_stream(facts.venue, facts.table, facts.number, facts.started, sha256(data).digest())
            drafts.append(Draft("hand", stream, self.version + 1 + start, len(some), data, marks, recorded, facts))
        return drafts

    def _append_facts(self, taken: Taken, key: str) -> RecordResult:
        now = max(self.ledger.now(), self._last_time)
        drafts = [*self._opening_drafts(now), self._table_draft(taken.events, now, key, taken)]
        outcomes = self.ledger.append_all(drafts)
        last, self._last_time = outcomes[-1], now
        again = last.state == "same"
        return RecordResult(
            "table", tuple(taken.events), last.version + len(taken.events) - 1, self.table, is_repeat=again
        )

    def _opening_drafts(self, now: Millis) -> list[Draft]:
        """Return the event that says which table this is; its key stores it once."""
        s = self.settings
        opened = TableOpened(s.venue, s.table, s.tournament, s.club, s.seats, s.witnesses)
        return [self._table_draft([opened], now, f"opened:{self.table.hex}")]

    def _table_draft(self, events: Sequence[Event], now: Millis, key: str, taken: Taken | None = None) -> Draft:
        data = self.ledger.mapper.encode("table", events)
        marks = b""
        if taken is not None:
            times = {at: taken.times.get(at, now) for at in range(len(events))}
            marks = pack_origins([0, 0] * len(events), taken.inferred, times)
        recorded = Provenance(now, self.author.clock, self.author.name, key)
        return Draft("table", self.table, None, len(events), data, marks, recorded)

    def _next_start(self) -> datetime:
        """Return when a hand begins that begins now: behind all that the table was told."""
        return datetime.fromtimestamp(max(self.ledger.now(), self._last_time + 1) / 1000, UTC)


_BEGUN_HINT: Final = 'That the hand began stays: "voided" if it was not played, "stop" if nobody saw its end.'
_SECOND_MILLIS: Final = 1_000
_DAY_MILLIS: Final = 86_400_000


def take_chosen(events: Sequence[HandEvent], inferred: Sequence[int] = ()) -> Taken:
    """Return events that were chosen, not written. `inferred`: which of them nobody said one by one."""
    return Taken("hand", list(events), list(inferred), ends=_is_end(events))


def _take_sent(events: Sequence[Event], times: Mapping[int, Millis], kind: str) -> Taken:
    """Return events as a program sends them, of a hand or of the table."""
    begins, ends = isinstance(events[0], HandOpened), kind == "hand" and _is_end(events)
    return Taken(kind, list(events), times=dict(times), begins=begins, ends=ends)


def _is_end(events: Sequence[Event]) -> bool:
    return any(isinstance(event, HandCompleted | HandVoided) for event in events)


def _suffix_key(key: str, end: str) -> str:
    """Return the key of one more commit of an act."""
    return key + end if key else ""
