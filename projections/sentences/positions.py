"""Reasons for where the button and the blinds belong."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ledger.text.language import join_sentences, phrase
from projections.sentences.words import blind_name, position_name

ButtonBar: TypeAlias = Literal["made-up-between", "short-blind", "missed-blind", "new", "no-big-blind"]
"""What keeps a player from the button."""

# Dead button


def largest_blind_moves(hand: str, role: str, last_seat: int, seat: int) -> str:
    """Say who is next for the largest blind."""
    return phrase(
        "Seat {last_seat} had the {blind} in hand {hand}, so seat {seat}, the next player dealt in, is due for it.",
        last_seat=last_seat,
        blind=blind_name(role),
        hand=hand,
        seat=seat,
    )


def largest_blind_moves_from_mover(hand: str, role: str, old_seat: int, last_seat: int, seat: int) -> str:
    """Say who is next for the largest blind after the player who had it changed seats."""
    return phrase(
        "Seat {old_seat} had the {blind} in hand {hand}, and that player moved to seat {last_seat} without passing anyone. Seat {seat}, the next player dealt in, is due for it.",
        old_seat=old_seat,
        blind=blind_name(role),
        hand=hand,
        last_seat=last_seat,
        seat=seat,
    )


def position_follows(
    hand: str,
    seat: int,
    follower: Literal["button", "small blind", "big blind", "third blind"],
    leader: Literal["small blind", "big blind", "third blind"],
) -> str:
    """Say that a position moves to where the next larger one was on the last hand."""
    if follower == "button":
        return phrase(
            "Seat {seat} had the {leader} in hand {hand}, so the button goes there now.",
            seat=seat,
            leader=position_name(leader),
            hand=hand,
        )
    return phrase(
        "Seat {seat} had the {leader} in hand {hand}, so the {blind} goes there now.",
        seat=seat,
        leader=position_name(leader),
        hand=hand,
        blind=position_name(follower),
    )


def position_follows_mover(
    hand: str,
    old_seat: int,
    seat: int,
    follower: Literal["button", "small blind", "big blind", "third blind"],
    leader: Literal["small blind", "big blind", "third blind"],
) -> str:
    """Say that a position moves to where a player with the next larger blind went."""
    if follower == "button":
        return phrase(
            "Seat {old_seat} had the {leader} in hand {hand}, and that player moved to seat {seat}, so the button goes to seat {seat} now.",
            old_seat=old_seat,
            leader=position_name(leader),
            hand=hand,
            seat=seat,
        )
    return phrase(
        "Seat {old_seat} had the {leader} in hand {hand}, and that player moved to seat {seat}, so the {blind} goes to seat {seat} now.",
        old_seat=old_seat,
        leader=position_name(leader),
        hand=hand,
        seat=seat,
        blind=position_name(follower),
    )


def position_unrecorded(hand: str, position: Literal["small blind", "big blind", "third blind"]) -> str:
    """Say that the last hand has no record of a position."""
    return phrase("Hand {hand} doesn't record where the {blind} was.", hand=hand, blind=position_name(position))


def button_is_dead(seat: int) -> str:
    """Say that the button falls on an empty seat."""
    return phrase("Nobody is dealt in at seat {seat}, so the button there is dead.", seat=seat)


def blind_is_dead(seat: int, position: Literal["small blind", "big blind", "third blind"]) -> str:
    """Say that a blind falls on an empty seat."""
    return phrase(
        "Nobody is dealt in at seat {seat}, so nobody posts the {blind}.", seat=seat, blind=position_name(position)
    )


def positions_collide(seat: int) -> str:
    """Say that the method would put a position in the big blind's seat."""
    return phrase("The button or a blind would be in seat {seat}, where the big blind is.", seat=seat)


def button_between_blinds(seat: int) -> str:
    """Say that the method would put the button between the blinds."""
    return phrase("The button would be in seat {seat}, between the small blind and the big blind.", seat=seat)


def small_blind_moved(hand: str, seat: int) -> str:
    """Say that the last small blind changed seats."""
    return phrase(
        "The player with the small blind in hand {hand} moved to seat {seat} without passing anyone.",
        hand=hand,
        seat=seat,
    )


