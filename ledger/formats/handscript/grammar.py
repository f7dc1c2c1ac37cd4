"""Templates of lines: a string for each event, by which its line is both read and written.

`{seat} raises to {to} [adding {added}] [{all_in:all-in/not-all-in}]` reads `3 raises to 15 adding 10 all-in`:

    word              the word itself
    {field}           the value of a field; the field's type decides its slot
    {field=a|b}       one of these words
    {field=a|b}-box   the same with an ending: `a-box`
    {field:yes/no}    yes or no, by either word; an empty word is never written
    {field~kind}      a value of a special kind (SPECIAL)
    [word {field}]    left out if the value is the default; parts in brackets come in any order
    [{field}]         the same for a value that needs no word before it
    [...]!            always written

A slot (`slots.py`) reads and writes one value.
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
from ledger.formats.handscript.context import UNITED, Context, count_decimals, find_inference
from ledger.formats.handscript.tokens import (
    TAIL,
    Group,
    LineError,
    build_word_error,
    format_word,
    get_column,
    parse_whole_number,
)
from ledger.hand.opening import OptionSet
from ledger.table.events import GameSetting, OwedBlind, Within

_PART: Final = re.compile(r"\[[^\]]*\]!?|\S+")
"""A part of a template: a word, a value, or brackets with their content."""
_VALUE: Final = re.compile(r"\{(\w+)(?:([=:~])([^}]*))?\}")
"""A value: its field, then a sign and details if the type of the field isn't all that counts."""

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
    "chips-option": slots.build_option_slot(slots.AMOUNT),
    "option": slots.build_option_slot(slots.WHOLE),
}
"""Slots by the name of their special kind."""

BY_TYPE: Final[dict[str, slots.AnySlot]] = {
    **dict.fromkeys(("Seat", "int"), slots.WHOLE),
    "Chips": slots.AMOUNT,
    "ChipCount": slots.COUNT,
    "Cents": slots.PRICE,
    "Rank": slots.RANK,
    "Millis": slots.MOMENT,
    "Cards": slots.CARDS,
    "PlayerId": slots.PLAYER,
    "TextRef": slots.FREE_TEXT,
    "str": slots.TEXT,
    "tuple[Chips, ...]": slots.build_list_slot(slots.AMOUNT, "/"),
    **dict.fromkeys(("tuple[int, ...]", "tuple[Seat, ...]"), slots.build_list_slot(slots.WHOLE, ",")),
    "tuple[OwedBlind, ...]": slots.Words(typing.get_args(OwedBlind), many=True),
}
"""Slots by the type of the field, as the vocabulary writes it."""

INNER: Final = {
    "tuple[Post, ...]": "{seat} {role} {live} [dead {dead}] [{all_in:all-in/not-all-in}]",
    "tuple[Skipped, ...]": "{role} {seat} {reason}",
    "tuple[DealtIn, ...]": "{seat} {player} {before} {after}",
    "tuple[LeftOut, ...]": "{seat} {player} {stack} {reason}",
    "tuple[tuple[HouseOption, int | str], ...]": "option",
    "tuple[Within, ...]": "event",
    "tuple[GameSetting, ...]": "setting",
}
"""Templates of the facts in parentheses, by the type of the field. `option`, `event` and `setting`: lines of their own events."""

FACTS_OF_HANDS: Final = frozenset(typing.get_args(Within))
"""Events that a played hand may hold in parentheses."""
GAME_SETTINGS: Final = frozenset(typing.get_args(GameSetting))
"""Events that the opening of a table may hold in parentheses."""
_USAGE_BY_FIELD: Final = {"to": "total", "added": "amount", "live": "amount"}
"""The words for a bet's values in usage texts."""

_NO_DEFAULT: Final = msgspec.NODEFAULT

EventType = TypeVar("EventType", bound=msgspec.Struct)
"""The event that a template is for, or a struct within an event."""


# Parts of a template


class Value(NamedTuple):
    """The value of a field, and the slot that reads and writes it."""

    field: str
    slot: slots.AnySlot

    def usage(self) -> str:
        """Return what people may write for this value."""
        slot = self.slot
        if isinstance(slot, slots.Flag):
            return "|".join(slot.words)
        if isinstance(slot, slots.Words) and len(slot.words) <= 3:
            return "|".join(sorted(slot.words)) + ("" if slot.single else " ...")
        if self.field in ("to", "origin") and slot is slots.WHOLE:
            return "SEAT"
        if self.field == "to" and slot is not slots.AMOUNT:
            return "PLACE"
        return _USAGE_BY_FIELD.get(self.field, self.field).upper().replace("_", "-")


