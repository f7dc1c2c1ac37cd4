"""Check that a suggested line keeps the meaning of the rejected one: it may not add or drop a player, chips or a card.

A new player's name must look like a name: with a capital or a digit, or in quotes. In `4 zooms 300`, "zooms" may be a
misspelled action, so a suggestion that seats a player called "zooms" would invent a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ledger.event import Event
from ledger.formats.handscript import shorthand
from ledger.formats.handscript.cards import normalize_cards
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.phrasebook import BOOK
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.formats.handscript.tokens import Group, get_text, is_quoted
from ledger.hand.betting import Raised
from ledger.hand.opening import GameSet, HandOpened, OptionSet
from ledger.vocabulary import UNKNOWN_CARD, PlayerId, split_cards

_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_MARKS: Final = re.compile(r"[,()\[\]:;.!]")
_PLAIN_WORD: Final = re.compile(r"as|ad|ah|[a-z]{3,}")
"""Words that aren't cards, though they would be with capitals: `asks` isn't As Ks."""
_RENUMBERED_EVENTS: Final = (HandOpened, GameSet, OptionSet)
"""Events whose suggested lines may have other numbers, such as a time or stakes."""
_NAME_PARTICLES: Final = frozenset(
    ("de", "da", "di", "del", "der", "den", "van", "von", "la", "le", "el", "al", "of", "bin")
)
"""Small words within names, as in `van Dyke`."""


def is_faithful(event: Event, line: Sequence[str], suggestion: str, context: Context) -> bool:
    """Whether a suggestion keeps the cards and numbers of the rejected line, and adds no card or verb.

    `event`: what the suggestion means. `line`: the words of the rejected line.
    """
    words = _list_unquoted_words(line)
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
    return _find_numbers(words) | _find_seats(words, context) <= _find_numbers(suggestion.split())


def _find_seats(words: Sequence[str], context: Context) -> set[float]:
    """Return the seats of the players named in the words."""
    seats = shorthand.index_seats_by_name(context)
    named_seats = (seats.get(word.casefold().removesuffix("'s")) for word in words)
    return {float(seat) for seat in named_seats if seat is not None}


def find_new_player(line: Sequence[str], context: Context, known_count: int) -> PlayerId:
    """Return a player whom trying the line would add under a word that doesn't look like a name, or "" if there is none.

    `known_count`: how many new names there were before the line was tried.
    """
    added_names = list(context.people.fresh_names.items())[known_count:]
    quoted_words = [get_text(word) for word in line if is_quoted(word)]
    for player, (_, name) in added_names:
        if name not in quoted_words and not is_name(name):
            return player
    return ""


def is_name(text: str) -> bool:
    """Whether a text looks like a player's name: its words have capitals or digits, and none is a word of handscript."""
    words = text.split()
    name_words = [word for word in words if word.lower() not in _NAME_PARTICLES]
    return bool(name_words) and all(_is_name_word(word) for word in name_words)


def _is_name_word(word: str) -> bool:
    is_marked = word[:1].isupper() or not word.isascii() or any(char.isdigit() or char == "_" for char in word)
    return word not in RESERVED_WORDS and is_marked and any(char.isalpha() for char in word)


def _list_unquoted_words(line: Sequence[str]) -> list[str]:
    """Return the words of a line that aren't in quotes, including those of groups."""
    unquoted_words: list[str] = []
    for word in line:
        if isinstance(word, Group):
            unquoted_words += _list_unquoted_words(word.words)
        elif not is_quoted(word):
            unquoted_words.append(word)
    return unquoted_words


def _parse_cards(word: str) -> list[str]:
    parts = [part for part in _MARKS.split(word) if part and not part.isdigit()]
    return [card for part in parts if not _PLAIN_WORD.fullmatch(part) for card in _split_cards(normalize_cards(part))]


def _split_cards(cards: str) -> list[str]:
    try:
        return split_cards(cards)
    except ValueError:
        return []


def _find_numbers(words: Sequence[str]) -> set[float]:
    """Return the numbers among the words, without currency signs and punctuation."""
    stripped_words = (word.strip("$€£()[]:,;.!").replace(",", "") for word in words)
    return {float(word) for word in stripped_words if _NUMBER.fullmatch(word)}
