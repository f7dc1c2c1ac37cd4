"""The words of the Merge network's files: games, rounds, cards."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.vocabulary import Street, Witness

VENUE: Final = "Merge"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.POTS
    | Witness.DISCARDS
    | Witness.CHAT
    | Witness.CONNECTIONS
)
"""What the files record whenever it happens.

`TIMES` is added where every event has its own moment, `OWN_CARDS` where the file's owner plays,
`BLIND_AMOUNTS` where the stakes are blinds. Rake is told nowhere, and returned bets not always.
"""

GAMES: Final[dict[str, str]] = {
    "Holdem": "holdem",
    "Omaha": "omaha",
    "Omaha H/L8": "omaha8",
    "7-Stud": "stud",
    "7-Stud H/L8": "stud8",
    "5-Stud": "stud5",
    "Razz": "razz",
    "5-Draw": "draw5",
    "5-Draw w/Joker": "draw5",
    "2-7 Lowball": "triple-27",
    "A-5 Lowball": "triple-a5",
    "Badugi": "badugi",
}
"""A game as the description names it → its variant. `stud5` is told; nothing replays it yet."""

MIXED: Final = frozenset(("HORSE", "HOSE", "SHOE", "HO", "HA", "HAR", "RASH", "HOE", "8-Game", "Mixed"))
"""Descriptions of several games: a hand's `multigametype` says which it is."""

NUMBERED: Final[dict[str, str]] = {
    **dict.fromkeys(("1", "2", "23"), "holdem"),
    **dict.fromkeys(("4", "9"), "omaha"),
    **dict.fromkeys(("34", "35", "37"), "omaha8"),
    **dict.fromkeys(("38", "39", "41", "42"), "stud"),
    **dict.fromkeys(("43", "45"), "stud8"),
    **dict.fromkeys(("46", "47", "49"), "razz"),
    "55": "draw5",
    "63": "triple-a5",
    "67": "triple-27",
    "71": "badugi",
}
"""`gametype` and `multigametype` → variant."""

STUD: Final = frozenset(("stud", "stud8", "razz", "stud5"))
DRAW: Final = frozenset(("draw5", "triple-27", "triple-a5", "badugi"))

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("No Limit", "no-limit"),
    ("Half Pot Limit", "pot-limit"),
    ("Pot Limit", "pot-limit"),
    ("Limit", "limit"),
)
"""How `stakes` begins. No word of ours is for half the pot: `GameSet.written` keeps it."""

BOARDS: Final[dict[str, tuple[Street, int, int]]] = {
    "POSTFLOP": ("flop", 0, 3),
    "POSTTURN": ("turn", 3, 4),
    "POSTRIVER": ("river", 4, 5),
}
"""A round → its street, and which cards of the whole board come with it."""

STREETS: Final[dict[str, Street]] = {
    "FOURTH_STREET": "fourth",
    "FIFTH_STREET": "fifth",
    "SIXTH_STREET": "sixth",
    "SEVENTH_STREET": "seventh",
    "FIRST_DRAW": "first-draw",
    "SECOND_DRAW": "second-draw",
    "THIRD_DRAW": "third-draw",
}
"""A round with which a street of stud or a draw begins → that street."""

FIRST: Final = frozenset(("BLINDS", "PREFLOP", "BRING_IN", "THIRD_STREET", "PRE_FIRST_DRAW"))
"""Rounds in which everybody who is dealt in has something to do."""

LATER: Final = frozenset(
    ("POST_FIRST_DRAW", "POST_SECOND_DRAW", "POST_THIRD_DRAW", "END_OF_FOLDED_GAME", "END_OF_GAME", "GAME_CANCELLED")
)
"""Rounds that begin nothing by themselves."""

ADDED_BEFORE: Final = "20100908"
"""Files of days before this one write with a raise the chips added, later ones the street's total."""

read_cards: Final = reader({**KNOWN, **unknown("null", "", "??")})
"""Returns `Ah Kd` as cards; None where one of them is no card."""

_KEPT: Final = 20_000
_memory: dict[str, list[str] | None] = {}


def cards(text: str) -> list[str] | None:
    """Return the cards of `null,null,7s` or `,,7s` one by one, `??` for those that nobody saw.

    None where one of them is no card.
    """
    if text in _memory:
        return _memory[text]
    found: list[str] | None = []
    for word in text.split(","):
        card = read_cards(word.strip() or "??")
        found = None if card is None or found is None else [*found, card]
    if len(_memory) > _KEPT:
        _memory.clear()
    _memory[text] = found
    return found