# Moving button


def button_moves(hand: str, last_seat: int, seat: int, assumption: str = "") -> str:
    """Say where the button moves; `assumption` is a sentence on where it was."""
    moved = phrase(
        "Seat {last_seat} had the button in hand {hand}, so the button moves to seat {seat}.",
        last_seat=last_seat,
        hand=hand,
        seat=seat,
    )
    return join_sentences([moved, assumption]) if assumption else moved


def button_taken_from_blind(hand: str) -> str:
    """Say that we infer a hand's button from its small blind."""
    return phrase("Hand {hand} doesn't record the button; we assume it was just before the small blind.", hand=hand)


def next_after(
    seat: int, position: Literal["button", "small blind", "big blind", "third blind"], other_seat: int
) -> str:
    """Say that a blind is next after the button or another blind."""
    if position == "button":
        return phrase("Seat {seat} is next after the button in seat {other_seat}.", seat=seat, other_seat=other_seat)
    return phrase(
        "Seat {seat} is next after the {blind} in seat {other_seat}.",
        seat=seat,
        blind=position_name(position),
        other_seat=other_seat,
    )


def second_after_button(seat: int, button_seat: int) -> str:
    """Say that a blind is counted from the button, since the small blind's own seat doesn't post it."""
    return phrase("Seat {seat} is second after the button in seat {button_seat}.", seat=seat, button_seat=button_seat)


def only_choice_for_button(seat: int) -> str:
    """Say that no other player may have the button."""
    return phrase("Nobody else may have the button, so it goes to seat {seat}.", seat=seat)


# Two players


def heads_up_from_big_blind(seat: int, other_seat: int) -> str:
    """Say where the button is heads-up, by the big blind."""
    return phrase(
        "Only two players: seat {seat} has the big blind, so seat {other_seat} has the button and the small blind.",
        seat=seat,
        other_seat=other_seat,
    )


def heads_up_newcomer(seat: int, other_seat: int) -> str:
    """Say that a newcomer comes in on the big blind heads-up."""
    return phrase(
        "Only two players: seat {seat} comes in on the big blind, so seat {other_seat} has the button and the small blind.",
        seat=seat,
        other_seat=other_seat,
    )


def heads_up_small_blind(seat: int) -> str:
    """Say who has the small blind heads-up."""
    return phrase("Only two players: the button in seat {seat} has the small blind.", seat=seat)


def heads_up_big_blind(seat: int) -> str:
    """Say who has the big blind heads-up."""
    return phrase("Only two players: seat {seat} isn't on the button, so that seat has the big blind.", seat=seat)


def heads_up_big_blind_moves(hand: str, seat: int, other_seat: int) -> str:
    """Say that the big blind goes to the other player heads-up."""
    return phrase(
        "Seat {seat} had the big blind in hand {hand}, so the big blind moves to seat {other_seat}; seat {seat} has the button and the small blind.",
        seat=seat,
        hand=hand,
        other_seat=other_seat,
    )


# The first hand, and hands that didn't count


def first_button_by_dealer(seat: int) -> str:
    """Say who has the first button of a game."""
    return phrase("A new game starts, and seat {seat} is the first player counterclockwise from the dealer.", seat=seat)


def button_drawn(seat: int) -> str:
    """Say who drew the button."""
    return phrase("Seat {seat} drew the button.", seat=seat)


def first_button_recorded() -> str:
    """Say that the first button is taken from the record."""
    return phrase("The record shows where the button was on the first hand.")


def button_recorded() -> str:
    """Say that the button is taken from the record."""
    return phrase("The record shows where the button was on this hand.")


def next_clockwise(seat: int, other_seat: int) -> str:
    """Say that a blind's seat is the next one clockwise."""
    return phrase("Seat {seat} is next clockwise after seat {other_seat}.", seat=seat, other_seat=other_seat)


def positions_stay(hand: str) -> str:
    """Say that the last hand didn't count."""
    return phrase("Hand {hand} didn't count, so the button and blinds stay.", hand=hand)


