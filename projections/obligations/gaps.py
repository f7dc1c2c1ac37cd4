"""Whether hands are missing just before a hand, as cheaply as it can be told."""

from __future__ import annotations

from typing import Final

from ledger.table.carry import as_number, continuity, gap_before
from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from ledger.vocabulary import Witness

_MISSING: Final = int(Witness.MISSING_HANDS)


def gap(state: TableState, hand: HandPlayed | None) -> str:
    """Say which hands are missing before `hand`, or before the coming one; "" = none are."""
    last = state.last
    told = state.open_gap
    if hand is None:
        if told is None:
            return ""
        return f"hands are missing after hand {told.after}; no later hand is on record"
    if last is None:
        return ""
    if told is None and _follows(state, last, hand):
        return ""
    found = gap_before(state, hand, continuity(state, hand))
    if found is None:
        return ""
    count = f"{found.count} hands" if found.count and found.count > 1 else "hands"
    return f"{count} may be missing between hand {found.after} and hand {hand.number}" if (
        found.how in ("stacks", "players")
    ) else f"{count} are missing between hand {found.after} and hand {hand.number}"  # fmt: skip


def _follows(state: TableState, last: HandPlayed, hand: HandPlayed) -> bool:
    """Whether nothing hints at a gap; the doubtful cases are looked at in full."""
    if hand.witnesses & last.witnesses & _MISSING:
        before, after = as_number(last.number), as_number(hand.number)
        if before is not None and after is not None:
            return after == before + 1
    seats = state.seats
    for one in hand.dealt_in:
        held = seats.get(one.seat)
        if held is None or held.player != one.player:
            return False
        if one.before is not None and held.stack is not None and one.before != held.stack:
            return False
    return len(hand.dealt_in) == len(last.dealt_in)
