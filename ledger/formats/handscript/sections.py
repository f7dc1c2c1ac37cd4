"""A section while its lines are read, and what it says in the end."""

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
from ledger.formats.handscript.tokens import LineError, column, shown
from ledger.hand.events import HandEvent
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.table.events import TableEvent
from ledger.vocabulary import Millis, Witness

SectionResult: TypeAlias = Account | TableAccount | SectionAccount | Reject

PROBLEMS_MOST: Final = 100
"""Lines of one section that are said to be wrong; of more their number is told."""


class SectionProblems(Struct):
    """The lines of a section, or of a header, that are wrong."""

    code: str = ""  # of the first
    found: list[Problem] = field(default_factory=list)
    more: int = 0  # beyond PROBLEMS_MOST

    def add(self, error: UnreadableHandError, line: ScriptLine) -> None:
        """Take what is wrong with a line."""
        self.code = self.code or error.kind
        if len(self.found) < PROBLEMS_MOST:
            self.found.append(advice.problem(error, line.number))
        else:
            self.more += 1

    def reject(self, start: int, length: int, opening_line: int = 0) -> Reject:
        """Return a span that cannot be read, with each line that is wrong and how it should be.

        `opening_line` begins the span; a wrong line above it is the header's, and is no place of this span.
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
            advice.hint(first),
            (*self.found, *omitted_lines),
        )


class HandscriptSection(Struct):
    """A hand, or another section, while its lines are read."""

    kind: str
    context: Context
    first: ScriptLine  # or what stands above it and belongs to nothing else
    opening_line: int = 0  # the number of its own first line
    number: str = ""  # of a case
    events: list[Event] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    derived: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    wrong: SectionProblems = field(default_factory=SectionProblems)
    astray: bool = False  # a line stands there that tells nothing about it
    end: int = 0
    headed: bool = False  # it has what the header tells of all hands
    implied: bool = False  # it began with a fact, without a line of its own
    start: int = 0  # of its first line
    seats: SectionSeats | None = None  # who sits at its table, once a line asked

    def __post_init__(self) -> None:
        self.start = self.first.start

    def add(self, event: Event, line: ScriptLine | None) -> None:
        """Take an event, told by a line, or by none in this section."""
        self.events.append(event)
        self.places += (line.start - self.start, line.length) if line else (0, 0)

    @property
    def place(self) -> SectionTable:
        """Its table: a hand's own line may name another than the header."""
        first = self.events[0] if self.events else None
        return find_table(first if isinstance(first, HandOpened) else self.context.settings)

    @property
    def begun(self) -> bool:
        """Whether the line that begins a hand was read."""
        return bool(self.events) and isinstance(self.events[0], HandOpened)

    @property
    def is_desk(self) -> bool:
        """Whether it holds a tournament's own facts, without a table. None of its lines depends on another."""
        settings = self.context.settings
        return self.kind == "table" and bool(settings.tournament) and not settings.table

    def replace_copied_event(self, event: Event) -> int:
        """Put a hand's own game in the place of the header's; return its index, or that of the next event."""
        for index, present_event in enumerate(self.events):
            is_from_header = self.places[2 * index + 1] == 0 and index > 0
            if is_from_header and type(present_event) is type(event):
                self.events[index] = event
                return index
        return len(self.events)

    def misplaced(self, words: Sequence[str], *, of_table: bool) -> LineError:
        """Return the error for a fact that cannot stand here."""
        first = words[0]
        problem, hint = f"{shown(first)} isn't about a {self.kind}", ""
        if self.kind == "table":
            problem, hint = "no hand has begun here", _BEGINNING
        elif self.kind == "hand" and of_table:
            problem = f"{' '.join(shown(word) for word in words[: 1 + is_seat(first)])} is about the table, not a hand"
            hint = "It belongs above the line that begins the hand, or below its end."
        return LineError(problem, column=column(first), kind="place", hint=hint)

    def no_tournament(self, words: Sequence[str]) -> LineError:
        """Return the error for something that only a tournament sells or pays, at another table."""
        return LineError(
            f"{shown(words[0])} is for tournaments, and this table isn't in one",
            column=column(words[0]),
            kind="place",
            hint=_NO_TOURNAMENT,
        )

    def account(self, length: int) -> SectionResult:
        """Return what it says."""
        settings, span = self.context.settings, (self.places, self.start, length)
        if self.kind == "hand":
            self._doubt_derived_button()
            hand = cast("list[HandEvent]", self.events)  # no others are let in
            return Account(hand, *span, self.derived, self.times)
        if self.kind == "table":
            table = cast("list[TableEvent]", self.events)
            return TableAccount(
                settings.venue, settings.table, table, *span, settings.tournament, self.derived, self.times
            )
        return SectionAccount(self.kind, self.number, self.events, *span, self.derived, self.times)

    def _doubt_derived_button(self) -> None:
        """Take a button that whoever wrote the hand worked out for no fact, unless the list says to."""
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
    """Return what is said of a file without a hand."""
    return Reject(first.start, end - first.start, first.number, "no-hands", "this file has no hand yet", _BEGINNING)


def moment_of(word: str, context: Context) -> Millis:
    """Return when an event happened: an ISO time, or a clock's nearest to the moment before it."""
    clock_moment = None if context.clock is None else parse_clock(word, context.clock, context.zone)
    return slots.MOMENT.value(word, context) if clock_moment is None else clock_moment