class OptionalPart(NamedTuple):
    """A part in brackets: its first word ("" = none) and its values."""

    word: str
    values: tuple[Value, ...]
    is_always_written: bool

    def begins_with(self, word: str) -> bool:
        """Whether this part can begin with a word of a line."""
        if self.word:
            return word == self.word
        return TAIL not in word and not isinstance(word, Group) and self.values[0].slot.starts(word)


class EventLines(Protocol):
    """The lines of all events."""

    def read(self, line: Sequence[str], context: Context) -> Event:
        """Return the event of a line."""

    def write(self, event: Event, context: Context) -> str:
        """Return the line of an event."""


class _TemplateParser(Generic[EventType]):
    """Parses the parts of an event's template."""

    def __init__(self, event_type: type[EventType], event_lines: EventLines) -> None:
        self._event_type = event_type
        self._event_lines = event_lines
        self._annotations: dict[str, str] = event_type.__annotations__
        self._types = typing.get_type_hints(event_type)

    def parse_optional_part(self, part: str) -> OptionalPart:
        """Parse a part in brackets."""
        words = part.removesuffix("!")[1:-1].split()
        first_word = "" if words[0].startswith("{") else words[0]
        values = tuple(self.parse_value(word) for word in words[bool(first_word) :])
        return OptionalPart(first_word, values, is_always_written=part.endswith("!"))

    def parse_value(self, part: str) -> Value:
        """Parse a part in braces."""
        value_match = _VALUE.match(part)
        assert value_match is not None, part  # noqa: S101 - a template of ours
        field, sign, details = value_match.groups("")
        if sign == ":":
            yes, _, no = details.partition("/")
            return Value(field, slots.Flag(yes, no))
        if sign == "=":
            return Value(field, slots.Words(details.split("|"), ending=part[value_match.end() :]))
        annotation = self._annotations[field]
        type_name = annotation.removesuffix(" | None")
        slot = SPECIAL[details] if sign else self._find_slot(field, type_name)
        if type_name != annotation and details != "none":
            slot = slots.Nullable(slot)
        return Value(field, slot)

    def _find_slot(self, field: str, type_name: str) -> slots.AnySlot:
        """Return the slot for a field of a type."""
        if type_name in BY_TYPE:
            return BY_TYPE[type_name]
        if type_name in INNER:
            return self._build_inner_slot(field, INNER[type_name])
        words = [word for word in list_literals(self._types[field]) if word]
        if not words:
            raise ValueError(f"{self._event_type.__name__}.{field}: no slot reads {type_name}")
        return slots.Words(words)

    def _build_inner_slot(self, field: str, template: str) -> slots.AnySlot:
        """Return the slot for facts in parentheses."""
        event_lines = self._event_lines
        if template == "event":
            return slots.build_group_slot(self._read_fact, event_lines.write)
        if template == "setting":
            return slots.build_group_slot(self._read_setting, event_lines.write)
        if template == "option":
            return slots.build_group_slot(
                self._read_option, lambda option, context: event_lines.write(OptionSet(*option), context)
            )
        fact_type = typing.get_args(self._types[field])[0]
        wording = Wording(fact_type, template, event_lines)
        return slots.build_group_slot(wording.read, wording.write)

    def _read_fact(self, line: Sequence[str], context: Context) -> Event:
        event = self._event_lines.read(line, context)
        if type(event) not in FACTS_OF_HANDS:
            raise build_word_error("a fact about seats, chips or permissions", line[0])
        return event

    def _read_setting(self, line: Sequence[str], context: Context) -> Event:
        event = self._event_lines.read(line, context)
        if type(event) not in GAME_SETTINGS:
            raise build_word_error("a game or an option of the house", line[0])
        return event

    def _read_option(self, line: Sequence[str], context: Context) -> tuple[str, int | str]:
        event = self._event_lines.read(line, context)
        if not isinstance(event, OptionSet):
            raise build_word_error("an option of the house", line[0])
        return event.option, event.value


def list_literals(type_hint: object) -> list[str]:
    """Return the words of a `Literal`, or of all in a union."""
    if typing.get_origin(type_hint) is Literal:
        return list(typing.get_args(type_hint))
    if typing.get_origin(type_hint) in (typing.Union, types.UnionType):
        return [word for member in typing.get_args(type_hint) for word in list_literals(member)]
    return []


# Lines of one event


class RepeatedLine(NamedTuple, Generic[EventType]):
    """A line that was read, to be reused for equal lines."""

    wording: Wording[EventType]
    values: dict[str, object]  # of the fields in the line itself
    player: tuple[str, str] | None  # a player's field and word: the name may mean another player elsewhere

    def build_event(self, context: Context) -> EventType:
        """Return the event of the line in another place."""
        values = self.values
        if self.player:
            field, word = self.player
            values = {**values, field: slots.PLAYER.value(word, context)}
        return self.wording.build_event(values, context)


