"""The words of OnGame's notation: games, limits, cards, zones, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Street, Witness

VENUE: Final = "OnGame"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.STACKS_AFTER
    | Witness.ACTS
    | Witness.BOARD
    | Witness.AWARDS
    | Witness.POTS
    | Witness.DROP
    | Witness.BLIND_AMOUNTS
    | Witness.DISCARDS
)
"""No returned bets, no order of the showdown, no clocks, nobody's coming and going."""

GAMES: Final[dict[str, str]] = {
    "TEXAS_HOLDEM": "holdem",
    "HOLDEM": "holdem",
    "OMAHA_HI": "omaha",
    "OMAHA": "omaha",
    "OMAHA_HI_LO": "omaha8",
    "SEVEN_CARD_STUD": "stud",
    "SEVEN_CARD_STUD_HI": "stud",
    "SEVEN_CARD_STUD_HI_LO": "stud8",
    "RAZZ": "razz",
    "FIVE_CARD_DRAW": "draw5",
}
LIMITS: Final[dict[str, Betting]] = {
    "NO_LIMIT": "no-limit",
    "POT_LIMIT": "pot-limit",
    "LIMIT": "limit",
    "FIXED_LIMIT": "limit",
}
DRAW: Final = frozenset(("draw5",))
STUD: Final = frozenset(("stud", "stud8", "razz"))

BOARD_STREETS: Final[dict[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}
HAND_STREETS: Final[dict[str, Street]] = {
    "4th street": "fourth",
    "5th street": "fifth",
    "6th street": "sixth",
    "7th street": "seventh",
    "river": "seventh",
}

ZONES: Final[dict[str, int]] = {
    "GMT": 0,
    "UTC": 0,
    "WET": 0,
    "WEST": 60,
    "BST": 60,
    "CET": 60,
    "CEST": 120,
    "EET": 120,
    "EEST": 180,
}
"""Minutes east of Greenwich, for names that mean one zone: `MSK` and `GST` do not."""

MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1
    )
}

read_cards: Final = reader({**KNOWN, **unknown("-", "X", "XX", "??")})
"""Returns `Tc, 9h` as cards; None where one of them is no card."""
