"""The basic types: seats, chips, cards, streets, roles, and what sources record."""

from __future__ import annotations

import re
from enum import IntFlag
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

Seat: TypeAlias = int
"""A chair at a table, 1 at the dealer's left and upwards clockwise."""

Chips: TypeAlias = int
"""An amount in the table's smallest unit (`GameSet.unit`, `GameSet.exponent`). Never a float."""

ChipCount: TypeAlias = Annotated[int, Meta(ge=0)]
"""Chips that somebody counted or handed over, in the table's smallest unit: never negative."""

Cents: TypeAlias = Annotated[int, Meta(ge=0)]
"""Money of a tournament, in hundredths of its currency: never negative."""

Rank: TypeAlias = Annotated[int, Meta(ge=1)]
"""A place in a tournament: 1 is the winner's."""

Cards: TypeAlias = str
"""Cards written without blanks.

Each is a known card (`Ah`, rank then suit), an unknown one (`??`), a joker (`Jk`), or a hidden card that can be opened
later (`{64 hex digits}`, a salted SHA-256).
"""

PlayerId: TypeAlias = str
"""An opaque person: 16 characters of URL-safe base64, a keyed hash of venue and name."""

TextRef: TypeAlias = str
"""Free text, which may name people, kept in the erasable vault: `t` and 16 characters. "" is no text."""

Millis: TypeAlias = int
"""A moment: milliseconds since 1970-01-01 in UTC."""

Street: TypeAlias = Literal[
    "preflop",
    "flop",
    "turn",
    "river",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "first-draw",
    "second-draw",
    "third-draw",
    "showdown",
]

