"""Reading handscript: the header, then hands and other sections, line by line.

A section with lines that nobody can read is rejected with all of them, each with how it should be;
the sections beside it are read. `lines` of the header hold until they are said anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, cast

from ledger.account import Account, Amendment, Problem, Reject, SectionAccount, TableAccount
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import advice, header, shorthand, slots
from ledger.formats.handscript.amending import amendment, corrects
from ledger.formats.handscript.context import Context, Settings, parse_clock
from ledger.formats.handscript.header import OPENING, SETTINGS
from ledger.formats.handscript.lines import Line, lines
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF, is_seat
from ledger.formats.handscript.places import Headed, Item, Place, at_their_tables
from ledger.formats.handscript.tokens import LineError, Token, marks, tokens
from ledger.hand.ending import HandCompleted
from ledger.hand.events import HandEvent
from ledger.hand.opening import ButtonPlaced, GameSet, SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People
from ledger.table.events import TableEvent
from ledger.vocabulary import Millis

Told: TypeAlias = Account | TableAccount | SectionAccount | Reject

MAGIC: Final = "handscript"
SECTIONS: Final = {"hand": "hand", "between-hands": "table", "case": "case", "house": "house"}
Step: TypeAlias = Callable[[Line, list[Token]], None]

END, STOP, STACKS = "end", "stop", "stacks"
_OVER: Final = frozenset(("over", "ends", "ended", "done", "complete", "completed", "finished"))

PROBLEMS_MOST: Final = 100
"""Lines of one section that are said to be wrong; of more their number is told."""


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
    problems: list[Problem] = field(default_factory=list)
    wrong: str = ""  # the code of the first
    misplaced: bool = False  # a line stands there that tells nothing about it
    more: int = 0  # lines that are wrong beyond PROBLEMS_MOST
    end: int = 0
    implied: bool = False  # it began with a fact, without a line of its own

    def add(self, event: Event, line: Line | None) -> None:
        """Take an event, told by a line, or by none in this section."""
        self.events.append(event)
        self.places += (line.start - self.start, line.length) if line else (0, 0)


class Reader:
    """Reads one chunk. `told` yields what its sections say, in their order."""

    def __init__(self, people: People, *, settings: Settings | None = None, case: bool = False) -> None:
        """Take the people; `case` reads facts outside of any section as one hand."""
        self.people = people
        self.settings = settings or Settings()
        self.case = case
        self.opening: list[list[Token]] = []  # lines of the header, told of every hand
        self.begun = False  # a section began below this header
        self.started = ""  # the time of the hand before
        self.section: Section | None = None
        self.from_: int | None = None  # where what belongs to the next section begins
        self.from_line = 0
        self.broken: list[Problem] = []  # of the header, until the next
        self.more = 0  # lines of it that are wrong beyond PROBLEMS_MOST
        self.wrong = ""  # the code of the first

    def told(self, source: Iterator[Line]) -> Iterator[Item]:
        """Yield what the lines say."""
        return at_their_tables(self._told(source))

    def _told(self, source: Iterator[Line]) -> Iterator[Headed]:
        end = 0
        last: Headed | None = None
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
            last = self._item(self._nothing(end), {})
        elif self.from_ is not None and last is not None:  # comments after the last hand
            told = last.item.told
            longer = last.item._replace(told=replace(told, length=end - told.start))
            last = last._replace(item=longer)
        if last:
            yield last

    def _nothing(self, end: int) -> Reject:
        start = self.from_ or 0
        if self.broken:
            return _reject(start, end - start, self.wrong, self.broken, self.more)
        return Reject(
            start,
            end - start,
            self.from_line,
            "no-hands",
            "there is no hand in it",
            'A hand begins with a line such as "hand 412 2026-11-20T22:41:07-05:00".',
        )

    # One line

    def _line(self, line: Line) -> Iterator[Headed]:
        """Take a line; yield the section that it ends."""
        try:
            found = line.tokens()
        except UnreadableHandError as error:
            self._fail(error, line, [], header=self._in_header(line.text.split(None, 1)[0]))
            return
        if not found:
            return
        first = "" if found[0].quoted else found[0].text
        if first not in BOOK.openers and not is_seat(found[0]):
            found = _structure(found)
            first = "" if found[0].quoted else found[0].text
        if first == "hand" and len(found) == 2 and found[1].text in _OVER:
            found = [found[0]._replace(text=(first := END))]
        if first in SECTIONS and not (first == "house" and len(found) > 1):
            yield from self._close(line.start)
            self._open(SECTIONS[first], line)
            self._try(self._begin, line, found)
        elif first == MAGIC:
            yield from self._close(line.start)
            self._start_from(line)
            self.settings = Settings()
            self.opening, self.broken, self.more, self.begun = [], [], 0, False
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
                if not (self.begun or self.case or self._tells_fact(found)):
                    self._start_from(line)
                    self._try(self._unknown, line, found)
                    return
                self._open("hand" if self.case else "table", line, implied=True)
                if self.case:
                    self._implied_hand()
            self._try(self._fact, line, found)

    def _tells_fact(self, found: list[Token]) -> bool:
        """Whether a line above the first hand tells a fact, and is no part of the header."""
        first = found[0].text.rstrip(":").lower()
        return is_seat(found[0]) or first in BOOK.openers or first == STACKS

    def _unknown(self, _line: Line, found: list[Token]) -> None:
        """Refuse a line of the header that is none: what it should hold for all hands is not known."""
        if not found[0].quoted:
            BOOK.phrase(found)
        raise LineError(f"{found[0].shown()} begins no line of the header", column=found[0].column)

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
        section = self.section
        if section is not None and len(section.problems) >= PROBLEMS_MOST:
            section.more += 1
            return
        try:
            step(line, found)
        except UnreadableHandError as error:
            self._fail(error, line, found, header=self.section is None)

    def _fail(self, error: UnreadableHandError, line: Line, found: list[Token], *, header: bool) -> None:
        if header and len(self.broken) >= PROBLEMS_MOST:
            self.more += 1
        elif header:  # what it says holds for all hands below it: none of them can be read
            context = Context(self.people, self.settings)
            error, meant = advice.advise(error, found, context, self.started)
            if isinstance(meant, GameSet) and isinstance(error, LineError):
                self.settings.unit, self.settings.exponent = meant.unit, meant.exponent
                self.opening.append(tokens(error.write)[0])
            self.wrong = self.wrong if self.broken else error.kind
            self.broken.append(advice.problem(error, line.number))
        if header:
            return
        if self.section is None:
            self._open("hand", line)
        section = self._now()
        if error.kind == "place" and section.implied:
            if section.misplaced:
                return  # a hand that has no beginning: the first of its lines says so
            section.misplaced = True
        fact, derived, at = marks(found)
        error, meant = advice.advise(error, fact, section.context, self.started)
        if isinstance(error, LineError) and error.write:
            error.write += (f" at {at.text}" if at else "") + " derived" * derived
        if meant is not None and type(meant) in KINDS_OF[section.kind]:
            section.context.follow(meant)  # the lines below it may be right
        section.wrong = section.wrong or error.kind
        section.problems.append(advice.problem(error, line.number))

    # Sections

    def _open(self, kind: str, line: Line, *, implied: bool = False) -> None:
        start, number = line.start, line.number
        if self.from_ is not None:
            start, number, self.from_ = self.from_, self.from_line, None
        context = Context(self.people, replace(self.settings))
        self.section = Section(kind, context, start, number, implied=implied)
        if self.broken:
            above = self.broken[0]._replace(write="", form="", hint="")
            self.section.problems = [above] if self.begun else list(self.broken)
            self.section.wrong = self.wrong
        self.begun = True

    def _begin(self, line: Line, found: list[Token]) -> None:
        section = self._now()
        if section.kind == "hand":
            try:
                self._fact(line, found)
                self.started = section.context.started_text or self.started
            finally:
                self._header_facts(section)
        elif section.kind == "case":
            if len(found) != 2:
                raise LineError("expected the case's number", form="case NUMBER")
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
            section.add(BOOK.read(line, section.context), None)

    def _now(self) -> Section:
        assert self.section is not None  # noqa: S101 - the callers opened one
        return self.section

    def _fact(self, line: Line, found: list[Token]) -> None:
        """Take the event, or events, that a line tells."""
        section = self._now()
        if found[0].text in (STACKS, "button") and any(t.text == STACKS for t in found):
            self._stacks(line, found)
            return
        found, derived, at = marks(found)
        event = _event(found, section.context)
        if type(event) not in KINDS_OF[section.kind]:
            raise _misplaced(found, section, type(event) in KINDS_OF["table"])
        section.context.follow(event)
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
        found, derived, at = marks(found)
        if len(found) > 1:
            raise slots.wrong("nothing more", found[1])
        if section.kind == "hand" and found[0].text == END:
            self._take(HandCompleted(), line, derived=derived, at=at)

    def _close(self, end: int) -> Iterator[Headed]:
        section = self.section
        if section is None:
            return
        self.section = None
        length = (section.end or end) - section.start
        if section.problems:
            yield self._item(
                _reject(section.start, length, section.wrong, section.problems, section.more), section.comments
            )
        elif section.events:
            yield self._item(_told(section, length), section.comments)
        else:
            yield self._item(Reject(section.start, length, section.line, "empty", "a section without a fact"), {})

    def _item(self, told: Told, comments: dict[int, str]) -> Headed:
        s = self.settings
        return Headed(Item(told, comments), Place(s.venue, s.tournament, s.table))

    # The header

    def _version(self, _line: Line, found: list[Token]) -> None:
        if len(found) != 2 or found[1].text != "1":
            raise UnreadableHandError(
                "this is not handscript 1", kind="version", hint="A newer handledger may read it."
            )

    def _header(self, _line: Line, found: list[Token]) -> None:
        if found[0].text in OPENING:
            context = Context(self.people, replace(self.settings))
            event = _event(found, context)
            self.opening = [other for other in self.opening if not _replaces(found, other)]
            self.opening.append(found)
            if isinstance(event, GameSet):
                self.settings.unit, self.settings.exponent = event.unit, event.exponent
            return
        try:
            header.read_settings(self.settings, found)
        except LineError as error:
            plain = header.plainly(found)
            if plain == found:
                error.write = header.nearest(error, plain)
                raise
            try:
                header.read_settings(self.settings, plain)
            except LineError as further:
                further.write = header.nearest(further, plain)
                raise further from None


def _replaces(found: list[Token], said: list[Token]) -> bool:
    """Whether a line of the header says anew what another said."""
    if said[0].text != found[0].text:
        return False
    return said[0].text != "option" or said[1].text == found[1].text


def _structure(found: list[Token]) -> list[Token]:
    """Return a line whose first word is one of the file's (`Hand 12:`, `GAME ...`) with that word."""
    first = found[0].text.lower().rstrip(":")
    number = first.removeprefix("hand").lstrip("#")
    if first.startswith("hand") and number.isascii() and number.isdigit():
        return [Token("hand"), Token(number), *found[1:]]
    if first == "end" and {token.text for token in found[1:]} <= {"of", "hand", "the"}:
        return [Token(END)]
    also = header.ALSO.get(first, first)
    if found[0].quoted or not (also in SETTINGS or also in OPENING or also in SECTIONS or also == STOP):
        return found
    rest = found[1:]
    if also == "hand" and rest:
        rest = [rest[0]._replace(text=rest[0].text.rstrip(":,")), *rest[1:]]
    return [found[0]._replace(text=also), *rest]


