"""Templates: one string for each event, by which its line is both read and written.

`3 raises to 15 adding 10 all-in` is `{seat} raises to {to} [adding {added}] [{all_in:all-in/not-all-in}]`:

    word              stands as it is
    {field}           a value; what it takes follows from the field's type
    {field=a|b}       only these words
    {field:yes/no}    a yes or no by either word; an empty word is never written
    {field~kind}      a value of a special kind (SPECIAL)
    [word {field}]    may be left out if it is the default; parts in brackets come in any order
    [{field}]         the same for a value that is recognised without a word before it
    [...]!            is always written
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Sequence
from typing import Final, Generic, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from ledger.event import Event
from ledger.formats.handscript import slots
from ledger.formats.handscript.context import UNITED, Context, find_inference, written_decimals
from ledger.formats.handscript.tokens import TAIL, Group, LineError, column, shown, whole, wrong
from ledger.hand.opening import OptionSet
from ledger.table.events import OwedBlind, Within

_PART: Final = re.compile(r"\[[^\]]*\]!?|\S+")
_SLOT: Final = re.compile(r"\{(\w+)(?:([=:~])([^}]*))?\}")

SPECIAL: Final[dict[str, slots.AnySlot]] = {
    "cents": slots.CENTS,
    "none": slots.Nullable(slots.WHOLE, "none"),
    "person": slots.PERSON,
    "pot": slots.POT,
    "hand": slots.HAND_NUMBER,
    "level": slots.LEVEL,
    "game": slots.GAME,
    "started": slots.STARTED,
    "witnesses": slots.WITNESSED,
    "chips-option": slots.option_value(slots.AMOUNT),
    "option": slots.option_value(slots.WHOLE),
}
BY_TYPE: Final[dict[str, slots.AnySlot]] = {
    **dict.fromkeys(("Seat", "int"), slots.WHOLE),
    "Chips": slots.AMOUNT,
    "Millis": slots.MOMENT,
    "Cards": slots.CARDS,
    "PlayerId": slots.PLAYER,
    "TextRef": slots.FREE_TEXT,
    "str": slots.TEXT,
    "tuple[Chips, ...]": slots.listed_slot(slots.AMOUNT, "/"),
    **dict.fromkeys(("tuple[int, ...]", "tuple[Seat, ...]"), slots.listed_slot(slots.WHOLE, ",")),
    "tuple[OwedBlind, ...]": slots.Words(typing.get_args(OwedBlind), many=True),
}
"""What a field takes, by its type as the vocabulary writes it."""

NO_DEFAULT: Final = msgspec.NODEFAULT
FACTS_OF_HANDS: Final = frozenset(typing.get_args(Within))


class Value(NamedTuple):
    """A place for a field's value."""

    field: str
    slot: slots.AnySlot

    def usage(self) -> str:
        """Return what may stand there, for people."""
        slot = self.slot
        if isinstance(slot, slots.Flag):
            return "|".join(slot.words)
        if isinstance(slot, slots.Words) and len(slot.words) <= 3:
            return "|".join(sorted(slot.words)) + " ..." * (not slot.single)
        if self.field in ("to", "origin") and slot is slots.WHOLE:
            return "SEAT"
        if self.field == "to" and slot is not slots.AMOUNT:
            return "PLACE"
        return _PLACES.get(self.field, self.field).upper().replace("_", "-")


_PLACES: Final = {"to": "total", "added": "amount", "live": "amount"}
"""What people call the places of a bet."""


class OptionalPart(NamedTuple):
    """A part that may be left out: the word that announces it ("" = none) and its values."""

    word: str
    values: tuple[Value, ...]
    always: bool

    def starts(self, word: str) -> bool:
        """Whether this part begins with a word."""
        if self.word:
            return word == self.word
        return TAIL not in word and not isinstance(word, Group) and self.values[0].slot.starts(word)


EventType = TypeVar("EventType", bound=msgspec.Struct)
"""The event that a template tells, or a struct within an event."""


class RepeatedLine(NamedTuple, Generic[EventType]):
    """A line that was read: what it says by itself. What else its event says follows from where it stands."""

    wording: Wording[EventType]
    values: dict[str, object]
    named: tuple[str, str] | None
    """The field that names somebody, who may be somebody else elsewhere, and its word."""

    def told(self, context: Context) -> EventType:
        """Return the event that the line tells here."""
        values = self.values
        if self.named:
            field, word = self.named
            values = {**values, field: slots.PLAYER.value(word, context)}
        return self.wording.make(values, context)


