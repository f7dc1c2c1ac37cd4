"""Sentences of findings about bets, raises and all-ins."""

from __future__ import annotations

from typing import Final, Literal

from ledger.text.language import ordinal, phrase, translatable
from projections.sentences import on_street

_PARTS: Final = {
    "0.5": translatable("The all-in added {call}, less than half of a {limit} bet."),
    "1": translatable("The all-in added {call}, less than a full {limit} bet."),
}
_UNUSUAL_CAPS: Final = {
    "no-limit": translatable(
        "The rule doesn't say which betting structures it covers, and no-limit games usually have no cap."
    ),
    "pot-limit": translatable(
        "The rule doesn't say which betting structures it covers, and pot-limit games usually have no cap."
    ),
    "spread": translatable(
        "The rule doesn't say which betting structures it covers, and spread games usually have no cap."
    ),
}


def put_right_in_time() -> str:
    """Because: a wrong bet or raise was corrected before anybody else acted."""
    return phrase("It was corrected before anybody else acted.")


def raise_over_cap(seat: int, street: str, count: int, cap: int) -> str:
    """Headline: a raise beyond the cap."""
    return phrase(
        "Seat {seat} made the {ordinal} raise {street}; the cap is {cap}",
        seat=seat,
        ordinal=ordinal(count),
        street=on_street(street),
        cap=cap,
    )


def capped(cap: int) -> str:
    """Correct: how many raises are allowed."""
    return phrase("at most {cap} raises, then call or fold", cap=cap)


def capped_with_players(cap: int, players: int) -> str:
    """Correct: no raise after the cap, which was reached with three or more players."""
    return phrase(
        "no raise: the betting was capped at {cap} raises, with {players} players able to bet", cap=cap, players=players
    )


def cap_reached_note(cap: int) -> str:
    """Note: the raise that reached the cap."""
    return phrase("the {ordinal} raise", ordinal=ordinal(cap))


def all_in_may_not_count_for_cap() -> str:
    """Why it's only likely: the bets of a limit game are unknown."""
    return phrase("The game's limits aren't on record, so an all-in raise may be too short to count.")


def cap_unusual(betting: Literal["no-limit", "pot-limit", "spread"]) -> str:
    """Why it's only likely: the rule names no betting structure."""
    return phrase(_UNUSUAL_CAPS[betting])


def short_raise_counted() -> str:
    """Why it's only likely: an all-in short of a full raise was counted."""
    return phrase("The count includes an all-in for less than a full raise.")


def announced_raise_refused(seat: int, street: str) -> str:
    """Headline: a raise was announced and only a call was allowed."""
    return phrase("Seat {seat} announced a raise {street} and was held to a call", seat=seat, street=on_street(street))


def raise_with_two_players() -> str:
    """Correct: with two players left there is no cap."""
    return phrase("a raise, since there's no cap with two players left")


def refusal_assumed() -> str:
    """Why it's only likely: nothing but the announcement shows that a raise was refused."""
    return phrase("The record has the announcement and the call, but no ruling.")


def announcement_note() -> str:
    """Note: a raise was announced."""
    return phrase("announces a raise")


def bet_of_wrong_size(seat: int, amount: str, street: str, limit: str) -> str:
    """Headline: a bet of another size than the limit."""
    return phrase(
        "Seat {seat} bet {amount} {street}, where bets are {limit}",
        seat=seat,
        amount=amount,
        street=on_street(street),
        limit=limit,
    )


def raise_of_wrong_size(seat: int, bet: str, amount: str, street: str, limit: str) -> str:
    """Headline: a raise by another size than the limit."""
    return phrase(
        "Seat {seat} raised from {bet} to {amount} {street}, where bets are {limit}",
        seat=seat,
        bet=bet,
        amount=amount,
        street=on_street(street),
        limit=limit,
    )


def bet_or_raise_to(kind: Literal["bet", "raise"], due_amount: str) -> str:
    """Correct: the size of the bet, or the total of the raise."""
    return (
        phrase("a bet of {due_amount}", due_amount=due_amount)
        if kind == "bet"
        else phrase("a raise to {due_amount}", due_amount=due_amount)
    )


def other_limits_unknown() -> str:
    """Why it's only likely: a posted sign may give other limits."""
    return phrase("No posted sign with other limits is on record.")


def opened_below_minimum(seat: int, street: str, amount: str, minimum: str) -> str:
    """Headline: a round was opened for too little."""
    return phrase(
        "Seat {seat} opened for {amount} {street}; the minimum is {minimum}",
        seat=seat,
        amount=amount,
        street=on_street(street),
        minimum=minimum,
    )


def at_least(minimum: str) -> str:
    """Correct: the minimum."""
    return phrase("at least {minimum}", minimum=minimum)


def at_most(maximum: str) -> str:
    """Correct: the maximum."""
    return phrase("at most {maximum}", maximum=maximum)


def big_blind_as_minimum() -> str:
    """Why it's only likely: the minimum is not on record."""
    return phrase("No other minimum is on record, so the big blind is used.")


def bet_over_pot(seat: int, amount: str, maximum: str) -> str:
    """Headline: a bet above the pot."""
    return phrase("Seat {seat} bet {amount}; the pot limit was {maximum}", seat=seat, amount=amount, maximum=maximum)