class Wording(Generic[EventType]):
    """A template of an event type, or of a struct within an event."""

    def __init__(self, kind: type[EventType], template: str, event_lines: EventLines) -> None:
        """Parse the template. `ValueError` if its fields aren't those of the event.

        `event_lines` reads and writes the events in parentheses.
        """
        self.kind = kind
        self.alternatives: list[Wording[EventType]] = []  # all templates of the event, if it has several
        self.head: list[str | Value] = []
        self.options: list[OptionalPart] = []
        parser = _TemplateParser(kind, event_lines)
        for part in _PART.findall(template):
            if part.startswith("["):
                self.options.append(parser.parse_optional_part(part))
            else:
                self.head.append(parser.parse_value(part) if part.startswith("{") else part)
        head_values = [part for part in self.head if isinstance(part, Value)]
        optional_values = [value for option in self.options for value in option.values]
        if sorted(value.field for value in (*head_values, *optional_values)) != sorted(kind.__struct_fields__):
            raise ValueError(f"{kind.__name__}: {template} says other fields")
        self._defaults = _find_defaults(kind, [value.field for value in optional_values])
        self._required_fields = [field for field, default in self._defaults.items() if default is _NO_DEFAULT]
        self._option_by_word = self._index_options()
        self._infer = find_inference(kind)
        self._player_place = self._find_player_place()
        self._is_reusable = kind not in UNITED and self._has_lasting_values([*head_values, *optional_values])
        self._usage = ""  # built on first use

    def _index_options(self) -> dict[str, OptionalPart]:
        """Return the parts in brackets by the words that they can begin with, if these are a closed list."""
        option_by_word: dict[str, OptionalPart] = {}
        for option in self.options:
            slot = option.values[0].slot.one
            slot_words = slot.words if isinstance(slot, slots.ChoiceSlot) else ()
            for word in (option.word,) if option.word else slot_words:
                option_by_word.setdefault(word, option)
        return option_by_word

    def _find_player_place(self) -> tuple[int, str] | None:
        """Return the index in the head, and the field, of the first player; None if the head has no player."""
        for part_index, part in enumerate(self.head):
            if isinstance(part, Value) and part.slot in (slots.PLAYER, slots.PERSON):
                return part_index, part.field
        return None

    def _has_lasting_values(self, values: Sequence[Value]) -> bool:
        """Whether a line always has the same values except its player, whose word has a fixed position."""
        player_index, player_field = self._player_place or (0, "")
        has_fixed_place = all(isinstance(part, str) or part.slot.single for part in self.head[:player_index])
        return has_fixed_place and all(value.slot.lasting for value in values if value.field != player_field)

    # Reading

    def read(self, line: Sequence[str], context: Context) -> EventType:
        """Return the event of a line. `LineError` if the line doesn't fit."""
        if self.kind not in UNITED:
            return self.build_event(self.parse_values(line, context), context)
        scale = context.scale
        try:
            context.scale = self._find_scale(line, context)
            return self.build_event(self.parse_values(line, context), context)
        finally:
            context.scale = scale

    def read_reusable(
        self, line: Sequence[str], context: Context
    ) -> tuple[EventType, EventType | RepeatedLine[EventType] | None]:
        """Return the event of a line, and what gives it again for an equal line elsewhere; None if nothing does."""
        if not self._is_reusable:
            return self.read(line, context), None
        values = self.parse_values(line, context)
        event = self.build_event(values, context)
        if self._player_place is None:
            return event, RepeatedLine(self, values, None) if self._infer else event
        player_index, player_field = self._player_place
        return event, RepeatedLine(self, values, (player_field, line[player_index]))

    def matches_words(self, line: Sequence[str]) -> bool:
        """Whether a line has the words of this template's head, as far as each value takes one word."""
        for part, word in zip(self.head, line, strict=False):
            if isinstance(part, str):
                if word != part:
                    return False
            elif isinstance(part.slot, slots.Words):
                if word not in part.slot.words:
                    return False
            elif not part.slot.single:
                break
        return True

    def _find_scale(self, line: Sequence[str], context: Context) -> int:
        """Return the decimals of the unit that the line states, or else of the context's."""
        decimals_index = line.index("unit") + 2 if "unit" in line else len(line)
        if decimals_index < len(line):
            return count_decimals(parse_whole_number(line[decimals_index]))
        return count_decimals(context.settings.exponent if self._infer else 0)

    def parse_values(self, line: Sequence[str], context: Context) -> dict[str, object]:
        """Return the values of the fields that a line states itself."""
        values: dict[str, object] = {} if self._infer else self._defaults.copy()
        position, count = 0, len(line)
        for part in self.head:
            if isinstance(part, str):
                if position == count or line[position] != part:
                    raise self._build_missing_error(f"the word '{part}'", line[position] if position < count else "")
                position += 1
                continue
            field, slot = part
            if position == count:
                raise self._build_missing_error(slot.expected)
            if slot.single:
                values[field] = slot.value(line[position], context)
                position += 1
            else:
                values[field], position = slot.read(line, position, context)
        if position < count:
            self._parse_options(line, position, values, context)
        return values

    def _parse_options(self, line: Sequence[str], position: int, values: dict[str, object], context: Context) -> None:
        """Add the values of the parts in brackets, in any order."""
        read_fields: set[str] = set()
        while position < len(line):
            option = self._option_by_word.get(line[position]) or next(
                (candidate for candidate in self.options if candidate.begins_with(line[position])), None
            )
            if option is None:
                raise self._build_surplus_error(line[position])
            if option.values[0].field in read_fields:
                raise build_word_error("each part once", line[position])
            position += bool(option.word)
            for field, slot in option.values:
                if position == len(line):
                    raise self._build_missing_error(slot.expected)
                values[field], position = slot.read(line, position, context)
                read_fields.add(field)

    def build_event(self, values: dict[str, object], context: Context) -> EventType:
        """Return the event with these values; infer from the context what the line doesn't state."""
        if self._infer:
            values = {**self._defaults, **self._infer(context, values), **values}
        for field in self._required_fields:
            if values[field] is _NO_DEFAULT:
                raise self._build_missing_error(f"the {field.replace('_', ' ')}")
        return self.kind(**values)

    def _build_missing_error(self, what: str, word: str = "") -> LineError:
        """Return the error for something missing before a word, or at the end of the line."""
        place = f"before {format_word(word)}" if word else "at the end of the line"
        return LineError(f"{what} is missing {place}", column=get_column(word), form=self.usage())

    def _build_surplus_error(self, word: str) -> LineError:
        """Return the error for a word that no part of the template takes."""
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
            f"expected {expected}; found {format_word(word)}", column=get_column(word), form=self.usage(), choices=words
        )

    # Writing

    def write(self, event: EventType, context: Context) -> str:
        """Return the line of an event."""
        scale = context.scale
        if self.kind in UNITED:
            context.scale = count_decimals(event.exponent)  # type: ignore[attr-defined] # UNITED have it
        parts = [
            part if isinstance(part, str) else part.slot.write(getattr(event, part.field), context)
            for part in self.head
        ]
        defaults = self._defaults
        if self._infer and self.options:
            defaults = {**defaults, **self._infer(context, msgspec.structs.asdict(event))}
        for option in self.options:
            parts += self._write_option(option, event, defaults, context)
        context.scale = scale
        return " ".join(parts)

    def _write_option(
        self, option: OptionalPart, event: EventType, defaults: dict[str, object], context: Context
    ) -> list[str]:
        """Return the words of a part in brackets; none if its values are the defaults."""
        values = [getattr(event, value.field) for value in option.values]
        if context.short and option.values[0].field == "all_in" and not values[0]:
            return []  # in short lines, only an all-in is worth saying
        if not option.is_always_written and values == [defaults[value.field] for value in option.values]:
            return []
        words = [slot.write(value, context) for (_, slot), value in zip(option.values, values, strict=True)]
        return [option.word, *words] if option.word else words

    def fits_event(self, event: EventType) -> bool:
        """Whether this template has the words for an event's values."""
        return all(
            getattr(event, part.field) in part.slot.choices
            for part in self.head
            if isinstance(part, Value) and isinstance(part.slot, slots.Words)
        )

    def usage(self) -> str:
        """Return the form of the line for people: `SEAT raises to TOTAL [adding AMOUNT] [all-in|not-all-in]`."""
        if not self._usage:
            self._usage = self._build_usage()
        return self._usage

    def _build_usage(self) -> str:
        parts = [part if isinstance(part, str) else part.usage() for part in self.head]
        first = self.head[0]
        if isinstance(first, Value) and isinstance(first.slot, slots.Words):
            parts[0] = "|".join(sorted(first.slot.words))  # somebody types one of these
        for word, values, _ in self.options:
            words = [word] if word else []
            parts.append(f"[{' '.join([*words, *(value.usage() for value in values)])}]")
        return " ".join(parts)


def _find_defaults(event_type: type[msgspec.Struct], optional_fields: Sequence[str]) -> dict[str, object]:
    """Return the default of each optional field: the event's own, or else None or () if the type allows it."""
    own_defaults = {field.name: field.default for field in msgspec.structs.fields(event_type)}
    defaults: dict[str, object] = {}
    for field in optional_fields:
        annotation = event_type.__annotations__[field]
        defaults[field] = own_defaults[field]
        if defaults[field] is _NO_DEFAULT and annotation.startswith("tuple"):
            defaults[field] = ()
        elif defaults[field] is _NO_DEFAULT and annotation.endswith("| None"):
            defaults[field] = None
    return defaults
