"""Cards in words: `ten of hearts`, `the 7 of clubs`, `A of spades`."""

from __future__ import annotations

import re
from typing import Final

_RANKS: Final = {
    "ace": "A",
    "king": "K",
    "queen": "Q",
    "jack": "J",
    "knave": "J",
    "ten": "T",
    "nine": "9",
    "eight": "8",
    "seven": "7",
    "six": "6",
    "five": "5",
    "four": "4",
    "trey": "3",
    "three": "3",
    "deuce": "2",
    "two": "2",
    "10": "T",
}
_CARD_IN_WORDS: Final = re.compile(
    rf"\b(?P<rank>{'|'.join(_RANKS)}|[2-9TJQKA])\s?(?:of|-of-)\s?(?P<suit>spade|heart|diamond|club)s?\b", re.IGNORECASE
)


_CARD: Final = r"(?:10|[2-9TJQKA])[shdc♠♥♦♣]"
_DASH: Final = re.compile(rf"(?<=(?<![A-Za-z0-9])(?:[2-9TJQKA])[shdc♠♥♦♣])-(?={_CARD}(?![A-Za-z0-9]))")
"""The dash of `Jh-Td-4c`."""


_RANK: Final = rf"(?:10|[2-9TJQKA]|{'|'.join(word for word in _RANKS if word != '10')})"
_PAIR: Final = re.compile(
    rf"\b(?P<high>{_RANK})\s?[-/]\s?(?P<low>{_RANK})\s(?:of|in)\s(?P<suit>spade|heart|diamond|club)s\b"
    rf"|\bthe\s(?P<high2>{_RANK})\sand\s(?:the\s)?(?P<low2>{_RANK})\sof\s(?P<suit2>spade|heart|diamond|club)s\b",
    re.IGNORECASE,
)
"""`K-Q of hearts`, `the king and queen of spades`: two cards of a suit."""


def _write_pair(match: re.Match[str]) -> str:
    suit = (match["suit"] or match["suit2"])[0].lower()
    return f"{_rank(match['high'] or match['high2'])}{suit} {_rank(match['low'] or match['low2'])}{suit}"


def write_cards(text: str) -> str:
    """Return a text with its cards in words as cards: `Th`, `7c`."""
    text = _PAIR.sub(_write_pair, _DASH.sub(" ", text))
    if " of " not in text and "-of-" not in text:
        return text
    return _CARD_IN_WORDS.sub(lambda match: _rank(match["rank"]) + match["suit"][0].lower(), text)


def _rank(word: str) -> str:
    return _RANKS.get(word.lower(), word.upper())
