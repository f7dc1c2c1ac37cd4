"""Whether hands are missing just before a hand, as cheaply as it can be told."""

from __future__ import annotations

from ledger.table.carry import fitted
from ledger.table.events import HandPlayed
from ledger.table.state import TableState


def has_gap(state: TableState, hand: HandPlayed) -> bool:
    """Whether hands are missing just before `hand`."""
    return not (state.last is None and state.former is None) and fitted(state, hand).gap is not None


def gap(state: TableState, hand: HandPlayed | None) -> str:
    """Say which hands are missing before `hand`, or before the coming one; "" = none are."""
    told = state.open_gap
    if hand is None:
        if told is None:
            return ""
        return f"hands are missing after hand {told.after}; no later hand is on record"
    if state.last is None and state.former is None:
        return ""
    found = fitted(state, hand).gap
    if found is None:
        return ""
    count = f"{found.count} hands" if found.count and found.count > 1 else "hands"
    return (
        f"{count} may be missing between hand {found.after} and hand {hand.number}"
        if (found.how in ("stacks", "players", "order"))
        else f"{count} are missing between hand {found.after} and hand {hand.number}"
    )
