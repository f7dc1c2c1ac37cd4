"""Find the template that reads a line, and the template that writes an event."""

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
from ledger.formats.handscript.tokens import NOT_TOLD, LineError, format_word, get_column


class Phrasebook:
    """All templates, indexed by verb for reading and by event type for writing.

    Its indexes are built on first use, because most imports contain no handscript.
    """

    @cached_property
    def wordings(self) -> dict[type[Event], list[Wording[Event]]]:
        """Return the templates by their event."""
        wordings: dict[type[Event], list[Wording[Event]]] = {}
        for kind, template in TEMPLATES:
            wordings.setdefault(kind, []).append(Wording(kind, template, self))
        for alternatives in wordings.values():
            for wording in alternatives if len(alternatives) > 1 else ():
                wording.alternatives = alternatives
        return wordings

    @cached_property
    def openers(self) -> dict[str, Wording[Event]]:
        """Return the templates by the first word of a line."""
        return self._index_by_word(opening=True)

    @cached_property
    def verbs(self) -> dict[str, Wording[Event]]:
        """Return the templates by the second word of a line, after a seat."""
        return self._index_by_word(opening=False)

    @cached_property
    def hyphened(self) -> dict[tuple[str, ...], str]:
        """Return the hyphenated words by their parts: `("double", "burn")`."""
        hyphenated: set[str] = set()
        for wording in chain.from_iterable(self.wordings.values()):
            hyphenated |= {part for part in wording.head if isinstance(part, str)}
            hyphenated |= {option.word for option in wording.options}
            values = [part for part in wording.head if isinstance(part, Value)]
            values += [value for option in wording.options for value in option.values]
            for value in values:
                if isinstance(value.slot.one, slots.ChoiceSlot):
                    hyphenated.update(value.slot.one.words)
        return {tuple(word.split("-")): word for word in hyphenated if "-" in word}

    def _index_by_word(self, *, opening: bool) -> dict[str, Wording[Event]]:
        wordings_by_word: dict[str, Wording[Event]] = {}
        for wording in chain.from_iterable(self.wordings.values()):
            first = wording.head[0]
            choices = first.slot.words if isinstance(first, Value) and isinstance(first.slot, slots.Words) else ()
            openers = [first] if isinstance(first, str) else sorted(choices)
            for word in openers if opening else [] if openers else [cast("str", wording.head[1])]:
                if wordings_by_word.setdefault(word, wording).kind is not wording.kind:
                    raise ValueError(f"two events are told by {word!r}")
        return wordings_by_word

    def read(self, line: Sequence[str], context: Context) -> Event:
        """Return the event of a line, and apply it to the context."""
        event = self.parse(line, context)
        context.follow(event)
        return event

    def parse(self, line: Sequence[str], context: Context) -> Event:
        """Return the event of a line. Raise `LineError` if it doesn't fit."""
        return self.find_wording(line).read(line, context)

    def find_wording(self, line: Sequence[str]) -> Wording[Event]:
        """Return the template that reads a line, by its verb."""
        if not line:
            raise LineError("the parentheses are empty")
        first = line[0]
        if wording := self.openers.get(first):
            if not wording.alternatives:
                return wording
            matches = (alternative for alternative in wording.alternatives if alternative.matches_words(line))
            return next(matches, wording.alternatives[-1])
        if len(line) > 1 and (seat_wording := self.verbs.get(line[1])) and is_seat(first):
            return seat_wording
        raise self._build_unknown_error(line)

    def _build_unknown_error(self, line: Sequence[str]) -> LineError:
        first = line[0]
        seat = is_seat(first)
        word = line[1] if seat and len(line) > 1 else first
        if seat and len(line) == 1:
            return LineError(f"what seat {first} did is missing", form="SEAT folds", kind="verb")
        return LineError(
            f"{format_word(word)} isn't an act of seat {first}" if seat else f"no line begins with {format_word(word)}",
            column=get_column(word),
            kind="verb",
            choices=self.verbs if seat else self.openers,
            hint="`handledger handscript --card` prints the lines that you need.",
        )

    def write(self, event: Event, context: Context) -> str:
        """Return the line of an event, and apply the event to the context."""
        text = self.format_line(event, context)
        context.follow(event)
        return text

    def format_line(self, event: Event, context: Context) -> str:
        """Return the line of an event."""
        wordings = self.wordings[type(event)]
        return next((wording for wording in wordings if wording.fits_event(event)), wordings[-1]).write(event, context)


def is_seat(word: str) -> bool:
    """Whether a word may be the seat at the beginning of a line."""
    digits = word.removeprefix("-")
    return (digits.isdigit() and digits.isascii()) or word == NOT_TOLD


BOOK: Final = Phrasebook()

KINDS_OF: Final[dict[str, frozenset[type[Event]]]] = {name: frozenset(kinds) for name, kinds in STREAMS.items()}
"""A section's kind → the events that it may contain."""
