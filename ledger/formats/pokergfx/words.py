"""The closed lists of a PokerGFX export: its games, limits, antes and acts, and what it witnesses."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import DECK, Witness

VENUE: Final = "PokerGFX"
"""The export names no room; the program that wrote it stands for one."""

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.BLIND_POSITIONS
    | Witness.POSTS
    | Witness.ANTES
    | Witness.BLIND_AMOUNTS
    | Witness.STACKS_BEFORE
    | Witness.STACKS_AFTER
    | Witness.ACTS
    | Witness.BOARD
    | Witness.RUNS
)
"""What every export tells. `ALL_CARDS` is added to a hand in which no seat's cards are missing."""

GAMES: Final[dict[str, str]] = {
    "HOLDEM": "holdem",
    "TEXASHOLDEM": "holdem",
    "HOLDEMSIXPLUS": "short-deck",
    "HOLDEMSIXPLUSSTRAIGHTBEATSTRIPS": "short-deck",
    "HOLDEMSIXPLUSTRIPSBEATSSTRAIGHT": "short-deck",
    "6PLUSHOLDEM": "short-deck",
    "6THOLDEM": "short-deck",
    "6PHOLDEM": "short-deck",
    "SHORTDECK": "short-deck",
    "OMAHA": "omaha",
    "OMAHA4": "omaha",
    "OMAHAHILO": "omaha8",
    "OMAHA8": "omaha8",
    "OMAHAHL": "omaha8",
    "OMAHA5": "omaha5",
    "OMAHA5HILO": "omaha5-8",
    "OMAHA6": "omaha6",
    "OMAHA6HILO": "omaha6-8",
    "COURCHEVEL": "courchevel",
    "COUR": "courchevel",
    "COURCHEVELHILO": "courchevel8",
    "DRAW5": "draw5",
    "5DRAW": "draw5",
    "DEUCE7DRAW": "single-27",
    "27DRAW": "single-27",
    "DEUCE7TRIPLE": "triple-27",
    "27TRIPLE": "triple-27",
    "A5TRIPLE": "triple-a5",
    "BADUGI": "badugi",
    "BADEUCY": "badeucey",
    "BADEUCEY": "badeucey",
    "BADACEY": "badacey",
    "STUD": "stud",
    "STUD7": "stud",
    "7STUD": "stud",
    "STUD7HILO8": "stud8",
    "STUD7HILO": "stud8",
    "7STUDHL": "stud8",
    "RAZZ": "razz",
}
"""`GameVariant`, capitals without marks → the game. Pineapple has no rules here: it is rejected."""

TRIPS_FIRST: Final = frozenset(("HOLDEMSIXPLUSTRIPSBEATSSTRAIGHT", "6THOLDEM"))
"""The games of `GAMES` in which three of a kind beat a straight."""

LIMITS: Final[dict[str, Betting]] = {
    "NOLIMIT": "no-limit",
    "NL": "no-limit",
    "POTLIMIT": "pot-limit",
    "PL": "pot-limit",
    "FIXEDLIMIT": "limit",
    "FIXLIMIT": "limit",
    "FL": "limit",
    "LIMIT": "limit",
    "SPREADLIMIT": "spread",
}

CARDS: Final[dict[str, str]] = {
    **{card.lower(): card for card in DECK},
    **{"10" + card[1]: card for card in DECK if card[0] == "T"},
}
"""A card in small letters → the card."""


def plain(word: str) -> str:
    """Return a word of the export as the lists above have it: capitals and digits only.

    >>> plain("fixed_limit")
    'FIXEDLIMIT'
    """
    return "".join(one for one in word.upper() if one.isalnum())


def cards(text: str) -> str | None:
    """Return `10s 10h` as cards; None where one of them is no card."""
    found = [CARDS.get(one) for one in text.lower().replace(",", " ").split()]
    return None if None in found else "".join(one for one in found if one)
