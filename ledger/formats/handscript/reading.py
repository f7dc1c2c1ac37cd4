"""Reading handscript: the header, then hands and other sections, line by line.

A section with lines that nobody can read is rejected with all of them, each with how it should be;
the sections beside it are read. `lines` of the header hold until they are said anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec import structs

from ledger.account import Account, Amendment, Problem, Reject, SectionAccount
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import advice, header, shorthand, slots
from ledger.formats.handscript.amending import amendment, corrects
from ledger.formats.handscript.chairs import Chairs
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.grammar import Again
from ledger.formats.handscript.header import END, MAGIC, OF_FILES, OPENING, SECTIONS, SETTINGS, STACKS, STOP
from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.numbers import amount, whole
from ledger.formats.handscript.parting import ALIKE, parted_lines, together
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF, is_seat
from ledger.formats.handscript.places import Headed, Item, Place, at_their_tables
from ledger.formats.handscript.sections import (
    PROBLEMS_MOST,
    Section,
    Told,
    account_of,
    misplaced,
    moment_of,
    no_hands,
    place_of,
    reject,
)
from ledger.formats.handscript.tokens import (
    LineError,
    Word,
    column,
    instead,
    marks,
    placed,
    quoted,
    said,
    shown,
    tokens,
    wrong,
)
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened, SeatDealtIn, TournamentSet
from ledger.notation import Chunk
from ledger.people import People
from ledger.vocabulary import Millis

Step: TypeAlias = Callable[[Line, Sequence[str]], None]

_AS_THEY_STAND: Final = OF_FILES - {END}
_SET_ANEW: Final = (GameSet, TournamentSet)
_OVER: Final = frozenset(("over", "ends", "ended", "done", "complete", "completed", "finished"))

_BLANKS: Final = " \t\r\ufeff"


class Reader:
    """Reads one chunk. `told` yields what its sections say, in their order."""

    def __init__(self, people: People, *, settings: Settings | None = None, case: bool = False) -> None:
        """Take the people; `case` reads facts outside of any section as one hand."""
        self.people = people
        self.settings = settings or Settings()
        self.case = case
        self.opening: list[Sequence[str]] = []  # lines of the header, told of every hand
        self.above: list[Event] | None = []  # what they tell; None where they are to be read anew
        self.begun = False  # a section began below this header
        self.started = ""  # the time of the hand before
        self.section: Section | None = None
        self.chairs = Chairs()
        self.comment = ""  # at the end of the line
        self.from_: int | None = None  # where what belongs to the next section begins
        self.from_line = 0
        self.broken: list[Problem] = []  # of the header, until the next
        self.more = 0  # lines of it that are wrong beyond PROBLEMS_MOST
        self.wrong = ""  # the code of the first
        self.known: dict[
            int, dict[str, Event | Again[Event]]
        ] = {}  # lines that were read before, by the decimals of amounts

    def told(self, source: Iterator[Line]) -> Iterator[Item]:
        """Yield what the lines say."""
        return at_their_tables(self._told(source))

    def _told(self, source: Iterator[Line]) -> Iterator[Headed]:
        end = 0
        last: Headed | None = None
        for line in source:
            if self.section is not None and self._again(self.section, line):
                end = line.start + line.length
                continue
            if not line.text.strip(_BLANKS):
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
            told = replace(last.item.told, length=end - last.item.told.start)
            last = last._replace(item=last.item._replace(told=told))
        if last:
            yield last

    def _nothing(self, end: int) -> Reject:
        start = self.from_ or 0
        if self.broken:
            return reject(start, end - start, self.wrong, self.broken, self.more)
        return no_hands(start, end - start, self.from_line)

    # One line

    def _again(self, section: Section, line: Line) -> bool:
        """Take a line of a hand if the same was read before; whether it was."""
        context = section.context
        known = self.known.get(context.scale) or self._known(context.scale)
        found = known.get(line.text)
        if found is None or section.problems or section.kind != "hand":
            return False
        event = found.told(context) if isinstance(found, Again) else found
        context.follow(event)
        section.events.append(event)
        section.places += line.start - section.start, line.length
        return True

    def _known(self, scale: int) -> dict[str, Event | Again[Event]]:
        """Return the lines of hands that were read before, where amounts have so many decimals."""
        found = self.known.get(scale)
        if found is None:
            found = self.known[scale] = self.people.read_before.of(MAGIC, scale)
        return found

    def _line(self, line: Line) -> Iterable[Headed]:
        """Take a line; return the section that it ends."""
        try:
            found, self.comment = tokens(line.text)
        except UnreadableHandError as error:
            self._fail(error, line, [], header=self._in_header(line.text.split(None, 1)[0]))
            return ()
        if not found:
            return ()
        first = found[0]
        if self.section is not None and (first.isdigit() or (first in BOOK.openers and first not in OF_FILES)):
            self._try(self._fact, line, found)
            return ()
        return self._structure(line, found)

    def _structure(self, line: Line, found: Sequence[str]) -> Iterator[Headed]:
        """Take a line that may begin or end something; yield the section that it ends."""
        first = found[0]
        if not (first in BOOK.openers or first in _AS_THEY_STAND or is_seat(first) or found == [END]):
            found = header.first_plainly(placed(line.text)[0])
            first = found[0]
        if first == "hand" and len(found) == 2 and found[1] in _OVER:
            found = [first := instead(placed(line.text)[0][0], END)]
        if first in SECTIONS and not (first == "house" and len(found) > 1):
            yield from self._close(line.start)
            self._open(SECTIONS[first], line)
            self._try(self._begin, line, found)
        elif first == MAGIC:
            yield from self._close(line.start)
            self._start_from(line)
            self.settings = Settings()
            self.opening, self.above, self.broken, self.more, self.begun = [], [], [], 0, False
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
                word = said(first).rstrip(":").lower()
                fact = is_seat(first) or word in BOOK.openers or word == STACKS  # told above the first hand
                if not (self.begun or self.case or fact):
                    self._start_from(line)
                    self._try(self._unknown, line, found)
                    return
                self._open("hand" if self.case else "table", line, implied=True)
                if self.case:
                    self._implied_hand()
            self._try(self._fact, line, found)

    def _unknown(self, _line: Line, found: Sequence[str]) -> None:
        """Refuse a line of the header that is none: what it should hold for all hands is not known."""
        if not quoted(found[0]):
            BOOK.wording(found)
        raise LineError(f"{shown(found[0])} begins no line of the header", column=column(found[0]))

    def _in_header(self, first: str) -> bool:
        if self.section is not None and not self.section.implied:
            return False
        if self.section is not None and self.section.kind == "hand":
            return False
        return first in SETTINGS or first in OPENING

    def _start_from(self, line: Line) -> None:
        if self.from_ is None:
            self.from_, self.from_line = line.start, line.number

    def _try(self, step: Step, line: Line, found: Sequence[str]) -> None:
        section = self.section
        if section is not None and len(section.problems) >= PROBLEMS_MOST:
            section.more += 1
            return
        try:
            step(line, found)
        except UnreadableHandError as error:
            if not isinstance(found[0], Word):  # once more, with the columns of its words
                self._try(step, line, placed(line.text)[0])
                return
            self._fail(error, line, found, header=self.section is None)

    def _fail(self, error: UnreadableHandError, line: Line, found: Sequence[str], *, header: bool) -> None:
        if header and len(self.broken) >= PROBLEMS_MOST:
            self.more += 1
        elif header:  # what it says holds for all hands below it: none of them can be read
            error, meant = advice.advise(error, found, Context(self.people, self.settings), self.started)
            if isinstance(meant, GameSet) and isinstance(error, LineError):
                self.settings.unit, self.settings.exponent = meant.unit, meant.exponent
                self.opening.append(placed(error.write)[0])
                self.above = None
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
            error.write += (f" at {said(at)}" if at else "") + " derived" * derived
        if meant is not None and type(meant) in KINDS_OF[section.kind]:
            section.context.follow(meant)  # the lines below it may be right
        section.wrong = section.wrong or error.kind
        section.problems.append(advice.problem(error, line.number))

    # Sections

    def _open(self, kind: str, line: Line, *, implied: bool = False) -> None:
        start, number = line.start, line.number
        if self.from_ is not None:
            start, number, self.from_ = self.from_, self.from_line, None
        context = Context(self.people, structs.replace(self.settings))
        self.section = Section(kind, context, start, number, implied=implied)
        if self.broken:
            above = self.broken[0]._replace(write="", form="", hint="")
            self.section.problems = [above] if self.begun else list(self.broken)
            self.section.wrong = self.wrong
        self.begun = True

    def _begin(self, line: Line, found: Sequence[str]) -> None:
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
            section.number = section.context.number = slots.TEXT.value(found[1], section.context)
        elif len(found) > 1:
            raise wrong("nothing more", found[1])

    def _implied_hand(self) -> None:
        section = self._now()
        opened = BOOK.read(["hand", "1"], section.context)
        section.add(opened, None)
        self._header_facts(section)

    def _header_facts(self, section: Section) -> None:
        """Tell the hand what the header tells of all hands; its own lines may say it anew."""
        if section.headed:
            return
        if self.above is None:
            self.above = [self._anew(line, section.context) for line in self.opening]
        else:
            for event in self.above:
                section.context.follow(event)
        for event in self.above:
            section.add(event, None)
        section.headed = True

    def _anew(self, line: Sequence[str], context: Context) -> Event:
        event, _ = _event(line, context)
        context.follow(event)
        return event

    def _now(self) -> Section:
        assert self.section is not None  # noqa: S101 - the callers opened one
        return self.section

    def _fact(self, line: Line, found: Sequence[str]) -> None:
        """Take the event, or events, that a line tells."""
        if STACKS in found and found[0] in (STACKS, "button"):
            self._stacks(line, found)
            return
        derived, at = False, None
        if found[-1] == "derived" or (len(found) > 2 and found[-2] == "at"):
            found, derived, at = marks(found)
        alike = found[-1] in ALIKE and together(found)
        if alike or derived or at is not None or self.comment or isinstance(found[0], Word):
            for one in alike or (found,):
                self._tell(line, one, derived=derived, at=at)
        else:
            self._tell(line, found, alone=True)

    def _tell(
        self, line: Line, found: Sequence[str], *, derived: bool = False, at: str | None = None, alone: bool = False
    ) -> None:
        """Take the event that a line tells; `alone`: nothing else stands in the line."""
        section = self._now()
        context = section.context
        event, kept = _event(found, context)
        if type(event) not in KINDS_OF[section.kind]:
            raise misplaced(found, section, type(event) in KINDS_OF["table"])
        if kept is not None and alone and section.kind == "hand" and type(event) not in _SET_ANEW:
            self._known(context.scale)[line.text] = kept
        moment = None
        if at is not None and type(event) is not HandOpened:  # a hand's own time is told by its line
            moment = moment_of(at, context)
        context.follow(event)
        if at is not None and moment is None:
            moment = moment_of(at, context)
        self._take(event, line, derived=derived, at=moment)

    def _take(self, event: Event, line: Line, *, derived: bool, at: Millis | None) -> None:
        section = self._now()
        index = len(section.events)
        if type(event) in _SET_ANEW and section.kind == "hand":
            index = self._instead(section, event)
        if index == len(section.events):
            section.events.append(event)
            section.places += line.start - section.start, line.length
        if derived:
            section.derived.append(index)
        if at is not None:
            section.times[index] = section.context.clock = at
        if self.comment:
            section.comments[index] = self.comment

    def _instead(self, section: Section, event: Event) -> int:
        """Put a hand's own game in the place of the header's; return its index."""
        for index, other in enumerate(section.events):
            copied = section.places[2 * index + 1] == 0 and index > 0
            if copied and type(other) is type(event):
                section.events[index] = event
                return index
        return len(section.events)

    def _stacks(self, line: Line, found: Sequence[str]) -> None:
        """Take `button 1 stacks 1:200 2:200`: the seats, then the button."""
        at = list(found).index(STACKS)
        section = self._now()
        events: list[Event] = []
        for word in found[at + 1 :]:
            seat, _, stack = word.partition(":")
            chips = None if stack == "?" else amount(word, stack, section.context.scale)
            number = whole(word, seat)
            named = self.chairs.at(place_of(section), number)
            player = named or self.people.player(section.context.settings.venue, f"Player {number}")
            events.append(SeatDealtIn(number, player, chips))
        if at:
            button = BOOK.parse(found[:at], section.context)
            if not isinstance(button, ButtonPlaced):
                raise wrong("button SEAT stacks SEAT:CHIPS ...", found[0])
            events.append(button)
        for event in events:
            section.context.follow(event)
            section.add(event, line)

    def _end(self, line: Line, found: Sequence[str]) -> None:
        section = self._now()
        found, derived, at = marks(found)
        if len(found) > 1:
            raise wrong("nothing more", found[1])
        if section.kind == "hand" and found[0] == END:
            moment = None if at is None else moment_of(at, section.context)
            self._take(HandCompleted(), line, derived=derived, at=moment)

    def _close(self, end: int) -> Iterator[Headed]:
        section = self.section
        if section is None:
            return
        self.section = None
        length = (section.end or end) - section.start
        if section.problems:
            yield self._item(
                reject(section.start, length, section.wrong, section.problems, section.more), section.comments
            )
        elif section.events:
            self._go_on(section)
            yield self._item(account_of(section, length), section.comments)
        else:
            yield self._item(Reject(section.start, length, section.line, "empty", "a section without a fact"), {})

    def _go_on(self, section: Section) -> None:
        """Learn who sits where, and play the hands below by stakes and a game that were told between hands."""
        self.chairs.learn(place_of(section), section.events)
        if self.opening and header.changes(section.events):
            context = Context(self.people, structs.replace(self.settings))
            self.above = [header.changed(self._anew(line, context), section.events) for line in self.opening]
            self.opening = [placed(BOOK.line(event, context))[0] for event in self.above]

    def _item(self, told: Told, comments: dict[int, str]) -> Headed:
        s = self.settings
        return Headed(Item(told, comments), Place(s.venue, s.tournament, s.table))

    # The header

    def _version(self, _line: Line, found: Sequence[str]) -> None:
        if len(found) != 2 or found[1] != "1":
            raise UnreadableHandError(
                "this is not handscript 1", kind="version", hint="A newer handledger may read it."
            )

    def _header(self, _line: Line, found: Sequence[str]) -> None:
        if found[0] in OPENING:
            event, _ = _event(found, Context(self.people, self.settings))
            if any(header.replaces(found, other) for other in self.opening) or (
                self.opening and isinstance(event, GameSet)
            ):
                self.above = None
                self.opening = [other for other in self.opening if not header.replaces(found, other)]
            self.opening.append(found)
            if self.above is not None:
                self.above.append(event)
            if isinstance(event, GameSet):
                self.settings.unit, self.settings.exponent = event.unit, event.exponent
            return
        if self.opening:
            self.above = None
        header.understand_settings(self.settings, found)


def _event(found: Sequence[str], context: Context) -> tuple[Event, Event | Again[Event] | None]:
    """Return the event that a line tells, in handscript or as people write it, and what may be kept of the line."""
    mark = context.people.mark()
    try:
        return BOOK.wording(found).read_to_keep(found, context)
    except UnreadableHandError:
        context.people.unlearn(mark)
        understood = shorthand.understand(found, context)
        if understood is None:
            raise
        return understood, None


def read(chunk: Chunk, people: People) -> Iterator[Told | Amendment]:
    """Yield the hands, table facts, corrections and rejects of a chunk; cases and house facts are refused."""
    for item in Reader(people).told(parted_lines(chunk)):
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
