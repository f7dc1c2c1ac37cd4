"""Sentences of findings about the deal and the order of streets."""

from __future__ import annotations

from projections.sentences import on_street
from projections.sentences.words import count_of


def street_out_of_order(street: str, due_street: str) -> str:
    """Headline: a street came before an earlier one."""
    return f"The {street} came before the {due_street}"


def street_next(due_street: str) -> str:
    """Correct: the street that is next."""
    return f"the {due_street} next"


def cards_on_street(street: str, cards: int) -> str:
    """Headline: a street had the wrong number of cards."""
    return f"The {street} had {count_of(cards, 'card')}"


def street_before_betting_over(street: str, next_seat: int) -> str:
    """Headline: a street came too early."""
    return f"The {street} was dealt with seat {next_seat} still to act"


def hand_ended_before_betting_over(street: str, next_seat: int) -> str:
    """Headline: the hand ended with a player still to act."""
    return f"The hand ended {on_street(street)} with seat {next_seat} still to act"


def betting_first() -> str:
    """Correct: the betting comes first."""
    return "the betting finished first"


def first_card_to(seat: int, due_seat: int) -> str:
    """Headline: the deal began at the wrong seat."""
    return f"The first card went to seat {seat}; seat {due_seat} is left of the button"


def first_card_due(due_seat: int, button_seat: int) -> str:
    """Correct: who gets the first card."""
    return f"the first card to seat {due_seat}, left of the button in seat {button_seat}"


def last_card_to(seat: int, due_seat: int) -> str:
    """Headline: the deal ended at a wrong seat."""
    return f"The last card went to seat {seat}; it should go to seat {due_seat}"


def last_card_due(due_seat: int) -> str:
    """Correct: who gets the last card."""
    return f"the last card to seat {due_seat}, where the deal ends"


def last_card_to_button(button_seat: int) -> str:
    """Correct: heads-up, the button gets the last card."""
    return f"the last card to seat {button_seat}, the button"


def dealt_wrong_count(seat: int, cards: int) -> str:
    """Headline: a seat got the wrong number of cards."""
    return f"Seat {seat} was dealt {count_of(cards, 'card')}"


def hole_cards_due(cards: int) -> str:
    """Correct: how many hole cards the game has."""
    return count_of(cards, "hole card")
