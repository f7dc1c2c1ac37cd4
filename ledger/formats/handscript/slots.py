"""What may stand in one place of a line, by the type of the field that it fills.

A slot reads tokens into a value and writes a value as words. What a reader cannot take raises
`UnreadableHandError`, which says what was expected.
"""

# ruff: noqa: ARG002, ANN401 - one signature for all slots, each with its own type of value

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ledger.formats.handscript.context import Context, is_wall_time, iso, parse_iso
from ledger.formats.handscript.tokens import NOT_TOLD, LineError, Token, quote, word
from ledger.formats.handscript.witnesses import WITNESS_WORDS, read_witnesses, write_witnesses
from ledger.hand.options import refusal
from ledger.vocabulary import RANKS, split_cards

DIGITS_MOST: Final = 19
WHOLE_MOST: Final = 2**63


def wrong(expected: str, token: Token, choices: Iterable[str] = ()) -> LineError:
    """Return the error for a token that does not fit; `choices`: words that would."""
    return LineError(f"expected {expected}, found {token.shown()}", column=token.column, choices=choices)


class Slot(ABC):
    """One value. `expected` says in words what it takes."""

    expected = "a word"

    def starts(self, token: Token) -> bool:
        """Whether an optional value of this kind begins here, without a word that announces it."""
        return False

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[Any, int]:
        """Return the value of the tokens from `at`, and where the next part begins."""
        token = line[at]
        if token.group is not None or token.tail is not None:
            raise wrong(self.expected, token)
        return self.value(token, context), at + 1

    def value(self, token: Token, context: Context) -> Any:
        """Return the value of one token; the slots that take only one have it."""
        raise wrong(self.expected, token)

    @abstractmethod
    def write(self, value: Any, context: Context) -> str:
        """Return the words for a value."""


class Text(Slot):
    """An identifier or label that names nobody: `T7`, `"House rules"`."""

    expected = "a word or a text in quotes"

    def value(self, token: Token, context: Context) -> str:
        """Take any word or quoted text."""
        if not token.text and not token.quoted:
            raise wrong(self.expected, token)
        return token.text

    def write(self, value: str, context: Context) -> str:
        """Write a plain word bare."""
        return word(value)


class Whole(Slot):
    """A whole number: a seat, a count."""

    expected = "a whole number"

    def starts(self, token: Token) -> bool:
        """Begin with digits."""
        return not token.quoted and token.text.lstrip("-")[:1].isdigit()

    def value(self, token: Token, context: Context) -> int:
        """Take ASCII digits, at most as many as 64 bits hold."""
        return whole(token)

    def write(self, value: int, context: Context) -> str:
        """Write digits."""
        return str(value)


def whole(token: Token, text: str | None = None) -> int:
    """Return the whole number that a token says."""
    text = token.text if text is None else text
    digits = text.removeprefix("-")
    if not token.quoted and digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MOST:
        found = int(text)
        if -WHOLE_MOST <= found < WHOLE_MOST:
            return found
    raise wrong("a whole number", token)


class Amount(Slot):
    """Chips, as decimals of the unit: `5`, `12.50`. `cents` are hundredths whatever the unit."""

    expected = "an amount"

    def __init__(self, *, cents: bool = False) -> None:
        self.cents = cents

    def starts(self, token: Token) -> bool:
        """Begin with digits."""
        return not token.quoted and token.text.lstrip("-")[:1].isdigit()

    def value(self, token: Token, context: Context) -> int:
        """Take ASCII digits and a point."""
        return amount(token, token.text, 2 if self.cents else context.scale)

    def write(self, value: int, context: Context) -> str:
        """Write no more decimals than are needed: none, or all."""
        return write_amount(value, 2 if self.cents else context.scale)


def amount(token: Token, text: str, scale: int) -> int:
    """Return an amount in its smallest unit, of which `scale` decimals make one of the written."""
    main, point, fraction = text.partition(".")
    digits = main.removeprefix("-")
    if (
        token.quoted
        or not (digits.isascii() and digits.isdigit())
        or (point and not (fraction.isascii() and fraction.isdigit()))
    ):
        raise wrong("an amount", token)
    if len(fraction) > scale:
        if fraction.strip("0") or len(fraction) > DIGITS_MOST:
            raise wrong(f"an amount with at most {scale} decimals", token)
        fraction = fraction[:scale]
    if len(digits) + scale > DIGITS_MOST + 1:
        raise wrong("an amount of fewer digits", token)
    found = int(main + fraction.ljust(scale, "0"))
    if not -WHOLE_MOST <= found < WHOLE_MOST:
        raise wrong("an amount of fewer digits", token)
    return found


def write_amount(value: int, scale: int) -> str:
    """Return an amount as decimals of the unit."""
    if not scale:
        return str(value)
    main, rest = divmod(abs(value), 10**scale)
    return f"{'-' if value < 0 else ''}{main}" + (f".{rest:0{scale}}" if rest else "")


