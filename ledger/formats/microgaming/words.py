"""The words of Microgaming's files: games, limits, cards, names in base64."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Final

from ledger.hand.opening import Betting
from ledger.readers.cards import KNOWN
from ledger.vocabulary import Street, Witness

VENUE: Final = "Microgaming"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.STACKS_AFTER
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.POTS
)
"""What the files record whenever it happens.

`BLIND_AMOUNTS` is added where the stakes are blinds, `OWN_CARDS` where the file's owner plays,
`DROP` where a hand tells its rake. Returned bets are told only by newer files.
"""

GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "texas hold'em": "holdem",
    "omaha": "omaha",
    "omaha hi": "omaha",
    "omaha h/l": "omaha8",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
    "5 card omaha": "omaha5",
}
"""A game as it is named, small letters, without the kind of tournament before it → its variant."""

KINDS: Final = ("multi table ", "single table ", "sit & go ", "sit and go ", "mtt ", "stt ")
"""What stands before a game's name in tournaments."""

LIMITS: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}

BOARDS: Final[dict[str, Street]] = {"DealFlop": "flop", "DealTurn": "turn", "DealRiver": "river"}

_LOST: Final = frozenset("?\ufffd")
_TEXT_MOST: Final = 400


def card(value: str, suit: str) -> str | None:
    """Return a card from its value and suit, None if it is none."""
    return KNOWN.get(value.strip().upper() + suit.strip().lower())


def unpacked(packed: str) -> str:
    """Return a text that is UTF-16 in base64, "" if it is none."""
    if not packed or len(packed) > _TEXT_MOST:
        return ""
    try:
        return b64decode(packed, validate=True).decode("utf-16-le").strip()
    except (binascii.Error, ValueError):
        return ""


def named(plain: str, packed: str) -> str:
    """Return a name: as it is written, unless letters of it are lost and base64 has them."""
    if plain and not _LOST & set(plain):
        return plain
    return unpacked(packed) or plain