def _event(found: list[Token], context: Context) -> Event:
    """Return the event that a line tells, in handscript or as people write it."""
    mark = context.people.mark()
    try:
        return BOOK.parse(found, context)
    except UnreadableHandError:
        context.people.unlearn(mark)
        event = shorthand.understand(found, context)
        if event is None:
            raise
        return event


def _misplaced(found: list[Token], section: Section, table: bool) -> LineError:
    """Return the error for a fact that cannot stand in a section; `table`: it tells about the table."""
    first = found[0]
    said, hint = f"{first.shown()} tells nothing about a {section.kind}", ""
    if section.kind == "table":
        said = f"{first.shown()} tells of a hand, and no hand has begun here"
        hint = 'A hand begins with a line such as "hand 412 2026-11-20T22:41:07-05:00".'
    elif section.kind == "hand" and table:
        said = f"{' '.join(one.shown() for one in found[: 1 + is_seat(first)])} tells of the table, not of a hand"
        hint = "It belongs above the line that begins the hand, or below its end."
    return LineError(said, column=first.column, kind="place", hint=hint)


def _moment(token: Token, context: Context) -> Millis:
    """Return when an event happened: an ISO time, or a clock's nearest to the moment before it."""
    if context.clock is not None and not token.quoted:
        found = parse_clock(token.text, context.clock, context.zone)
        if found is not None:
            return found
    return slots.Moment().value(token, context)


def _reject(start: int, length: int, code: str, problems: list[Problem], more: int = 0) -> Reject:
    """Return a span that cannot be read, with each line that is wrong and how it should be."""
    first = problems[0]
    if more:
        problems = [*problems, Problem(0, 0, f"and {more} more lines, which were not looked at")]
    return Reject(
        start, length, first.line, code, f"line {first.line}: {first.reason}", advice.hint(first), tuple(problems)
    )


def _told(section: Section, length: int) -> Told:
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


def read(chunk: Chunk, people: People) -> Iterator[Told | Amendment]:
    """Yield the hands, table facts, corrections and rejects of a chunk; cases and house facts are refused."""
    for item in Reader(people).told(lines(chunk)):
        told: Told | Amendment = item.told
        if isinstance(told, SectionAccount):
            told = Reject(
                told.start,
                told.length,
                0,
                "not-imported",
                f"a section of the {told.kind} is not imported with hands",
                "What the house did and what a case holds is recorded by whoever did it, "
                "not taken from a file of hands.",
            )
        elif isinstance(told, Account) and corrects(told):
            told = amendment(chunk, told)  # there is nothing in it that it could correct
        yield told
