"""Where our turns, amounts and pots must be PokerKit's, and the points on which houses differ.

Points on which houses differ are left out, each where it is met: PokerKit takes a short big blind
as the bet to call; it never lets half a bet reopen a limit round; it raises a short all-in under limit
by a whole bet; it lets a seat that has checked raise an opening all-in below the minimum bet; it lets
nobody raise beyond what the others have, which PokerStars does.
"""

from __future__ import annotations

from ledger.hand import betting as b
from ledger.hand.bounds import Bounds, bounds, call_level, to_call
from ledger.hand.evaluate import award_ranges
from ledger.hand.events import HandEvent
from ledger.hand.order import actor
from ledger.hand.state import HandState
from tests.ledger.hand.pokerkit_table import replay_both

ELSEWHERE = ("raise-cap", "not-reopened")


def compare(events: list[HandEvent], variant: str, betting: str) -> int:
    """Compare one hand act by act; return how many acts were compared."""
    compared = 0
    for ours, event, pokerkit_state in replay_both(events):
        if event is events[-1]:
            same_winners(ours, [int(stack) for stack in pokerkit_state.stacks])
            break
        if ours.round.bet_to_call < call_level(ours):
            break  # a short big blind
        seat = actor(ours)
        assert seat is not None
        assert seat - 1 == pokerkit_state.actor_index, event
        assert to_call(ours, seat) == pokerkit_state.checking_or_calling_amount, event
        low = pokerkit_state.min_completion_betting_or_raising_to_amount
        high = pokerkit_state.max_completion_betting_or_raising_to_amount
        legal = bounds(ours, seat)
        if low is None and legal.may_raise and not somebody_can_pay(ours, seat):
            if isinstance(event, b.Bet | b.Raised | b.Completed):
                break
            continue
        if low is None and legal.may_raise and betting == "limit" and seat in ours.acted:
            break  # half a bet reopened the round for a seat that had acted
        if legal.why == "short-all-in" and isinstance(event, b.Bet | b.Raised) and event.to != low:
            break  # PokerKit has no completing of a short all-in
        if legal.why not in ELSEWHERE:
            same_bounds(legal, low, None if variant == "omaha8" else high)
        compared += 1
    return compared


def somebody_can_pay(state: HandState, seat: int) -> bool:
    """Whether another seat has more than the bet that stands."""
    other_seats = state.live - {seat}
    return any(
        state.street_bet(other_seat) + (state.stack_left(other_seat) or 0) > state.round.bet_to_call
        for other_seat in other_seats
    )


def same_bounds(bounds: Bounds, low: int | None, high: int | None) -> None:
    if low is None:
        assert not bounds.may_raise
    elif bounds.why == "short-all-in":  # PokerKit raises it by a whole bet, no book does
        assert bounds.min_to < low or low == high  # a stack may hold no more
    elif bounds.why == "open-pair":
        assert bounds.min_to <= low <= (bounds.max_to or low)
    else:
        assert bounds.may_raise
        assert bounds.min_to == low
        assert high is None or bounds.max_to == high


def same_winners(state: HandState, stacks: list[int]) -> None:
    ranges = award_ranges(state)
    assert ranges is not None
    for seat, stack in zip(state.seats, stacks, strict=True):
        stack_before = state.start[seat]
        assert stack_before is not None
        won = stack - (stack_before - state.chips.put_in[seat])
        least, greatest = ranges.get(seat, (0, 0))
        assert least <= won <= greatest, f"seat {seat} won {won}, not {least} to {greatest}"
