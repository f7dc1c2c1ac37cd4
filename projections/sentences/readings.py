"""What tells one reading of where the button and blinds belong from the others, if the book allows several."""

from __future__ import annotations

from ledger.text.language import phrase


def short_stack_passed_over() -> str:
    """Return the reading by which the next player posts instead of a player who is short of chips."""
    return phrase("who has less than half of the big blind posts nothing")


def each_from_position() -> str:
    """Return the reading by which debts don't move the blinds."""
    return phrase("each blind from its own position")


def each_from_position_despite_debts() -> str:
    """Return the reading by which debts don't move the blinds, where another one goes by debts."""
    return phrase("each blind from its own position, whatever players owe")


def late_blinds_waived() -> str:
    """Return the reading by which a blind left out is forgotten."""
    return phrase("a blind left out on the last hand isn't made up")


def new_round_first() -> str:
    """Return the reading by which old debts come last."""
    return phrase("the new round's blinds come before those left from the last round")


def button_owes_nothing() -> str:
    """Return the reading by which the button is free of the small blind."""
    return phrase("the button owes nothing")


def button_posts_small_blind() -> str:
    """Return the reading by which the button posts the small blind."""
    return phrase("the button posts the small blind it owes")


def newcomer_takes_blind() -> str:
    """Return the reading by which a new player has a blind like the others."""
    return phrase("the new player takes a blind in turn")


def button_in_seat(seat: int) -> str:
    """Return the reading by which a seat has the button."""
    return phrase("the button in seat {seat}", seat=seat)


def button_in_buyers_seat() -> str:
    """Return the reading by which a bought button counts."""
    return phrase("the button in the seat that bought it")


def big_blind_moves_on() -> str:
    """Return the reading by which the big blind moves heads-up."""
    return phrase("the big blind moves on")


def button_moves_on() -> str:
    """Return the reading by which the button moves heads-up."""
    return phrase("the button moves on")


def button_with_player() -> str:
    """Return the reading by which the button moves along with a player who changed seats."""
    return phrase("the button goes with its player")


def positions_as_in(hand: str) -> str:
    """Return the reading by which nothing moves."""
    return phrase("the button and blinds as in hand {hand}", hand=hand)