def raise_over_pot(seat: int, bet: str, amount: str, maximum: str) -> str:
    """Headline: a raise above the pot."""
    return phrase(
        "Seat {seat} raised from {bet} to {amount}; the pot limit was {maximum}",
        seat=seat,
        bet=bet,
        amount=amount,
        maximum=maximum,
    )


def at_most_or_with_full_blind(maximum: str, full_maximum: str) -> str:
    """Correct: the maximum, and the maximum if a short blind counts in full."""
    return phrase(
        "at most {maximum}, or {full_maximum} if the short blind counts as a full one",
        maximum=maximum,
        full_maximum=full_maximum,
    )


def pot_and_call(pot: str, call: str) -> str:
    """Because: how the pot limit adds up."""
    return phrase("The pot was {pot}, with {call} to call.", pot=pot, call=call)


def pot_was(pot: str) -> str:
    """Because: the pot, with nothing to call."""
    return phrase("The pot was {pot}.", pot=pot)


def called_part(seat: int, amount: str, bet: str) -> str:
    """Headline: a bet above the pot was called with neither the full bet nor the size of the pot."""
    return phrase("Seat {seat} called {amount} of a {bet} bet", seat=seat, amount=amount, bet=bet)


def whole_bet_or_pot(bet: str, pot: str) -> str:
    """Correct: the two calls that are allowed."""
    return phrase("a call of {bet}, or of {pot}, the size of the pot", bet=bet, pot=pot)


def raised_after_short_all_in(seat: int, amount: str) -> str:
    """Headline: a short all-in reopens nothing, and somebody raised."""
    return phrase("Seat {seat} raised to {amount}; a short all-in doesn't reopen the betting", seat=seat, amount=amount)


def fold_or_call(call: str) -> str:
    """Correct: the choices that are left."""
    return phrase("fold or call {call}", call=call)


def less_than_part(call: str, part: str, limit: str) -> str:
    """Because: how little had been added since the seat acted."""
    if part in _PARTS:
        return phrase(_PARTS[part], call=call, limit=limit)
    return phrase("The all-in added {call}, less than {part} of a {limit} bet.", call=call, part=part, limit=limit)


def raised_all_in_wrongly(seat: int, bet: str, amount: str) -> str:
    """Headline: a raise over an all-in of the wrong size."""
    return phrase("Seat {seat} raised an all-in of {bet} to {amount}", seat=seat, bet=bet, amount=amount)


def fold_call_or_complete(call: str, due_amount: str) -> str:
    """Correct: the choices facing less than half a bet."""
    return phrase("fold, call {call} or complete to {due_amount}", call=call, due_amount=due_amount)


def fold_call_or_raise(due_amount: str) -> str:
    """Correct: the choices facing half a bet or more."""
    return phrase("fold, call or raise to {due_amount}", due_amount=due_amount)


def raise_over_all_in_refused(seat: int, bet: str) -> str:
    """Headline: a raise over an all-in was announced and refused."""
    return phrase("Seat {seat} announced a raise over an all-in of {bet} and was held to a call", seat=seat, bet=bet)


def full_raise_to(due_amount: str) -> str:
    """Correct: the total of a full raise."""
    return phrase("a full raise to {due_amount}", due_amount=due_amount)


def all_in_with_chips_left(seat: int, remaining: str) -> str:
    """Headline: an all-in left chips."""
    return phrase("Seat {seat} is recorded as all-in with {remaining} behind", seat=seat, remaining=remaining)


def every_chip_in() -> str:
    """Correct: an all-in takes every chip."""
    return phrase("all of the player's chips go into the pot")


def beyond_table_stakes(seat: int, amount: str, stack: str) -> str:
    """Headline: a player put in more chips than the stack."""
    return phrase("Seat {seat} put in {amount}, more than its stack of {stack}", seat=seat, amount=amount, stack=stack)


def lost_for_want_of_chips(seat: int) -> str:
    """Headline: a hand was lost because its player couldn't call in full."""
    return phrase("Seat {seat} couldn't cover the call and lost its hand", seat=seat)


def all_in_for_less() -> str:
    """Correct: a player who can't cover the call is all-in."""
    return phrase("all-in for less, playing for the part of the pot that the stack covers")


def wanted_to_call(call: str, remaining: str) -> str:
    """Because: what a player wanted to call, and had."""
    return phrase("The call was {call}, and the player had {remaining}.", call=call, remaining=remaining)


def all_in_folded(seat: int) -> str:
    """Headline: an all-in hand was folded."""
    return phrase("Seat {seat} was all-in and its hand was folded", seat=seat)


def plays_for_covered_pots() -> str:
    """Correct: an all-in hand plays on."""
    return phrase("the hand stays live for the part of the pot that the stack covered")


def away_hand_may_be_killed() -> str:
    """Why it's only likely: an absent player's hand may have been killed."""
    return phrase("The hand may have been killed because the player was away.")


def best_hand_unpaid(seat: int) -> str:
    """Headline: an all-in seat with the best hand got nothing."""
    return phrase("Seat {seat} was all-in with the best hand and was paid nothing", seat=seat)


def share_before_drop(due_amount: str) -> str:
    """Correct: what the hand wins."""
    return phrase("{due_amount}, before the rake", due_amount=due_amount)