Role: TypeAlias = Literal[
    "dealer",
    "player",
    "floor",
    "shift-manager",
    "manager",
    "surveillance",
    "auditor",
    "host",
    "house",
    "software",
    "regulator",
    "unknown",
]
"""The capacity in which a person acted or recorded something."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
UNKNOWN_CARD: Final = "??"
JOKER: Final = "Jk"

_CARD = re.compile(r"[2-9TJQKA][cdhs]|\?\?|Jk|\{[0-9a-f]{64}\}")


def split_cards(cards: Cards) -> list[str]:
    """Split `cards` into single cards. Raise `ValueError` if a part isn't a card.

    >>> split_cards("AhKd??")
    ['Ah', 'Kd', '??']
    """
    if "{" not in cards:
        single = [cards[start : start + 2] for start in range(0, len(cards), 2)]
        if _SINGLE.issuperset(single):
            return single
        raise ValueError(f"not cards: {cards!r}")
    all_cards = _CARD.findall(cards)
    if "".join(all_cards) != cards:
        raise ValueError(f"not cards: {cards!r}")
    return all_cards


_SINGLE: Final = frozenset((*DECK, UNKNOWN_CARD, JOKER))


MAX_SHOWN_DECIMALS: Final = 18
"""No currency has more decimals. The power of ten of a damaged exponent could fill the memory."""


def in_units(chips: Chips, exponent: int) -> str:
    """Return an amount in whole units, each 10^exponent of the smallest unit, with all decimals or none.

    >>> in_units(1250, 2), in_units(1200, 2), in_units(-50, 2), in_units(5, 0)
    ('12.50', '12', '-0.50', '5')
    """
    decimals = shown_decimals(exponent)
    if not decimals:
        return str(chips)
    units, fraction = divmod(abs(chips), 10**decimals)
    minus = "-" if chips < 0 else ""
    return f"{minus}{units}.{fraction:0{decimals}}" if fraction else f"{minus}{units}"


def shown_decimals(exponent: int) -> int:
    """Return how many decimals to show, limited to 0 to 18, since an event may be damaged or forged.

    >>> shown_decimals(2), shown_decimals(-3), shown_decimals(10**12)
    (2, 0, 18)
    """
    return min(max(exponent, 0), MAX_SHOWN_DECIMALS)


class Witness(IntFlag):
    """The facts that a source records whenever they happen. A bit never changes its meaning.

    If a source doesn't record a kind of fact, its silence proves nothing.
    """

    BUTTON = 1 << 0  # where the button lies
    BLIND_POSITIONS = 1 << 1  # small and big blind positions, empty ones too
    POSTS = 1 << 2  # every blind, straddle and make-up, with its amount
    POST_LIVENESS = 1 << 3  # which part of a post is live and which dead
    POST_REASONS = 1 << 4  # why a due post was not made
    ANTES = 1 << 5
    STACKS_BEFORE = 1 << 6
    STACKS_AFTER = 1 << 7
    ACTS = 1 << 8  # folds, checks, calls, bets, raises, in the order in which they were made
    MOTIONS = 1 << 9  # the single movements of chips, their chips and order
    WORDS = 1 << 10  # what players declare
    BOARD = 1 << 11
    BURNS = 1 << 12
    DEAL_ORDER = 1 << 13  # each card's place in the deck and who got it
    OWN_CARDS = 1 << 14  # the hole cards of one player
    ALL_CARDS = 1 << 15  # the hole cards of all
    EXPOSED_CARDS = 1 << 16
    DEAL_ERRORS = 1 << 17  # extra, boxed, replaced and returned cards, jokers, misdeals
    SHUFFLES = 1 << 18  # shuffles and cuts during a hand
    LOOKS = 1 << 19  # a player looking at the cards
    ERRORS_NOTICED = 1 << 20  # when somebody noticed an error
    PERMISSIONS = 1 << 21  # permissions and agreements, with who gave them
    SHOWDOWN = 1 << 22  # hands shown, mucked, turned down
    BOARD_PLAYS = 1 << 23  # "I play the board", by word or gesture
    HAND_KILLS = 1 << 24
    AWARDS = 1 << 25  # who was paid what
    POTS = 1 << 26  # which pot, run or half an award comes from
    DROP = 1 << 27  # rake and jackpot
    RETURNED_BETS = 1 << 28
    ROUND_ENDS = 1 << 29  # the closing of a betting round as an event of its own
    TIMES = 1 << 30  # when each act was made
    CLOCKS = 1 << 31  # time-outs, clocks called, time banks
    PRESENCE = 1 << 32  # who is away, out, waiting
    IN_ROOM = 1 << 33  # whether an absent player is in the room; requests to be dealt out
    SEATING = 1 << 34  # seats taken, left and moved
    ORIGINS = 1 << 35  # where a new player comes from
    CHIP_PURCHASES = 1 << 36
    MARKERS = 1 << 37  # missed-blind markers
    GAME_STARTS = 1 << 38  # new games, draws for the button, seating method, dealer box
    HOUSE_OPTIONS = 1 << 39  # the room's options: straddles, smallest chip, entry posts
    RUNS = 1 << 40  # several runs or boards
    CONNECTIONS = 1 << 41
    BLIND_AMOUNTS = 1 << 42  # the structure's blinds, not only those that were posted
    MISSING_HANDS = 1 << 43  # a gap in hand numbers means a missing hand
    DISCARDS = 1 << 44
    CHAT = 1 << 45
    WRITTEN_BUTTON = 1 << 46  # a written button is a fact, though not every hand has one

    @classmethod
    def from_names(cls, *lines: str) -> int:
        """Return the bits of these names, given as lines of names with blanks in between.

        >>> Witness.from_names("BUTTON BLIND_POSITIONS POSTS")
        7
        """
        return sum({int(cls[name]) for line in lines for name in line.split()})


def list_witness_names(witnesses: int) -> list[str]:
    """Return the names of these kinds of fact, in lower case with hyphens, in bit order."""
    return [w.name.lower().replace("_", "-") for w in Witness if w & witnesses and w.name]


def parse_witness_names(names: list[str]) -> Witness:
    """Return the set with these names (as in `list_witness_names`). Raise `KeyError` for an unknown name."""
    witnesses = Witness(0)
    for name in names:
        witnesses |= Witness[name.upper().replace("-", "_")]
    return witnesses
