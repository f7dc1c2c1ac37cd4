"""Slots read and write a single value of a line, by the type of its field.

A slot raises `UnreadableHandError` with the expected value if it can't read the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

from ledger.formats.handscript import tokens as t
from ledger.formats.handscript.cards import CARD_HINT
from ledger.formats.handscript.context import Context, is_wall_time, parse_iso, write_moment
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.formats.handscript.witnesses import WITNESS_WORDS, read_witnesses, write_witnesses
from ledger.hand.options import explain_bad_value
from ledger.hand.variants import VARIANTS
from ledger.readers.games import UNRULED
from ledger.vocabulary import DECK, RANKS, Cards, Chips, Millis, PlayerId, TextRef, in_units, split_cards

SlotValue = TypeVar("SlotValue")
"""The value of a slot."""
WordReader: TypeAlias = Callable[[str, Context], SlotValue]
LineReader: TypeAlias = Callable[[Sequence[str], int, Context], tuple[SlotValue, int]]
"""Reads the words from an index on. Returns the value and the index of the next part of the line."""
ValueWriter: TypeAlias = Callable[[SlotValue, Context], str]

_SINGLE: Final = frozenset(DECK)
_CLOCK: Final = re.compile(r"[0-9]{1,2}([:.h][0-9]{2}.*|[ap]m)|.*T[0-9]{2}:[0-9]{2}.*", re.IGNORECASE)


class Slot(Generic[SlotValue]):
    """A value. `expected` describes it, `value` reads it from a word, `write` writes it."""

    def __init__(
        self,
        expected: str,
        value: WordReader[SlotValue],
        write: ValueWriter[SlotValue],
        starts: Callable[[str], bool] = lambda _: False,
        *,
        read: LineReader[SlotValue] | None = None,
        lasting: bool = True,
    ) -> None:
        self.expected = expected
        self.value = value
        self.write = write
        self.starts = starts
        """Whether an optional value of this kind begins here, without a keyword."""
        self.read: LineReader[SlotValue] = read or (lambda line, at, context: (value(line[at], context), at + 1))
        self.single = read is None  # it takes a single word, read by `value`
        self.one: Slot[Any] = self  # the slot of a known value
        self.lasting = lasting  # equal words have equal values in all lines with the same unit


AnySlot: TypeAlias = Slot[Any]
"""A slot of any type."""

# Texts and numbers


def read_text(word: str) -> str:
    """Return the text of a word."""
    if word[:1] == '"':
        if t.TAIL not in word:
            return word[1:]
    elif word and t.is_plain(word):
        return str(word)
    raise t.build_word_error(TEXT.expected, word)


def _read_hand_number(word: str, _context: Context) -> str:
    if not t.is_quoted(word) and _CLOCK.fullmatch(word):
        raise t.build_word_error(HAND_NUMBER.expected, word)
    return read_text(word)


def _read_level(word: str, _context: Context) -> str:
    if not t.is_quoted(word) and word.lower() in RESERVED_WORDS:
        raise t.build_word_error(LEVEL.expected, word)
    return read_text(word)


def _starts_number(word: str) -> bool:
    return word.lstrip("-")[:1].isdigit()


TEXT: Final[Slot[str]] = Slot(
    "a word or a text in quotes", lambda word, _: read_text(word), lambda value, _: t.write_word(value)
)
"""An identifier or label that isn't a player's name: `T7`, `"House rules"`."""
HAND_NUMBER: Final[Slot[str]] = Slot(
    "the number of a hand, not a time",
    _read_hand_number,
    lambda value, _: t.quote(value) if _CLOCK.fullmatch(value) else t.write_word(value),
)
"""The number of a hand: `28`. A number that looks like a time of day needs quotes."""
LEVEL: Final[Slot[str]] = Slot(
    "the number of a level",
    _read_level,
    lambda value, _: t.quote(value) if value.lower() in RESERVED_WORDS else t.write_word(value),
)
"""A level of blinds: `7`, `VII`. A plain word, as in `level up`, needs quotes."""
GAMES: Final = (*VARIANTS, *UNRULED.values())
"""The games by their ids: `holdem`, `omaha8`."""


def _read_game(word: str, _context: Context) -> str:
    if not t.is_quoted(word) and word not in GAMES:
        raise t.build_word_error(GAME.expected, word, GAMES)
    return read_text(word)


GAME: Final[Slot[str]] = Slot(
    "a game, or the name of one that is not known here in quotes",
    _read_game,
    lambda value, _: value if value in GAMES else t.quote(value),
)
"""A game. An unknown name is rejected: hands of an unknown game aren't judged, so a typo must not make one."""
WHOLE: Final[Slot[int]] = Slot(
    "a whole number", lambda word, _: t.parse_whole_number(word), lambda value, _: str(value), _starts_number
)
"""A whole number, such as a seat or a count: ASCII digits, at most 64 bits."""
AMOUNT: Final[Slot[Chips]] = Slot(
    "an amount",
    lambda word, context: t.parse_amount(word, word, context.scale),
    lambda value, context: in_units(value, context.scale),
    _starts_number,
)
"""Chips as decimals of the unit: `5`, `12.50`. They are written with all decimals of the unit, or with none."""
CENTS: Final[Slot[int]] = Slot(
    "an amount", lambda word, _: t.parse_amount(word, word, 2), lambda value, _: in_units(value, 2), _starts_number
)
"""Hundredths, independent of the unit."""


