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
    open_gap = state.open_gap
    if hand is None:
        if open_gap is None:
            return ""
        return f"hands are missing after hand {open_gap.after}; no later hand is on record"
    if state.last is None and state.former is None:
        return ""
    missing = fitted(state, hand).gap
    if missing is None:
        return ""
    if missing.how == "numbers" and missing.count is None:
        return f"the numbers start over at hand {hand.number}: another night, or missing hands"
    count = f"{missing.count} hands" if missing.count and missing.count > 1 else "hands"
    return (
        f"{count} may be missing between hand {missing.after} and hand {hand.number}"
        if (missing.how in ("stacks", "players", "order"))
        else f"{count} are missing between hand {missing.after} and hand {hand.number}"
    )
