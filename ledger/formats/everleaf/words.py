"""The words of Everleaf's notation: games, streets, French lines, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.ending import Half
from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Street, Witness

EVERLEAF: Final = "Everleaf"
PARTOUCHE: Final = "Partouche"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.BLIND_AMOUNTS
    | Witness.CONNECTIONS
)
"""No rake, no returned bets, no clocks; side pots without their numbers."""

GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "omaha": "omaha",
    "omaha hi": "omaha",
    "omaha hi/lo": "omaha8",
    "7 card stud": "stud",
    "7 card stud hi/lo": "stud8",
}
LIMITS: Final[dict[str, Betting]] = {"nl": "no-limit", "pl": "pot-limit", "fl": "limit"}
STUD: Final = frozenset(("stud", "stud8"))

BOARD_STREETS: Final[dict[str, Street]] = {"Flop": "flop", "Turn": "turn", "River": "river"}
HAND_STREETS: Final[dict[str, Street]] = {
    "4th Street": "fourth",
    "5th Street": "fifth",
    "6th Street": "sixth",
    "7th Street": "seventh",
    "River": "seventh",
}

HALVES: Final[dict[str, Half]] = {"high": "high", "low": "low"}

CYRILLIC_EURO: Final = "\u02c6"
"""What the euro sign of clients that wrote in cp1251 is in cp1252, as which such a file is read."""

CURRENCIES: Final = ("Chips", "chips", "EURO", "EUR", "USD", "GBP")
"""What stands behind an amount; the longer of two first."""

read_cards: Final = reader({**KNOWN, **unknown("X", "XX", "??")})
"""Returns `6d, Jc` as cards; None where one of them is no card."""


def amount(text: str) -> str:
    """Return `$ 0.96 USD`, ` 300 Chips`, `  0.04 EUR` as `amounts.read` can read it."""
    bare = text.strip(" .")
    for currency in CURRENCIES:
        if bare.endswith(currency):
            bare = bare[: -len(currency)]
            break
    return bare.replace(" ", "").removeprefix(CYRILLIC_EURO)
