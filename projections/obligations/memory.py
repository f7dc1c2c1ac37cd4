"""What a table remembers of each player across hands: entered, took, missed, made up.

Positions ask it who may have the button, debts what each player owes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.table.events import HandPlayed
from ledger.table.order import Told
from ledger.table.state import TableState
from ledger.vocabulary import PlayerId
from projections.obligations.due import Due, Missed


@dataclass(slots=True)
class Tab:
    """What one player has done at this table since sitting down, under one book."""

    established: bool = True  # took a big blind here, or was there when the game or record began
    missed: list[Missed] = field(default_factory=list)  # blinds that went past and stand open
    made_up_between: bool = False  # made up between button and big blind; no button this round
    short_big: bool = False  # posted less than half of the big blind; no button this round
    escaped: list[str] = field(default_factory=list)  # hands whose method moved past a blind
    entered_hand: str = ""  # number of the first hand dealt in after sitting down


class Memory:
    """The tabs of all players of a table, kept up to date event by event."""

    __slots__ = ("tabs",)

    def __init__(self) -> None:
        self.tabs: dict[PlayerId, Tab] = {}

    def of(self, player: PlayerId) -> Tab:
        """Return a player's tab; a player nobody has met owes nothing and is established."""
        return self.tabs.get(player) or _NOBODY

    def between(self, told: Told, state: TableState) -> None:
        """Learn from an event that is no hand, after `state` took it."""

    def take(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Learn from a hand, before `state` takes it; `due` is what belonged on it."""


_NOBODY = Tab()
