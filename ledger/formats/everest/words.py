"""The words of Everest's files: games, limits, cards, amounts in cents."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.readers import amounts
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Chips, Seat, Street, Witness

VENUE: Final = "Everest"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.POTS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.CHAT
)
"""What the files record whenever it happens.

`BLIND_AMOUNTS` is added where the stakes are blinds, `OWN_CARDS` where the file's owner has cards.
"""

GAMES: Final[dict[str, str]] = {
    "hold-em": "holdem",
    "holdem": "holdem",
    "omaha-hi": "omaha",
    "omaha": "omaha",
    "omaha-hi-lo": "omaha8",
    "omaha-hilo": "omaha8",
    "omaha-8": "omaha8",
}
"""A game as the session names it, small letters, without `tournament` → its variant."""

LIMITS: Final[dict[str, Betting]] = {
    "no-limit": "no-limit",
    "pot-limit": "pot-limit",
    "fixed-limit": "limit",
    "limit": "limit",
}

BOARDS: Final[tuple[tuple[Street, int], ...]] = (("flop", 3), ("turn", 1), ("river", 1))
"""Community cards by how many were dealt before: their street, and how many come with it."""

cards: Final = reader({**KNOWN, **unknown("--", "??")})
"""Returns `10h, Kd` as cards; None where one of them is no card."""

_DIGITS_MOST: Final = 12


def chips(text: str) -> Chips | None:
    """Return an amount, which is a whole number of cents; None if it is none."""
    bare = text.strip()
    return int(bare) if bare.isascii() and bare.isdecimal() and len(bare) < _DIGITS_MOST else None


def chair(text: str) -> Seat | None:
    """Return the chair of a `position`, where the first one is 0; None if that is no number."""
    return int(text) + 1 if text.isascii() and text.isdecimal() and len(text) < 3 else None


def stakes(text: str, exponent: int) -> tuple[Chips, ...]:
    """Return the two amounts of `0,01 €/0,02 €`, () if there are none."""
    found = [amounts.maybe("".join(one.split()), exponent) for one in text.split("/")]
    return tuple(one for one in found if one is not None) if None not in found else ()


def currency(text: str) -> str:
    """Return the currency of a sign, "chips" if it is none."""
    return amounts.currency(text) or "chips"
