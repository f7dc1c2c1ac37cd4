"""The closed lists of the notation: what a line begins with, the games, what the logs record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import Chips, Street, Witness

VENUE: Final = "ACPC"
STATE: Final = "STATE:"
MESSAGE: Final = "MATCHSTATE:"

WITNESSES: Final = int(Witness.BUTTON | Witness.BLIND_POSITIONS | Witness.ACTS | Witness.BOARD | Witness.ALL_CARDS)
"""What a STATE line records whenever it happens. Blinds and stacks are the game's, not the line's."""

MESSAGE_WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.BLIND_POSITIONS
    | Witness.ACTS
    | Witness.BOARD
    | Witness.ALL_CARDS
    | Witness.SHOWDOWN
    | Witness.TIMES
)
"""The same of the messages between dealer and players; one side's messages alone show no `ALL_CARDS`."""

STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")
BOARD_SIZES: Final = (0, 6, 2, 2)
"""Characters of the cards that each street brings."""

PLAYERS_MOST: Final = 10


@dataclass(frozen=True, slots=True)
class Structure:
    """A game as its definition file has it: players are told by position, the first deals last."""

    betting: Betting
    blinds: tuple[Chips, ...]  # by position
    bets: tuple[Chips, ...]  # limit: small and big bet
    stack: Chips | None  # each hand begins with it; None = as many chips as are needed
    button: int  # position

    @property
    def first(self) -> int:
        """Position that acts first before the flop: the one behind the big blind."""
        return (self.blinds.index(max(self.blinds)) + 1) % len(self.blinds)


@lru_cache(maxsize=64)
def structure(players: int, *, no_limit: bool, reverse: bool = True) -> Structure:
    """Return the competition's game for so many players.

    `reverse`: of two players the button posts the small blind, as it has been since 2008.
    """
    small, big = (50, 100) if no_limit else (5, 10)
    if players == 2 and reverse:
        blinds: tuple[Chips, ...] = (big, small)
    else:
        blinds = (small, big, *(0,) * (players - 2))
    if not no_limit:
        return Structure("limit", blinds, (10, 20), None, players - 1)
    stack = 20_000 if players <= 3 else 10_000  # Pluribus' six players had a hundred big blinds
    return Structure("no-limit", blinds, (), stack, players - 1)
