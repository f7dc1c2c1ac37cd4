"""Reading handscript: the header, then hands and other sections, line by line.

What a section cannot say is rejected with the line and what was expected; the sections beside it
are read. `lines` of the header hold until they are said anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias, cast

from ledger.account import Account, Reject, SectionAccount, TableAccount
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import slots
from ledger.formats.handscript.context import Context, Settings, parse_clock
from ledger.formats.handscript.lines import Line, lines
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF
from ledger.formats.handscript.tokens import Token
from ledger.formats.handscript.witnesses import PROFILES
from ledger.hand.ending import HandCompleted
from ledger.hand.events import HandEvent
from ledger.hand.opening import ButtonPlaced, SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People
from ledger.table.events import TableEvent
from ledger.vocabulary import Millis, Witness

Told: TypeAlias = Account | TableAccount | SectionAccount | Reject

MAGIC: Final = "handscript"
SETTINGS: Final = frozenset(
    {"venue", "table", "seats", "tournament", "club", "witness", "unit", "book"}
)
OPENING: Final = frozenset({"game", "option", "level"})
"""Events that may stand in the header: they are then told of every hand."""

SECTIONS: Final = {"hand": "hand", "between-hands": "table", "case": "case", "house": "house"}
Step: TypeAlias = Callable[[Line, list[Token]], None]

END, STOP, STACKS = "end", "stop", "stacks"


class Item(NamedTuple):
    """What a section says, and the comments at the ends of its lines, by the index of the event."""

    told: Told
    comments: dict[int, str]


@dataclass(slots=True)
class Section:
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
    error: UnreadableHandError | None = None
    error_line: int = 0
    end: int = 0
    implied: bool = False  # it began with a fact, without a line of its own

    def add(self, event: Event, line: Line | None) -> None:
        """Take an event, told by a line, or by none in this section."""
        self.events.append(event)
        self.places += (line.start - self.start, line.length) if line else (0, 0)


class Reader:
    """Reads one chunk. `told` yields what its sections say, in their order."""

    def __init__(
        self, people: People, *, settings: Settings | None = None, case: bool = False
    ) -> None:
        """Take the people; `case` reads facts outside of any section as one hand."""
        self.people = people
        self.settings = settings or Settings()
        self.case = case
        self.opening: list[Line] = []  # of the header
        self.section: Section | None = None
        self.from_: int | None = None  # where what belongs to the next section begins
        self.from_line = 0
        self.broken: tuple[UnreadableHandError, int] | None = None  # the header, until the next

    def told(self, source: Iterator[Line]) -> Iterator[Item]:
        """Yield what the lines say."""
        end = 0
        last: Item | None = None
        for line in source:
            if line.blank:
                continue
            end = line.start + line.length
            if self.section is None and self.from_ is None:
                self.from_, self.from_line = line.start, line.number
            for item in self._line(line):
                if last:
                    yield last
                last = item
        for item in self._close(end):
            if last:
                yield last
            last = item
        if self.from_ is not None and last is None:
            last = Item(self._nothing(end), {})
        elif self.from_ is not None and last is not None:  # comments after the last hand
            told = last.told
            last = Item(replace(told, length=end - told.start), last.comments)
        if last:
            yield last

    def _nothing(self, end: int) -> Reject:
        start = self.from_ or 0
        if self.broken:
            error, number = self.broken
            return Reject(
                start, end - start, number, error.kind, f"line {number}: {error.reason}", error.hint
            )
        return Reject(
            start, end - start, self.from_line, "no-hands", "there is no hand in it",
            'A hand begins with a line such as "hand 412 2026-11-20T22:41:07-05:00".',
        )  # fmt: skip

    # One line

    def _line(self, line: Line) -> Iterator[Item]:
        """Take a line; yield the section that it ends."""
        try:
            found = line.tokens()
        except UnreadableHandError as error:
            self._fail(error, line, header=self._in_header(line.text.split(None, 1)[0]))
            return
        if not found:
            return
        first = "" if found[0].quoted else found[0].text
        if first in SECTIONS and not (first == "house" and len(found) > 1):
            yield from self._close(line.start)
            self._open(SECTIONS[first], line)
            self._try(self._begin, line, found)
        elif first == MAGIC:
            yield from self._close(line.start)
            self._start_from(line)
            self.settings = Settings()
            self.opening = []
            self.broken = None
            self._try(self._version, line, found)
        elif first in (END, STOP) and self.section is not None:
            self._try(self._end, line, found)
            self.section.end = line.start + line.length
            yield from self._close(self.section.end)
        elif self._in_header(first):
            yield from self._close(line.start)
            self._start_from(line)
            self._try(self._header, line, found)
        else:
            if self.section is None:
                self._open("hand" if self.case else "table", line, implied=True)
                if self.case:
                    self._implied_hand()
            self._try(self._fact, line, found)

    def _in_header(self, first: str) -> bool:
        if self.section is not None and not self.section.implied:
            return False
        if self.section is not None and self.section.kind == "hand":
            return False
        return first in SETTINGS or first in OPENING

    def _start_from(self, line: Line) -> None:
        if self.from_ is None:
            self.from_, self.from_line = line.start, line.number

    def _try(self, step: Step, line: Line, found: list[Token]) -> None:
        if self.section is not None and self.section.error is not None:
            return
        try:
            step(line, found)
        except UnreadableHandError as error:
            self._fail(error, line, header=self.section is None)

    def _fail(self, error: UnreadableHandError, line: Line, *, header: bool) -> None:
        if header:  # what it says holds for all hands below it: none of them can be read
            self.broken = error, line.number
            return
        if self.section is None:
            self._open("hand", line)
        section = self.section
        assert section is not None  # noqa: S101 - opened above
        if section.error is None:
            section.error, section.error_line = error, line.number

    # Sections

    def _open(self, kind: str, line: Line, *, implied: bool = False) -> None:
        start, number = line.start, line.number
        if self.from_ is not None:
            start, number, self.from_ = self.from_, self.from_line, None
        context = Context(self.people, replace(self.settings))
        self.section = Section(kind, context, start, number, implied=implied)
        if self.broken:
            self.section.error, self.section.error_line = self.broken

    def _begin(self, line: Line, found: list[Token]) -> None:
        section = self._now()
        if section.kind == "hand":
            self._fact(line, found)
            self._header_facts(section)
        elif section.kind == "case":
            if len(found) != 2:
                raise UnreadableHandError("expected the case's number", kind="line")
            section.number = section.context.number = slots.Text().value(found[1], section.context)
        elif len(found) > 1:
            raise slots.wrong("nothing more", found[1])

    def _implied_hand(self) -> None:
        section = self._now()
        opened = BOOK.read([Token("hand"), Token("1")], section.context)
        section.add(opened, None)
        self._header_facts(section)

    def _header_facts(self, section: Section) -> None:
        """Tell the hand what the header tells of all hands; its own lines may say it anew."""
        for line in self.opening:
            section.add(BOOK.read(line.tokens(), section.context), None)

    def _now(self) -> Section:
        assert self.section is not None  # noqa: S101 - the callers opened one
        return self.section

    def _fact(self, line: Line, found: list[Token]) -> None:
        """Take the event, or events, that a line tells."""
        section = self._now()
        if found[0].text in (STACKS, "button") and any(t.text == STACKS for t in found):
            self._stacks(line, found)
            return
        found, derived, at = _marks(found)
        event = BOOK.read(found, section.context)
        if type(event) not in KINDS_OF[section.kind]:
            raise UnreadableHandError(
                f"{found[0].shown()}: this is no fact of a {section.kind}", kind="place"
            )
        self._take(event, line, derived=derived, at=at)

    def _take(self, event: Event, line: Line, *, derived: bool, at: Token | None) -> None:
        section = self._now()
        index = len(section.events)
        if type(event).__name__ in ("GameSet", "TournamentSet") and section.kind == "hand":
            index = self._instead(section, event)
        if index == len(section.events):
            section.add(event, line)
        if derived:
            section.derived.append(index)
        if at is not None:
            section.times[index] = section.context.clock = _moment(at, section.context)
        if line.comment:
            section.comments[index] = line.comment

    def _instead(self, section: Section, event: Event) -> int:
        """Put a hand's own game in the place of the header's; return its index."""
        for index, other in enumerate(section.events):
            copied = section.places[2 * index + 1] == 0 and index > 0
            if copied and type(other) is type(event):
                section.events[index] = event
                return index
        return len(section.events)

    def _stacks(self, line: Line, found: list[Token]) -> None:
        """Take `button 1 stacks 1:200 2:200`: the seats, then the button."""
        at = next(i for i, token in enumerate(found) if token.text == STACKS)
        section = self._now()
        for token in found[at + 1 :]:
            seat, _, stack = token.text.partition(":")
            chips = None if stack == "?" else slots.amount(token, stack, section.context.scale)
            number = slots.whole(token, seat)
            player = self.people.player(section.context.settings.venue, f"Player {number}")
            event = SeatDealtIn(number, player, chips)
            section.context.follow(event)
            section.add(event, line)
        if at:
            button = BOOK.read(found[:at], section.context)
            if not isinstance(button, ButtonPlaced):
                raise slots.wrong("button SEAT stacks SEAT:CHIPS ...", found[0])
            section.add(button, line)

    def _end(self, line: Line, found: list[Token]) -> None:
        section = self._now()
        found, derived, at = _marks(found)
        if len(found) > 1:
            raise slots.wrong("nothing more", found[1])
        if section.kind == "hand" and found[0].text == END:
            self._take(HandCompleted(), line, derived=derived, at=at)

    def _close(self, end: int) -> Iterator[Item]:
        section = self.section
        if section is None:
            return
        self.section = None
        length = (section.end or end) - section.start
        if section.error is not None:
            error = section.error
            yield Item(
                Reject(section.start, length, section.error_line, error.kind,
                       f"line {section.error_line}: {error.reason}", error.hint),
                section.comments,
            )  # fmt: skip
        elif section.events:
            yield Item(_told(section, length), section.comments)
        else:
            yield Item(
                Reject(section.start, length, section.line, "empty", "a section without a fact"), {}
            )

    # The header

    def _version(self, _line: Line, found: list[Token]) -> None:
        if len(found) != 2 or found[1].text != "1":
            raise UnreadableHandError(
                "this is not handscript 1", kind="version", hint="A newer handledger may read it."
            )

    def _header(self, line: Line, found: list[Token]) -> None:
        if found[0].text in OPENING:
            context = Context(self.people, replace(self.settings))
            event = BOOK.read(found, context)
            self.opening = [other for other in self.opening if not _replaces(found, other)]
            self.opening.append(line)
            if found[0].text == "game":
                self.settings.unit = event.unit  # type: ignore[attr-defined] # it is a GameSet
                self.settings.exponent = event.exponent  # type: ignore[attr-defined] # see above
            return
        read_settings(self.settings, found)


def _replaces(found: list[Token], other: Line) -> bool:
    """Whether a line of the header says anew what another said."""
    said = other.tokens()
    if said[0].text != found[0].text:
        return False
    return said[0].text != "option" or said[1].text == found[1].text


def read_settings(settings: Settings, found: list[Token]) -> None:
    """Take one line of the header: words and their values, several on a line."""
    at = 0
    context = Context(People(b"header"), settings)
    while at < len(found):
        name = found[at]
        if name.quoted or name.text not in SETTINGS:
            raise slots.wrong("one of " + ", ".join(sorted(SETTINGS)), name)
        if at + 1 == len(found):
            raise UnreadableHandError(f"expected a value after {name.text}", kind="line")
        token = found[at + 1]
        at += 2
        if name.text == "witness":
            first = at - 1
            while at < len(found) and _witness(found[at].text):
                at += 1
            settings.witnesses = 0
            for one in found[first:at]:
                settings.witnesses |= slots.WitnessSet().value(one, context)
        elif name.text == "seats":
            settings.seats = slots.whole(token)
        elif name.text == "unit":
            settings.unit = slots.Text().value(token, context)
            if at < len(found) and slots.Whole().starts(found[at]):
                settings.exponent = slots.whole(found[at])
                at += 1
        else:
            setattr(settings, name.text, slots.Text().value(token, context))


def _witness(text: str) -> bool:
    return text in PROFILES or text.upper().replace("-", "_") in Witness.__members__


def _marks(found: list[Token]) -> tuple[list[Token], bool, Token | None]:
    """Part the marks from the end of a line: `at 22:41:30`, `derived`."""
    derived, at = False, None
    if len(found) > 1 and found[-1].text == "derived" and not found[-1].quoted:
        derived, found = True, found[:-1]
    if len(found) > 2 and found[-2].text == "at" and not found[-2].quoted:
        at, found = found[-1], found[:-2]
    return found, derived, at


def _moment(token: Token, context: Context) -> Millis:
    """Return when an event happened: an ISO time, or a clock's nearest to the moment before it."""
    if context.clock is not None and not token.quoted:
        found = parse_clock(token.text, context.clock, context.zone)
        if found is not None:
            return found
    return slots.Moment().value(token, context)


def _told(section: Section, length: int) -> Told:
    """Return what a section says."""
    s, settings = section, section.context.settings
    if s.kind == "hand":
        hand = cast("list[HandEvent]", s.events)  # `_fact` lets no others in
        return Account(hand, s.places, s.start, length, s.derived, s.times)
    if s.kind == "table":
        table = cast("list[TableEvent]", s.events)
        return TableAccount(
            settings.venue, settings.table, table, s.places, s.start, length, settings.tournament,
            s.derived, s.times,
        )  # fmt: skip
    return SectionAccount(s.kind, s.number, s.events, s.places, s.start, length, s.derived, s.times)


def read(chunk: Chunk, people: People) -> Iterator[Told]:
    """Yield the hands, table facts and rejects of a chunk; cases and house facts are refused."""
    for item in Reader(people).told(lines(chunk)):
        told = item.told
        if isinstance(told, SectionAccount):
            told = Reject(
                told.start, told.length, 0, "not-imported",
                f"a section of the {told.kind} is not imported with hands",
                "What the house did and what a case holds is recorded by whoever did it, "
                "not taken from a file of hands.",
            )  # fmt: skip
        yield told
