"""Tokenizes a line of notes: known names, numbers, words and marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from ledger.formats.handscript.notes.statements import NotedAmount
from ledger.formats.handscript.notes.table_words import RESERVED
from ledger.formats.handscript.notes.verb_phrases import FILLERS, PHRASES, is_filler


class Token(NamedTuple):
    """A token of a line. `low` is its text in lower case, or the name as the roster spells it."""

    kind: Literal["name", "number", "word", "mark", "text"]
    text: str
    low: str
    start: int
    end: int


_NUMBER: Final = r"[~≈]?[ ]?[$€£]?(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<![\w.])\.\d+)"
_PHRASE: Final = "|".join(
    sorted((re.escape(phrase).replace("\\ ", "[ ]") for phrase in PHRASES), key=len, reverse=True)
)
_TOKEN: Final = re.compile(
    rf"""(?P<text>"[^"]*")
    |(?P<phrase>(?:{_PHRASE})(?![A-Za-z0-9]))
    |(?P<sized>(?:rr?|b|c|ai)\d+(?:\.\d+)?(?:k(?![a-z]))?(?![A-Za-z0-9.]*[A-Za-z0-9]))
    |(?P<bet>[345]-bets?\b)
    |(?P<number>{_NUMBER}(?:k|c|p|¢|ct|bbs?)?(?![A-Za-z0-9♠♥♦♣]))
    |(?P<word>(?:utg\+\d|[A-Za-z0-9][A-Za-z0-9♠♥♦♣]*(?:['-][A-Za-z]+)*))
    |(?P<mark>\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_FIGURE: Final = re.compile(r"(~|≈)?\s*[$€£]?([\d,]+(?:\.\d+)?|\.\d+)(k|c|p|¢|ct|bbs?)?", re.IGNORECASE)
_SUITS: Final = str.maketrans("♠♥♦♣", "shdc")
_CARD_RUN: Final = re.compile(r"(?:(?:10|[2-9TJQKAtjqka])[shdcSHDC])+")
_CARD: Final = re.compile(r"(10|[2-9TJQKAtjqka])([shdcSHDC])")
SIZED_ACT: Final = re.compile(r"(rr?|b|c|ai)(\d+(?:\.\d+)?k?)", re.IGNORECASE)
"""`r12`, `b25`: act and amount, after a player."""
GLUED_ACT: Final = re.compile(r"(\d{1,2})(f|x|c|b|r|ai|k)(\d+(?:\.\d+)?)?", re.IGNORECASE)
"""`8b25`, `2f`, `2AI`: seat, act, amount."""


def tokenize(text: str, names: Iterable[str] = ()) -> list[Token]:
    """Split a line into tokens. `names`: the players at the table."""
    pattern = _build_names_pattern(frozenset(names))
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        name_match = pattern.match(text, position) if pattern and _at_boundary(text, position) else None
        if name_match and _is_name(name_match[0], names):
            tokens.append(
                Token("name", name_match[0], _name_as_listed(name_match[0], names), position, name_match.end())
            )
            position = name_match.end()
            if text[position : position + 2].lower() in ("'s", "s"):  # Al's back
                position += 2
            continue
        if filler_match := _match_filler(text, position):
            position = filler_match.end()
            continue
        token_match = _TOKEN.match(text, position)
        if token_match is None:
            break
        kind = token_match.lastgroup or "mark"
        kind = "word" if kind in ("bet", "phrase", "sized") else kind
        token_text = token_match[0]
        if kind == "mark" and token_match[0] == "," and tokens and tokens[-1].text == ",":  # several say no more
            position = token_match.end()
            continue
        tokens.append(Token(kind, token_text, _lowercase_text(kind, token_text), position, token_match.end()))  # type: ignore[arg-type] # the pattern's groups are the kinds
        position = token_match.end()
    return tokens


_WORD: Final = re.compile(r"[a-z]+(?![\w'-])", re.IGNORECASE)


def _match_filler(text: str, position: int) -> re.Match[str] | None:
    """Match words that change no act: `quickly`, `after a long think`."""
    if not position or not _at_boundary(text, position):
        return None
    if phrase_match := FILLERS.match(text, position):
        return phrase_match
    word_match = _WORD.match(text, position)
    return word_match if word_match and is_filler(word_match[0]) else None


def _lowercase_text(kind: str, token_text: str) -> str:
    if kind == "text":
        return token_text.strip('"')
    return PHRASES.get(token_text.lower(), token_text.lower())


def _at_boundary(text: str, position: int) -> bool:
    return position == 0 or not text[position - 1].isalnum()


@lru_cache(maxsize=64)
def _build_names_pattern(names: frozenset[str]) -> re.Pattern[str] | None:
    """Build a pattern that matches any of the names, the longest first."""
    longest_first = sorted(names, key=len, reverse=True)
    if not longest_first:
        return None
    return re.compile(rf"(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z0-9])", re.IGNORECASE)


def _is_name(token_text: str, names: Iterable[str]) -> bool:
    """Whether a text is a name: a reserved word must be spelled exactly as in the list."""
    return token_text.lower() not in RESERVED or token_text in names


def _name_as_listed(token_text: str, names: Iterable[str]) -> str:
    if token_text in names:
        return token_text
    return next(name for name in names if name.lower() == token_text.lower())


def parse_figure(token: Token) -> NotedAmount | None:
    """Parse an amount; return None if the token isn't one."""
    match = _FIGURE.fullmatch(token.text) if token.kind == "number" else None
    if match is None:
        return None
    value = Decimal(match[2].replace(",", ""))
    unit = (match[3] or "").lower()
    if unit[:2] == "bb":
        return NotedAmount(value, token.text.strip(), bool(match[1]), in_blinds=True)
    if unit == "k":
        value *= 1000
    elif unit:
        value /= 100
    return NotedAmount(value, token.text.strip(), bool(match[1]))


def split_cards_word(card_text: str) -> list[str]:
    """Split a word such as `Kh9c4d` into cards; return none if it isn't a run of cards."""
    suit_letters = card_text.translate(_SUITS)
    if not _CARD_RUN.fullmatch(suit_letters):
        return []
    return [rank.upper().replace("10", "T") + suit.lower() for rank, suit in _CARD.findall(suit_letters)]
