"""The words of GGPoker's notation: games, limits, and what its text records whenever it happens."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import Witness

VENUE: Final = "GGPoker"

HEADS: Final = ("Poker Hand #", "GGPoker Hand #")

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.RUNS
    | Witness.BLIND_AMOUNTS
)
"""No clocks, no presence, no connections, no pots apart: GGPoker's text is silent about them."""

FAST: Final = "RC"
"""How hands of Rush & Cash are numbered."""

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    (" no limit", "no-limit"),
    (" pot limit", "pot-limit"),
    (" fixed limit", "limit"),
    (" limit", "limit"),
    (" (nl postflop)", "no-limit"),
)

NO_LIMIT_AFTER_THE_FLOP: Final = " (nl postflop)"

_HI_LO: Final = (" hi/lo", " hi-lo", " hilo", "-8", " 8")
_SIZES: Final = {4: "", 5: "5", 6: "6"}


def _omaha() -> dict[str, tuple[str, Betting]]:
    games: dict[str, tuple[str, Betting]] = {}
    for cards, size in _SIZES.items():
        names = [f"{short}{mark}{cards}" for short in ("omaha", "plo") for mark in ("-", " ", "")]
        names += [f"{cards}{mark}card {short}" for short in ("omaha", "plo") for mark in ("-", " ")]
        if cards == 4:
            names += ["omaha", "plo"]
        for name in names:
            games[name] = (f"omaha{size}", "pot-limit")
            low = f"omaha{size}-8" if size else "omaha8"
            for ending in _HI_LO:
                games[name + ending] = (low, "pot-limit")
    return games


GAMES: Final[dict[str, tuple[str, Betting]]] = {
    "hold'em": ("holdem", "no-limit"),
    "holdem": ("holdem", "no-limit"),
    "texas hold'em": ("holdem", "no-limit"),
    "nlh": ("holdem", "no-limit"),
    "aof hold'em": ("holdem", "no-limit"),
    "all-in or fold hold'em": ("holdem", "no-limit"),
    "shortdeck": ("short-deck", "no-limit"),
    "short deck": ("short-deck", "no-limit"),
    "short deck hold'em": ("short-deck", "no-limit"),
    "6+ hold'em": ("short-deck", "no-limit"),
    **_omaha(),
}
"""A game as the text names it, small letters, without its limit → its variant, and the limit if none is named."""

BY_LENGTH: Final = tuple(sorted(GAMES, key=len, reverse=True))
