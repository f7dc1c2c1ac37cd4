"""Bomb pots: everybody antes, and the betting begins on the flop."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.opening import AntePosted, OptionSet

BOMB_POT: Final = OptionSet("other", "bomb pot")
"""What a line that names a bomb pot tells; `settle` says of how many chips."""


def settle(events: list[Event]) -> None:
    """Make the antes of a hand those of its bomb pot, and its option their chips."""
    antes = [event.amount for event in events if isinstance(event, AntePosted)]
    for index, event in enumerate(events):
        if isinstance(event, AntePosted):
            events[index] = replace(event, kind="bomb-pot")
        elif antes and event == BOMB_POT:
            events[index] = OptionSet("bomb-pot", max(antes))
