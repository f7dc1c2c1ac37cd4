"""Compute what may be bet: the amount to call, the minimum and the maximum, for each betting structure.

If houses differ (a short all-in under limit), the amounts are those that every rulebook accepts. Judging is up to the
rulebooks.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.hand.limit_steps import LimitSteps, begin_steps
from ledger.hand.order import actor, find_opener
from ledger.hand.state import HandState
from ledger.vocabulary import RANKS, Chips, Seat

__all__ = ["Bounds", "actor", "bet_size", "bounds", "call_level", "find_opener", "may_reopen", "to_call"]

LimitReason: TypeAlias = Literal[
    "",  # the ordinary case
    "no-hand",  # the seat holds no hand
    "all-in",  # nothing left to bet
    "call-takes-all",  # the stack isn't larger than the call
    "all-in-only",  # the stack is less than a full bet or raise
    "not-reopened",  # it has acted, and no full raise came since
    "nobody-to-raise",  # all others are all-in; a single chip left would allow a raise
    "raise-cap",  # the house's cap is reached, or the record says so
    "bet-cap",  # the seat has put in the maximum for a hand
    "short-all-in",  # limit: an all-in added less than half a bet, so the raise completes the bet below it
    "open-pair",  # stud: an open pair on fourth street allows the big bet
    "unknown-game",  # the stakes are unknown
]


class Bounds(NamedTuple):
    """The legal range of a bet or raise, as totals on this street."""

    min_to: Chips
    max_to: Chips | None  # None: no limit, and the stack is unknown
    may_raise: bool
    why: LimitReason = ""


def call_level(state: HandState) -> Chips:
    """Return the total that a call reaches. A short blind is called at its full amount."""
    game = state.game
    if game is None or state.rounds or not game.blinds or game.variant in _STUD:
        return state.round.bet_to_call
    return max(state.round.bet_to_call, game.blinds[-1]) if state.round.bet_to_call else state.round.bet_to_call


_STUD: Final = frozenset(("stud", "stud8", "razz"))


def to_call(state: HandState, seat: Seat) -> Chips:
    """Return the chips that the seat must add to call, at most its stack; 0 if it holds no hand."""
    if seat not in state.live:
        return 0
    call_amount = max(0, call_level(state) - state.street_bet(seat))
    stack_left = state.stack_left(seat)
    return call_amount if stack_left is None else min(call_amount, stack_left)


def bet_size(state: HandState) -> Chips:
    """Return the bet of this street: the limit, or the minimum opening bet; 0 = unknown."""
    game = state.game
    if game is None:
        return 0
    bets = game.bets
    if game.betting == "limit":
        small_bet = bets[0] if bets else (game.blinds[-1] if game.blinds else 0)
        variant = state.known_variant
        if variant is None or not variant.uses_upper_bet(state.street, state.options.get("limit-schedule")):
            return small_bet
        return bets[1] if len(bets) > 1 else (small_bet if bets else 2 * small_bet)
    min_bet = bets[0] if bets else (game.blinds[-1] if game.blinds else game.bring_in)
    if not state.round.bet_to_call and isinstance(minimum_open := state.options.get("minimum-open"), int):
        return max(min_bet, minimum_open)
    return min_bet


def may_reopen(state: HandState, seat: Seat) -> bool:
    """Whether the seat may raise: it hasn't acted yet, or a full raise came since.

    Several short all-ins that add up to a full raise reopen the betting, too.
    """
    if seat not in state.acted:
        return True
    missing_chips = call_level(state) - state.street_bet(seat)
    full_raise = max(state.round.last_full_raise, bet_size(state))
    if state.game is not None and state.game.betting == "limit":
        return 2 * missing_chips >= bet_size(state) > 0
    return missing_chips >= full_raise > 0


def bounds(state: HandState, seat: Seat) -> Bounds:
    """Return what the seat may bet or raise to in this state."""
    if seat not in state.live:
        return Bounds(0, 0, may_raise=False, why="no-hand")
    level, bet, stack_left = call_level(state), state.street_bet(seat), state.stack_left(seat)
    if state.is_all_in(seat):
        return Bounds(bet, bet, may_raise=False, why="all-in")
    max_total = None if stack_left is None else bet + stack_left
    refusal = _find_refusal(state, seat, level, max_total)
    if refusal:
        return Bounds(level, level, may_raise=False, why=refusal)
    low, high, reason = _compute_raise_range(state, level, bet)
    high, reason = _apply_bet_cap(state, seat, high, reason)
    if max_total is not None:
        high = max_total if high is None else min(high, max_total)
        if max_total < low:
            low, reason = max_total, "all-in-only"
    if high is not None and high <= level:
        return Bounds(level, level, may_raise=False, why="bet-cap")
    return Bounds(low if high is None else min(low, high), high, may_raise=True, why=reason)


def _find_refusal(state: HandState, seat: Seat, level: Chips, max_total: Chips | None) -> LimitReason:
    """Return why the seat may not raise at all, or ""."""
    if max_total is not None and max_total <= level:
        return "call-takes-all"
    if all(state.is_all_in(opponent) for opponent in state.live if opponent != seat):
        return "nobody-to-raise"
    cap = state.options.get("raise-cap")
    if state.round.is_capped or (isinstance(cap, int) and state.round.full_raises >= cap and state.round.bet_to_call):
        return "raise-cap"
    return "" if may_reopen(state, seat) else "not-reopened"


def _compute_raise_range(state: HandState, level: Chips, bet: Chips) -> tuple[Chips, Chips | None, LimitReason]:
    game = state.game
    size = bet_size(state)
    if game is None or not size:
        return level + 1, None, "unknown-game"
    if game.betting == "limit":
        return _compute_limit_range(state, level, size)
    full_raise = max(state.round.last_full_raise, size)
    low = level + full_raise if level else size
    bring_in = state.options.get("bring-in")
    if isinstance(bring_in, int) and not state.round.full_raises and not state.rounds:
        low = max(low, bring_in)
    if game.variant in _STUD and not state.rounds and level < size:
        low = size
    if game.betting == "pot-limit":
        return low, max(low, level + state.pot_size() + level - bet), ""
    if game.betting == "spread" and len(game.bets) > 1:
        return low, level + game.bets[-1], ""
    return low, None, ""


def _compute_limit_range(state: HandState, level: Chips, size: Chips) -> tuple[Chips, Chips, LimitReason]:
    """Return the only total that every rulebook accepts for the next bet or raise."""
    if state.street == "fourth" and not level and _has_open_pair(state):
        big_bet = state.game.bets[-1] if state.game and state.game.bets else 2 * size
        return size, big_bet, "open-pair"
    steps = _compute_limit_steps(state, level, size)
    if not state.round.wagers:
        return steps.smallest_raise, steps.smallest_raise, ""
    if level + size in steps.whole_bets:
        return level + size, level + size, ""
    return steps.smallest_raise, steps.smallest_raise, "short-all-in"


def _compute_limit_steps(state: HandState, level: Chips, size: Chips) -> LimitSteps:
    """Return the possible raises after the bets and raises of this round."""
    forced = 0 if state.rounds else _find_forced_bet(state, level)
    filled_bet = forced + size - forced % size
    steps = begin_steps(forced, size, frozenset({filled_bet} if forced % size else ()), level_is_short=False)
    wagerers = [-seat for seat in state.round.actions if seat < 0]
    for seat, (bet_before, total) in zip(wagerers, state.round.wagers, strict=True):
        if total <= bet_before:
            continue
        gain = total - max(bet_before, forced)
        was_all_in = state.is_all_in(seat) and state.street_bet(seat) == total  # its last chips are in this wager
        steps = steps.add_all_in(total, gain, size) if was_all_in else steps.add_wager(total, size)
    return steps


def _find_forced_bet(state: HandState, level: Chips) -> Chips:
    """Return the bet that blinds or the bring-in set, with a short blind at its full amount."""
    if not state.round.wagers:
        return level
    posted, game = state.round.wagers[0][0], state.game
    return posted if game is None or not game.blinds or game.variant in _STUD else max(posted, game.blinds[-1])


def _has_open_pair(state: HandState) -> bool:
    if state.game is None or state.game.variant != "stud":
        return False
    for seat in state.live:
        ranks = [card[0] for card in state.up_cards(seat) if card[0] in RANKS]
        if len(ranks) != len(set(ranks)):
            return True
    return False


def _apply_bet_cap(
    state: HandState, seat: Seat, high: Chips | None, reason: LimitReason
) -> tuple[Chips | None, LimitReason]:
    cap = state.options.get("bet-cap")
    if not isinstance(cap, int):
        return high, reason
    max_total = state.street_bet(seat) + max(0, cap - state.chips.put_in.get(seat, 0))
    return (max_total, "bet-cap") if high is None or max_total < high else (high, reason)
