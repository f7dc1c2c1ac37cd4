"""Fixed limits in a recorded hand: the totals that each act could raise to, and those that may open."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.acts import Act
from ledger.hand.limit_steps import HALF, LimitSteps, begin_steps
from ledger.vocabulary import Chips
from projections.timeline.hand_timeline import Timeline


def find_opening_totals(hand: Timeline, unit: Chips | None) -> frozenset[Chips]:
    """Return the totals that may open the first round above the blinds. They count as a bet, not as a raise.

    `unit` is the fixed bet of the round; None = the game isn't fixed-limit.
    """
    forced_bet, big_blind = _find_forced_bet(hand), hand.big_blind or 0
    totals = {hand.option("minimum-open") or 0}
    bring_in = hand.option("bring-in") or 0
    if bring_in > big_blind > 0:
        straddles = [hand.straddle_total(*straddle) for straddle in hand.straddles()]
        totals.add(-(-max([big_blind, *straddles]) * bring_in // big_blind))
    if unit and forced_bet % unit:
        totals.add(forced_bet + unit - forced_bet % unit)
    return frozenset(total for total in totals if total > forced_bet > 0)


def _find_forced_bet(hand: Timeline) -> Chips:
    """Return the bet that the first act faces; a short big blind counts as a full one."""
    first_act = next((act for act in hand.acts if act.street == "preflop"), None)
    if first_act is None or not first_act.bet_to_call:
        return 0
    return max(first_act.bet_to_call, *hand.blinds, 0)


def iter_limit_steps(
    hand: Timeline, acts: list[Act], unit: Chips, bet_share: float = HALF
) -> Iterator[tuple[Act, LimitSteps]]:
    """Yield the acts of one round, each with the totals it could raise to.

    `unit` is the round's fixed bet. An all-in of at least `bet_share` of it counts as a full bet.
    """
    forced_bet = _find_forced_bet(hand) if acts[0].street == "preflop" else 0
    steps = begin_steps(
        forced_bet, unit, find_opening_totals(hand, unit), level_is_short=forced_bet > acts[0].bet_to_call
    )
    for act in acts:
        yield act, steps
        if act.kind not in ("bet", "raise") or act.bet_after <= act.bet_to_call or act.version in hand.undone_versions:
            continue
        steps = (
            steps.add_all_in(act.bet_after, act.raise_size, unit, bet_share)
            if act.is_all_in
            else steps.add_wager(act.bet_after, unit)
        )
