"""A section while its lines are read, and what it says in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, cast

from msgspec import Struct, field

from ledger.account import Account, Problem, Reject, SectionAccount, TableAccount
from ledger.event import Event
from ledger.formats.handscript import advice, slots
from ledger.formats.handscript.context import Context, parse_clock
from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.phrasebook import is_seat
from ledger.formats.handscript.places import Place
from ledger.formats.handscript.tokens import LineError, column, shown
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.table.events import TableEvent
from ledger.vocabulary import Millis

Told: TypeAlias = Account | TableAccount | SectionAccount | Reject

PROBLEMS_MOST: Final = 100
"""Lines of one section that are said to be wrong; of more their number is told."""


class Section(Struct):
    """A hand, or another section, while its lines are read."""

    kind: str
    context: Context
    start: int  # of its first line, and of what stands above it and belongs to nothing else
    line: int
    number: str = ""  # of a case
    events: list[Event] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    derived: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    wrong: str = ""  # the code of the first
    misplaced: bool = False  # a line stands there that tells nothing about it
    more: int = 0  # lines that are wrong beyond PROBLEMS_MOST
    end: int = 0
    headed: bool = False  # it has what the header tells of all hands
    implied: bool = False  # it began with a fact, without a line of its own

    def add(self, event: Event, line: Line | None) -> None:
        """Take an event, told by a line, or by none in this section."""
        self.events.append(event)
        self.places += (line.start - self.start, line.length) if line else (0, 0)


def misplaced(found: Sequence[str], section: Section, table: bool) -> LineError:
    """Return the error for a fact that cannot stand in a section; `table`: it tells about the table."""
    first = found[0]
    what, hint = f"{shown(first)} tells nothing about a {section.kind}", ""
    if section.kind == "table":
        what = f"{shown(first)} tells of a hand, and no hand has begun here"
        hint = 'A hand begins with a line such as "hand 412 2026-11-20T22:41:07-05:00".'
    elif section.kind == "hand" and table:
        what = f"{' '.join(shown(one) for one in found[: 1 + is_seat(first)])} tells of the table, not of a hand"
        hint = "It belongs above the line that begins the hand, or below its end."
    return LineError(what, column=column(first), kind="place", hint=hint)


def moment_of(word: str, context: Context) -> Millis:
    """Return when an event happened: an ISO time, or a clock's nearest to the moment before it."""
    if context.clock is not None:
        found = parse_clock(word, context.clock, context.zone)
        if found is not None:
            return found
    moment: Millis = slots.MOMENT.value(word, context)
    return moment


def place_of(section: Section) -> Place:
    """Return the table of a section: a hand's own line may name another than the header."""
    first = section.events[0] if section.events else None
    told = first if isinstance(first, HandOpened) else section.context.settings
    return Place(told.venue, told.tournament, told.table)


def no_hands(start: int, length: int, line: int) -> Reject:
    """Return what is said of a file without a hand."""
    hint = 'A hand begins with a line such as "hand 412 2026-11-20T22:41:07-05:00".'
    return Reject(start, length, line, "no-hands", "there is no hand in it", hint)


def reject(start: int, length: int, code: str, problems: list[Problem], more: int = 0) -> Reject:
    """Return a span that cannot be read, with each line that is wrong and how it should be."""
    first = problems[0]
    if more:
        problems = [*problems, Problem(0, 0, f"and {more} more lines, which were not looked at")]
    return Reject(
        start, length, first.line, code, f"line {first.line}: {first.reason}", advice.hint(first), tuple(problems)
    )


def account_of(section: Section, length: int) -> Told:
    """Return what a section says."""
    s, settings = section, section.context.settings
    if s.kind == "hand":
        hand = cast("list[HandEvent]", s.events)  # `_fact` lets no others in
        return Account(hand, s.places, s.start, length, s.derived, s.times)
    if s.kind == "table":
        table = cast("list[TableEvent]", s.events)
        return TableAccount(
            settings.venue, settings.table, table, s.places, s.start, length, settings.tournament, s.derived, s.times
        )
    return SectionAccount(s.kind, s.number, s.events, s.places, s.start, length, s.derived, s.times)
