"""Sentences of findings about recorded actions that were impossible."""

from __future__ import annotations

from typing import Literal

from ledger.text.language import phrase


def describe_action(kind: Literal["fold", "check", "call", "bet", "raise"], amount: str) -> str:
    """Return what a seat did; `amount` is what it called, bet or raised to, "" if it put nothing in."""
    if kind == "call":
        return phrase("called {amount}", amount=amount) if amount else phrase("called")
    if kind in ("bet", "raise"):
        return phrase("bet {amount}", amount=amount) if kind == "bet" else phrase("raised to {amount}", amount=amount)
    return phrase("folded") if kind == "fold" else phrase("checked")


def acted_after_folding(seat: int, action: str) -> str:
    """Headline: a player acted after folding."""
    return phrase("Seat {seat} {action} after folding", seat=seat, action=action)


def folded_twice(seat: int) -> str:
    """Headline: a player folded twice."""
    return phrase("Seat {seat} folded twice", seat=seat)


def acted_with_dead_hand(seat: int, action: str) -> str:
    """Headline: a player acted with a dead hand."""
    return phrase("Seat {seat} {action} after its hand was killed", seat=seat, action=action)


def hand_is_dead() -> str:
    """Correct: a dead hand doesn't act."""
    return phrase("no action, since the hand is dead")


def acted_after_busting(seat: int, action: str) -> str:
    """Headline: a player acted who is out of the tournament."""
    return phrase("Seat {seat} {action} after leaving the tournament", seat=seat, action=action)


def player_is_out() -> str:
    """Correct: a player who is out doesn't act."""
    return phrase("no action, since the player is out")


def out_note() -> str:
    """Note: the player left the tournament."""
    return phrase("out of the tournament here")


def acted_all_in(seat: int, action: str) -> str:
    """Headline: an all-in player acted."""
    return phrase("Seat {seat} {action} after going all-in", seat=seat, action=action)


def player_is_all_in() -> str:
    """Correct: an all-in player doesn't act."""
    return phrase("no action, since the player is all-in")


def chips_left_by_stack(remaining: str) -> str:
    """Why it's only likely: the stack on record leaves chips."""
    return phrase("By the recorded stack, the player has {remaining} left.", remaining=remaining)


def checked_facing_bet(seat: int, call: str) -> str:
    """Headline: a check with a bet to call."""
    return phrase("Seat {seat} checked with {call} to call", seat=seat, call=call)


def fold_call_or_raise(call: str) -> str:
    """Correct: what may be done facing a bet."""
    return phrase("a fold, a call of {call} or a raise", call=call)


def acted_after_award(seat: int, action: str) -> str:
    """Headline: a player acted after the pot was paid."""
    return phrase("Seat {seat} {action} after the pot was paid", seat=seat, action=action)


def hand_is_over() -> str:
    """Correct: nobody acts after the hand."""
    return phrase("no action after the hand is over")


def acted_after_betting(seat: int, action: str) -> str:
    """Headline: a player acted after the last betting round."""
    return phrase("Seat {seat} {action} after the betting was over", seat=seat, action=action)


def betting_is_over() -> str:
    """Correct: nobody acts after the last round."""
    return phrase("no action after the last betting round")


def acted_after_round(seat: int, action: str) -> str:
    """Headline: a player acted after the round was over."""
    return phrase("Seat {seat} {action} after the betting round was over", seat=seat, action=action)


def next_street_first() -> str:
    """Correct: the next street comes first."""
    return phrase("no action until the next street")


def acted_again(seat: int, action: str) -> str:
    """Headline: a player acted twice with nothing new to answer."""
    return phrase("Seat {seat} {action} again with no bet or raise since", seat=seat, action=action)


def repeat_call(seat: int, action: str) -> str:
    """Headline: a player called again with nothing to call."""
    return phrase("Seat {seat} {action} again with nothing to call", seat=seat, action=action)


def turn_must_come_again() -> str:
    """Correct: the player waits."""
    return phrase("no action until the player's next turn")


def may_fold_any_time() -> str:
    """Why it's only likely: anybody may give up a hand."""
    return phrase("A player may give up a hand at any time.")


def acted_before(seat: int, action: str, due_seat: int) -> str:
    """Headline: a player acted out of turn."""
    return phrase("Seat {seat} {action} with seat {due_seat} still to act", seat=seat, action=action, due_seat=due_seat)


def acts_first(due_seat: int) -> str:
    """Correct: who acts first."""
    return phrase("seat {due_seat} acts first", due_seat=due_seat)


def out_of_turn_or_order() -> str:
    """Why it's only likely: the lines may be in another order."""
    return phrase("Either the player acted out of turn, or the lines are in the wrong order.")


def called_other_amount(seat: int, action: str, bet: str) -> str:
    """Headline: a call of more than the bet."""
    return phrase("Seat {seat} {action} where the bet was {bet}", seat=seat, action=action, bet=bet)


def call_of(bet: str) -> str:
    """Correct: a call of the bet."""
    return phrase("a call of {bet}", bet=bet)


def call_without_bet(seat: int, action: str) -> str:
    """Headline: a call with no bet."""
    return phrase("Seat {seat} {action} with no bet to call", seat=seat, action=action)


def check_or_bet() -> str:
    """Correct: a check or a bet."""
    return phrase("a check or a bet")


def short_call(seat: int, action: str, call: str, remaining: str) -> str:
    """Headline: a call of less than the bet that left chips."""
    return phrase(
        "Seat {seat} {action} with {call} to call and {remaining} behind",
        seat=seat,
        action=action,
        call=call,
        remaining=remaining,
    )


def call_or_all_in(bet: str) -> str:
    """Correct: a full call, or all-in."""
    return phrase("a call of {bet}, or all-in for less", bet=bet)
