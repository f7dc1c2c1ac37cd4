"""The words of Winamax's notation: games, streets, cards, and what its text records whenever it happens."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Street, Witness

VENUE: Final = "Winamax"

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
    | Witness.BLIND_AMOUNTS
    | Witness.DISCARDS
)
"""No returned bets, no clocks, no presence: who sits out stands in the list of seats as all others do."""

GAMES: Final[dict[str, str]] = {
    "holdem": "holdem",
    "hold'em": "holdem",
    "texas holdem": "holdem",
    "short deck": "short-deck",
    "short deck holdem": "short-deck",
    "6+ holdem": "short-deck",
    "omaha": "omaha",
    "omaha8": "omaha8",
    "omaha hi/lo": "omaha8",
    "omaha5": "omaha5",
    "5 card omaha": "omaha5",
    "5-card omaha": "omaha5",
    "5 card omaha hi/lo": "omaha5-8",
    "5-card omaha hi/lo": "omaha5-8",
    "omaha5 hi/lo": "omaha5-8",
    "omaha6": "omaha6",
    "6 card omaha": "omaha6",
    "6-card omaha": "omaha6",
    "6 card omaha hi/lo": "omaha6-8",
    "7-card stud": "stud",
    "7 card stud": "stud",
    "7stud": "stud",
    "7-card stud hi/lo": "stud8",
    "7 card stud hi/lo": "stud8",
    "7stud8": "stud8",
    "razz": "razz",
    "5 card draw": "draw5",
    "5-card draw": "draw5",
    "2-7 triple draw": "triple-27",
    "2-7 single draw": "single-27",
    "lowball27": "triple-27",
    "a-5 triple draw": "triple-a5",
    "badugi": "badugi",
}
"""A game as the text names it, small letters → its variant."""

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    (" no limit", "no-limit"),
    (" pot limit", "pot-limit"),
    (" fixed limit", "limit"),
    (" half pot limit", "pot-limit"),
    (" limit", "limit"),
)

BOARD_STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}

STUD_STREETS: Final[dict[str, Street]] = {
    "4th STREET": "fourth",
    "5th STREET": "fifth",
    "6th STREET": "sixth",
    "7th STREET": "seventh",
    "FOURTH": "fourth",
    "FIFTH": "fifth",
    "SIXTH": "sixth",
    "SEVENTH": "seventh",
}

DRAW_STREETS: Final[dict[str, Street]] = {
    "FIRST-DRAW": "first-draw",
    "SECOND-DRAW": "second-draw",
    "THIRD-DRAW": "third-draw",
    "DRAW": "first-draw",
}

BETTING_BEGINS: Final = frozenset(("SECOND-BET", "THIRD-BET", "FOURTH-BET", "ANTE/BLINDS"))
"""Headings that say nothing which the lines below them do not."""

NUMBERS: Final = {"FIRST": 1, "SECOND": 2, "THIRD": 3}

read_cards: Final = reader({**KNOWN, **unknown("X", "XX", "x", "xx", "??", "?")})
"""Returns `Ah Kd` as cards; None where one of them is no card."""
