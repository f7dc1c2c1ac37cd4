"""The closed lists of Global Poker's records: games, limits, cards, and what they witness."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import UNKNOWN_CARD, Cards, Witness

VENUE: Final = "Global Poker"

WITNESSES: Final = int(
    Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.POTS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.TIMES
    | Witness.CLOCKS
    | Witness.BLIND_AMOUNTS
)
"""What the records hold whenever it happens. `OWN_CARDS` is added where somebody's cards are known.

Where the button lies is told nowhere.
"""

GAMES: Final[dict[str, str]] = {
    "TEXAS_HOLDEM": "holdem",
    "HOLDEM": "holdem",
    "OMAHA": "omaha",
    "OMAHA_HI": "omaha",
    "OMAHA_HI_LO": "omaha8",
    "OMAHA_HILO": "omaha8",
    "OMAHA_EIGHT_OR_BETTER": "omaha8",
}
"""`variant` → ours. Seen are the first and `OMAHA`; others are their siblings."""

LIMITS: Final[dict[str, Betting]] = {
    "NO_LIMIT": "no-limit",
    "POT_LIMIT": "pot-limit",
    "FIXED_LIMIT": "limit",
    "LIMIT": "limit",
}

_RANKS: Final = {
    "TWO": "2",
    "THREE": "3",
    "FOUR": "4",
    "FIVE": "5",
    "SIX": "6",
    "SEVEN": "7",
    "EIGHT": "8",
    "NINE": "9",
    "TEN": "T",
    "JACK": "J",
    "QUEEN": "Q",
    "KING": "K",
    "ACE": "A",
}
_SUITS: Final = {"CLUBS": "c", "DIAMONDS": "d", "HEARTS": "h", "SPADES": "s"}


def cards(value: object) -> Cards | None:
    """Return the cards of `[{"id": 0, "suit": "CLUBS", "rank": "FOUR"}, {"id": 1}]`.

    A card with neither rank nor suit lies face down. None where one is no card.
    """
    if not isinstance(value, list):
        return None
    found = []
    for one in value:
        if not isinstance(one, dict):
            return None
        rank, suit = one.get("rank"), one.get("suit")
        if rank is None and suit is None:
            found.append(UNKNOWN_CARD)
        elif isinstance(rank, str) and isinstance(suit, str) and rank in _RANKS and suit in _SUITS:
            found.append(_RANKS[rank] + _SUITS[suit])
        else:
            return None
    return "".join(found)
