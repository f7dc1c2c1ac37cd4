"""What kinds of sources witness, by name: one place for the sets of `Witness` bits."""

from __future__ import annotations

from typing import Final

from ledger.vocabulary import Witness, witness_names, witnesses_of

_BETTING: Final = (
    Witness.BUTTON
    | Witness.BLIND_POSITIONS
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.BLIND_AMOUNTS
)

_AT_TABLE: Final = (
    _BETTING
    | Witness.POST_REASONS
    | Witness.BURNS
    | Witness.EXPOSED_CARDS
    | Witness.DEAL_ERRORS
    | Witness.SHUFFLES
    | Witness.ERRORS_NOTICED
    | Witness.PERMISSIONS
    | Witness.BOARD_PLAYS
    | Witness.HAND_KILLS
    | Witness.POTS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.PRESENCE
    | Witness.SEATING
    | Witness.CHIP_PURCHASES
    | Witness.MARKERS
    | Witness.GAME_STARTS
    | Witness.HOUSE_OPTIONS
    | Witness.RUNS
)

PROFILES: Final[dict[str, Witness]] = {
    "live-table": _AT_TABLE
    | Witness.MOTIONS
    | Witness.WORDS
    | Witness.IN_ROOM
    | Witness.ORIGINS
    | Witness.MISSING_HANDS
    | Witness.DISCARDS,
    "dealer-notes": _BETTING | Witness.DEAL_ERRORS | Witness.DROP | Witness.POTS,
    "floor-form": Witness.BUTTON
    | Witness.BLIND_POSITIONS
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.POST_REASONS
    | Witness.ERRORS_NOTICED
    | Witness.PERMISSIONS
    | Witness.PRESENCE
    | Witness.SEATING
    | Witness.BLIND_AMOUNTS,
    "online-room": _BETTING
    | Witness.OWN_CARDS
    | Witness.POTS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.PRESENCE
    | Witness.SEATING
    | Witness.CONNECTIONS
    | Witness.CLOCKS
    | Witness.CHAT
    | Witness.RUNS
    | Witness.DISCARDS,
    "everything": ~Witness(0),
}
"""`live-table`: a recorder sits beside the dealer. `dealer-notes`: what a dealer jots down.
`floor-form`: who sat, what was posted, what went wrong. `online-room`: what a room's file tells."""


ALL, EXCEPT, NONE = "all", "except", "none"
WITNESS_WORDS: Final = (*PROFILES, ALL, EXCEPT, NONE, *witness_names(~Witness(0)))
"""What may stand after `witness`."""


def read_witnesses(names: list[str]) -> int:
    """Return the set named by profiles and single kinds, `all`, and less what stands behind `except`.

    `KeyError` holds a name nobody knows.
    """
    at = names.index(EXCEPT) if EXCEPT in names else len(names)
    found = 0
    for name in names[:at]:
        found |= _named(name)
    for name in names[at + 1 :]:
        found &= ~_named(name)
    return found


def _named(name: str) -> int:
    if name == ALL:
        return int(PROFILES["everything"])
    if name in PROFILES:
        return int(PROFILES[name])
    return 0 if name == NONE else int(witnesses_of([name]))


def write_witnesses(witnesses: int) -> list[str] | None:
    """Return the names of a set: a profile's if it is exactly that; None if it has unknown bits."""
    for name, profile in PROFILES.items():
        if witnesses == profile:
            return [name]
    if witnesses & ~int(PROFILES["everything"]):
        return None
    return witness_names(witnesses) or ["none"]
