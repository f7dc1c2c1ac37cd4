"""The closed lists of the IGT network's records: games, limits, cards, members, what they witness."""

from __future__ import annotations

from typing import Any, Final

from ledger.hand.ending import Half
from ledger.hand.opening import Betting, NotDealtIn
from ledger.vocabulary import RANKS, UNKNOWN_CARD, Cards, Street, Witness

VENUE: Final = "IGT"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.STACKS_AFTER
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.TIMES
)
"""What the records hold whenever it happens.

`OWN_CARDS` is added where somebody's cards are known from the deal, `BLIND_AMOUNTS` where the
stakes are told.
"""

GAMES: Final[dict[str, str]] = {
    "GAME_THM": "holdem",
    "TEXASHOLDEM": "holdem",
    "HOLDEM": "holdem",
    "GAME_OMA": "omaha",
    "GAME_OMATU": "omaha",
    "OMAHA": "omaha",
    "GAME_OMAHL": "omaha8",
    "OMAHAHILO": "omaha8",
    "GAME_FCD": "draw5",
    "FIVECARDDRAW": "draw5",
}
"""`game`, else `gameType` → variant. Seen are Omaha and its hi/lo; the others are the network's older names."""

LIMITS: Final[dict[str, Betting]] = {
    "nolimit": "no-limit",
    "nl": "no-limit",
    "potlimit": "pot-limit",
    "pl": "pot-limit",
    "fixedlimit": "limit",
    "limit": "limit",
    "fl": "limit",
}
"""`limit`, small letters only → the betting."""

BOARDS: Final[dict[str, tuple[Street, int]]] = {
    "BOARD_FLOP": ("flop", 3),
    "BOARD_TURN": ("turn", 4),
    "BOARD_RIVER": ("river", 5),
}
"""A board's `value` → its street, and how many cards lie there then."""

ABSENT: Final[dict[str, NotDealtIn]] = {
    "STATE_SITOUT": "sitting-out",
    "STATE_SITTINGOUT": "sitting-out",
    "STATE_RESERVED": "reserved",
    "STATE_WAIT": "unknown",
}
"""A player's `state` → why no cards were dealt there."""

EMPTY: Final = "STATE_EMPTY"
HALVES: Final[dict[str, Half]] = {"WINTYPE_HI": "high", "WINTYPE_LO": "low"}
MUCKED: Final = "$(STR_G_MUCK)"

_SUITS: Final = "dchs"
_CARDS: Final[dict[str, str]] = {
    "b": UNKNOWN_CARD,
    **{str(number): RANKS[number % 13] + _SUITS[number // 13] for number in range(52)},
}
"""A card's `link`: a number, from the two up in each suit, or `b` for its back.

The ranks are those of the hands that the records name. No record tells the suits: they are in the
order of the network's older records.
"""

OF_HAND: Final = frozenset(
    (
        "player",
        "action",
        "showDown",
        "id",
        "session",
        "table",
        "game",
        "gameType",
        "gameKind",
        "tableCurrency",
        "limit",
        "date",
        "tableTourneyId",
        "tableRegTicketId",
        "endTime",
        "tableId",
        "handId",
        "rakeId",
        "currentPlayerRegTicketId",
        "anonymous",
        "tournamentTable",
        "stake",
        "small",
        "large",
        "ante",
        "skipPreFlop",
        "bet",
        "pot",
        "win",
        "loss",
    )
)
"""Members of a hand. The last four are sums of the player whose record it is; numbers of tickets and
of the rake's table belong to the operator."""

OF_PLAYER: Final = frozenset(("name", "seat", "state", "dealer", "id", "amount", "bounty", "score"))
OF_ACTION: Final = frozenset(
    (
        "type",
        "kind",
        "date",
        "player",
        "value",
        "bankRoll",
        "card",
        "count",
        "pot",
        "mainpot",
        "leftpot",
        "rightpot",
        "rake",
    )
)
"""Members of an action. Pots and rake of a street follow from the acts, and stand in the end again."""

OF_SHOWDOWN: Final = frozenset(("date", "name", "result", "pot", "mainpot", "leftpot", "rightpot", "rake"))
OF_RESULT: Final = frozenset(
    ("player", "hand", "handExt", "winCard", "winType", "date", "card", "folded", "bankRoll", "win", "score")
)


def cards(value: object) -> Cards | None:
    """Return the cards of `[{"link": "35"}, {"link": "b"}]`; None where one is no card."""
    if not isinstance(value, list):
        return None
    found = [_CARDS.get(_link(one)) for one in value]
    return None if None in found else "".join(filter(None, found))


def _link(one: Any) -> str:  # noqa: ANN401 - a value of JSON
    return str(one.get("link"))[:10] if isinstance(one, dict) else ""


def plain(word: object) -> str:
    """Return a limit as the list above has it: `Pot Limit` is `potlimit`."""
    return "".join([one for one in word.lower() if one.isalpha()]) if isinstance(word, str) else ""
