"""A section while its lines are read, and its account."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, cast

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.account import Account, Problem, Reject, SectionAccount, TableAccount
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import advice, slots
from ledger.formats.handscript.context import Context, parse_clock
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.phrasebook import is_seat
from ledger.formats.handscript.places import SectionSeats, SectionTable, find_table
from ledger.formats.handscript.tokens import LineError, format_word, get_column
from ledger.hand.events import HandEvent
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.table.events import TableEvent
from ledger.table.money_events import TOURNAMENT_MONEY
from ledger.vocabulary import Millis, Witness

SectionResult: TypeAlias = Account | TableAccount | SectionAccount | Reject

PROBLEMS_MOST: Final = 100
"""The maximum number of a section's problems that are listed. More are only counted."""


class SectionProblems(Struct):
    """The bad lines of a section or a header."""

    code: str = ""  # of the first
    found: list[Problem] = field(default_factory=list)
    more: int = 0  # beyond PROBLEMS_MOST

    def add(self, error: UnreadableHandError, line: ScriptLine) -> None:
        """Add a line's error."""
        self.code = self.code or error.kind
        if len(self.found) < PROBLEMS_MOST:
            self.found.append(advice.build_problem(error, line.number))
        else:
            self.more += 1

    def reject(self, start: int, length: int, opening_line: int = 0) -> Reject:
        """Return the reject of a span, with advice for each bad line.

        `opening_line` begins the span. Bad lines above it belong to the header, not to the span.
        """
        first = self.found[0]
        omitted_lines = [Problem(0, 0, f"and {self.more} more lines, which were not looked at")] if self.more else []
        reason = f"line {first.line}: {first.reason}"
        return Reject(
            start,
            length,
            max(first.line, opening_line),
            self.code,
            reason,
            advice.write_hint(first),
            (*self.found, *omitted_lines),
        )


class HandscriptSection(Struct):
    """A hand or another section while its lines are read."""

    kind: str
    context: Context
    first: ScriptLine  # or the first line above it that belongs to no other section
    opening_line: int = 0  # the number of its own first line
    number: str = ""  # of a case
    events: list[Event] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    derived: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    wrong: SectionProblems = field(default_factory=SectionProblems)
    has_misplaced_line: bool = False  # whether a line of it is misplaced
    end: int = 0
    has_header_events: bool = False  # whether it has the header's events
    is_implied: bool = False  # whether it began with a fact instead of its own first line
    start: int = 0  # of its first line
    seats: SectionSeats | None = None  # the players of its table, once a line needs them

    def __post_init__(self) -> None:
        self.start = self.first.start

    def add(self, event: Event, line: ScriptLine | None) -> None:
        """Add an event with its line; None if its line isn't in this section."""
        self.events.append(event)
        self.places += (line.start - self.start, line.length) if line else (0, 0)

    @property
    def place(self) -> SectionTable:
        """Its table. A hand's own line may name another table than the header."""
        first = self.events[0] if self.events else None
        return find_table(first if isinstance(first, HandOpened) else self.context.settings)

    @property
    def has_begun(self) -> bool:
        """Whether the hand's first line was read."""
        return bool(self.events) and isinstance(self.events[0], HandOpened)

    @property
    def is_desk(self) -> bool:
        """Whether it is a tournament's own record, without a table, and its last fact is a sale, a pool or a prize.

        No other line depends on such a fact, but who sits where at a tournament's only table depends on every line.
        """
        settings = self.context.settings
        is_money = bool(self.events) and type(self.events[-1]) in TOURNAMENT_MONEY
        return is_money and self.kind == "table" and bool(settings.tournament) and not settings.table

    def replace_copied_event(self, event: Event) -> int:
        """Put a hand's own game in the place of the header's; return its index, or that of the next event."""
        for index, present_event in enumerate(self.events):
            is_from_header = self.places[2 * index + 1] == 0 and index > 0
            if is_from_header and type(present_event) is type(event):
                self.events[index] = event
                return index
        return len(self.events)

    def build_misplaced_error(self, words: Sequence[str], *, of_table: bool) -> LineError:
        """Return the error for a misplaced fact."""
        first = words[0]
        problem, hint = f"{format_word(first)} isn't about a {self.kind}", ""
        if self.kind == "table":
            problem, hint = "no hand has begun here", _BEGINNING
        elif self.kind == "hand" and of_table:
            problem = (
                f"{' '.join(format_word(word) for word in words[: 1 + is_seat(first)])} is about the table, not a hand"
            )
            hint = "It belongs above the line that begins the hand, or below its end."
        return LineError(problem, column=get_column(first), kind="place", hint=hint)

    def build_no_tournament_error(self, words: Sequence[str]) -> LineError:
        """Return the error for a tournament's purchase or payment at a cash table."""
        return LineError(
            f"{format_word(words[0])} is for tournaments, and this table isn't in one",
            column=get_column(words[0]),
            kind="place",
            hint=_NO_TOURNAMENT,
        )

    def build_account(self, length: int) -> SectionResult:
        """Return the section's account."""
        settings, span = self.context.settings, (self.places, self.start, length)
        if self.kind == "hand":
            self._doubt_derived_button()
            hand = cast("list[HandEvent]", self.events)  # no other events are added
            return Account(hand, *span, self.derived, self.times)
        if self.kind == "table":
            table = cast("list[TableEvent]", self.events)
            return TableAccount(
                settings.venue, settings.table, table, *span, settings.tournament, self.derived, self.times
            )
        return SectionAccount(self.kind, self.number, self.events, *span, self.derived, self.times)

    def _doubt_derived_button(self) -> None:
        """Drop a button that the writer derived as a recorded fact, unless `witness` says to trust it."""
        opened = self.events[0]
        if self.context.settings.trusts_derived_button or not isinstance(opened, HandOpened):
            return
        if opened.witnesses & _WRITTEN_BUTTON and any(
            isinstance(self.events[index], ButtonPlaced) for index in self.derived
        ):
            self.events[0] = replace(opened, witnesses=opened.witnesses & ~_WRITTEN_BUTTON)


_WRITTEN_BUTTON: Final = int(Witness.WRITTEN_BUTTON)
_NO_TOURNAMENT: Final = (
    "Name it in the header, as in: tournament 88. Chips bought in a cash game are written: 3 adds 200 rebuy"
)
_BEGINNING: Final = 'A hand begins with a line such as "hand 412 2026-11-20T22:41:07-05:00".'


def reject_empty_file(first: ScriptLine, end: int) -> Reject:
    """Return the reject of a file without a hand."""
    return Reject(first.start, end - first.start, first.number, "no-hands", "this file has no hand yet", _BEGINNING)


def parse_moment(word: str, context: Context) -> Millis:
    """Return an event's moment from an ISO time, or from a clock time as near as possible to the previous moment."""
    clock_moment = None if context.clock is None else parse_clock(word, context.clock, context.zone)
    return slots.MOMENT.value(word, context) if clock_moment is None else clock_moment
