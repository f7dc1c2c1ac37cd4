"""Sentences of findings about the button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ledger.text.language import join_each_or, phrase
from projections.sentences.words import alternatives

# Headlines


def moved_to_wrong_seat(seat: int, due_seat: int) -> str:
    """Headline: the button went to the wrong seat."""
    return phrase(
        "Button moved to the wrong seat: seat {seat} instead of seat {due_seat}", seat=seat, due_seat=due_seat
    )


def moved_to_undealt_seat(seat: int, due_seat: int) -> str:
    """Headline: the button went to a seat that gets no cards. Its player may be away."""
    return phrase(
        "Button moved to seat {seat}, where nobody is dealt in, instead of seat {due_seat}",
        seat=seat,
        due_seat=due_seat,
    )


def did_not_move(seat: int, due_seat: int) -> str:
    """Headline: the button didn't move."""
    return phrase("Button didn't move: still in seat {seat} instead of seat {due_seat}", seat=seat, due_seat=due_seat)


def stayed_in_undealt_seat(seat: int, due_seat: int) -> str:
    """Headline: the button didn't move and is in a seat that gets no cards. Its player may be away."""
    return phrase(
        "Button didn't move: still in seat {seat}, where nobody is dealt in, instead of seat {due_seat}",
        seat=seat,
        due_seat=due_seat,
    )


def reaches_neither_player(seat: int) -> str:
    """Headline: heads-up, neither player has the button."""
    return phrase("Button moved to seat {seat}, where nobody is dealt in, though two players are left", seat=seat)


def still_with_neither_player(seat: int) -> str:
    """Headline: heads-up, neither player has the button, as on the hand before."""
    return phrase("Button still in seat {seat}, where nobody is dealt in, though two players are left", seat=seat)


def starts_in_wrong_seat(seat: int, due_seat: int) -> str:
    """Headline: a game's first button is in the wrong seat."""
    return phrase(
        "First button in the wrong seat: seat {seat} instead of seat {due_seat}", seat=seat, due_seat=due_seat
    )


def in_wrong_seat(seat: int) -> str:
    """Headline: the button is wrong, and the right seat is unknown."""
    return phrase("Button in the wrong seat: seat {seat}", seat=seat)


def has_barred_button(seat: int) -> str:
    """Headline: the button is at a seat that can't have it."""
    return phrase("Seat {seat} has the button but can't have it yet", seat=seat)


def has_barred_last_action(seat: int) -> str:
    """Headline: the seat with last action can't have the button."""
    return phrase("Seat {seat} has last action at the dead button but can't have the button yet", seat=seat)


def newcomer_has_button(seat: int) -> str:
    """Headline: a new player has the button."""
    return phrase("Seat {seat} has the button before taking a blind", seat=seat)


def no_draw(seat: int) -> str:
    """Headline: nobody drew for the first button."""
    return phrase("Button given to seat {seat} without a draw", seat=seat)


def nobody_drew() -> str:
    """Headline: nobody drew for the first button, and it isn't recorded."""
    return phrase("Nobody drew for the button")


def winner_without_button(due_seat: int) -> str:
    """Headline: the winner of the draw lacks the button."""
    return phrase("Seat {due_seat} won the draw but doesn't have the button", due_seat=due_seat)


def bought_without_debt(seat: int) -> str:
    """Headline: a player who owed nothing bought the button."""
    return phrase("Seat {seat} bought the button without having missed a blind", seat=seat)


def bought_from_elsewhere(seat: int) -> str:
    """Headline: somebody bought the button from a seat that can't."""
    return phrase("Seat {seat} bought the button but wasn't between the button and the blinds", seat=seat)


def player_left_out(seat: int) -> str:
    """Headline: an absent player who is due the button got no cards."""
    return phrase("Seat {seat} was due the button but got no cards", seat=seat)


