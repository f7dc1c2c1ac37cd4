"""The words of Absolute Poker's notation: games, limits, streets, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Street, Witness

VENUE: Final = "Absolute Poker"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
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
    | Witness.CLOCKS
    | Witness.BLIND_AMOUNTS
)
"""Time-outs are told, but nobody's coming and going."""

GAMES: Final[dict[str, str]] = {
    "holdem": "holdem",
    "omaha": "omaha",
    "omaha hi": "omaha",
    "omaha high": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
    "seven card": "stud",
    "seven card stud": "stud",
    "7 card stud": "stud",
    "seven card hi/lo": "stud8",
    "seven card stud hi/lo": "stud8",
    "razz": "razz",
    "five card draw": "draw5",
}
LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("no limit", "no-limit"),
    ("pot limit", "pot-limit"),
    ("normal", "limit"),
    ("fixed limit", "limit"),
    ("limit", "limit"),
)
"""How the limit begins in a header, small letters; the longer of two first."""

NOISE: Final = (
    "(1 on 1)",
    "(tp)",
    "multi normal tournament",
    "multi tournament",
    "normal tournament",
    "single tournament",
    "tournament",
    "(real money)",
    "(play money)",
    " turbo",
    "(7-2)",
)
"""What may stand between a game's name and its limit, or behind its stakes; `(7-2)`: a bet beside the game."""

STUD: Final = frozenset(("stud", "stud8", "razz"))

BOARD_STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}
HAND_STREETS: Final[dict[str, Street]] = {
    "4TH STREET": "fourth",
    "5TH STREET": "fifth",
    "6TH STREET": "sixth",
    "7TH STREET": "seventh",
    "RIVER": "seventh",
}

read_cards: Final = reader({**KNOWN, **unknown("H", "X", "XX", "??")})
"""Returns `10h Kd` as cards; None where one of them is no card."""
