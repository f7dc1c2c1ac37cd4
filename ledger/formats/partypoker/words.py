"""The words of partypoker's notation: games, streets, currencies, months, zones."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import DECK, Street, Witness

VENUE: Final = "partypoker"
CONVERTED: Final = {"Poker Stars": "PokerStars", "WPN": "Winning Poker Network"}
"""What stands behind the number where a program wrote another room's hand in this notation → that room."""

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.CLOCKS
)
"""What the text records whenever it happens. Posts are not among it: tournaments leave blinds out,
and who comes back to a cash table may post without a line. Rake and returned bets are in no line."""

SUMMARY_WITNESSES: Final = int(Witness.STACKS_AFTER)
"""What a hand with a summary records besides."""

HEADS: Final = ("***** Hand History for Game ", "***** Hand History For Game ")
PREFACE: Final = ("#Game No", "Game #")
"""Lines before a hand's first: the room tells its number twice and says that it starts."""

GAMES: Final[tuple[tuple[str, str], ...]] = (
    ("texas hold'em", "holdem"),
    ("texas holdem", "holdem"),
    ("hold'em", "holdem"),
    ("holdem", "holdem"),
    ("short deck", "short-deck"),
    ("6+ texas hold'em", "short-deck"),
    ("6 plus hold'em", "short-deck"),
    ("six plus texas hold'em", "short-deck"),
    ("6+ hold'em", "short-deck"),
    ("6+ holdem", "short-deck"),
    ("six plus hold'em", "short-deck"),
    ("5 card omaha hi-lo", "omaha5-8"),
    ("5 card omaha hi/lo", "omaha5-8"),
    ("5 card omaha", "omaha5"),
    ("6 card omaha hi-lo", "omaha6-8"),
    ("6 card omaha", "omaha6"),
    ("omaha hi-lo", "omaha8"),
    ("omaha hi/lo", "omaha8"),
    ("omaha 8", "omaha8"),
    ("omaha", "omaha"),
    ("7 card stud hi-lo", "stud8"),
    ("7 card stud hi/lo", "stud8"),
    ("7 card stud", "stud"),
    ("seven card stud hi-lo", "stud8"),
    ("seven card stud", "stud"),
    ("razz", "razz"),
)
"""How a game's name begins, small letters → its variant; the longer of two names first."""

LIMITS: Final[dict[str, Betting]] = {
    "NL": "no-limit",
    "PL": "pot-limit",
    "FL": "limit",
    "No Limit": "no-limit",
    "Pot Limit": "pot-limit",
    "Limit": "limit",
    "Fixed Limit": "limit",
}

STUD: Final = frozenset(("stud", "stud8", "razz"))

BOARD_STREETS: Final[dict[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}
HAND_STREETS: Final[dict[str, Street]] = {
    "third street": "third",
    "fourth street": "fourth",
    "fifth street": "fifth",
    "sixth street": "sixth",
    "seventh street": "seventh",
    "river": "seventh",
}
DEALS: Final = frozenset(("", "down cards", "third street"))
"""What is dealt first, as its heading names it."""

CODES: Final = ("USD", "EUR", "GBP", "CAD", "SEK", "chips", "CHIPS", "Chips")
"""What may stand behind an amount."""

CARDS: Final[dict[str, str]] = {
    **{card: card for card in DECK},
    **{card.lower(): card for card in DECK},
    **{card.upper(): card for card in DECK},
    **{f"10{suit}": f"T{suit}" for suit in "cdhs"},
    **dict.fromkeys(("XX", "xx", "??", "X"), "??"),
}

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}

ZONES: Final[dict[str, int]] = {
    "UTC": 0,
    "GMT": 0,
    "WET": 0,
    "WEST": 60,
    "BST": 60,
    "CET": 60,
    "CEST": 120,
    "EET": 120,
    "EEST": 180,
    "EST": -300,
    "EDT": -240,
    "CDT": -300,
    "MST": -420,
    "MDT": -360,
    "PST": -480,
    "PDT": -420,
    "ADT": -180,
    "AKST": -540,
    "AKDT": -480,
    "HST": -600,
    "ART": -180,
    "BRT": -180,
    "BRST": -120,
    "ICT": 420,
    "SGT": 480,
    "HKT": 480,
    "JST": 540,
    "KST": 540,
    "AEST": 600,
    "AEDT": 660,
    "ACST": 570,
    "ACDT": 630,
    "AWST": 480,
    "NZST": 720,
    "NZDT": 780,
    "TRT": 180,
    "SAST": 120,
    "MSD": 240,
    "MSKS": 240,
}
"""Minutes east of Greenwich; names that mean several zones (CST, IST, AST) are not among them."""
