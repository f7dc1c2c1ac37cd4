"""The words of the network's two notations: games, limits, cards, streets, and what they record."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Street, Witness

VENUE: Final = "Winning Poker Network"

STARTED_WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.AWARDS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.CLOCKS
    | Witness.PRESENCE
    | Witness.BLIND_AMOUNTS
)
"""The first generation: hands are shown in the summary alone, pots and runs are not told apart."""

NUMBERED_WITNESSES: Final = int(
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
    | Witness.PRESENCE
    | Witness.BLIND_AMOUNTS
)

_GAMES: Final[dict[str, str]] = {
    "holdem": "holdem",
    "texasholdem": "holdem",
    "6+holdem": "short-deck",
    "sixplusholdem": "short-deck",
    "shortdeck": "short-deck",
    "shortdeckholdem": "short-deck",
    "omaha": "omaha",
    "omaha4": "omaha",
    "omaha5": "omaha5",
    "5cardomaha": "omaha5",
    "omaha6": "omaha6",
    "6cardomaha": "omaha6",
    "7stud": "stud",
    "7cardstud": "stud",
    "sevencardstud": "stud",
    "sevencardsstud": "stud",
    "razz": "razz",
}
_HI_LO: Final = ("h/l", "hi/lo", "hilow", "hilo", "hi-lo", "8")
_LOW: Final = {"omaha": "omaha8", "omaha5": "omaha5-8", "omaha6": "omaha6-8", "stud": "stud8"}

STUD: Final = frozenset(("stud", "stud8", "razz"))

LIMITS: Final[dict[str, Betting]] = {
    "no limit": "no-limit",
    "pot limit": "pot-limit",
    "fixed limit": "limit",
    "limit": "limit",
}

BOARD_STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}

LATER_STREETS: Final[dict[str, Street]] = {
    "Third street": "fourth",
    "Fourth street": "fifth",
    "Fifth street": "sixth",
    "Sixth street": "seventh",
}
"""The first generation names a street of stud by the one that ends before it."""

NAMED_STREETS: Final[dict[str, Street]] = {
    "4th STREET": "fourth",
    "5th STREET": "fifth",
    "6th STREET": "sixth",
    "7th STREET": "seventh",
}

read_cards: Final = reader({**KNOWN, **unknown("-", "X", "XX", "x", "xx", "??")})
"""Returns `10h Kd` as cards; None where one of them is no card."""


_NOTE: Final = " *** "


def without_note(written: str) -> tuple[str, str]:
    """Part a moment from what a tracker notes behind it (`*** Summary: …, TournamentId: 12, …`).

    Returns the moment as the room wrote it, and the tournament's number, "" if none is noted.
    """
    moment, _, note = written.partition(_NOTE)
    number = note.partition("TournamentId: ")[2].partition(",")[0].strip()
    known = number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER
    return moment.strip(), number if known else ""


_LONGEST_NUMBER: Final = 24


def variant(name: str) -> str | None:
    """Return the variant of a game by its name: `Hold'em`, `Omaha HiLow`, `7Stud H/L`; None if unknown."""
    low = "".join(name.lower().replace("'", "").replace("`", "").split())
    found = _GAMES.get(low)
    if found is not None:
        return found
    for ending in _HI_LO:
        if low.endswith(ending):
            return _LOW.get(_GAMES.get(low[: -len(ending)], ""))
    return None
