"""Sentences of findings about bets, raises and all-ins."""

from __future__ import annotations

from typing import Literal

from projections.addresses.address_grammar import ordinal
from projections.sentences import on_street

_PARTS = {"0.5": "half of a", "1": "a full"}


def put_right_in_time() -> str:
    """Because: a wrong bet or raise was corrected before anybody else acted."""
    return "It was corrected before anybody else acted."


def raise_over_cap(seat: int, street: str, count: int, cap: int) -> str:
    """Headline: a raise beyond the cap."""
    return f"Seat {seat} made the {ordinal(count)} raise {on_street(street)}; the cap is {cap}"


def capped(cap: int) -> str:
    """Correct: how many raises are allowed."""
    return f"at most {cap} raises, then call or fold"


def capped_with_players(cap: int, players: int) -> str:
    """Correct: no raise after the cap, which was reached with three or more players."""
    return f"no raise: the betting was capped at {cap} raises, with {players} players able to bet"


def cap_reached_note(cap: int) -> str:
    """Note: the raise that reached the cap."""
    return f"the {ordinal(cap)} raise"


def all_in_may_not_count_for_cap() -> str:
    """Why it's only likely: the bets of a limit game are unknown."""
    return "The game's limits aren't on record, so an all-in raise may be too short to count."


def cap_unusual(betting: str) -> str:
    """Why it's only likely: the rule names no betting structure."""
    return f"The rule doesn't say which betting structures it covers, and {betting} games usually have no cap."


def short_raise_counted() -> str:
    """Why it's only likely: an all-in short of a full raise was counted."""
    return "The count includes an all-in for less than a full raise."


def announced_raise_refused(seat: int, street: str) -> str:
    """Headline: a raise was announced and only a call was allowed."""
    return f"Seat {seat} announced a raise {on_street(street)} and was held to a call"


def raise_with_two_players() -> str:
    """Correct: with two players left there is no cap."""
    return "a raise, since there's no cap with two players left"


def refusal_assumed() -> str:
    """Why it's only likely: nothing but the announcement shows that a raise was refused."""
    return "The record has the announcement and the call, but no ruling."


def announcement_note() -> str:
    """Note: a raise was announced."""
    return "announces a raise"


def bet_of_wrong_size(seat: int, amount: str, street: str, limit: str) -> str:
    """Headline: a bet of another size than the limit."""
    return f"Seat {seat} bet {amount} {on_street(street)}, where bets are {limit}"


def raise_of_wrong_size(seat: int, bet: str, amount: str, street: str, limit: str) -> str:
    """Headline: a raise by another size than the limit."""
    return f"Seat {seat} raised from {bet} to {amount} {on_street(street)}, where bets are {limit}"


def bet_or_raise_to(kind: Literal["bet", "raise"], due_amount: str) -> str:
    """Correct: the size of the bet, or the total of the raise."""
    return f"a bet of {due_amount}" if kind == "bet" else f"a raise to {due_amount}"


def other_limits_unknown() -> str:
    """Why it's only likely: a posted sign may give other limits."""
    return "No posted sign with other limits is on record."


def opened_below_minimum(seat: int, street: str, amount: str, minimum: str) -> str:
    """Headline: a round was opened for too little."""
    return f"Seat {seat} opened for {amount} {on_street(street)}; the minimum is {minimum}"


def at_least(minimum: str) -> str:
    """Correct: the minimum."""
    return f"at least {minimum}"


def at_most(maximum: str) -> str:
    """Correct: the maximum."""
    return f"at most {maximum}"


def big_blind_as_minimum() -> str:
    """Why it's only likely: the minimum is not on record."""
    return "No other minimum is on record, so the big blind is used."


def bet_over_pot(seat: int, amount: str, maximum: str) -> str:
    """Headline: a bet above the pot."""
    return f"Seat {seat} bet {amount}; the pot limit was {maximum}"


def raise_over_pot(seat: int, bet: str, amount: str, maximum: str) -> str:
    """Headline: a raise above the pot."""
    return f"Seat {seat} raised from {bet} to {amount}; the pot limit was {maximum}"


