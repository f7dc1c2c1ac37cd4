"""Gaps in the record: hands that are missing just before a hand."""

from __future__ import annotations

from ledger.table.carry import fit_hand
from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from projections.sentences import unknowns


def has_gap(state: TableState, hand: HandPlayed) -> bool:
    """Whether hands are missing just before `hand`."""
    return not (state.last_hand is None and state.former_game_hand is None) and fit_hand(state, hand).gap is not None


def describe_gap(state: TableState, hand: HandPlayed | None) -> str:
    """Return a sentence on the hands that are missing before `hand`, or "" if none are. `hand`: None = the coming hand."""
    open_gap = state.open_gap
    if hand is None:
        if open_gap is None:
            return ""
        return unknowns.hands_missing_after(open_gap.after)
    if state.last_hand is None and state.former_game_hand is None:
        return ""
    missing = fit_hand(state, hand).gap
    if missing is None:
        return ""
    if missing.how == "numbers" and missing.count is None:
        return unknowns.numbers_start_over(hand.number)
    is_certain = missing.how not in ("stacks", "players", "order")
    return unknowns.hands_missing(missing.after, hand.number, missing.count or 0, is_certain=is_certain)
