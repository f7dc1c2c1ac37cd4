"""What lies before the first hand of a record, or in a hole of it, and is known of nobody."""

from __future__ import annotations

from projections.obligations.stakes import ROLES
from projections.obligations.tab import Tab


def before(tab: Tab, hand: str, *, named: bool) -> None:
    """Take it that blinds may have gone past a player who gets no cards on the first hand on record.

    `named`: the hand, or somebody's word, says that the player is there and gets none.
    """
    if tab.missed and all(not one.hand for one in tab.missed):
        return  # markers tell what went past
    tab.perhaps = frozenset(ROLES)
    tab.unsure, tab.doubt = "", None
    if not named:
        tab.unsure = tab.doubt = (
            f"whether the player of seat {tab.seat} sat out on hand {hand}, or had left before it"
        )
