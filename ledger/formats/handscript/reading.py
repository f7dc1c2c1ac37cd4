"""Reading handscript: the header, then hands and other sections, line by line.

A section with lines that nobody can read is rejected with all of them, each with how it should be;
the sections beside it are read. `lines` of the header hold until they are said anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec import structs

from ledger.account import Account, Amendment, Reject, SectionAccount
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import advice, header, interpreter, slots
from ledger.formats.handscript import tokens as t
from ledger.formats.handscript.amending import amendment, corrects
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.grammar import Again
from ledger.formats.handscript.header import END, MAGIC, OF_FILES, OPENING, SECTIONS, SETTINGS, STACKS, STOP
from ledger.formats.handscript.lines import ALIKE, Line, parted_lines, together
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF, is_seat
from ledger.formats.handscript.places import Chairs, Headed, Item, SectionSeats, at_their_tables, place_of, seat_players
from ledger.formats.handscript.sections import PROBLEMS_MOST, Problems, Section, Told, moment_of, no_hands
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened, SeatDealtIn, TournamentSet
from ledger.notation import Chunk
from ledger.people import People
from ledger.table.events import StakesChanged
from ledger.vocabulary import Millis, PlayerId, Seat

Step: TypeAlias = Callable[[Line, Sequence[str]], None]
Known: TypeAlias = dict[str, Event | Again[Event]]

_AS_THEY_STAND: Final = OF_FILES - {END}
_SET_ANEW: Final = (GameSet, TournamentSet)
_ABOVE: Final = KINDS_OF["table"] - {StakesChanged}
"""Events that lines above the first hand tell."""
_VOID: Final = frozenset(("void", "voided", "cancelled", "canceled"))
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
        self.sitting: Callable[[], Mapping[Seat, PlayerId]] | None = None  # of a table that is kept elsewhere
        self.comment = ""  # at the end of the line
        self.from_: Line | None = None  # where what belongs to the next section begins
        self.end = 0  # of the last line that is not blank
        self.broken = Problems()  # of the header, until the next
        self.known: dict[int, Known] = {}  # lines that were read before, by the decimals of amounts

    def told(self, source: Iterator[Line]) -> Iterator[Item]:
        """Yield what the lines say."""
        return at_their_tables(self._told(source))

    def _told(self, source: Iterator[Line]) -> Iterator[Headed]:
        last: Headed | None = None
        for item in self._sections(source):
            if last:
                yield last
            last = item
        if self.from_ is not None and last is not None:  # comments after the last hand
            told = replace(last.item.told, length=self.end - last.item.told.start)
            last = last._replace(item=last.item._replace(told=told))
        elif self.from_ is not None:
            last = self._item(self._nothing(self.from_))
        if last:
            yield last

    def _sections(self, source: Iterator[Line]) -> Iterator[Headed]:
        for line in source:
            if self.section is not None and self._again(self.section, line):
                self.end = line.start + line.length
            elif line.text.strip(_BLANKS):
                self.end = line.start + line.length
                if self.section is None:
                    self.from_ = self.from_ or line
                yield from self._line(line)
        yield from self._close(self.end)

    def _nothing(self, first: Line) -> Reject:
        if self.broken.found:
            return self.broken.reject(first.start, self.end - first.start)
        return no_hands(first, self.end)

    # One line

    def _again(self, section: Section, line: Line) -> bool:
        """Take a line of a hand if the same was read before; whether it was."""
        context = section.context
        found = (self.known.get(context.scale) or self._known(context.scale)).get(line.text)
        if found is None or section.wrong.found or section.kind != "hand":
            return False
        event = found.told(context) if isinstance(found, Again) else found
        context.follow(event)
        section.add(event, line)
        return True

    def _known(self, scale: int) -> Known:
        """Return the lines of hands that were read before, where amounts have so many decimals."""
        if scale not in self.known:
            self.known[scale] = self.people.read_before.results_of(MAGIC, scale)
        return self.known[scale]

    def _line(self, line: Line) -> Iterable[Headed]:
        """Take a line; return the section that it ends."""
        try:
            found, self.comment = t.tokens(line.text)
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
            found = header.first_plainly(t.placed(line.text)[0])
            first = found[0]
        if first == "hand" and len(found) == 2 and found[1] in _OVER:
            found = [first := t.instead(t.placed(line.text)[0][0], END)]
        if first == "hand" and len(found) == 2 and found[1] in _VOID and self.section is not None:
            found = [first := t.instead(t.placed(line.text)[0][0], "voided")]
        if first in SECTIONS and not (first == "house" and len(found) > 1):
            yield from self._close(line.start)
            self._open(SECTIONS[first], line)
            self._try(self._begin, line, found)
        elif first == MAGIC:
            yield from self._close(line.start)
            self.from_ = self.from_ or line
            self.settings, self.broken = Settings(), Problems()
            self.opening, self.above, self.begun = [], [], False
            self._try(self._version, line, found)
        elif first in (END, STOP) and self.section is not None:
            self._try(self._end, line, found)
            self.section.end = line.start + line.length
            yield from self._close(self.section.end)
        elif self._in_header(first) and not header.tells(found):
            yield from self._close(line.start)
            self.from_ = self.from_ or line
            self._try(self._header, line, found)
        else:
            step = self._happens if self._in_header(first) else self._fact
            if self.section is None:
                word = t.said(first).rstrip(":").lower()
                fact = is_seat(first) or word in BOOK.openers or word == STACKS  # told above the first hand
                if not (self.begun or self.case or fact):
                    self.from_ = self.from_ or line
                    self._try(self._unknown, line, found)
                    return
                self._open("hand" if self.case else "table", line, implied=True)
                if self.case:
                    self._implied_hand()
            self._try(step, line, found)

    def _unknown(self, _line: Line, found: Sequence[str]) -> None:
        """Refuse a line of the header that is none: what it should hold for all hands is not known."""
        if found[0] in SETTINGS:
            raise _nothing_known(found)
        if not t.quoted(found[0]):
            BOOK.wording(found)
        raise t.LineError(f"{t.shown(found[0])} begins no line of the header", column=t.column(found[0]))

    def _happens(self, line: Line, found: Sequence[str]) -> None:
        """Take a line of what happened that begins as one of the header does: `table breaks`."""
        try:
            self._fact(line, found)
        except t.LineError:
            raise _nothing_known(found) from None

    def _in_header(self, first: str) -> bool:
        section = self.section
        within = section is not None and (section.kind == "hand" or not section.implied)
        return not within and (first in SETTINGS or first in OPENING)

    def _try(self, step: Step, line: Line, found: Sequence[str]) -> None:
        if self.section is not None and len(self.section.wrong.found) >= PROBLEMS_MOST:
            self.section.wrong.more += 1
            return
        try:
            step(line, found)
        except UnreadableHandError as error:
            if not isinstance(found[0], t.Word):  # once more, with the columns of its words
                self._try(step, line, t.placed(line.text)[0])
                return
            self._fail(error, line, found, header=self.section is None)

    def _fail(self, error: UnreadableHandError, line: Line, found: Sequence[str], *, header: bool) -> None:
        if header:  # what it says holds for all hands below it: none of them can be read
            if len(self.broken.found) < PROBLEMS_MOST:
                context = Context(self.people, self.settings)
                error, meant = advice.advise(error, found, context, self.started, _ABOVE)
                game = meant[0] if meant else None
                if isinstance(game, GameSet) and isinstance(error, t.LineError):
                    self.settings.unit, self.settings.exponent = game.unit, game.exponent
                    self.opening.append(t.placed(error.write)[0])
                    self.above = None
            self.broken.add(error, line)
            return
        if self.section is None:
            self._open("hand", line)
        section = self._now()
        if error.kind == "place" and section.implied:
            if section.astray:
                return  # a hand that has no beginning: the first of its lines says so
            section.astray = True
        fact, derived, at = t.marks(found)
        kinds = KINDS_OF[section.kind] - ({HandOpened} if section.begun else set())
        error, meant = advice.advise(error, fact, section.context, self.started, kinds)
        if isinstance(error, t.LineError) and error.write:
            error.write += (f" at {t.said(at)}" if at and ":" in at else "") + " derived" * derived
        for event in meant:
            if type(event) in KINDS_OF[section.kind]:
                section.context.follow(event)  # the lines below it may be right
        section.wrong.add(error, line)

    # Sections

    def _open(self, kind: str, line: Line, *, implied: bool = False) -> None:
        first, self.from_ = self.from_ or line, None
        context = Context(self.people, structs.replace(self.settings), sitting=self._sitting)
        self.section = Section(kind, context, first, line.number, implied=implied)
        if self.broken.found:
            above = self.broken.found[0]._replace(write="", form="", hint="")
            self.section.wrong = Problems(self.broken.code, [above] if self.begun else self.broken.found.copy())
        self.begun = True

    def _sitting(self) -> Mapping[Seat, PlayerId]:
        """Return who sits at the table of the present section, by its own lines and those before it."""
        section = self._now()
        if self.sitting is not None:
            seats = dict(self.sitting())
            seat_players(seats, section.events)
            return seats
        place, section_seats = section.place, section.seats
        if section_seats is None or section_seats.place != place or not section_seats.follows(section.events):
            section_seats = section.seats = SectionSeats(self.chairs.seats(place), place)
        return section_seats.catch_up(section.events)

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
                raise t.LineError("expected the case's number", form="case NUMBER")
            section.number = section.context.number = slots.TEXT.value(found[1], section.context)
        elif len(found) > 1:
            raise t.wrong("nothing more", found[1])

    def _implied_hand(self) -> None:
        section = self._now()
        section.add(BOOK.read(["hand", "1"], section.context), None)
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
        (event, *_), _ = _events(line, context)
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
            found, derived, at = t.marks(found)
        alike = found[-1] in ALIKE and together(found)
        if alike or derived or at is not None or self.comment or isinstance(found[0], t.Word):
            for one in alike or (found,):
                self._tell(line, one, derived=derived, at=at)
        else:
            self._tell(line, found, alone=True)

    def _tell(
        self, line: Line, found: Sequence[str], *, derived: bool = False, at: str | None = None, alone: bool = False
    ) -> None:
        """Take what a line tells; `alone`: nothing else stands in the line."""
        section = self._now()
        context = section.context
        events, kept = _events(found, context)
        for event in events:
            if type(event) not in KINDS_OF[section.kind]:
                raise section.misplaced(found, of_table=type(event) in KINDS_OF["table"])
        if kept is not None and alone and section.kind == "hand" and type(events[0]) not in _SET_ANEW:
            self._known(context.scale)[line.text] = kept
        for event in events:
            self._follow(event, line, derived=derived, at=at)

    def _follow(self, event: Event, line: Line, *, derived: bool, at: str | None) -> None:
        """Take an event that was read, with its moment."""
        context = self._now().context
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
            section.add(event, line)
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
            chips = None if stack == "?" else t.amount(word, stack, section.context.scale)
            number = t.whole(word, seat)
            named = self.chairs.at(section.place, number)
            player = named or self.people.player(section.context.settings.venue, f"Player {number}")
            events.append(SeatDealtIn(number, player, chips))
        if at:
            button = BOOK.parse(found[:at], section.context)
            if not isinstance(button, ButtonPlaced):
                raise t.wrong("button SEAT stacks SEAT:CHIPS ...", found[0])
            events.append(button)
        for event in events:
            section.context.follow(event)
            section.add(event, line)

    def _end(self, line: Line, found: Sequence[str]) -> None:
        section = self._now()
        found, derived, at = t.marks(found)
        if len(found) > 1:
            raise t.wrong("nothing more", found[1])
        if section.kind == "hand" and found[0] == END:
            moment = None if at is None else moment_of(at, section.context)
            self._take(HandCompleted(), line, derived=derived, at=moment)

    def _close(self, end: int) -> Iterator[Headed]:
        section = self.section
        if section is None:
            return
        self.section = None
        start, length = section.start, (section.end or end) - section.start
        if section.wrong.found:
            yield self._item(section.wrong.reject(start, length, section.opening_line), section.comments)
        elif section.events:
            self._go_on(section)
            yield self._item(section.account(length), section.comments)
        else:
            yield self._item(Reject(start, length, section.first.number, "empty", "a section without a fact"))

    def _go_on(self, section: Section) -> None:
        """Learn who sits where, and play the hands below by stakes and a game that were told between hands."""
        self.chairs.learn(section.place, section.events)
        if self.opening and header.changes(section.events):
            context = Context(self.people, structs.replace(self.settings))
            self.above = [header.changed(self._anew(line, context), section.events) for line in self.opening]
            self.opening = [t.placed(BOOK.line(event, context))[0] for event in self.above]

    def _item(self, told: Told, comments: dict[int, str] | None = None) -> Headed:
        return Headed(Item(told, comments or {}), place_of(self.settings))

    # The header

    def _version(self, _line: Line, found: Sequence[str]) -> None:
        if len(found) != 2 or found[1] != "1":
            raise UnreadableHandError(
                "this is not handscript 1", kind="version", hint="A newer handledger may read it."
            )

    def _header(self, _line: Line, found: Sequence[str]) -> None:
        if found[0] in OPENING:
            (event, *_), _ = _events(found, Context(self.people, self.settings))
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


def _nothing_known(found: Sequence[str]) -> t.LineError:
    """Return the error for a line such as `table change`, which names no table."""
    what = f"{' '.join(map(t.shown, found))} tells nothing that is known here"
    return t.LineError(what, column=t.column(found[0]), kind="verb", hint=header.other_meaning(found))


def _events(found: Sequence[str], context: Context) -> tuple[Sequence[Event], Event | Again[Event] | None]:
    """Return what a line tells, in handscript or as people write it, and what may be kept of the line."""
    mark = context.people.mark()
    try:
        event, kept = BOOK.wording(found).read_to_keep(found, context)
    except UnreadableHandError:
        context.people.unlearn(mark)
        understood = interpreter.understand(found, context)
        if not understood:
            raise
        return understood, None
    return (event,), kept


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