def _build_minimum_slot(least: int, slot: Slot[int], expected: str) -> Slot[int]:
    """Return a slot that rejects numbers below `least`."""

    def read(word: str, context: Context) -> int:
        value = slot.value(word, context)
        if value < least:
            raise t.build_word_error(expected, word)
        return value

    return Slot(slot.expected, read, slot.write, slot.starts)


COUNT: Final = _build_minimum_slot(0, AMOUNT, "an amount that isn't negative")
"""Counted or transferred chips."""
PRICE: Final = _build_minimum_slot(0, CENTS, "an amount that isn't negative")
"""Money in a tournament: hundredths, independent of the chips' unit."""
RANK: Final = _build_minimum_slot(1, WHOLE, "a place, 1 for the winner")
"""A place in a tournament."""


def build_option_slot(number: Slot[int]) -> Slot[int | str]:
    """Return a slot for the value of the option before it, a number or a word. Meaningless values are rejected."""
    expected = "a number or a word"

    def read(line: Sequence[str], index: int, context: Context) -> tuple[int | str, int]:
        word = line[index]
        if t.TAIL in word or isinstance(word, t.Group):
            raise t.build_word_error(expected, word)
        value = number.value(word, context) if number.starts(word) else str(word.removeprefix('"'))
        if problem := explain_bad_value(line[index - 1], value):
            raise t.build_word_error(problem, word)
        return value, index + 1

    def write(value: int | str, context: Context) -> str:
        if isinstance(value, int):
            return number.write(value, context)
        return t.quote(value) if _starts_number(value) else t.write_word(value)

    return Slot(expected, lambda word, _: word, write, read=read)


# Words of closed lists


class ChoiceSlot(Slot[SlotValue]):
    """A word of a closed list, each with its value."""

    def __init__(
        self,
        words: Mapping[str, SlotValue],
        expected: str,
        write: ValueWriter[SlotValue],
        read: LineReader[SlotValue] | None = None,
    ) -> None:
        def take(word: str, _context: Context) -> SlotValue:
            try:
                return words[word]
            except KeyError:
                raise t.build_word_error(expected, word, words) from None

        super().__init__(expected, take, write, words.__contains__, read=read)
        self.words = words


class Words(ChoiceSlot[str | tuple[str, ...]]):
    """A word of a closed list; with `many`, any number of words in a row: `small big`.

    With an `ending`, each word has it: `drop-box`.
    """

    def __init__(self, choices: Sequence[str], *, many: bool = False, ending: str = "") -> None:
        self.choices = tuple(choices)
        words = {word + ending: word for word in choices}

        def read(line: Sequence[str], index: int, _context: Context) -> tuple[tuple[str, ...], int]:
            first = index
            while index < len(line) and line[index] in words:
                index += 1
            return tuple(words[word] for word in line[first:index]), index

        def write(value: str | tuple[str, ...], _context: Context) -> str:
            return value + ending if isinstance(value, str) else " ".join(value)

        expected = f"{'one of ' if len(choices) > 1 else ''}{', '.join(words)}"
        super().__init__(words, expected, write, read if many else None)


class Flag(ChoiceSlot[bool]):
    """A yes or no, each with its word. Without either word, the default applies."""

    def __init__(self, yes: str, no: str) -> None:
        words = {text: truth for text, truth in ((yes, True), (no, False)) if text}
        word_by_value = {truth: text for text, truth in words.items()}
        super().__init__(words, " or ".join(words), lambda value, _: word_by_value[value])


# Cards, people, moments


