"""The lines of all events: which template reads a line, which one writes an event."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
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

    Its tables are made when they are first looked into: most imports meet no handscript.
    """

    @cached_property
    def wordings(self) -> dict[type[Event], list[Wording[Event]]]:
        """Return the templates by their event."""
        found: dict[type[Event], list[Wording[Event]]] = {}
        for kind, template in TEMPLATES:
            found.setdefault(kind, []).append(Wording(kind, template, self))
        for same in found.values():
            for one in same if len(same) > 1 else ():
                one.others = same
        return found

    @cached_property
    def openers(self) -> dict[str, Wording[Event]]:
        """Return the templates by the first word of a line."""
        return self._by_word(opening=True)

    @cached_property
    def verbs(self) -> dict[str, Wording[Event]]:
        """Return the templates by the second word of a line, after a seat."""
        return self._by_word(opening=False)

    @cached_property
    def hyphened(self) -> dict[tuple[str, ...], str]:
        """Return the words that are written with a hyphen by their parts: `("double", "burn")`."""
        found: set[str] = set()
        for wording in chain.from_iterable(self.wordings.values()):
            found |= {part for part in wording.head if isinstance(part, str)}
            found |= {option.word for option in wording.options}
            values = [part for part in wording.head if isinstance(part, Value)]
            values += [value for option in wording.options for value in option.values]
            for value in values:
                if isinstance(value.slot.one, slots.Chosen):
                    found.update(value.slot.one.words)
        return {tuple(word.split("-")): word for word in found if "-" in word}

    def _by_word(self, *, opening: bool) -> dict[str, Wording[Event]]:
        found: dict[str, Wording[Event]] = {}
        for wording in chain.from_iterable(self.wordings.values()):
            first = wording.head[0]
            chosen = first.slot.words if isinstance(first, Value) and isinstance(first.slot, slots.Words) else ()
            openers = [first] if isinstance(first, str) else sorted(chosen)
            for word in openers if opening else [] if openers else [cast("str", wording.head[1])]:
                if found.setdefault(word, wording).kind is not wording.kind:
                    raise ValueError(f"two events are told by {word!r}")
        return found

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
        return LineError(
            f"{shown(word)} isn't an act of seat {first}" if seat else f"no line begins with {shown(word)}",
            column=column(word),
            kind="verb",
            choices=self.verbs if seat else self.openers,
            hint="`handledger handscript --card` prints the lines that you need.",
        )

    def write(self, event: Event, context: Context) -> str:
        """Return the line that tells an event, and let the lines after it build upon it."""
        text = self.line(event, context)
        context.follow(event)
        return text

    def line(self, event: Event, context: Context) -> str:
        """Return the line that tells an event."""
        wordings = self.wordings[type(event)]
        return next((one for one in wordings if one.fits(event)), wordings[-1]).write(event, context)


def is_seat(word: str) -> bool:
    """Whether a word may be the seat at the beginning of a line."""
    digits = word.removeprefix("-")
    return (digits.isdigit() and digits.isascii()) or word == NOT_TOLD


BOOK: Final = Phrasebook()

KINDS_OF: Final[dict[str, frozenset[type[Event]]]] = {name: frozenset(kinds) for name, kinds in STREAMS.items()}
"""Which events may stand in which kind of section."""