def absent_hand_played(seat: int, outcome: Literal["acted", "won"]) -> str:
    """Headline: the hand of an absent player stayed live."""
    if outcome == "won":
        return phrase("Seat {seat}'s hand won while the player was away", seat=seat)
    return phrase("Seat {seat}'s hand was played while the player was away", seat=seat)


# Correct


def button_in(due_seats: Sequence[int], doubtful_seats: Sequence[int] = ()) -> str:
    """Correct: where the button belongs, by each reading of the book."""
    seats = join_each_or([phrase("seat {seat}", seat=seat) for seat in due_seats])
    return alternatives(
        [phrase("button in {seats}", seats=seats)], [phrase("in seat {seat}", seat=seat) for seat in doubtful_seats]
    )


def button_elsewhere() -> str:
    """Correct: the button in another seat."""
    return phrase("button in another seat")


def last_action_elsewhere() -> str:
    """Correct: another seat last to act."""
    return phrase("another seat last to act")


def without_button(seat: int) -> str:
    """Correct: the seat dealt in without the button."""
    return phrase("seat {seat} without the button", seat=seat)


def button_past(seat: int) -> str:
    """Correct: the button moved past the seat."""
    return phrase("button moved past seat {seat}", seat=seat)


def draw_first() -> str:
    """Correct: a draw for the button."""
    return phrase("a draw for the button")


def usual_order() -> str:
    """Correct: the button moved as usual, without a sale."""
    return phrase("button moved as usual")


def no_sale(due_seat: int) -> str:
    """Correct: no sale to this seat."""
    return phrase("no sale; button in seat {due_seat}", due_seat=due_seat)


def dealt_the_button(seat: int) -> str:
    """Correct: the player dealt in, with the button."""
    return phrase("seat {seat} dealt in, with the button", seat=seat)


def hand_killed() -> str:
    """Correct: the hand killed."""
    return phrase("hand killed when the action reached it")


# Because


def nearest_to_dealer(due_seat: int) -> str:
    """Because: who gets the first button."""
    return phrase("Seat {due_seat} is the nearest player counterclockwise from the dealer.", due_seat=due_seat)


def seats_not_drawn(seating: Literal["chosen", "arrival", "other"]) -> str:
    """Because: how the seats were given out."""
    return {
        "chosen": phrase("The players chose their seats; nobody drew for them."),
        "arrival": phrase("The players took seats in order of arrival; nobody drew for them."),
        "other": phrase("The seats weren't drawn."),
    }[seating]


def won_the_draw(due_seat: int) -> str:
    """Because: who won the draw."""
    return phrase("Seat {due_seat} won the draw for the button.", due_seat=due_seat)


def in_room_and_paid(seat: int) -> str:
    """Because: why an absent player is dealt in."""
    return phrase(
        "The player in seat {seat} is in the room, has paid the blinds and didn't ask to be dealt out.", seat=seat
    )


def alternates() -> str:
    """Because: how the positions change heads-up."""
    return phrase("With two players, the button and the big blind change seats every hand.")


def alternates_despite_dead_button() -> str:
    """Because: how the positions change heads-up, in a room with a dead button."""
    return phrase(
        "With two players, the button and the big blind change seats every hand. This room plays a dead button, which may explain it."
    )


def sold_out_of_place(seat: int, due_seat: int) -> str:
    """Because: why a seat can't buy the button."""
    return phrase(
        "The button was coming to seat {due_seat}, and seat {seat} isn't between it and the blinds.",
        due_seat=due_seat,
        seat=seat,
    )


def bought_where_book_is_silent(seat: int, hand: str) -> str:
    """Because: the button was bought, and the rulebook has no rule on that."""
    return phrase(
        "Seat {seat} bought the button after hand {hand}. This rulebook doesn't mention a sale.", seat=seat, hand=hand
    )


def may_have_bought(seat: int) -> str:
    """Because: a purchase of the button may be missing from the record."""
    return phrase(
        "Seat {seat}, left of the button, posted all the blinds, so it may have bought the button.", seat=seat
    )