class Words(Slot):
    """One of a closed list of words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = frozenset(words)
        self.expected = "one of " + ", ".join(words) if len(words) > 1 else "".join(words)

    def starts(self, token: Token) -> bool:
        """Begin with any of the words."""
        return not token.quoted and token.text in self.words

    def value(self, token: Token, context: Context) -> str:
        """Take one of the words."""
        if token.text not in self.words or token.quoted:
            raise wrong(self.expected, token, self.words)
        return token.text

    def write(self, value: str, context: Context) -> str:
        """Write the word."""
        return value


class Several(Words):
    """Several of a closed list of words, one behind the other: `small big`."""

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[Any, int]:
        """Take all tokens that are among the words."""
        found: list[str] = []
        while at < len(line) and self.starts(line[at]):
            found.append(line[at].text)
            at += 1
        return tuple(found), at

    def write(self, value: Sequence[str], context: Context) -> str:
        """Write them one after the other."""
        return " ".join(value)


class Flag(Slot):
    """A yes or no, said by one word or the other; a missing word leaves the default."""

    def __init__(self, yes: str, no: str) -> None:
        self.words = {text: said for text, said in ((yes, True), (no, False)) if text}
        self.expected = " or ".join(self.words)

    def starts(self, token: Token) -> bool:
        """Begin with either word."""
        return not token.quoted and token.text in self.words

    def value(self, token: Token, context: Context) -> bool:
        """Take either word."""
        if token.text not in self.words or token.quoted:
            raise wrong(self.expected, token, self.words)
        return self.words[token.text]

    def write(self, value: bool, context: Context) -> str:
        """Write the word for the value."""
        return next(text for text, said in self.words.items() if said is value)


class CardsSlot(Slot):
    r"""Cards, with or without blanks between: `Ah Kd`, `AhKd`, `??`, `Jk`. `\"\"` is no card."""

    expected = "cards, as in Ah Kd"

    def starts(self, token: Token) -> bool:
        """Begin with a card, or a text in quotes."""
        return token.quoted or bool(_cards(token))

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[str, int]:
        """Take all tokens that are cards."""
        if line[at].quoted:
            return super().read(line, at, context)
        first = at
        while at < len(line) and _cards(line[at]):
            at += 1
        if at == first or (at < len(line) and _card_like(line[at])):
            raise wrong(self.expected, line[at])
        return "".join(token.text for token in line[first:at]), at

    def value(self, token: Token, context: Context) -> str:
        """Take a quoted text as it is."""
        return token.text

    def write(self, value: str, context: Context) -> str:
        """Write blanks between cards; what is no card in quotes."""
        try:
            return " ".join(split_cards(value)) or '""'
        except ValueError:
            return quote(value)


def _card_like(token: Token) -> bool:
    """Whether a token behind cards was meant as one: no word of a line begins like it."""
    text = token.text
    return len(text) in (2, 3) and not token.quoted and text[0] in RANKS


def _cards(token: Token) -> bool:
    if token.quoted or token.tail is not None or token.group is not None or not token.text:
        return False
    try:
        return bool(split_cards(token.text))
    except ValueError:
        return False


class Player(Slot):
    """A person by name: `Ana`, `"Ana María"`, of another room `Ana@Lakeside`, by id `@id`."""

    expected = "a player's name"

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[str, int]:
        """Take a name, with or without its room, or an id."""
        token = line[at]
        if token.group is not None:
            raise wrong(self.expected, token)
        if not token.text and not token.quoted:
            if token.tail is None:
                raise wrong(self.expected, token)
            return token.tail, at + 1
        venue = context.settings.venue if token.tail is None else token.tail
        return context.people.player(venue, token.text), at + 1

    def write(self, value: str, context: Context) -> str:
        """Write the name where it is known."""
        context.people.name(value)  # a vault looks names up only when asked
        found = context.people.names.get(value)
        if found is None:
            return "@" + word(value)
        venue, name = found
        if context.short or venue == context.settings.venue:
            return word(name)
        return f"{word(name)}@{word(venue)}"


class FreeText(Slot):
    """Free text in quotes; what the vault no longer holds by its reference, `@id`."""

    expected = "a text in quotes"

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[str, int]:
        """Take a text, or a reference."""
        token = line[at]
        if token.group is not None or (token.tail is not None and token.text):
            raise wrong(self.expected, token)
        if token.tail is not None:
            return token.tail, at + 1
        if not token.quoted:
            raise wrong(self.expected, token)
        return context.people.text(token.text), at + 1

    def write(self, value: str, context: Context) -> str:
        """Write the text where it is known."""
        found = context.people.words(value)
        return "@" + word(value) if found is None else quote(found)


class Moment(Slot):
    """A moment: `2026-11-20T22:41:07-05:00`, written in UTC."""

    expected = "a time such as 2026-11-20T22:41:07Z"

    def starts(self, token: Token) -> bool:
        """Begin like a date."""
        text = token.text
        return not token.quoted and (text[10:11] == "T" or text.startswith("ms:"))

    def value(self, token: Token, context: Context) -> int:
        """Take an ISO time with its offset."""
        if token.text.startswith("ms:"):
            return whole(token, token.text[3:])
        found = None if token.quoted else parse_iso(token.text)
        if found is None:
            raise wrong(self.expected, token)
        return found

    def write(self, value: int, context: Context) -> str:
        """Write it in UTC."""
        return iso(value)


class Started(Moment):
    """When the hand began; the time as written, if with an offset, is kept as it stands."""

    def value(self, token: Token, context: Context) -> Any:
        """Take an ISO time and remember how it was written; without an offset it is no moment, only that."""
        if not token.quoted and is_wall_time(token.text):
            context.started_text = token.text
            return None
        found = super().value(token, context)
        context.started_text = token.text if token.text[-6] in "+-" else ""
        return found

    def write(self, value: int, context: Context) -> str:
        """Write the source's own time if it says just this."""
        return context.started_text or iso(value)