def _is_cards(word: str) -> bool:
    if word in _SINGLE:
        return True
    try:
        return bool(split_cards(word))
    except ValueError:
        return False


def _read_cards(line: Sequence[str], index: int, _context: Context) -> tuple[str, int]:
    """Read all words that are cards."""
    if t.is_quoted(line[index]):  # as written
        if t.TAIL in line[index]:
            raise t.build_word_error(CARDS.expected, line[index])
        return line[index][1:], index + 1
    first = index
    while index < len(line) and _is_cards(line[index]):
        index += 1
    if index < len(line) and _is_like_card(line[index]):  # no word of the notation resembles a card
        problem, hint = f"{t.format_word(line[index])} isn't a card", f"{CARD_HINT} Write ?? for one that nobody saw."
        raise t.LineError(problem, column=t.get_column(line[index]), hint=hint)
    if index == first:
        raise t.build_word_error(CARDS.expected, line[index])
    return "".join(line[first:index]), index


def _is_like_card(word: str) -> bool:
    """Whether a word resembles a card: `Kx`, `1s`."""
    if t.is_quoted(word) or len(word) not in (2, 3):
        return False
    return word[0] in RANKS or (len(word) == 2 and word[0].isdigit() and word[1] in "cdhs")


def _write_cards(value: str, _context: Context) -> str:
    try:
        return " ".join(split_cards(value)) or '""'
    except ValueError:
        return t.quote(value)


def _read_player(word: str, context: Context) -> str:
    name, tail, room = word.partition(t.TAIL)
    if not name and tail:
        return room
    if not name or isinstance(word, t.Group):
        raise t.build_word_error(PLAYER.expected, word)
    return context.people.player(room if tail else context.settings.venue, t.get_text(name))


def _write_player(value: str, context: Context) -> str:
    context.people.name(value)  # a vault loads names on demand
    full_name = context.people.names.get(value)
    if full_name is None:
        return "@" + t.write_word(value)
    venue, name = full_name
    return (
        t.write_word(name)
        if context.short or venue == context.settings.venue
        else f"{t.write_word(name)}@{t.write_word(venue)}"
    )


def _read_person(word: str, context: Context) -> str:
    """Read a name where other words are possible: `2 sits out` and `2 leaves 480` contain no name."""
    if word.isdecimal() or word in RESERVED_WORDS:  # with quotes or a room it is a name
        raise t.LineError(
            f"expected {PLAYER.expected}, found {word}",
            column=t.get_column(word),
            hint=f'If a player is called {word}, write the name in quotes: "{word}"',
        )
    return _read_player(word, context)


def _write_person_name(value: str, context: Context) -> str:
    name = _write_player(value, context)
    return t.quote(name) if name.isdecimal() or name in RESERVED_WORDS else name


def _read_free_text(word: str, context: Context) -> str:
    if word[:1] == t.TAIL:
        return word[1:]
    if not t.is_quoted(word) or (t.TAIL in word and len(word.partition(t.TAIL)[0]) > 1):
        raise t.build_word_error(FREE_TEXT.expected, word)
    if t.TAIL in word:
        return word.partition(t.TAIL)[2]
    return context.people.text(word[1:])


def _write_quoted_text(value: str, context: Context) -> str:
    stored_text = context.people.words(value)
    return "@" + t.write_word(value) if stored_text is None else t.quote(stored_text)


def _read_moment(word: str, _context: Context) -> Millis:
    moment = t.parse_whole_number(word, word[3:]) if word.startswith("ms:") else parse_iso(word)
    if moment is None:
        raise t.build_word_error(MOMENT.expected, word)
    return moment


def _read_started(word: str, context: Context) -> Millis | None:
    """Read an ISO time and remember its text. Without an offset there is no moment, only the text."""
    if is_wall_time(word):
        context.started_text = str(word)
        return None
    moment = _read_moment(word, context)
    context.started_text = str(word) if word[-6] in "+-" else ""
    return moment


def _starts_moment(word: str) -> bool:
    return not t.is_quoted(word) and (word[10:11] == "T" or word.startswith("ms:"))