def positions_may_stay(hand: str) -> str:
    """Say that the last hand may not have counted."""
    return phrase("Hand {hand} has no recorded end. If it didn't count, the button and blinds stay.", hand=hand)


def positions_may_stay_without_blinds(hand: str) -> str:
    """Say that a hand without blinds may not have counted."""
    return phrase("Hand {hand} had no blinds. If it didn't count, the button and blinds stay.", hand=hand)


def counts_without_blinds(hand: str) -> str:
    """Say that a reading counts a hand without blinds."""
    return phrase("Hand {hand} had no blinds; this counts it as if they had been posted.", hand=hand)


def positions_as_recorded() -> str:
    """Say that the book has no rule about positions."""
    return phrase("The book has no rule on the button and blinds; these are as recorded.")


def button_bought(seat: int) -> str:
    """Say who bought the button."""
    return phrase("Seat {seat} bought the button.", seat=seat)


# Posts


def big_blind_unpaid(seat: int) -> str:
    """Say that a seat owes the big blind of this round."""
    return phrase("The big blind has reached or passed seat {seat}, which hasn't posted it.", seat=seat)


def smaller_blind_unpaid(seat: int, role: str) -> str:
    """Say that a seat owes a smaller blind of this round."""
    return phrase(
        "Seat {seat} paid the larger blind of this round and still owes the {blind}.", seat=seat, blind=blind_name(role)
    )


def posts_for_short_stack(seat: int, other_seat: int) -> str:
    """Say that the next player posts the blind for a short stack."""
    return phrase(
        "Seat {other_seat} has less than half of the big blind, so seat {seat}, the next player, posts that blind.",
        other_seat=other_seat,
        seat=seat,
    )


# Who may not have the button


def button_skips(seat: int, bar: Literal["new", "made-up-between", "missed-blind", "short-blind"]) -> str:
    """Say why the button skips a seat."""
    return {
        "new": phrase("The button skips seat {seat}, which hasn't taken the big blind yet.", seat=seat),
        "made-up-between": phrase(
            "The button skips seat {seat}, which made up its blinds between the button and the big blind.", seat=seat
        ),
        "missed-blind": phrase("The button skips seat {seat}, which missed a blind.", seat=seat),
        "short-blind": phrase("The button skips seat {seat}, which posted less than half of the big blind.", seat=seat),
    }[bar]


def no_button_before_blind(seat: int, bar: str) -> str:
    """Say why a seat can't have the button before its next big blind. `bar` is a `ButtonBar`."""
    return {
        "new": phrase(
            "Seat {seat} hasn't taken the big blind yet, so it can't have the button before that.", seat=seat
        ),
        "no-big-blind": phrase(
            "Seat {seat} hasn't taken the big blind yet, so it can't have the button before that.", seat=seat
        ),
        "made-up-between": phrase(
            "Seat {seat} made up its blinds between the button and the big blind, so it can't have the button before its next big blind.",
            seat=seat,
        ),
        "missed-blind": phrase(
            "Seat {seat} missed a blind, so it can't have the button before its next big blind.", seat=seat
        ),
        "short-blind": phrase(
            "Seat {seat} posted less than half of the big blind, so it can't have the button before its next big blind.",
            seat=seat,
        ),
    }[bar]


def no_button(seat: int, bar: str) -> str:
    """Say why a seat can't have the button on this hand or in this round. `bar` is a `ButtonBar`."""
    return {
        "new": phrase("Seat {seat} hasn't taken the big blind yet, so it can't have the button.", seat=seat),
        "no-big-blind": phrase("Seat {seat} hasn't taken the big blind yet, so it can't have the button.", seat=seat),
        "made-up-between": phrase(
            "Seat {seat} made up its blinds between the button and the big blind, so it can't have the button this round.",
            seat=seat,
        ),
        "missed-blind": phrase("Seat {seat} missed a blind, so it can't have the button.", seat=seat),
        "short-blind": phrase(
            "Seat {seat} posted less than half of the big blind, so it can't have the button this round.", seat=seat
        ),
    }[bar]
