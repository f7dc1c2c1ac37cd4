"""Read the first betting round: who put chips in by choice, who raised, and who three-bet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ledger.hand.acts import Act
from ledger.hand.bounds import bounds
from ledger.hand.fold import apply, begin
from ledger.hand.state import HandState
from ledger.hand.variants import Variant
from ledger.replay import HandReplay
from ledger.vocabulary import Seat


class PreflopChoices(NamedTuple):
    """What a seat did in the first betting round."""

    had_choice: bool = False  # it acted at least once
    paid: bool = False  # it called, bet or raised: VPIP
    raised: bool = False  # it bet or raised: PFR
    could_three_bet: bool = False  # it faced the first raise, and could raise it
    three_bet: bool = False


def read_preflop(hand: HandReplay, acts: Sequence[Act], variant: Variant) -> dict[Seat, PreflopChoices]:
    """Return the choices of each seat that acted in the first betting round. `acts`: of that round."""
    choices: dict[Seat, PreflopChoices] = {}
    for act in acts:
        earlier_choices = choices.get(act.seat, PreflopChoices())
        has_raised = act.kind in ("bet", "raise")
        choices[act.seat] = earlier_choices._replace(
            had_choice=True,
            paid=earlier_choices.paid or has_raised or (act.kind == "call" and act.amount_added > 0),
            raised=earlier_choices.raised or has_raised,
        )
    if variant.opening == "blinds":
        _add_three_bets(hand, acts, choices)
    return choices


def _add_three_bets(hand: HandReplay, acts: Sequence[Act], choices: dict[Seat, PreflopChoices]) -> None:
    """Set who could raise the first raise, and who did."""
    first_acts = {act.seat: act for act in reversed(acts) if act.raises_before == 1}
    acts_by_version = {act.version: act for act in first_acts.values()}
    for version in _find_allowed_raises(hand, acts_by_version):
        act = acts_by_version[version]
        earlier_choices = choices[act.seat]
        choices[act.seat] = earlier_choices._replace(
            could_three_bet=True, three_bet=earlier_choices.three_bet or act.kind in ("bet", "raise")
        )


def _find_allowed_raises(hand: HandReplay, acts_by_version: dict[int, Act]) -> Iterable[int]:
    """Yield the versions of these acts before which a raise was possible. A raise that was made counts in any case."""
    remaining = set(acts_by_version)
    if not remaining:
        return
    state = begin()
    for version, event in hand.numbered:
        if version in remaining:
            act = acts_by_version[version]
            if act.kind in ("bet", "raise") or (
                bounds(state, act.seat).may_raise and _can_be_answered(state, act.seat)
            ):
                yield version
            remaining.discard(version)
            if not remaining:
                return
        apply(state, event)


def _can_be_answered(state: HandState, seat: Seat) -> bool:
    """Whether another seat has chips for more than the highest bet."""
    level = state.round.bet_to_call
    stacks = ((opponent, state.stack_left(opponent)) for opponent in state.live if opponent != seat)
    return any(stack_left is None or state.street_bet(opponent) + stack_left > level for opponent, stack_left in stacks)
