"""Named sets of `Witness` bits for kinds of sources."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ledger.vocabulary import Witness, list_witness_names, parse_witness_names

_BETTING_KINDS: Final = """BUTTON BLIND_POSITIONS POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS
BLIND_AMOUNTS"""
_TABLE_KINDS: Final = """POST_REASONS BURNS EXPOSED_CARDS DEAL_ERRORS SHUFFLES ERRORS_NOTICED PERMISSIONS BOARD_PLAYS
HAND_KILLS POTS DROP RETURNED_BETS PRESENCE SEATING CHIP_PURCHASES MARKERS GAME_STARTS HOUSE_OPTIONS RUNS"""
_VISIBLE_KINDS: Final = "MOTIONS WORDS IN_ROOM ORIGINS MISSING_HANDS DISCARDS"
_FORM_KINDS: Final = """BUTTON BLIND_POSITIONS POSTS POST_LIVENESS POST_REASONS ERRORS_NOTICED PERMISSIONS PRESENCE SEATING
BLIND_AMOUNTS"""
_ONLINE_KINDS: Final = "OWN_CARDS POTS DROP RETURNED_BETS PRESENCE SEATING CONNECTIONS CLOCKS CHAT RUNS DISCARDS"

PROFILES: Final[dict[str, int]] = {
    "live-table": Witness.from_names(_BETTING_KINDS, _TABLE_KINDS, _VISIBLE_KINDS),
    "dealer-notes": Witness.from_names(_BETTING_KINDS, "DEAL_ERRORS DROP POTS"),
    "floor-form": Witness.from_names(_FORM_KINDS),
    "online-room": Witness.from_names(_BETTING_KINDS, _ONLINE_KINDS),
    "everything": int(
        ~Witness(0) & ~Witness.WRITTEN_BUTTON
    ),  # a source that records every button needs no derived ones
}
"""`live-table`: a recorder next to the dealer. `dealer-notes`: a dealer's notes.
`floor-form`: who sat, posts, and irregularities. `online-room`: a room's file."""


ALL, EXCEPT, NONE = "all", "except", "none"
WITNESS_WORDS: Final = (*PROFILES, ALL, EXCEPT, NONE, *list_witness_names(~Witness(0)))
"""The words that may follow `witness`."""

_PLAY_KINDS: Final = Witness.from_names("POSTS ACTS BOARD SHOWDOWN AWARDS")
_EITHER_BUTTON: Final = Witness.from_names("BUTTON WRITTEN_BUTTON")


@lru_cache(maxsize=1000)
def read_witnesses(*names: str) -> int:
    """Return the set of the named profiles and kinds, or `all`, without those after `except`.

    A list with play but without a button trusts a written button, unless it excludes the button.
    Raise `KeyError` with an unknown name.
    """
    except_index = names.index(EXCEPT) if EXCEPT in names else len(names)
    witnesses = excepted = 0
    for name in names[:except_index]:
        witnesses |= _find_kinds(name)
    for name in names[except_index + 1 :]:
        excepted |= _find_kinds(name)
    if excepted & _EITHER_BUTTON:
        return witnesses & ~excepted & ~Witness.WRITTEN_BUTTON
    witnesses &= ~excepted
    return witnesses | Witness.WRITTEN_BUTTON if _leaves_button_open(witnesses) else witnesses


def _leaves_button_open(witnesses: int) -> bool:
    """Whether a set has play but no button."""
    return bool(witnesses & _PLAY_KINDS) and not witnesses & _EITHER_BUTTON


def names_written_button(names: str) -> bool:
    """Whether a list separated by commas names `written-button` explicitly. A number is always explicit."""
    (name,) = list_witness_names(Witness.WRITTEN_BUTTON)
    return names.removeprefix("-").isdigit() or name in names.split(",")


def _find_kinds(name: str) -> int:
    if name == ALL:
        return PROFILES["everything"]
    if name in PROFILES:
        return PROFILES[name]
    return 0 if name == NONE else int(parse_witness_names([name]))


def write_witnesses(witnesses: int) -> list[str] | None:
    """Return the names of a set, a profile's name if it is equal, or None if it has unknown bits."""
    for name, profile in PROFILES.items():
        if witnesses == profile:
            return [name]
    if witnesses & ~int(~Witness(0)):
        return None
    names = list_witness_names(witnesses) or [NONE]
    return [*names, EXCEPT, "button"] if _leaves_button_open(witnesses) else names
