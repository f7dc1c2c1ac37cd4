"""Read handscript as it is typed, one line at a time.

A file's errors are reported together at its end. A typed line is accepted or rejected at once, and a rejected line
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NoReturn

from msgspec import structs

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import advice, slots
from ledger.formats.handscript.candidates import write_sitting
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.counts import is_number
from ledger.formats.handscript.header import END, SECTIONS
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.parser import HandscriptReader
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.formats.handscript.sections import HandscriptSection
from ledger.formats.handscript.tokens import (
    NOT_TOLD,
    LineError,
    format_word,
    get_text,
    split_marks,
    split_placed_words,
    split_words,
)
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import GameSet, HandOpened
from ledger.hand.state import HandState
from ledger.people import People, StagedPeople
from ledger.table.events import StakesChanged
from ledger.text.language import phrase, translatable
from ledger.vocabulary import Millis, PlayerId, Seat

_SECTION_HINTS: Final = {
    "case": translatable('A case is kept with "handledger case".'),
    "house": translatable("What the house did is recorded by the command that does it."),
    "between-hands": translatable("Facts between hands are written as they are: 5 leaves."),
}


_BETWEEN_HANDS: Final[frozenset[type[Event]]] = frozenset((*KINDS_OF["table"], HandOpened))
"""The events that are allowed between hands."""


class OutOfPlaceError(LineError):
    """A line that isn't allowed at the table now. Its texts are in the language in force."""

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem, kind="place", hint=hint)


@dataclass(slots=True)
class LineResult:
    """The result of a line. `kind` "header": the line has no event and applies to later lines."""

    kind: str  # "hand", "table", "header"
    events: list[Event] = field(default_factory=list)
    inferred: list[int] = field(default_factory=list)  # indexes of `events`
    times: dict[int, Millis] = field(default_factory=dict)
    begins: bool = False  # the first of `events` begins a hand
    ends: bool = False  # the hand ends, or its record stops


class LiveLines:
    """Reads the lines of a table. Each line is accepted or rejected before the next."""

    def __init__(self, people: People, settings: Settings, opening: Sequence[Event] = ()) -> None:
        """Set the table, and the game and options of its hands."""
        self._people = people
        self._staged_people = StagedPeople(people)  # new people of a line, until the line is accepted
        self._reader = _LiveReader(self._staged_people, settings=settings)
        context = Context(people, settings)
        for event in opening:
            self._reader.opening.append(split_placed_words(BOOK.format_line(event, context))[0])
            context.follow(event)
            if isinstance(event, GameSet):
                settings.unit, settings.exponent = event.unit, event.exponent
        self._reader.header_events = list(opening)
        self._former_openings: list[list[Sequence[str]]] = []  # before each change of stakes by a line
        self._number = 0

    @property
    def settings(self) -> Settings:
        """The table."""
        return self._reader.settings

    @property
    def opening(self) -> list[Event]:
        """The events that begin every new hand."""
        context = Context(self._people, self.settings)
        return [self._reader._read_opening(line, context) for line in self._reader.opening]  # noqa: SLF001 - its own reader

    @property
    def state(self) -> HandState:
        """The state of the running hand, or an empty state between hands. Don't change it."""
        section = self._reader.section
        return HandState() if section is None else section.context.state

    @property
    def in_hand(self) -> bool:
        """Whether a hand is running."""
        return self._reader.section is not None

    def resume(self, events: Sequence[Event], clock: Millis | None = None) -> None:
        """Continue a hand from its events, as recorded or after a correction."""
        context = Context(self._staged_people, self.settings, sitting=self._reader.sitting or dict)
        for event in events:
            if isinstance(event, GameSet):
                context.settings.unit, context.settings.exponent = event.unit, event.exponent
            context.follow(event)
        if clock is not None:
            context.clock = clock
        section = HandscriptSection("hand", context, _RECORDED_LINE, has_header_events=True)
        for event in events:
            section.add(event, _RECORDED_LINE)
        self._reader.section = section

    def revert_stakes(self) -> bool:
        """Undo the last change of stakes for the next hands; return False if no line changed them."""
        if not self._former_openings:
            return False
        self._reader.opening = self._former_openings.pop()
        self._reader.header_events = self.opening
        return True

    def sits(self, players: Callable[[], Mapping[Seat, PlayerId]]) -> None:
        """Use the players by seat that `players` returns, instead of the lines' own seats."""
        self._reader.sitting = players

    def rest(self) -> None:
        """Leave the running hand."""
        self._reader.section = None

    def write_lines(self, events: Sequence[Event]) -> list[str]:
        """Return the lines of a hand's events, from its beginning on, or of the table's."""
        context = Context(self._people, structs.replace(self.settings))
        return [BOOK.write(event, context) for event in events]

    def line(self, event: Event) -> str:
        """Return the line of an event as the next line of the running hand, or of the table."""
        section = self._reader.section
        return BOOK.format_line(event, Context(self._people, self.settings) if section is None else section.context)

    def read_again(self, events: Sequence[Event]) -> list[Event]:
        """Write the events as lines after the current ones and read them back, to check that the lines can hold them."""
        section = self._reader.section
        earlier_events = [] if section is None else section.events
        writing_context, reading_context = (Context(self._people, structs.replace(self.settings)) for _ in range(2))
        for event in earlier_events:
            writing_context.follow(event)
            reading_context.follow(event)
        return [
            BOOK.read(split_placed_words(BOOK.write(event, writing_context))[0], reading_context) for event in events
        ]

    def player(self, player: PlayerId) -> str:
        """Return a player's name as written in a line."""
        return slots.PLAYER.write(player, Context(self._people, self.settings))

    def follow(self, events: Sequence[Event]) -> None:
        """Apply events of the running hand that didn't come from a line."""
        section = self._reader.section
        if section is None:
            return
        for event in events:
            section.context.follow(event)
            section.add(event, _RECORDED_LINE)

    def take(self, text: str, now: datetime) -> LineResult:
        """Read a line. Raise `LineError` with the cause and the fix if it can't be read; nothing changes then.

        `now` is the time of a hand whose line has no time.
        """
        previous_section = self._reader.section
        try:
            line_result = self._take(text, now)
        except UnreadableHandError:
            self._staged_people.unlearn((0, 0))
            self._reader.section = previous_section
            raise
        self._staged_people.join()
        return line_result

    def _take(self, text: str, now: datetime) -> LineResult:
        words = split_words(text)[0]
        if not words:
            return LineResult("header")
        reader, first_word = self._reader, get_text(words[0]).lower()
        _refuse_section(first_word, words)
        if first_word == "hand" and len(words) == 2 and not self.in_hand:
            text = f"{text} {_format_moment(now)}"
        previous_section = reader.section
        if previous_section is not None and SECTIONS.get(first_word) == "hand" and words != [END]:
            raise OutOfPlaceError(
                phrase("a hand is running"), phrase('End it first: "end", or "stop" if nobody saw its end.')
            )
        event_count = 0 if previous_section is None else len(previous_section.events)
        self._number += 1
        ended_sections = list(reader._read_line(ScriptLine(text, 0, max(1, len(text)), self._number)))  # noqa: SLF001 - its own reader
        section = reader.section or (previous_section if ended_sections else None)
        if section is None:
            return LineResult("header")
        if section.kind == "table":
            former_opening = list(reader.opening)
            reader._continue_table(section)  # noqa: SLF001 - its own reader
            if reader.opening != former_opening:
                self._former_openings.append(former_opening)
            reader.section = None
        return _list_new_events(section, event_count, begins=previous_section is None, ends=bool(ended_sections))


