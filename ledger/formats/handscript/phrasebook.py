"""The lines of all events: which template reads a line, which one writes an event."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final, cast

from ledger.event import Event
from ledger.events import STREAMS
from ledger.formats.handscript import slots
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.grammar import Value, Wording
from ledger.formats.handscript.templates import TEMPLATES
from ledger.formats.handscript.tokens import NOT_TOLD, LineError, column, shown


class Phrasebook:
    """Every template, found by its verb when read and by its event type when written.

    It is filled when it is first looked into: most imports meet no handscript.
    """

    wordings: dict[type[Event], list[Wording[Event]]]
    openers: dict[str, Wording[Event]]  # by the first word of a line
    verbs: dict[str, Wording[Event]]  # by the second word, after a seat

    def __init__(self) -> None:
        """Be empty until it is looked into."""
        self._filling = threading.RLock()

    def __getattr__(self, name: str) -> object:
        """Fill the book, whose tables are not there yet."""
        if name not in Phrasebook.__annotations__:
            raise AttributeError(name)
        self._fill()
        found: object = self.__dict__[name]
        return found

    def _fill(self) -> None:
        """Fill the tables; whoever looks meanwhile, in another thread, waits for all of them."""
        with self._filling:
            if "verbs" in self.__dict__:
                return
            wordings: dict[type[Event], list[Wording[Event]]] = {}
            tables: dict[str, dict[str, Wording[Event]]] = {"openers": {}, "verbs": {}}
            for kind, template in TEMPLATES:
                wording = Wording(kind, template, self)
                same = wordings.setdefault(kind, [])
                same.append(wording)
                if len(same) > 1:
                    for other in same:
                        other.others = same
                where, verbs = self.verbs_of(wording)
                for verb in verbs:
                    if tables[where].setdefault(verb, wording).kind is not kind:
                        raise ValueError(f"two events are told by {verb!r}")
            self.wordings, self.openers = wordings, tables["openers"]
            self.verbs = tables["verbs"]

    def verbs_of(self, wording: Wording[Event]) -> tuple[str, list[str]]:
        """Return in which table a wording is looked up, "openers" or "verbs", and by which words."""
        first = wording.head[0]
        if isinstance(first, str):
            return "openers", [first]
        if isinstance(first, Value) and isinstance(first.slot, slots.Words):
            return "openers", sorted(first.slot.words)
        return "verbs", [cast("str", wording.head[1])]

    def read(self, line: Sequence[str], context: Context) -> Event:
        """Return the event that a line tells, and let the lines after it build upon it."""
        event = self.parse(line, context)
        context.follow(event)
        return event

    def parse(self, line: Sequence[str], context: Context) -> Event:
        """Return the event that a line tells; what does not fit raises `LineError`."""
        return self.wording(line).read(line, context)

    def wording(self, line: Sequence[str]) -> Wording[Event]:
        """Return the template that reads a line, by its verb."""
        if not line:
            raise LineError("nothing stands in the parentheses")
        first = line[0]
        if wording := self.openers.get(first):
            if not wording.others:
                return wording
            return next((other for other in wording.others if other.takes(line)), wording.others[-1])
        if len(line) > 1 and (found := self.verbs.get(line[1])) and is_seat(first):
            return found
        raise self._unknown(line)

    def _unknown(self, line: Sequence[str]) -> LineError:
        first = line[0]
        seat = is_seat(first)
        word = line[1] if seat and len(line) > 1 else first
        if seat and len(line) == 1:
            return LineError(f"what seat {first} did is missing", form="SEAT folds", kind="verb")
        place = f"what seat {first} did" if seat else "the beginning of a line"
        return LineError(
            f"{shown(word)} is not known as {place}",
            column=column(word),
            kind="verb",
            choices=self.verbs if seat else self.openers,
            hint="docs/handscript.md lists all lines.",
        )

    def write(self, event: Event, context: Context) -> str:
        """Return the line that tells an event, and let the lines after it build upon it."""
        text = self.line(event, context)
        context.follow(event)
        return text

    def line(self, event: Event, context: Context) -> str:
        """Return the line that tells an event."""
        wordings = self.wordings[type(event)]
        wording = next((p for p in wordings if p.fits(event)), wordings[-1])
        scale = context.scale
        text = wording.write(event, context)
        context.scale = scale
        return text


def is_seat(word: str) -> bool:
    """Whether a word may be the seat at the beginning of a line."""
    digits = word.removeprefix("-")
    return (digits.isdigit() and digits.isascii()) or word == NOT_TOLD


BOOK: Final = Phrasebook()

KINDS_OF: Final[dict[str, frozenset[type[Event]]]] = {name: frozenset(kinds) for name, kinds in STREAMS.items()}
"""Which events may stand in which kind of section."""