class EventLines(Protocol):
    """The lines of all events."""

    def read(self, line: Sequence[str], context: Context) -> Event:
        """Return the event that a line tells."""

    def write(self, event: Event, context: Context) -> str:
        """Return the line that tells an event."""


class Wording(Generic[EventType]):
    """How one event type (or struct within an event) is said."""

    def __init__(self, kind: type[EventType], template: str, book: EventLines) -> None:
        """Compile a template; one that does not fit its event raises `ValueError`.

        `book` reads and writes the lines of facts within this one.
        """
        self._usage = ""  # built for the first line that can't be read: a file may hold thousands
        self.book = book
        self.others: list[Wording[EventType]] = []  # all that tell this event, if it is told in several ways
        self.kind = kind
        self._annotations: dict[str, str] = kind.__annotations__
        self._types = typing.get_type_hints(kind)
        self.head: list[str | Value] = []
        self.options: list[OptionalPart] = []
        for part in _PART.findall(template):
            self._add(part)
        head_values = [part for part in self.head if isinstance(part, Value)]
        optional_values = [value for option in self.options for value in option.values]
        if sorted(value.field for value in (*head_values, *optional_values)) != sorted(kind.__struct_fields__):
            raise ValueError(f"{kind.__name__}: {template} says other fields")
        own_defaults = {field.name: field.default for field in msgspec.structs.fields(kind)}
        self.defaults = {
            value.field: self._default(value.field, own_defaults[value.field]) for value in optional_values
        }
        self._needed = [name for name, default in self.defaults.items() if default is NO_DEFAULT]
        self._by_word = self._announced()
        self._infer = find_inference(kind)
        self._player = self._find_player()
        """Where the word stands, and its field, that is read each time: elsewhere it may name another player."""
        self._lasts = kind not in UNITED and self._means_the_same([*head_values, *optional_values])

    def _find_player(self) -> tuple[int, str] | None:
        """Return where in the head the player's word is, and its field; None if there is none."""
        for part_index, part in enumerate(self.head):
            if isinstance(part, Value) and part.slot in (slots.PLAYER, slots.PERSON):
                return part_index, part.field
        return None

    def _means_the_same(self, values: Sequence[Value]) -> bool:
        """Whether a line says the same wherever it is, apart from its player, whose word has a fixed place."""
        player_index, player_field = self._player or (0, "")
        has_fixed_place = all(isinstance(part, str) or part.slot.single for part in self.head[:player_index])
        return has_fixed_place and all(value.slot.lasting for value in values if value.field != player_field)

    def _add(self, part: str) -> None:
        if part.startswith("["):
            words = part.removesuffix("!")[1:-1].split()
            announced = words[0] if not words[0].startswith("{") else ""
            values = tuple(self._value(word) for word in words[bool(announced) :])
            self.options.append(OptionalPart(announced, values, part.endswith("!")))
        else:
            self.head.append(self._value(part) if part.startswith("{") else part)

    def _value(self, part: str) -> Value:
        ((field, separator, details),) = _SLOT.findall(part)
        if separator == ":":
            yes, _, no = details.partition("/")
            return Value(field, slots.Flag(yes, no))
        if separator == "=":
            return Value(field, slots.Words(details.split("|")))
        annotation = self._annotations[field]
        type_name = annotation.removesuffix(" | None")
        slot = SPECIAL[details] if separator else self._slot(field, type_name)
        if type_name != annotation and details != "none":
            slot = slots.Nullable(slot)
        return Value(field, slot)

    def _slot(self, field: str, annotation: str) -> slots.AnySlot:
        """Return what a field takes, by its type."""
        if annotation in BY_TYPE:
            return BY_TYPE[annotation]
        if annotation in INNER:
            return self._inner(field, INNER[annotation])
        words = [word for word in literals(self._types[field]) if word]
        if not words:
            raise ValueError(f"{self.kind.__name__}.{field}: nothing is known that reads {annotation}")
        return slots.Words(words)

    def _inner(self, field: str, template: str) -> slots.AnySlot:
        """Return the place for facts within a fact."""
        fact_type = typing.get_args(self._types[field])[0]
        if template == "event":
            return slots.grouped_slot(self._read_within, self.book.write)
        if template == "option":
            return slots.grouped_slot(
                self._read_option, lambda told, context: self.book.write(OptionSet(*told), context)
            )
        wording = Wording(fact_type, template, self.book)
        return slots.grouped_slot(wording.read, wording.write)

    def _default(self, field: str, field_default: object) -> object:
        """Return the default of a field that may be left out, its own or None or ()."""
        annotation = self._annotations[field]
        if field_default is not NO_DEFAULT or not (annotation.startswith("tuple") or annotation.endswith("| None")):
            return field_default
        return () if annotation.startswith("tuple") else None

    def _announced(self) -> dict[str, OptionalPart]:
        """Return each part that may be left out by the words that it can begin with, where they are known."""
        options_by_word: dict[str, OptionalPart] = {}
        for option in self.options:
            slot = option.values[0].slot.one
            slot_words = slot.words if isinstance(slot, slots.ChoiceSlot) else ()
            for word in (option.word,) if option.word else slot_words:
                options_by_word.setdefault(word, option)
        return options_by_word

    def _read_within(self, line: Sequence[str], context: Context) -> Event:
        event = self.book.read(line, context)
        if type(event) not in FACTS_OF_HANDS:
            raise wrong("a fact about seats, chips or permissions", line[0])
        return event

    def _read_option(self, line: Sequence[str], context: Context) -> tuple[str, int | str]:
        event = self.book.read(line, context)
        if not isinstance(event, OptionSet):
            raise wrong("an option of the house", line[0])
        return event.option, event.value

    # Reading

    def read(self, line: Sequence[str], context: Context) -> EventType:
        """Return the event that a line tells; what does not fit raises `LineError`."""
        if self.kind not in UNITED:
            return self.make(self.parse(line, context), context)
        scale = context.scale
        try:
            context.scale = self._scale(line, context)
            return self.make(self.parse(line, context), context)
        finally:
            context.scale = scale

    def _scale(self, line: Sequence[str], context: Context) -> int:
        """Return the decimals of the unit that the line itself tells, wherever it stands."""
        decimals_index = line.index("unit") + 2 if "unit" in line else len(line)
        if decimals_index < len(line):
            return written_decimals(whole(line[decimals_index]))
        return written_decimals(context.settings.exponent if self._infer else 0)

    def parse(self, line: Sequence[str], context: Context) -> dict[str, object]:
        """Return what a line says by itself: the values of its fields."""
        values: dict[str, object] = {} if self._infer else self.defaults.copy()
        position, count = 0, len(line)
        for part in self.head:
            if isinstance(part, str):
                if position == count or line[position] != part:
                    raise self._missing(f"the word '{part}'", line[position] if position < count else "")
                position += 1
                continue
            field, slot = part
            if position == count:
                raise self._missing(slot.expected)
            if slot.single:
                values[field] = slot.value(line[position], context)
                position += 1
            else:
                values[field], position = slot.read(line, position, context)
        if position < count:
            self._read_options(line, position, values, context)
        return values

    def _read_options(self, line: Sequence[str], position: int, values: dict[str, object], context: Context) -> None:
        """Read what may be left out, in any order."""
        read_fields: set[str] = set()
        while position < len(line):
            option = self._by_word.get(line[position]) or next(
                (candidate for candidate in self.options if candidate.starts(line[position])), None
            )
            if option is None:
                raise self._surplus(line[position])
            if option.values[0].field in read_fields:
                raise wrong("each part once", line[position])
            position += bool(option.word)
            for field, slot in option.values:
                if position == len(line):
                    raise self._missing(slot.expected)
                values[field], position = slot.read(line, position, context)
                read_fields.add(field)

    def make(self, values: dict[str, object], context: Context) -> EventType:
        """Return the event of a line that says these values, where it stands."""
        if self._infer:
            values = {**self.defaults, **self._infer(context, values), **values}
        for name in self._needed:
            if values[name] is NO_DEFAULT:
                raise self._missing(f"the {name.replace('_', ' ')}")
        return self.kind(**values)

    def read_to_keep(
        self, line: Sequence[str], context: Context
    ) -> tuple[EventType, EventType | RepeatedLine[EventType] | None]:
        """Return the event of a line, and what may be kept of it for the next line that is the same; None: nothing."""
        if not self._lasts:
            return self.read(line, context), None
        values = self.parse(line, context)
        event = self.make(values, context)
        if self._player is None:
            return event, RepeatedLine(self, values, None) if self._infer else event
        player_index, field = self._player
        return event, RepeatedLine(self, values, (field, line[player_index]))

    def _missing(self, what: str, word: str = "") -> LineError:
        """Return the error of a line that lacks something before a word, or at its end."""
        place = f"before {shown(word)}" if word else "at the end of the line"
        return LineError(f"{what} is missing {place}", column=column(word), form=self.usage())

    def _surplus(self, word: str) -> LineError:
        words = [option.word for option in self.options if option.word]
        for slot in (option.values[0].slot.one for option in self.options if not option.word):
            words += slot.words if isinstance(slot, slots.ChoiceSlot) else [slot.expected]
        if not words:
            expected = "nothing more"
        elif len(words) == 1:
            expected = f"{words[0]} or nothing more"
        else:
            expected = f"nothing more, or one of {', '.join(sorted(words))}"
        return LineError(
            f"expected {expected}; found {shown(word)}", column=column(word), form=self.usage(), choices=words
        )

    # Writing

    def write(self, event: EventType, context: Context) -> str:
        """Return the line for an event."""
        scale = context.scale
        if self.kind in UNITED:
            context.scale = written_decimals(event.exponent)  # type: ignore[attr-defined] # UNITED have it
        parts = [
            part if isinstance(part, str) else part.slot.write(getattr(event, part.field), context)
            for part in self.head
        ]
        defaults = self.defaults
        if self._infer and self.options:
            defaults = {**defaults, **self._infer(context, msgspec.structs.asdict(event))}
        for option in self.options:
            values = [getattr(event, field) for field, _ in option.values]
            if context.short and option.values[0].field == "all_in" and not values[0]:
                continue  # people need not be told that somebody is not all in
            pairs = zip(option.values, values, strict=True)
            if option.always or any(value != defaults[field] for (field, _), value in pairs):
                parts += [option.word] if option.word else []
                parts += [slot.write(value, context) for (_, slot), value in zip(option.values, values, strict=True)]
        context.scale = scale
        return " ".join(parts)

    def fits(self, event: EventType) -> bool:
        """Whether the values are among the words that this template takes."""
        return all(
            getattr(event, part.field) in part.slot.words
            for part in self.head
            if isinstance(part, Value) and isinstance(part.slot, slots.Words)
        )

    def takes(self, line: Sequence[str]) -> bool:
        """Whether the words at the beginning of a line are words of this template."""
        for part, word in zip(self.head, line, strict=False):
            if isinstance(part, str):
                if word != part:
                    return False
            elif isinstance(part.slot, slots.Words):
                if word not in part.slot.words:
                    return False
            elif not part.slot.single:
                break  # takes several words
        return True

    def usage(self) -> str:
        """Return the line's form for people: `SEAT raises to TOTAL [adding AMOUNT] [all-in|not-all-in]`."""
        if not self._usage:
            self._usage = self._build_usage()
        return self._usage

    def _build_usage(self) -> str:
        parts = [part if isinstance(part, str) else part.usage() for part in self.head]
        for word, values, _ in self.options:
            words = [word] if word else []
            parts.append(f"[{' '.join([*words, *(value.usage() for value in values)])}]")
        return " ".join(parts)


def literals(hint: object) -> list[str]:
    """Return the words of a closed list, or of several in a union."""
    if typing.get_origin(hint) is Literal:
        return list(typing.get_args(hint))
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return [word for part in typing.get_args(hint) for word in literals(part)]
    return []


INNER: Final = {
    "tuple[Post, ...]": "{seat} {role} {live} [dead {dead}] [{all_in:all-in/not-all-in}]",
    "tuple[Skipped, ...]": "{role} {seat} {reason}",
    "tuple[DealtIn, ...]": "{seat} {player} {before} {after}",
    "tuple[LeftOut, ...]": "{seat} {player} {stack} {reason}",
    "tuple[tuple[HouseOption, int | str], ...]": "option",
    "tuple[Within, ...]": "event",
}
"""How the facts within a played hand are said; `option` and `event`: by those events' own lines."""