class Listed(Slot):
    """Several values in one token: `2/5`, `1,3,6`; `-` is none."""

    def __init__(self, one: Slot, between: str) -> None:
        self.one = one
        self.between = between
        self.expected = f"{one.expected}, or several parted by {between}"

    def value(self, token: Token, context: Context) -> tuple[Any, ...]:
        """Take the values one by one."""
        if token.quoted:
            raise wrong(self.expected, token)
        if token.text == "-":
            return ()
        return tuple(self.one.value(token._replace(text=part), context) for part in token.text.split(self.between))

    def write(self, value: tuple[Any, ...], context: Context) -> str:
        """Write them one after the other."""
        return self.between.join(self.one.write(one, context) for one in value) or "-"


class WitnessSet(Slot):
    """What a source witnesses: profiles and kinds, parted by commas."""

    expected = "what is witnessed: live-table, posts,acts,board, none"

    def value(self, token: Token, context: Context) -> int:
        """Take the names, or the bits as a number."""
        if token.quoted:
            raise wrong(self.expected, token)
        if token.text.removeprefix("-").isdigit():
            return whole(token)
        try:
            return read_witnesses(token.text.split(","))
        except KeyError:
            raise wrong(self.expected, token, WITNESS_WORDS) from None

    def write(self, value: int, context: Context) -> str:
        """Write names where all bits have one."""
        names = write_witnesses(value)
        return str(value) if names is None else ",".join(names)


class Pot(Slot):
    """A pot: `main`, `side-1`."""

    expected = "main or side-1"

    def value(self, token: Token, context: Context) -> int:
        """Take the pot's name."""
        if token.text == "main" and not token.quoted:
            return 0
        if token.text.startswith("side-") and not token.quoted:
            return whole(token, token.text[5:])
        raise wrong(self.expected, token)

    def write(self, value: int, context: Context) -> str:
        """Write the pot's name."""
        return f"side-{value}" if value else "main"


class Either(Slot):
    """A number or a word: the value of an option. `chips`: the number is an amount."""

    expected = "a number or a word"

    def __init__(self, *, chips: bool = False) -> None:
        self.number = Amount() if chips else Whole()

    def value(self, token: Token, context: Context) -> int | str:
        """Take digits as a number, anything else as a word."""
        if not self.number.starts(token):
            return token.text
        found: int = self.number.value(token, context)
        return found

    def write(self, value: int | str, context: Context) -> str:
        """Write a word that looks like a number in quotes."""
        if isinstance(value, int):
            return self.number.write(value, context)
        return quote(value) if value.lstrip("-")[:1].isdigit() else word(value)


class OptionValue(Either):
    """The value of the option that stands before it: one of those that the option takes."""

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[int | str, int]:
        """Refuse a value that means nothing: whoever wrote it would think that it counts."""
        found, after = super().read(line, at, context)
        if why := refusal(line[at - 1].text, found):
            raise wrong(why, line[at])
        return found, after


class Groups(Slot):
    """Facts within a fact, each in parentheses; `-` is none."""

    expected = "facts in parentheses"

    def __init__(
        self, read_one: Callable[[Sequence[Token], Context], Any], write_one: Callable[[Any, Context], str]
    ) -> None:
        self.read_one = read_one
        self.write_one = write_one

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[Any, int]:
        """Take all groups that follow."""
        if line[at].group is None and line[at].text == "-" and not line[at].quoted:
            return (), at + 1
        found = []
        while at < len(line) and (group := line[at].group) is not None:
            found.append(self.read_one(group, context))
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
        self.expected = f"{one.expected}, or {none}"

    def starts(self, token: Token) -> bool:
        """Begin like the value."""
        return self.one.starts(token)

    def read(self, line: Sequence[Token], at: int, context: Context) -> tuple[Any, int]:
        """Take the value or the word for none."""
        if line[at].text == self.none and not line[at].quoted:
            return None, at + 1
        return self.one.read(line, at, context)

    def write(self, value: Any, context: Context) -> str:
        """Write the value or the word for none."""
        return self.none if value is None else self.one.write(value, context)
