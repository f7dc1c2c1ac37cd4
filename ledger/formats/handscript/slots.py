"""What may stand in one place of a line, by the type of the field that it fills.

A slot reads words into a value and writes a value as words. What a reader cannot take raises
`UnreadableHandError`, which says what was expected.
"""

# ruff: noqa: ARG002, ANN401 - one signature for all slots, each with its own type of value

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ledger.formats.handscript.context import Context, is_wall_time, iso, parse_iso
from ledger.formats.handscript.numbers import amount, whole
from ledger.formats.handscript.tokens import NOT_TOLD, TAIL, Group, bare, instead, quote, quoted, said, wrong
from ledger.formats.handscript.tokens import word as in_words
from ledger.formats.handscript.witnesses import WITNESS_WORDS, read_witnesses, write_witnesses
from ledger.hand.options import refusal
from ledger.vocabulary import DECK, RANKS, in_units, split_cards

_SINGLE: Final = frozenset(DECK)
_CLOCK: Final = re.compile(r"[0-9]{1,2}([:.h][0-9]{2}.*|[ap]m)|.*T[0-9]{2}:[0-9]{2}.*", re.IGNORECASE)


class Slot(ABC):
    """One value. `expected` says in words what it takes."""

    expected = "a word"
    single = True  # it takes one word, by `value`
    lasting = True  # the same words are the same value in every line, as long as amounts are in one unit

    def starts(self, word: str) -> bool:
        """Whether an optional value of this kind begins here, without a word that announces it."""
        return False

    def read(self, line: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
        """Return the value of the words from `at`, and where the next part begins."""
        return self.value(line[at], context), at + 1

    def value(self, word: str, context: Context) -> Any:
        """Return the value of one word; the slots that take only one have it."""
        raise wrong(self.expected, word)

    @abstractmethod
    def write(self, value: Any, context: Context) -> str:
        """Return the words for a value."""


class Text(Slot):
    """An identifier or label that names nobody: `T7`, `"House rules"`."""

    expected = "a word or a text in quotes"

    def value(self, word: str, context: Context) -> str:
        """Take any word or quoted text."""
        return text(word)

    def write(self, value: str, context: Context) -> str:
        """Write a plain word bare."""
        return in_words(value)


def text(word: str) -> str:
    """Return the text that a word says."""
    if word[:1] == '"':
        if TAIL not in word:
            return word[1:]
    elif word and bare(word):
        return str(word)
    raise wrong(Text.expected, word)


class HandNumber(Text):
    """The number of a hand: `28`. A time of day is none."""

    expected = "the number of a hand, not a time"

    def value(self, word: str, context: Context) -> str:
        """Take what is no time, unless it stands in quotes."""
        if not quoted(word) and _CLOCK.fullmatch(word):
            raise wrong(self.expected, word)
        return super().value(word, context)

    def write(self, value: str, context: Context) -> str:
        """Write a number bare, and in quotes what might be taken for a time."""
        return quote(value) if _CLOCK.fullmatch(value) else in_words(value)


class Whole(Slot):
    """A whole number: a seat, a count."""

    expected = "a whole number"

    def starts(self, word: str) -> bool:
        """Begin with digits."""
        return word.lstrip("-")[:1].isdigit()

    def value(self, word: str, context: Context) -> int:
        """Take ASCII digits, at most as many as 64 bits hold."""
        return whole(word)

    def write(self, value: int, context: Context) -> str:
        """Write digits."""
        return str(value)


class Amount(Whole):
    """Chips, as decimals of the unit: `5`, `12.50`. `cents` are hundredths whatever the unit."""

    expected = "an amount"

    def __init__(self, *, cents: bool = False) -> None:
        self.cents = cents

    def value(self, word: str, context: Context) -> int:
        """Take ASCII digits and a point."""
        return amount(word, word, 2 if self.cents else context.scale)

    def write(self, value: int, context: Context) -> str:
        """Write no more decimals than are needed: none, or all."""
        return in_units(value, 2 if self.cents else context.scale)


class Chosen(Slot):
    """One of a closed list of words, each with what it says."""

    def __init__(self, words: Mapping[str, Any], between: str) -> None:
        self.words = dict(words)
        self.expected = between.join(words)

    def starts(self, word: str) -> bool:
        """Begin with any of the words."""
        return word in self.words

    def value(self, word: str, context: Context) -> Any:
        """Take one of the words."""
        try:
            return self.words[word]
        except KeyError:
            raise wrong(self.expected, word, self.words) from None


class Words(Chosen):
    """A word of a closed list, as it stands."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__({word: word for word in words}, ", ")
        if len(words) > 1:
            self.expected = f"one of {self.expected}"

    def write(self, value: str, context: Context) -> str:
        """Write the word."""
        return value


class Several(Words):
    """Several of a closed list of words, one behind the other: `small big`."""

    single = False

    def read(self, line: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
        """Take all words that are among them."""
        found: list[str] = []
        while at < len(line) and line[at] in self.words:
            found.append(self.words[line[at]])
            at += 1
        return tuple(found), at

    def write(self, value: Sequence[str], context: Context) -> str:
        """Write them one after the other."""
        return " ".join(value)


class Flag(Chosen):
    """A yes or no, said by one word or the other; a missing word leaves the default."""

    def __init__(self, yes: str, no: str) -> None:
        super().__init__({text: says for text, says in ((yes, True), (no, False)) if text}, " or ")

    def write(self, value: bool, context: Context) -> str:
        """Write the word for the value."""
        return next(text for text, says in self.words.items() if says is value)


class CardsSlot(Slot):
    r"""Cards, with or without blanks between: `Ah Kd`, `AhKd`, `??`, `Jk`. `\"\"` is no card."""

    expected = "cards, as in Ah Kd"
    single = False

    def starts(self, word: str) -> bool:
        """Begin with a card, or a text in quotes."""
        return quoted(word) or _cards(word)

    def read(self, line: Sequence[str], at: int, context: Context) -> tuple[str, int]:
        """Take all words that are cards."""
        if quoted(line[at]):  # as it is
            if TAIL in line[at]:
                raise wrong(self.expected, line[at])
            return line[at][1:], at + 1
        first = at
        while at < len(line) and _cards(line[at]):
            at += 1
        if at == first or (at < len(line) and len(line[at]) in (2, 3) and line[at][0] in RANKS):
            raise wrong(self.expected, line[at])  # one behind them was meant as a card: no word of a line is like it
        return "".join(line[first:at]), at

    def write(self, value: str, context: Context) -> str:
        """Write blanks between cards; what is no card in quotes."""
        try:
            return " ".join(split_cards(value)) or '""'
        except ValueError:
            return quote(value)


def _cards(word: str) -> bool:
    if word in _SINGLE:
        return True
    try:
        return bool(split_cards(word))
    except ValueError:
        return False


class Player(Slot):
    """A person by name: `Ana`, `"Ana María"`, of another room `Ana@Lakeside`, by id `@id`."""

    expected = "a player's name"
    lasting = False

    def value(self, word: str, context: Context) -> str:
        """Take a name, with or without its room, or an id."""
        name, tail, room = word.partition(TAIL)
        if not name and tail:
            return room
        if not name or isinstance(word, Group):
            raise wrong(self.expected, word)
        return context.people.player(room if tail else context.settings.venue, said(name))

    def write(self, value: str, context: Context) -> str:
        """Write the name where it is known."""
        context.people.name(value)  # a vault looks names up only when asked
        found = context.people.names.get(value)
        if found is None:
            return "@" + in_words(value)
        venue, name = found
        if context.short or venue == context.settings.venue:
            return in_words(name)
        return f"{in_words(name)}@{in_words(venue)}"


class FreeText(Slot):
    """Free text in quotes; what the vault no longer holds by its reference, `@id`."""

    expected = "a text in quotes"
    lasting = False

    def value(self, word: str, context: Context) -> str:
        """Take a text, or a reference."""
        if word[:1] == TAIL:
            return word[1:]
        if not quoted(word) or (TAIL in word and len(word.partition(TAIL)[0]) > 1):
            raise wrong(self.expected, word)
        if TAIL in word:
            return word.partition(TAIL)[2]
        return context.people.text(word[1:])

    def write(self, value: str, context: Context) -> str:
        """Write the text where it is known."""
        found = context.people.words(value)
        return "@" + in_words(value) if found is None else quote(found)


class Moment(Slot):
    """A moment: `2026-11-20T22:41:07-05:00`, written in UTC."""

    expected = "a time such as 2026-11-20T22:41:07Z"

    def starts(self, word: str) -> bool:
        """Begin like a date."""
        return not quoted(word) and (word[10:11] == "T" or word.startswith("ms:"))

    def value(self, word: str, context: Context) -> Any:
        """Take an ISO time with its offset."""
        if word.startswith("ms:"):
            return whole(word, word[3:])
        found = parse_iso(word)
        if found is None:
            raise wrong(self.expected, word)
        return found

    def write(self, value: int, context: Context) -> str:
        """Write it in UTC."""
        return iso(value)


class Started(Moment):
    """When the hand began; the time as written, if with an offset, is kept as it stands."""

    lasting = False

    def value(self, word: str, context: Context) -> Any:
        """Take an ISO time and remember how it was written; without an offset it is no moment, only that."""
        if is_wall_time(word):
            context.started_text = str(word)
            return None
        found = super().value(word, context)
        context.started_text = str(word) if word[-6] in "+-" else ""
        return found

    def write(self, value: int, context: Context) -> str:
        """Write the source's own time if it says just this."""
        return context.started_text or iso(value)


class Listed(Slot):
    """Several values in one word: `2/5`, `1,3,6`; `-` is none."""

    def __init__(self, one: Slot, between: str) -> None:
        self.one = one
        self.between = between
        self.expected = f"{one.expected}, or several parted by {between}"

    def value(self, word: str, context: Context) -> tuple[Any, ...]:
        """Take the values one by one."""
        if not bare(word):
            raise wrong(self.expected, word)
        if word == "-":
            return ()
        return tuple([self.one.value(instead(word, part), context) for part in word.split(self.between)])

    def write(self, value: tuple[Any, ...], context: Context) -> str:
        """Write them one after the other."""
        return self.between.join(self.one.write(one, context) for one in value) or "-"


class WitnessSet(Slot):
    """What a source witnesses: profiles and kinds, parted by commas."""

    expected = "what is witnessed: live-table, posts,acts,board, none"

    def value(self, word: str, context: Context) -> int:
        """Take the names, or the bits as a number."""
        return witnessed(word)

    def write(self, value: int, context: Context) -> str:
        """Write names where all bits have one."""
        names = write_witnesses(value)
        return str(value) if names is None else ",".join(names)


def witnessed(word: str) -> int:
    """Return the set of what is witnessed."""
    if word.removeprefix("-").isdigit():
        return whole(word)
    try:
        return read_witnesses(*word.split(","))
    except KeyError:
        raise wrong(WitnessSet.expected, word, WITNESS_WORDS) from None


class Pot(Slot):
    """A pot: `main`, `side-1`."""

    expected = "main or side-1"

    def value(self, word: str, context: Context) -> int:
        """Take the pot's name."""
        if word == "main":
            return 0
        if word.startswith("side-"):
            return whole(word, word[5:])
        raise wrong(self.expected, word)

    def write(self, value: int, context: Context) -> str:
        """Write the pot's name."""
        return f"side-{value}" if value else "main"


class Either(Slot):
    """A number or a word: the value of an option. `chips`: the number is an amount."""

    expected = "a number or a word"

    def __init__(self, *, chips: bool = False) -> None:
        self.number = Amount() if chips else Whole()

    def value(self, word: str, context: Context) -> int | str:
        """Take digits as a number, anything else as a word."""
        if TAIL in word or isinstance(word, Group):
            raise wrong(self.expected, word)
        if not self.number.starts(word):
            return str(word.removeprefix('"'))
        found: int = self.number.value(word, context)
        return found

    def write(self, value: int | str, context: Context) -> str:
        """Write a word that looks like a number in quotes."""
        if isinstance(value, int):
            return self.number.write(value, context)
        return quote(value) if value.lstrip("-")[:1].isdigit() else in_words(value)


class OptionValue(Either):
    """The value of the option that stands before it: one of those that the option takes."""

    single = False

    def read(self, line: Sequence[str], at: int, context: Context) -> tuple[int | str, int]:
        """Refuse a value that means nothing: whoever wrote it would think that it counts."""
        found, after = super().read(line, at, context)
        if why := refusal(line[at - 1], found):
            raise wrong(why, line[at])
        return found, after


class Groups(Slot):
    """Facts within a fact, each in parentheses; `-` is none."""

    expected = "facts in parentheses"
    single = lasting = False

    def __init__(
        self, read_one: Callable[[Sequence[str], Context], Any], write_one: Callable[[Any, Context], str]
    ) -> None:
        self.read_one = read_one
        self.write_one = write_one

    def read(self, line: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
        """Take all groups that follow."""
        if line[at] == "-":
            return (), at + 1
        found = []
        while at < len(line) and isinstance(group := line[at], Group):
            found.append(self.read_one(group.words, context))
            at += 1
        if not found:
            raise wrong(self.expected, line[at])
        return tuple(found), at

    def write(self, value: tuple[Any, ...], context: Context) -> str:
        """Write each in parentheses."""
        return " ".join(f"({self.write_one(one, context)})" for one in value) or "-"


class Nullable(Slot):
    """A value that may be untold: `?`, or another word."""

    def __init__(self, one: Slot, none: str = NOT_TOLD) -> None:
        self.one = one
        self.none = none
        self.single, self.lasting = one.single, one.lasting
        self.expected = f"{one.expected}, or {none}"

    def starts(self, word: str) -> bool:
        """Begin like the value."""
        return self.one.starts(word)

    def read(self, line: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
        """Take the value or the word for none."""
        return (None, at + 1) if line[at] == self.none else self.one.read(line, at, context)

    def value(self, word: str, context: Context) -> Any:
        """Take the value or the word for none."""
        return None if word == self.none else self.one.value(word, context)

    def write(self, value: Any, context: Context) -> str:
        """Write the value or the word for none."""
        return self.none if value is None else self.one.write(value, context)