class _LiveReader(HandscriptReader):
    """Raises a line's error at once instead of collecting it."""

    def _fail(self, error: UnreadableHandError, line: ScriptLine, words: Sequence[str], *, in_header: bool) -> NoReturn:
        del line
        section = self.section
        context = Context(self.people, self.settings) if section is None or in_header else section.context
        fact_words, derived, moment_word = split_marks(words) if words else (words, False, None)
        kinds = _BETWEEN_HANDS if section is None or in_header else KINDS_OF[section.kind]
        if section is not None and section.has_begun:  # a line that begins a hand isn't an act
            kinds -= {HandOpened}
        if not self.opening:  # there is no game yet, so its stakes can't change
            kinds -= {StakesChanged}
        error, _ = advice.advise(error, fact_words, context, self.started, kinds)
        if isinstance(error, LineError) and (section is None or section.kind == "table"):
            _advise_sitting(error, fact_words)
        if isinstance(error, LineError):
            advice.repeat_marks(error, moment_word, derived=derived)
        raise error


def _format_moment(now: datetime) -> str:
    """Return a moment as written in a hand's line, to the millisecond, so that it is after all earlier lines."""
    spec = "milliseconds" if now.microsecond else "seconds"
    return now.astimezone().isoformat(timespec=spec).replace("+00:00", "Z")


def _refuse_section(first_word: str, words: Sequence[str]) -> None:
    """Raise an error if a line begins a section that isn't typed line by line; `house` alone does, with words it's a fact."""
    if first_word in _SECTION_HINTS and not (first_word == "house" and len(words) > 1):
        raise OutOfPlaceError(
            phrase("a section of the {kind} has no place here", kind=first_word), phrase(_SECTION_HINTS[first_word])
        )


def _advise_sitting(error: LineError, fact_words: Sequence[str]) -> None:
    """Suggest the line of a player who sits down, for a seat's line between hands."""
    line = split_words(error.write)[0] if error.write else fact_words
    if get_text(line[0]) != "seat" or len(line) < 4 or not (is_number(line[-1]) or line[-1] == NOT_TOLD):
        return
    if any(word in RESERVED_WORDS for word in line[2:-1]):
        return
    error.write = " ".join(map(format_word, write_sitting(line)))
    error.form = BOOK.verbs["sits"].usage()


_RECORDED_LINE = ScriptLine("", 0, 1, 0)
"""The place of an event that was recorded before. Later lines about it add events and don't replace it."""


def _list_new_events(section: HandscriptSection, known_count: int, *, begins: bool, ends: bool) -> LineResult:
    """Return the events that were added to a section."""
    if any(isinstance(event, CorrectionMade) for event in section.events[known_count:]):
        del section.events[known_count:]
        raise OutOfPlaceError(
            phrase("a correction has no place in a running hand"), phrase('"undo" takes back the last line.')
        )
    line_result = LineResult(
        section.kind, section.events[known_count:], begins=begins and section.kind == "hand", ends=ends
    )
    line_result.inferred = [index - known_count for index in section.derived if index >= known_count]
    line_result.times = {index - known_count: moment for index, moment in section.times.items() if index >= known_count}
    for index in range(known_count, len(section.events)):  # a later line can't replace a recorded event
        section.places[2 * index + 1] = max(1, section.places[2 * index + 1])
    return line_result
