"""The words of PKR's notation: games, limits, cards, and what its text records whenever it happens."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import DECK, UNKNOWN_CARD, Cards, Street, Witness

VENUE: Final = "PKR"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.STACKS_AFTER
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.DROP
    | Witness.CLOCKS
    | Witness.CONNECTIONS
    | Witness.CHIP_PURCHASES
    | Witness.BLIND_AMOUNTS
    | Witness.CHAT
)
"""Bets that nobody called go back without a word, but for antes."""

GAMES: Final[dict[str, str]] = {
    "HOLD'EM": "holdem",
    "HOLDEM": "holdem",
    "OMAHA": "omaha",
    "OMAHA HI": "omaha",
    "OMAHA HI/LO": "omaha8",
    "5 CARD OMAHA": "omaha5",
    "5 CARD OMAHA HI/LO": "omaha5-8",
}
LIMITS: Final[dict[str, Betting]] = {
    "NO LIMIT": "no-limit",
    "POT LIMIT": "pot-limit",
    "LIMIT": "limit",
    "FIXED LIMIT": "limit",
}
STREETS: Final[dict[str, Street]] = {"Flop": "flop", "Turn": "turn", "River": "river"}

_CARDS: Final = {**{card: card for card in DECK}, "XX": UNKNOWN_CARD}


_LONGEST: Final = 100
"""Cards are remembered if they have fewer characters: hostile texts have no end."""


def read_cards(text: str) -> Cards | None:
    """Return `[T c][2 s]`, `[qs] [XX]`, `[9s Ac 5s]` as cards; None where one of them is no card."""
    return _remembered(text) if len(text) < _LONGEST else _read(text)


def _read(text: str) -> Cards | None:
    found: list[str] = []
    for part in text.split("]"):
        words = part.strip(" [").split()
        if words and len(words[0]) == 1:  # rank and suit with a blank between them
            words = ["".join(words)]
        for word in words:
            card = _CARDS.get(word[:-1].upper().replace("10", "T") + word[-1:].lower()) or _CARDS.get(word)
            if card is None:
                return None
            found.append(card)
    return "".join(found) or None


_remembered: Final = lru_cache(maxsize=50_000)(_read)
