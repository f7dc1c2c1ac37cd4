"""Fixed limits in a recorded hand: what each act of a round could raise to."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.acts import Act
from ledger.hand.limit_steps import HALF, LimitSteps, first_steps
from ledger.vocabulary import Chips
from projections.timeline.hand_timeline import Timeline


def openings(hand: Timeline, unit: Chips | None) -> frozenset[Chips]:
    """Return the totals that open the first round above the blinds: they are the bet, no raise yet."""
    level, big = _forced(hand), hand.big_blind or 0
    totals = {hand.option("minimum-open") or 0}
    bring_in = hand.option("bring-in") or 0
    if bring_in > big > 0:
        straddles = [hand.straddle_total(*straddle) for straddle in hand.straddles()]
        totals.add(-(-max([big, *straddles]) * bring_in // big))
    if unit and level % unit:
        totals.add(level + unit - level % unit)
    return frozenset(total for total in totals if total > level > 0)


def _forced(hand: Timeline) -> Chips:
    """Return the bet that the posts of the first round make, a short big blind taken for a whole one."""
    first = next((act for act in hand.acts if act.street == "preflop"), None)
    if first is None or not first.level:
        return 0
    return max(first.level, *hand.blinds, 0)


def ladder(hand: Timeline, acts: list[Act], unit: Chips, part: float = HALF) -> Iterator[tuple[Act, LimitSteps]]:
    """Yield the acts of one round, each with what it could raise to; `part` of a bet counts as one."""
    level = _forced(hand) if acts[0].street == "preflop" else 0
    steps = first_steps(level, unit, openings(hand, unit), level_is_short=level > acts[0].level)
    for act in acts:
        yield act, steps
        if act.kind not in ("bet", "raise") or act.to <= act.level or act.version in hand.undone_versions:
            continue
        steps = steps.after_all_in(act.to, act.gain, unit, part) if act.all_in else steps.after_wager(act.to, unit)
