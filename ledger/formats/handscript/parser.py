"""Parse handscript line by line: the header, then hands and other sections.

A section with bad lines is rejected with advice for each of them. Other sections are still read. Lines of the header
apply until another line replaces them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec import structs

from ledger.account import Reject
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import advice, header, interpreter, slots
from ledger.formats.handscript import tokens as t
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.grammar import RepeatedLine
from ledger.formats.handscript.header import END, FILE_WORDS, MAGIC, OPENING, SECTIONS, SETTINGS, STACKS, STOP
from ledger.formats.handscript.lines import SHARED_ACTS, ScriptLine, expand_seats
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF, is_seat
from ledger.formats.handscript.places import (
    CommentedAccount,
    HeadedSection,
    SectionSeats,
    TableSeating,
    assign_tables,
    find_table,
    seat_players,
)
from ledger.formats.handscript.sections import (
    PROBLEMS_MOST,
    HandscriptSection,
    SectionProblems,
    SectionResult,
    parse_moment,
    reject_empty_file,
)
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened, SeatDealtIn, TournamentSet
from ledger.people import People
from ledger.table.events import StakesChanged
from ledger.table.money_events import TOURNAMENT_MONEY
from ledger.vocabulary import Millis, PlayerId, Seat

LineHandler: TypeAlias = Callable[[ScriptLine, Sequence[str]], None]
LineCache: TypeAlias = dict[str, Event | RepeatedLine[Event]]

_REPLACEABLE_EVENTS: Final = (GameSet, TournamentSet)
_TABLE_EVENTS: Final = KINDS_OF["table"] - {StakesChanged}
"""Events that are allowed above the first hand."""

_BLANK_SIGNS: Final = " \t\r\ufeff"


class HandscriptReader:
    """Reads a chunk. `read_sections` yields its accounts in order."""

    def __init__(self, people: People, *, settings: Settings | None = None, case: bool = False) -> None:
        """Start without lines. `case`: read facts outside of sections as a hand."""
        self.people = people
        self.settings = settings or Settings()
        self.case = case
        self.opening: list[Sequence[str]] = []  # the header's lines that apply to every hand
        self.header_events: list[Event] | None = []  # their events; None = read them again
        self.has_begun = False  # whether a section has begun below this header
        self.started = ""  # the time of the previous hand
        self.section: HandscriptSection | None = None
        self.chairs = TableSeating()
        self.sitting: Callable[[], Mapping[Seat, PlayerId]] | None = None  # of a table that is tracked elsewhere
        self.comment = ""  # at the end of the line
        self.section_start: ScriptLine | None = None  # the first line that belongs to the next section
        self.end = 0  # of the last line that isn't blank
        self.header_problems = SectionProblems()  # of the header, until the next header
        self.line_caches: dict[int, LineCache] = {}  # lines read before, by the decimals of amounts

    def read_sections(self, source: Iterator[ScriptLine]) -> Iterator[CommentedAccount]:
        """Yield the accounts of the lines."""
        return assign_tables(self._iter_headed_sections(source))

    def _iter_headed_sections(self, source: Iterator[ScriptLine]) -> Iterator[HeadedSection]:
        last: HeadedSection | None = None
        for item in self._iter_sections(source):
            if last:
                yield last
            last = item
        if self.section_start is not None and last is not None:  # comments after the last hand
            account = replace(last.item.told, length=self.end - last.item.told.start)
            last = last._replace(item=last.item._replace(told=account))
        elif self.section_start is not None:
            last = self._build_item(self._reject_remainder(self.section_start))
        if last:
            yield last

    def _iter_sections(self, source: Iterator[ScriptLine]) -> Iterator[HeadedSection]:
        for line in source:
            if self.section is not None and self._repeat_line(self.section, line):
                self.end = line.start + line.length
            elif line.text.strip(_BLANK_SIGNS):
                self.end = line.start + line.length
                if self.section is None:
                    self.section_start = self.section_start or line
                yield from self._read_line(line)
        yield from self._close(self.end)

    def _reject_remainder(self, first: ScriptLine) -> Reject:
        if self.header_problems.found:
            return self.header_problems.reject(first.start, self.end - first.start)
        return reject_empty_file(first, self.end)

    # One line

    def _repeat_line(self, section: HandscriptSection, line: ScriptLine) -> bool:
        """Read a line of a hand from the cache; return False if it isn't there."""
        context = section.context
        cached_line = (self.line_caches.get(context.scale) or self._find_cache(context.scale)).get(line.text)
        if cached_line is None or section.wrong.found or section.kind != "hand":
            return False
        event = cached_line.build_event(context) if isinstance(cached_line, RepeatedLine) else cached_line
        context.follow(event)
        section.add(event, line)
        return True

    def _find_cache(self, scale: int) -> LineCache:
        """Return the cache of lines whose amounts have this many decimals."""
        if scale not in self.line_caches:
            self.line_caches[scale] = self.people.read_before.results_of(MAGIC, scale)
        return self.line_caches[scale]

    def _read_line(self, line: ScriptLine) -> Iterable[HeadedSection]:
        """Read a line; return the section that it ends."""
        try:
            words, self.comment = t.split_words(line.text)
        except UnreadableHandError as error:
            self._fail(error, line, [], in_header=self._is_in_header(line.text.split(None, 1)[0]))
            return self._split_bad_lines(line, [])
        if not words:
            return ()
        first_word = words[0]
        if self.section is not None and (
            first_word.isdigit() or (first_word in BOOK.openers and first_word not in FILE_WORDS)
        ):
            self._try(self._read_fact, line, words)
            return self._split_bad_lines(line, words)
        return self._read_structure(line, words)

    def _read_structure(self, line: ScriptLine, words: Sequence[str]) -> Iterator[HeadedSection]:
        """Read a line that may begin or end a section; yield the section that it ends."""
        words = interpreter.normalize_opening(words, line.text, in_section=self.section is not None)
        first_word = words[0]
        if first_word in SECTIONS and not (first_word == "house" and len(words) > 1):
            yield from self._close(line.start)
            self._open_section(SECTIONS[first_word], line)
            self._try(self._begin, line, words)
        elif first_word == MAGIC:
            yield from self._close(line.start)
            self._reset_header(line)
            self._try(self._read_version, line, words)
        elif first_word in (END, STOP) and self.section is not None:
            self._try(self._end, line, words)
            self.section.end = line.start + line.length
            yield from self._close(self.section.end)
        elif self._is_in_header(first_word) and not header.is_happening(words):
            yield from self._close(line.start)
            self.section_start = self.section_start or line
            self._try(self._read_header, line, words)
        else:
            step = self._read_happening if self._is_in_header(first_word) else self._read_fact
            if self.section is not None or self._open_for_fact(line, words):
                self._try(step, line, words)
                yield from self._split_bad_lines(line, words)

    def _split_bad_lines(self, line: ScriptLine, words: Sequence[str]) -> Iterator[HeadedSection]:
        """Begin a new section at `line` if it separates good and bad lines of a tournament's desk; yield the old one."""
        section = self.section
        if section is None or self.header_problems.found or not section.wrong.found or not section.is_desk:
            return
        problems, is_line_wrong = section.wrong, section.wrong.found[-1].line == line.number
        if is_line_wrong:
            section.wrong = SectionProblems()
        yield from self._close(line.start)
        self._open_section("table", line, is_implied=section.is_implied)
        self._get_section().context.clock = section.context.clock
        if is_line_wrong:
            self._get_section().wrong = problems
        else:
            self._try(self._read_fact, line, words)

    def _reset_header(self, line: ScriptLine) -> None:
        """Begin a new header at this line."""
        self.section_start = self.section_start or line
        self.settings, self.header_problems = Settings(), SectionProblems()
        self.opening, self.header_events, self.has_begun = [], [], False

    def _open_for_fact(self, line: ScriptLine, words: Sequence[str]) -> bool:
        """Open a section for a fact outside of sections; return False if the line can't be such a fact."""
        first_word = words[0]
        plain_word = t.get_text(first_word).rstrip(":").lower()
        is_fact = is_seat(first_word) or plain_word in BOOK.openers or plain_word == STACKS
        if not (self.has_begun or self.case or is_fact):
            self.section_start = self.section_start or line
            self._try(self._reject_unknown, line, words)
            return False
        self._open_section("hand" if self.case else "table", line, is_implied=True)
        if self.case:
            self._begin_implied_hand()
        return True

    def _reject_unknown(self, _line: ScriptLine, words: Sequence[str]) -> None:
        """Raise the error for an unknown line of the header."""
        if words[0] in SETTINGS:
            raise header.build_unknown_error(words)
        if not t.is_quoted(words[0]):
            BOOK.find_wording(words)
        raise t.LineError(f"{t.format_word(words[0])} begins no line of the header", column=t.get_column(words[0]))

    def _read_happening(self, line: ScriptLine, words: Sequence[str]) -> None:
        """Read an event's line that begins with a header's word: `table breaks`."""
        try:
            self._read_fact(line, words)
        except t.LineError:
            raise header.build_unknown_error(words) from None

    def _is_in_header(self, first: str) -> bool:
        section = self.section
        in_section = section is not None and (section.kind == "hand" or not section.is_implied)
        return not in_section and (first in SETTINGS or first in OPENING)

    def _try(self, step: LineHandler, line: ScriptLine, words: Sequence[str]) -> None:
        if self.section is not None and len(self.section.wrong.found) >= PROBLEMS_MOST:
            self.section.wrong.more += 1
            return
        try:
            step(line, words)
        except UnreadableHandError as error:
            if not isinstance(words[0], t.Word):  # try again with the columns of the words, for the error
                self._try(step, line, t.split_placed_words(line.text)[0])
                return
            self._fail(error, line, words, in_header=self.section is None)

    def _fail(self, error: UnreadableHandError, line: ScriptLine, words: Sequence[str], *, in_header: bool) -> None:
        if in_header:
            self._fail_in_header(error, line, words)
            return
        if self.section is None:
            self._open_section("hand", line)
        section = self._get_section()
        if error.kind == "place" and section.is_implied:
            if section.has_misplaced_line:
                return  # a hand without a beginning: only its first line gets the error
            section.has_misplaced_line = True
        fact_words, derived, moment_word = t.split_marks(words)
        kinds = KINDS_OF[section.kind] - ({HandOpened} if section.has_begun else set())
        error, advised_events = advice.advise(error, fact_words, section.context, self.started, kinds)
        if isinstance(error, t.LineError):
            advice.repeat_marks(error, moment_word, derived=derived)
        for event in advised_events:
            if type(event) in KINDS_OF[section.kind]:
                section.context.follow(event)  # later lines may depend on the event
        section.wrong.add(error, line)

    def _fail_in_header(self, error: UnreadableHandError, line: ScriptLine, words: Sequence[str]) -> None:
        """Add an error in the header, which makes all hands below it unreadable."""
        if len(self.header_problems.found) < PROBLEMS_MOST:
            context = Context(self.people, self.settings)
            error, advised_events = advice.advise(error, words, context, self.started, _TABLE_EVENTS)
            game = advised_events[0] if advised_events else None
            if isinstance(game, GameSet) and isinstance(error, t.LineError):
                self.settings.unit, self.settings.exponent = game.unit, game.exponent
                self.opening.append(t.split_placed_words(error.write)[0])
                self.header_events = None
        self.header_problems.add(error, line)

    # Sections

    def _open_section(self, kind: str, line: ScriptLine, *, is_implied: bool = False) -> None:
        first, self.section_start = self.section_start or line, None
        context = Context(self.people, structs.replace(self.settings), sitting=self._find_sitting)
        self.section = HandscriptSection(kind, context, first, line.number, is_implied=is_implied)
        if self.header_problems.found:
            header_problem = self.header_problems.found[0]._replace(write="", form="", hint="")
            self.section.wrong = SectionProblems(
                self.header_problems.code, [header_problem] if self.has_begun else self.header_problems.found.copy()
            )
        self.has_begun = True

    def _find_sitting(self) -> Mapping[Seat, PlayerId]:
        """Return the players by seat at the section's table, by its own lines and those before it."""
        section = self._get_section()
        if self.sitting is not None:
            seats = dict(self.sitting())
            seat_players(seats, section.events)
            return seats
        place, section_seats = section.place, section.seats
        if section_seats is None or section_seats.place != place or not section_seats.follows(section.events):
            section_seats = section.seats = SectionSeats(self.chairs.list_seats(place), place)
        return section_seats.catch_up(section.events)

    def _begin(self, line: ScriptLine, words: Sequence[str]) -> None:
        section = self._get_section()
        if section.kind == "hand":
            try:
                self._read_fact(line, words)
                self.started = section.context.started_text or self.started
            finally:
                self._add_header_facts(section)
        elif section.kind == "case":
            if len(words) != 2:
                raise t.LineError("expected the case's number", form="case NUMBER")
            section.number = section.context.number = slots.TEXT.value(words[1], section.context)
        elif len(words) > 1:
            raise t.build_word_error("nothing more", words[1])

    def _begin_implied_hand(self) -> None:
        section = self._get_section()
        section.add(BOOK.read(["hand", "1"], section.context), None)
        self._add_header_facts(section)

    def _add_header_facts(self, section: HandscriptSection) -> None:
        """Add the header's events to a hand, whose own lines may replace them."""
        if section.has_header_events:
            return
        if self.header_events is None:
            self.header_events = [self._read_opening(line, section.context) for line in self.opening]
        else:
            for event in self.header_events:
                section.context.follow(event)
        for event in self.header_events:
            section.add(event, None)
        section.has_header_events = True

    def _read_opening(self, line: Sequence[str], context: Context) -> Event:
        (event, *_), _ = interpreter.read_events(line, context)
        context.follow(event)
        return event

    def _get_section(self) -> HandscriptSection:
        assert self.section is not None  # noqa: S101 - the callers opened one
        return self.section

    def _read_fact(self, line: ScriptLine, words: Sequence[str]) -> None:
        """Read the events of a line."""
        if STACKS in words and words[0] in (STACKS, "button"):
            self._read_stacks(line, words)
            return
        derived, moment_word = False, None
        if words[-1] == "derived" or (len(words) > 2 and words[-2] == "at"):
            words, derived, moment_word = t.split_marks(words)
        seat_lines = words[-1] in SHARED_ACTS and expand_seats(words)
        if seat_lines or derived or moment_word is not None or self.comment or isinstance(words[0], t.Word):
            for seat_words in seat_lines or (words,):
                self._add_events(line, seat_words, derived=derived, moment_word=moment_word)
        else:
            self._add_events(line, words, is_whole_line=True)

    def _add_events(
        self,
        line: ScriptLine,
        words: Sequence[str],
        *,
        derived: bool = False,
        moment_word: str | None = None,
        is_whole_line: bool = False,
    ) -> None:
        """Add the events of a line. `is_whole_line`: the line has no other content."""
        section = self._get_section()
        context = section.context
        events, reusable_line = interpreter.read_events(words, context)
        for event in events:
            if type(event) not in KINDS_OF[section.kind]:
                raise section.build_misplaced_error(words, of_table=type(event) in KINDS_OF["table"])
            if type(event) in TOURNAMENT_MONEY and not context.settings.tournament:
                raise section.build_no_tournament_error(words)
        if (
            reusable_line is not None
            and is_whole_line
            and section.kind == "hand"
            and type(events[0]) not in _REPLACEABLE_EVENTS
        ):
            self._find_cache(context.scale)[line.text] = reusable_line
        for event in events:
            self._follow(event, line, derived=derived, moment_word=moment_word)

    def _follow(self, event: Event, line: ScriptLine, *, derived: bool, moment_word: str | None) -> None:
        """Add an event with its moment."""
        context = self._get_section().context
        moment = None
        if moment_word is not None and type(event) is not HandOpened:  # a hand's own time is told by its line
            moment = parse_moment(moment_word, context)
        context.follow(event)
        if moment_word is not None and moment is None:
            moment = parse_moment(moment_word, context)
        self._take(event, line, derived=derived, moment=moment)

    def _take(self, event: Event, line: ScriptLine, *, derived: bool, moment: Millis | None) -> None:
        section = self._get_section()
        index = len(section.events)
        if type(event) in _REPLACEABLE_EVENTS and section.kind == "hand":
            index = section.replace_copied_event(event)
        if index == len(section.events):
            section.add(event, line)
        if derived:
            section.derived.append(index)
        if moment is not None:
            section.times[index] = section.context.clock = moment
        if self.comment:
            section.comments[index] = self.comment

    def _read_stacks(self, line: ScriptLine, words: Sequence[str]) -> None:
        """Read `button 1 stacks 1:200 2:200`: add the seats, then the button."""
        stacks_index = list(words).index(STACKS)
        section = self._get_section()
        events: list[Event] = []
        for word in words[stacks_index + 1 :]:
            seat, _, stack = word.partition(":")
            stack_chips = None if stack == "?" else t.parse_amount(word, stack, section.context.scale)
            number = t.parse_whole_number(word, seat)
            seated_player = self.chairs.find_player(section.place, number)
            player = seated_player or self.people.player(section.context.settings.venue, f"Player {number}")
            events.append(SeatDealtIn(number, player, stack_chips))
        if stacks_index:
            button = BOOK.parse(words[:stacks_index], section.context)
            if not isinstance(button, ButtonPlaced):
                raise t.build_word_error("button SEAT stacks SEAT:CHIPS ...", words[0])
            events.append(button)
        for event in events:
            section.context.follow(event)
            section.add(event, line)

    def _end(self, line: ScriptLine, words: Sequence[str]) -> None:
        section = self._get_section()
        words, derived, moment_word = t.split_marks(words)
        if len(words) > 1:
            raise t.build_word_error("nothing more", words[1])
        if section.kind == "hand" and words[0] == END:
            moment = None if moment_word is None else parse_moment(moment_word, section.context)
            self._take(HandCompleted(), line, derived=derived, moment=moment)

    def _close(self, end: int) -> Iterator[HeadedSection]:
        section = self.section
        if section is None:
            return
        self.section = None
        start, length = section.start, (section.end or end) - section.start
        if section.wrong.found:
            yield self._build_item(section.wrong.reject(start, length, section.opening_line), section.comments)
        elif section.events:
            self._continue_table(section)
            yield self._build_item(section.build_account(length), section.comments)
        else:
            yield self._build_item(Reject(start, length, section.first.number, "empty", "a section without a fact"))

    def _continue_table(self, section: HandscriptSection) -> None:
        """Remember who sits where, and apply changes of stakes and game between hands to the hands below."""
        self.chairs.learn(section.place, section.events)
        if self.opening and header.changes_game(section.events):
            context = Context(self.people, structs.replace(self.settings))
            self.header_events = [
                header.apply_changes(self._read_opening(line, context), section.events) for line in self.opening
            ]
            self.opening = [t.split_placed_words(BOOK.format_line(event, context))[0] for event in self.header_events]

    def _build_item(self, account: SectionResult, comments: dict[int, str] | None = None) -> HeadedSection:
        return HeadedSection(CommentedAccount(account, comments or {}), find_table(self.settings))

    # The header

    def _read_version(self, _line: ScriptLine, words: Sequence[str]) -> None:
        if len(words) != 2 or words[1] != "1":
            version = f"handscript {words[1]}" if len(words) == 2 else "another handscript"
            raise UnreadableHandError(
                f"this is {version}; this program reads handscript 1",
                kind="version",
                hint="A newer handledger may read it.",
            )

    def _read_header(self, _line: ScriptLine, words: Sequence[str]) -> None:
        if words[0] in OPENING:
            (event, *_), _ = interpreter.read_events(words, Context(self.people, self.settings))
            if any(header.is_replaced_by(words, opening_line) for opening_line in self.opening) or (
                self.opening and isinstance(event, GameSet)
            ):
                self.header_events = None
                self.opening = [
                    opening_line for opening_line in self.opening if not header.is_replaced_by(words, opening_line)
                ]
            self.opening.append(words)
            if self.header_events is not None:
                self.header_events.append(event)
            if isinstance(event, GameSet):
                self.settings.unit, self.settings.exponent = event.unit, event.exponent
            return
        if self.opening:
            self.header_events = None
        header.understand_settings(self.settings, words)
