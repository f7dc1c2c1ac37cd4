"""The words of PokerStars' notation: rooms, games, streets, and lines without variable parts."""

from __future__ import annotations

from typing import Final

from ledger.hand.variants import VARIANTS
from ledger.readers.cards import ANY_CASE
from ledger.readers.games import DRAW_STREETS, STUD_STREETS
from ledger.vocabulary import Street, Witness

ROOMS: Final = (
    "PokerStars",
    "Full Tilt",
    "Run It Once Poker",
    "PokerMaster",
    "PokerBros",
    "PPPoker",
    "SealsWithClubs",
    "SwCPoker",
    "BetRivers Poker",
    "Hive Poker",
    "MPLPoker",
    "SupremaPoker",
    "WPT Global",
    "Weplay",
    "VanillaPoker",
    "PokerPlanets",
    "9stacks Poker",
)
"""Rooms and programs that write this grammar under their own name."""

FIRST_WORDS: Final = (*(room + " " for room in ROOMS), "POKERSTARS ")
LOCAL_FIRST_WORDS: Final = (
    *("Mão ", "PokerStars Mão #", "Mano n", "Раздача "),
    *("Main PokerStars ", "Main Zoom PokerStars ", "PokerStars Partie #"),
)
"""The beginnings of a hand's first line in other languages."""

WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS CLOCKS PRESENCE"
    " RUNS CONNECTIONS BLIND_AMOUNTS DISCARDS"
)
"""What PokerStars' text always records. `OWN_CARDS` is added to hands with the player's own cards."""

TITLES: Final = {game: variant.title for game, variant in VARIANTS.items()} | {
    "single-27": "Single Draw 2-7 Lowball",
    "triple-27": "Triple Draw 2-7 Lowball",
    "triple-a5": "Triple Draw A-5 Lowball",
}

GAMES: Final = frozenset(TITLES)
"""The variants that this grammar has names for."""
LIMIT_TITLES: Final[dict[str, str]] = {
    "no-limit": "No Limit",
    "pot-limit": "Pot Limit",
    "limit": "Limit",
    "spread": "Limit",
}

BOARD_STREETS: Final[dict[str, Street]] = {"PRE-FLOP": "preflop", "FLOP": "flop", "TURN": "turn", "RIVER": "river"}
HAND_STREETS: Final[dict[str, Street]] = {
    **{f"{ordinal} STREET": street for ordinal, street in STUD_STREETS.items()},
    "DRAW": "first-draw",
    **{street.replace("-", " ").upper(): street for street in DRAW_STREETS},
}
NUMBERS_BY_ORDINAL: Final = {"FIRST": 1, "SECOND": 2, "THIRD": 3, "FOURTH": 4}
ORDINALS_BY_NUMBER: Final = {number: word for word, number in NUMBERS_BY_ORDINAL.items()}

CARDS: Final[dict[str, str]] = {**ANY_CASE, **dict.fromkeys(("hidden", "XX", "xx", "??", "Xx"), "??")}

BRINGS_IN: Final = ("brings in for {amount}", "brings in low for {amount}", "brings-in low for {amount}")
REMARKS: Final = (
    "No low hand qualified",
    "Pair on board - a double bet is allowed",
    "All players have agreed to skip the break. Game resuming.",
    "The deck is reshuffled",
)
"""Lines without an event of their own: their words are kept and written again."""

_STREETS: Final = ("Flop", "Turn", "River")
SILENT_ENDINGS: Final = frozenset(
    ending[-10:]
    for ending in (
        *("folded (didn't bet)", "folded before the Draw", "folded in the first round"),
        *(f"folded {preposition} {street}" for preposition in ("before", "on", "on the") for street in _STREETS),
        *(f"folded {preposition} {ordinal} Street" for preposition in ("on", "on the") for ordinal in STUD_STREETS),
        *(f"folded after the {ordinal} Draw" for ordinal in ("1st", "2nd", "3rd")),
        *(f"folded on the {street} (timeout)" for street in _STREETS),
    )
)
"""The endings of summary lines that add nothing to the actions."""
