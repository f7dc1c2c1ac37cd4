"""The words of KingsClub's notation: games, limits, streets, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.telling.cards import KNOWN, reader, unknown
from ledger.vocabulary import Street, Witness

VENUE: Final = "KingsClub"

WITNESSES: Final = int(
    Witness.BUTTON | Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE | Witness.STACKS_AFTER
    | Witness.ACTS | Witness.BOARD | Witness.AWARDS | Witness.DROP | Witness.BLIND_AMOUNTS
    | Witness.DISCARDS
)  # fmt: skip
"""No returned bets, not what of a post is live, no order of the showdown, nobody's coming and going."""

LIMITS: Final[dict[str, Betting]] = {
    "No Limit ": "no-limit",
    "Pot Limit ": "pot-limit",
    "Limit ": "limit",
}
GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "texas hold'em": "holdem",
    "texas holdem": "holdem",
    "omaha": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha 8": "omaha8",
    "omaha 5 card": "omaha5",
    "omaha 5 card hi/lo": "omaha5-8",
    "big o": "omaha5-8",
    "stud": "stud",
    "stud hi/lo": "stud8",
    "stud 8": "stud8",
    "razz": "razz",
    "2-7 single draw": "single-27",
    "2-7 triple draw": "triple-27",
    "a-5 triple draw": "triple-a5",
    "five card draw": "draw5",
    "badugi": "badugi",
    "badeucey": "badeucey",
    "badacey": "badacey",
}
"""What is in no such table, 2-7 razz and drawmaha among it, has no rules here: it is rejected whole."""

_SAME: Final = (
    ("seven card ", ""), ("7 card ", ""), ("hi-lo", "hi/lo"), ("hi lo", "hi/lo"), ("high/low", "hi/lo"),
    (" 8 or better", " hi/lo"), (" eight or better", " hi/lo"), ("hi/lo hi/lo", "hi/lo"), (" lowball", ""),
)  # fmt: skip
"""Other words for a game, and those of the table for them."""


def game(words: str) -> str | None:
    """Return the game that these words mean, None if nobody here knows it.

    >>> game("Seven Card Stud Hi-Lo 8 or Better")
    'stud8'
    """
    plain = words.strip().lower()
    for others, ours in _SAME:
        plain = plain.replace(others, ours)
    return GAMES.get(plain)


STUD: Final = frozenset(("stud", "stud8", "razz"))
DRAW: Final = frozenset(
    ("single-27", "triple-27", "triple-a5", "draw5", "badugi", "badeucey", "badacey")
)
BOARD_STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}
DRAWS: Final[dict[str, Street]] = {
    "1ST DRAW": "first-draw",
    "2ND DRAW": "second-draw",
    "3RD DRAW": "third-draw",
}
HAND_STREETS: Final[dict[str, Street]] = {
    "3RD STREET": "fourth",
    "4TH STREET": "fifth",
    "5TH STREET": "sixth",
    "6TH STREET": "seventh",
}
"""The heading stands behind the betting of the street that it names: what follows is the next one's."""

read_cards: Final = reader({**KNOWN, **unknown("X", "-")})
"""Returns `X X 4d` as cards; `-` stands for a card of the board that another run shares."""
