"""The words of Full Tilt's notation: heads, games, streets, cards."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import DECK, Street, Witness

VENUE: Final = "Full Tilt"

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
    | Witness.PRESENCE
    | Witness.RUNS
    | Witness.CONNECTIONS
    | Witness.BLIND_AMOUNTS
    | Witness.DISCARDS
    | Witness.CHIP_PURCHASES
)
"""What Full Tilt's text records whenever it happens; `OWN_CARDS` is added where cards are dealt to one."""

HEADS: Final = ("Full Tilt Poker", "FullTiltPoker")
PREFACE: Final = ("BEGIN", "*****")
"""What archives put before a hand."""

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("no limit ", "no-limit"),
    ("pot limit ", "pot-limit"),
    ("fixed limit ", "limit"),
    ("limit ", "limit"),
    ("nl ", "no-limit"),
    ("pl ", "pot-limit"),
    ("fl ", "limit"),
)

GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "omaha": "omaha",
    "omaha hi": "omaha",
    "omaha h/l": "omaha8",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
    "5 card omaha": "omaha5",
    "5 card omaha hi": "omaha5",
    "5-card omaha hi": "omaha5",
    "5 card omaha h/l": "omaha5-8",
    "6 card omaha hi": "omaha6",
    "courchevel": "courchevel",
    "courchevel hi": "courchevel",
    "courchevel h/l": "courchevel8",
    "irish": "irish",
    "irish poker": "irish",
    "stud": "stud",
    "stud hi": "stud",
    "7 card stud": "stud",
    "stud h/l": "stud8",
    "stud hi/lo": "stud8",
    "stud hi-lo": "stud8",
    "7 card stud hi/lo": "stud8",
    "razz": "razz",
    "5 card draw": "draw5",
    "2-7 single draw": "single-27",
    "2-7 triple draw": "triple-27",
    "a-5 triple draw": "triple-a5",
    "badugi": "badugi",
    "badeucey": "badeucey",
    "badacey": "badacey",
}
"""A game as the text names it, small letters → its variant."""

STUD: Final = frozenset(("stud", "stud8", "razz"))
DRAW: Final = frozenset(("draw5", "single-27", "triple-27", "triple-a5", "badugi", "badeucey", "badacey"))

BOARD_STREETS: Final[dict[str, Street]] = {"FLOPET": "preflop", "FLOP": "flop", "TURN": "turn", "RIVER": "river"}
HAND_STREETS: Final[dict[str, Street]] = {
    "4TH STREET": "fourth",
    "5TH STREET": "fifth",
    "6TH STREET": "sixth",
    "7TH STREET": "seventh",
    "RIVER": "seventh",
    "DRAW": "first-draw",
    "FIRST DRAW": "first-draw",
    "SECOND DRAW": "second-draw",
    "THIRD DRAW": "third-draw",
}
DEALS: Final = frozenset(("HOLE CARDS", "3RD STREET", "DEALING HANDS"))

CARDS: Final[dict[str, str]] = {
    **{card: card for card in DECK},
    **{f"10{suit}": f"T{suit}" for suit in "cdhs"},
    **dict.fromkeys(("xx", "Xx", "XX", "??"), "??"),
}