CARDS: Final[Slot[Cards]] = Slot(
    "cards, as in Ah Kd",
    lambda *_: "",
    _write_cards,
    lambda word: t.is_quoted(word) or _is_cards(word),
    read=_read_cards,
)
r"""Cards, with or without blanks between: `Ah Kd`, `AhKd`, `??`, `Jk`. `\"\"` isn't a card; what is none stands in quotes."""
PLAYER: Final[Slot[PlayerId]] = Slot("a player's name", _read_player, _write_player, lasting=False)
"""A person by name: `Ana`, `"Ana María"`, of another room `Ana@Lakeside`, by id `@id`."""
PERSON: Final[Slot[PlayerId]] = Slot(PLAYER.expected, _read_person, _write_person_name, lasting=False)
"""A person by name. A number or a plain word of the notation needs quotes."""
FREE_TEXT: Final[Slot[TextRef]] = Slot("a text in quotes", _read_free_text, _write_quoted_text, lasting=False)
"""Free text in quotes, or the reference `@id` of a text that the vault no longer has."""
MOMENT: Final[Slot[Millis]] = Slot(
    "a time such as 2026-11-20T22:41:07Z", _read_moment, lambda value, _: write_moment(value), _starts_moment
)
"""A moment: `2026-11-20T22:41:07-05:00`, written in UTC."""
STARTED: Final[Slot[Millis | None]] = Slot(
    MOMENT.expected,
    _read_started,
    lambda value, context: context.started_text or ("" if value is None else write_moment(value)),
    _starts_moment,
    lasting=False,
)
"""When the hand began. A time with an offset is kept as written."""


# Pots, and what is witnessed


def read_witness_set(word: str) -> int:
    """Return the witness bits of a word."""
    if word.removeprefix("-").isdigit():
        return t.parse_whole_number(word)
    try:
        return read_witnesses(*word.split(","))
    except KeyError:
        raise t.build_word_error(WITNESSED.expected, word, WITNESS_WORDS) from None


def _read_pot(word: str, _context: Context) -> int:
    if word == "main":
        return 0
    if word.startswith("side-"):
        return t.parse_whole_number(word, word[5:])
    raise t.build_word_error(POT.expected, word)


POT: Final[Slot[int]] = Slot("main or side-1", _read_pot, lambda value, _: f"side-{value}" if value else "main")
WITNESSED: Final[Slot[int]] = Slot(
    "what is witnessed: live-table, posts,acts,board, none",
    lambda word, _: read_witness_set(word),
    lambda value, _: ",".join(write_witnesses(value) or (str(value),)),
)
"""The facts that a source records: profiles and kinds separated by commas, or the bits as a number."""


# Several values


def build_list_slot(element_slot: Slot[SlotValue], separator: str) -> Slot[tuple[SlotValue, ...]]:
    """Return a slot for several values in a word: `2/5`, `1,3,6`; `-` is an empty list."""
    expected = f"{element_slot.expected}, or several parted by {separator}"

    def take(word: str, context: Context) -> tuple[SlotValue, ...]:
        if not t.is_plain(word):
            raise t.build_word_error(expected, word)
        return (
            ()
            if word == "-"
            else tuple([element_slot.value(t.replace_text(word, p), context) for p in word.split(separator)])
        )

    return Slot(
        expected,
        take,
        lambda value, context: separator.join(element_slot.write(element, context) for element in value) or "-",
    )


def build_group_slot(
    read_one: Callable[[Sequence[str], Context], SlotValue], write_one: ValueWriter[SlotValue]
) -> Slot[tuple[SlotValue, ...]]:
    """Return a slot for facts within a fact, each in parentheses; `-` is an empty list."""
    expected = "facts in parentheses"

    def read(line: Sequence[str], index: int, context: Context) -> tuple[tuple[SlotValue, ...], int]:
        if line[index] == "-":
            return (), index + 1
        facts = []
        while index < len(line) and isinstance(group := line[index], t.Group):
            facts.append(read_one(group.words, context))
            index += 1
        if not facts:
            raise t.build_word_error(expected, line[index])
        return tuple(facts), index

    def write(value: tuple[SlotValue, ...], context: Context) -> str:
        return " ".join(f"({write_one(fact, context)})" for fact in value) or "-"

    return Slot(expected, lambda *_: (), write, read=read, lasting=False)


class Nullable(Slot[SlotValue | None]):
    """A value that may be unknown: `?`, or another word."""

    def __init__(self, inner_slot: Slot[SlotValue], none: str = t.NOT_TOLD) -> None:
        super().__init__(
            f"{inner_slot.expected}, or {none}",
            lambda word, context: None if word == none else inner_slot.value(word, context),
            lambda value, context: none if value is None else inner_slot.write(value, context),
            inner_slot.starts,
            read=lambda line, at, context: (None, at + 1) if line[at] == none else inner_slot.read(line, at, context),
            lasting=inner_slot.lasting,
        )
        self.one, self.single = inner_slot, inner_slot.single
