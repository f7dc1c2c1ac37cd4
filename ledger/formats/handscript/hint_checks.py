"""What a suggested line must keep: it names no player, chips or card that the refused line did not, and loses none.

A player who is new needs a name that is one: with a capital, a digit or in quotes. `4 zooms 300` may be an act
that nobody here knows, and a line that seats "zooms" would make up a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ledger.event import Event
from ledger.formats.handscript import shorthand
from ledger.formats.handscript.cards import written_card
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.phrasebook import BOOK
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.formats.handscript.tokens import Group, quoted, said
from ledger.hand.betting import Raised
from ledger.hand.opening import GameSet, HandOpened, OptionSet
from ledger.vocabulary import UNKNOWN_CARD, PlayerId, split_cards

_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_MARKS: Final = re.compile(r"[,()\[\]:;.!]")
_PLAIN_WORD: Final = re.compile(r"as|ad|ah|[a-z]{3,}")
"""Words that could be cards if they were written with capitals: `asks` is no As Ks."""
_RENUMBERED_EVENTS: Final = (HandOpened, GameSet, OptionSet)
"""Events whose suggested lines may have other numbers: a time, stakes."""
_WITHIN_NAMES: Final = frozenset(
    ("de", "da", "di", "del", "der", "den", "van", "von", "la", "le", "el", "al", "of", "bin")
)


def is_faithful(event: Event, line: Sequence[str], write: str, context: Context) -> bool:
    """Whether a suggested line keeps the cards and numbers of the refused one, and has no card or verb of its own."""
    words = _unquoted_words(line)
    fields = type(event).__annotations__
    event_cards = {
        card for name, kind in fields.items() if kind == "Cards" for card in _split_cards(getattr(event, name))
    }
    if event_cards - {UNKNOWN_CARD} != {card for word in words for card in _parse_cards(word)} - {UNKNOWN_CARD}:
        return False
    texts = {str(getattr(event, name)) for name, kind in fields.items() if kind == "str"}
    if any(text in RESERVED_WORDS or text.lower() in BOOK.verbs for text in texts):
        return False
    if isinstance(event, _RENUMBERED_EVENTS) or (isinstance(event, Raised) and "by" in words):
        return True
    return _find_numbers(words) | _find_seats(words, context) <= _find_numbers(write.split())


def _find_seats(words: Sequence[str], context: Context) -> set[float]:
    """Return the seats of the players that words name."""
    seats = shorthand.seats_by_name(context)
    named_seats = (seats.get(word.casefold().removesuffix("'s")) for word in words)
    return {float(seat) for seat in named_seats if seat is not None}


def find_new_player(line: Sequence[str], context: Context, known_count: int) -> PlayerId:
    """Return a player who became known by a try, and of whom it is not plain that the line names one; "" if none did.

    `known_count`: how many names were new before the line was tried.
    """
    fresh = list(context.people.fresh_names.items())[known_count:]
    words = [said(word) for word in line if quoted(word)]
    for player, (_, name) in fresh:
        if name not in words and not is_name(name):
            return player
    return ""


def is_name(text: str) -> bool:
    """Whether words look like a player's name: with capitals or digits, and none of them a word of the notation."""
    words = text.split()
    name_words = [word for word in words if word.lower() not in _WITHIN_NAMES]
    return bool(name_words) and all(_is_name_word(word) for word in name_words)


def _is_name_word(word: str) -> bool:
    is_marked = word[:1].isupper() or not word.isascii() or any(sign.isdigit() or sign == "_" for sign in word)
    return word not in RESERVED_WORDS and is_marked and any(sign.isalpha() for sign in word)


def _unquoted_words(line: Sequence[str]) -> list[str]:
    """Return the words of a line that are not in quotes, those of groups too."""
    unquoted_words: list[str] = []
    for word in line:
        if isinstance(word, Group):
            unquoted_words += _unquoted_words(word.words)
        elif not quoted(word):
            unquoted_words.append(word)
    return unquoted_words


def _parse_cards(word: str) -> list[str]:
    parts = [part for part in _MARKS.split(word) if part and not part.isdigit()]
    return [card for part in parts if not _PLAIN_WORD.fullmatch(part) for card in _split_cards(written_card(part))]


def _split_cards(cards: str) -> list[str]:
    try:
        return split_cards(cards)
    except ValueError:
        return []


def _find_numbers(words: Sequence[str]) -> set[float]:
    """Return the plain numbers among words."""
    stripped_words = (word.strip("$€£()[]:,;.!").replace(",", "") for word in words)
    return {float(word) for word in stripped_words if _NUMBER.fullmatch(word)}
