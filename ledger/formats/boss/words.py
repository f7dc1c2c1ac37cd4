"""The words of Boss Media's files: games, limits, cards as numbers."""

from __future__ import annotations

from typing import Final

from ledger.hand.ending import Half
from ledger.hand.opening import Betting
from ledger.vocabulary import UNKNOWN_CARD, Street, Witness

VENUE: Final = "Boss Media"

WITNESSES: Final = int(
    Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.AWARDS
    | Witness.DROP
    | Witness.DISCARDS
)
"""What the files record whenever it happens.

`BUTTON` is added where a file tells it (older ones do not), `BLIND_AMOUNTS` where the stakes are
blinds, `OWN_CARDS` where the file's owner is dealt cards.
"""

GAMES: Final[dict[str, str]] = {
    "GAME_THM": "holdem",
    "GAME_OMA": "omaha",
    "GAME_OMATU": "omaha",
    "GAME_OMAHL": "omaha8",
    "GAME_FCD": "draw5",
}
"""`GAME` → variant."""

LIMITS: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}

BOARDS: Final[dict[str, tuple[Street, int]]] = {
    "BOARD_FLOP": ("flop", 3),
    "BOARD_TURN": ("turn", 4),
    "BOARD_RIVER": ("river", 5),
}
"""A board's `VALUE` → its street, and how many cards lie there then."""

EMPTY: Final = frozenset(("STATE_EMPTY", "STATE_RESERVED"))

HALVES: Final[dict[str, Half]] = {"WINTYPE_HI": "high", "WINTYPE_LO": "low"}

FOLDED: Final = "$(STR_G_FOLD)"
MUCKED: Final = "$(STR_G_MUCK)"
DEFAULT: Final = "$(STR_BY_DEFAULT)"
"""What stands for a hand that is not shown: it was folded, mucked, or nobody else was left."""

_RANKS: Final = "A23456789TJQK"
_SUITS: Final = "dchs"
CARDS: Final = {"b": UNKNOWN_CARD, **{str(number): _RANKS[number % 13] + _SUITS[number // 13] for number in range(52)}}
"""A card's `LINK`: a number, or `b` for its back."""
