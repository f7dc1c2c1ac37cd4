"""The words of Bovada's notation: rooms, games, and the lines that mean the same each time."""

from __future__ import annotations

from typing import Final

from ledger.readers import games
from ledger.vocabulary import Street, Witness

ROOMS: Final = ("Bovada", "Bodog", "Ignition", "Joe Fortune", "JoeFortune", "Cafe Casino", "Slots.lv")
"""Skins of one network; `Bodog.eu`, `Bodog.com` and `Bodog88` begin like Bodog."""

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
    | Witness.RETURNED_BETS
    | Witness.CLOCKS
)
"""What the text records whenever it happens.

Who sits down, leaves or sits out is told as well, but mostly without saying who it was: no witness.
`ALL_CARDS` is added where every seat's cards are told, `DROP` and `BLIND_AMOUNTS` where they are.
"""

GAMES: Final = games.FLOP | {"omaha5", "omaha6", "stud", "stud8"}
STUD: Final = frozenset(("stud", "stud8"))
HI_LO: Final = frozenset(("omaha8", "stud8"))

INFO: Final = ("Table Info:", "Seating Info:", "Player Info:")
"""Lines of newer files about the table: their words are kept."""

NEXT_BOARD: Final[dict[Street, tuple[Street, int, int]]] = {
    "preflop": ("flop", 0, 3),
    "flop": ("turn", 3, 4),
    "turn": ("river", 4, 5),
}
"""The street that follows, and which cards of the board it brings."""

STUD_STREETS: Final[dict[Street, Street]] = {"third": "fourth", "fourth": "fifth", "fifth": "sixth", "sixth": "seventh"}
STUD_HEADINGS: Final = frozenset(("*** 4TH STREET ***", "*** 5TH STREET ***", "*** 6TH STREET ***", "*** RIVER ***"))
"""What stands above cards of stud, where anything does; the street begins with the first card dealt twice."""
STUD_UPS: Final[dict[Street, str]] = {"third": "ddu", "fourth": "u", "fifth": "u", "sixth": "u", "seventh": "d"}
