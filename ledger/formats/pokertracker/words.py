"""The words of the frames in which PokerTracker exports hands: rooms, games, cards, what is recorded."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Cards, Street, Witness

Frame: TypeAlias = Literal["everest", "colon", "dash"]
"""How a frame writes acts: `Ada calls $1`, `Ada: Call $1`, `Ada called - $1`."""

HEADS: Final[dict[str, tuple[str, Frame]]] = {
    "EverestPoker Game #": ("Everest", "everest"),
    "GAME #": ("iPoker", "colon"),
    "MERGE_GAME #": ("Merge", "colon"),
    "Merge Game #": ("Merge", "colon"),
    "** Game ID ": ("Microgaming", "dash"),
    "** Hand # ": ("Microgaming", "dash"),
}
"""The beginning of a hand's first line → the venue, and the frame."""

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.BLIND_AMOUNTS
)
"""What all frames record; which part of a post is dead, returned bets and side pots' numbers none does."""

GAMES: Final[dict[str, str]] = {
    "texas hold'em": "holdem",
    "texas holdem": "holdem",
    "hold'em": "holdem",
    "holdem": "holdem",
    "multi table hold'em": "holdem",
    "omaha": "omaha",
    "omaha hi": "omaha",
    "multi table omaha": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
    "omaha hilo": "omaha8",
}
LIMITS: Final[dict[str, Betting]] = {
    "nl": "no-limit",
    "no limit": "no-limit",
    "pl": "pot-limit",
    "pot limit": "pot-limit",
    "fl": "limit",
    "l": "limit",
    "limit": "limit",
    "fixed limit": "limit",
}
UNSAID: Final[dict[str, Betting]] = {"omaha": "pot-limit", "omaha8": "pot-limit"}
"""The limit where the head names none; of other games there is none."""

STREETS: Final[dict[str, tuple[Street, int]]] = {"flop": ("flop", 0), "turn": ("turn", 3), "river": ("river", 4)}
"""A heading → its street, and how many cards lie before it."""

_TURNED: Final = {f"{suit}{card[:-1]}": KNOWN[card] for card in KNOWN for suit in (card[-1], card[-1].upper())}
_words: Final = reader({**KNOWN, **_TURNED, **unknown("X", "XX", "x", "??")})


def read_cards(text: str) -> Cards | None:
    """Return `[Ah 10d]`, `[SA H9]`, `A of c, 10 of d` as cards; None where one of them is no card."""
    return _words(text.strip(" []").replace(" of ", ""))