def at_most_or_with_full_blind(maximum: str, full_maximum: str) -> str:
    """Correct: the maximum, and the maximum if a short blind counts in full."""
    return f"at most {maximum}, or {full_maximum} if the short blind counts as a full one"


def pot_and_call(pot: str, call: str) -> str:
    """Because: how the pot limit adds up."""
    return f"The pot was {pot}, with {call} to call."


def pot_was(pot: str) -> str:
    """Because: the pot, with nothing to call."""
    return f"The pot was {pot}."


def called_part(seat: int, amount: str, bet: str) -> str:
    """Headline: a bet above the pot was called with neither the full bet nor the size of the pot."""
    return f"Seat {seat} called {amount} of a {bet} bet"


def whole_bet_or_pot(bet: str, pot: str) -> str:
    """Correct: the two calls that are allowed."""
    return f"a call of {bet}, or of {pot}, the size of the pot"


def raised_after_short_all_in(seat: int, amount: str) -> str:
    """Headline: a short all-in reopens nothing, and somebody raised."""
    return f"Seat {seat} raised to {amount}; a short all-in doesn't reopen the betting"


def fold_or_call(call: str) -> str:
    """Correct: the choices that are left."""
    return f"fold or call {call}"


def less_than_part(call: str, part: str, limit: str) -> str:
    """Because: how little had been added since the seat acted."""
    return f"The all-in added {call}, less than {_PARTS.get(part, f'{part} of a')} {limit} bet."


def raised_all_in_wrongly(seat: int, bet: str, amount: str) -> str:
    """Headline: a raise over an all-in of the wrong size."""
    return f"Seat {seat} raised an all-in of {bet} to {amount}"


def fold_call_or_complete(call: str, due_amount: str) -> str:
    """Correct: the choices facing less than half a bet."""
    return f"fold, call {call} or complete to {due_amount}"


def fold_call_or_raise(due_amount: str) -> str:
    """Correct: the choices facing half a bet or more."""
    return f"fold, call or raise to {due_amount}"


def raise_over_all_in_refused(seat: int, bet: str) -> str:
    """Headline: a raise over an all-in was announced and refused."""
    return f"Seat {seat} announced a raise over an all-in of {bet} and was held to a call"


def full_raise_to(due_amount: str) -> str:
    """Correct: the total of a full raise."""
    return f"a full raise to {due_amount}"


def all_in_with_chips_left(seat: int, remaining: str) -> str:
    """Headline: an all-in left chips."""
    return f"Seat {seat} is recorded as all-in with {remaining} behind"


def every_chip_in() -> str:
    """Correct: an all-in takes every chip."""
    return "all of the player's chips go into the pot"


def beyond_table_stakes(seat: int, amount: str, stack: str) -> str:
    """Headline: a player put in more chips than the stack."""
    return f"Seat {seat} put in {amount}, more than its stack of {stack}"


def lost_for_want_of_chips(seat: int) -> str:
    """Headline: a hand was lost because its player couldn't call in full."""
    return f"Seat {seat} couldn't cover the call and lost its hand"


def all_in_for_less() -> str:
    """Correct: a player who can't cover the call is all-in."""
    return "all-in for less, playing for the part of the pot that the stack covers"


def wanted_to_call(call: str, remaining: str) -> str:
    """Because: what a player wanted to call, and had."""
    return f"The call was {call}, and the player had {remaining}."


def all_in_folded(seat: int) -> str:
    """Headline: an all-in hand was folded."""
    return f"Seat {seat} was all-in and its hand was folded"


def plays_for_covered_pots() -> str:
    """Correct: an all-in hand plays on."""
    return "the hand stays live for the part of the pot that the stack covered"


def away_hand_may_be_killed() -> str:
    """Why it's only likely: an absent player's hand may have been killed."""
    return "The hand may have been killed because the player was away."


def best_hand_unpaid(seat: int) -> str:
    """Headline: an all-in seat with the best hand got nothing."""
    return f"Seat {seat} was all-in with the best hand and was paid nothing"


def share_before_drop(due_amount: str) -> str:
    """Correct: what the hand wins."""
    return f"{due_amount}, before the rake"
