"""The closed lists of the notation: codes of games, names of fields, and how much a file may hold."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.hand.opening import Betting
from ledger.vocabulary import Street, Witness


class Game(NamedTuple):
    """What a code of the notation stands for, as far as its reader needs it."""

    code: str
    variant: str
    betting: Betting
    hole: int  # cards of the first deal
    kind: str  # "board", "stud", "draw"
    draws: int = 0


GAMES: Final = {
    game.code: game
    for game in (
        Game("FT", "holdem", "limit", 2, "board"),
        Game("NT", "holdem", "no-limit", 2, "board"),
        Game("NS", "short-deck", "no-limit", 2, "board"),
        Game("PO", "omaha", "pot-limit", 4, "board"),
        Game("FO/8", "omaha8", "limit", 4, "board"),
        Game("F7S", "stud", "limit", 3, "stud"),
        Game("F7S/8", "stud8", "limit", 3, "stud"),
        Game("FR", "razz", "limit", 3, "stud"),
        Game("N2L1D", "single-27", "no-limit", 5, "draw", 1),
        Game("F2L3D", "triple-27", "limit", 5, "draw", 3),
        Game("FB", "badugi", "limit", 4, "draw", 3),
    )
}
CODES: Final = {(game.variant, game.betting): game for game in GAMES.values()}

STUD_STREETS: Final[tuple[Street, ...]] = ("third", "fourth", "fifth", "sixth", "seventh")
DRAW_STREETS: Final[tuple[Street, ...]] = ("preflop", "first-draw", "second-draw", "third-draw")

WITNESSES: Final = int(
    Witness.POSTS
    | Witness.ANTES
    | Witness.BLIND_AMOUNTS
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.DISCARDS
    | Witness.SHOWDOWN
)
"""What every file of the notation tells. The button is none of it: an empty button seat has no word."""

USED: Final = frozenset(
    (
        "variant",
        "ante_trimming_status",
        "antes",
        "blinds_or_straddles",
        "min_bet",
        "small_bet",
        "big_bet",
        "bring_in",
        "starting_stacks",
        "actions",
        "venue",
        "event",
        "table",
        "hand",
        "seats",
        "seat_count",
        "players",
        "finishing_stacks",
        "winnings",
        "currency",
        "level",
        "time",
        "day",
        "month",
        "year",
        "time_zone",
        "time_zone_abbreviation",
        "_handledger_rake",
        "_handledger_exponent",
        "_handledger_unit",
        "_handledger_events",
    )
)
"""Fields that become facts of their own. Every other one is kept as a remark, word for word."""

HAND_BYTES_MAX: Final = 1 << 20
FIELDS_MAX: Final = 400
ACTIONS_MAX: Final = 4000
DEPTH_MAX: Final = 16
PLAYERS_MAX: Final = 64
DIGITS_MAX: Final = 15
EXPONENT_MAX: Final = 9

UNNAMED: Final = "unnamed-"
UNNUMBERED: Final = "unnumbered-"
"""How a table or a hand that the file does not name is told from others: by its own text."""

KEPT: Final = "_handledger_events"
"""The field in which our writer keeps events that the notation cannot say."""

CHANGED: Final = "the other fields were changed after handledger wrote its events beside them"

WITHOUT_CENTS: Final = frozenset(("JPY", "KRW", "VND", "CLP", "ISK", "PYG", "UGX", "XAF", "XOF"))
SYMBOLS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
ZONES: Final = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "UTC": "UTC",
    "GMT": "UTC",
    "CET": "Europe/Paris",
    "WET": "Europe/Lisbon",
    "EET": "Europe/Helsinki",
    "BRT": "America/Sao_Paulo",
}
