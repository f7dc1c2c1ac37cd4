"""The words of partypoker's first lines: games, currencies, months, zones."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting

VENUE: Final = "partypoker"
CONVERTED: Final = {"Poker Stars": "PokerStars", "WPN": "Winning Poker Network"}
"""What stands behind the number where a program wrote another room's hand in this notation → that room."""

HEADS: Final = ("***** Hand History for Game ", "***** Hand History For Game ")

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

CODES: Final = ("USD", "EUR", "GBP", "CAD", "SEK", "chips", "CHIPS", "Chips")
"""What may stand behind an amount."""

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}

ZONES: Final[dict[str, int]] = {
    "HST": -600,
    "AKST": -540,
    **dict.fromkeys(("PST", "AKDT"), -480),
    **dict.fromkeys(("MST", "PDT"), -420),
    "MDT": -360,
    **dict.fromkeys(("EST", "CDT"), -300),
    "EDT": -240,
    **dict.fromkeys(("ADT", "ART", "BRT"), -180),
    "BRST": -120,
    **dict.fromkeys(("UTC", "GMT", "WET"), 0),
    **dict.fromkeys(("WEST", "BST", "CET"), 60),
    **dict.fromkeys(("CEST", "EET", "SAST"), 120),
    **dict.fromkeys(("EEST", "TRT"), 180),
    **dict.fromkeys(("MSD", "MSKS"), 240),
    "ICT": 420,
    **dict.fromkeys(("SGT", "HKT", "AWST"), 480),
    **dict.fromkeys(("JST", "KST"), 540),
    "ACST": 570,
    "AEST": 600,
    "ACDT": 630,
    "AEDT": 660,
    "NZST": 720,
    "NZDT": 780,
}
"""Minutes east of Greenwich; names that mean several zones (CST, IST, AST) are not among them."""
