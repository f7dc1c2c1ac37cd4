"""Sentences of findings about the deal and the order of streets."""

from __future__ import annotations

from ledger.text.language import phrase
from projections.sentences import on_street, street_name
from projections.sentences.words import count_of


def street_out_of_order(street: str, due_street: str) -> str:
    """Headline: a street came before an earlier one."""
    return phrase(
        "The {street} came before the {due_street}", street=street_name(street), due_street=street_name(due_street)
    )


def street_next(due_street: str) -> str:
    """Correct: the street that is next."""
    return phrase("the {due_street} next", due_street=street_name(due_street))


def cards_on_street(street: str, cards: int) -> str:
    """Headline: a street had the wrong number of cards."""
    return phrase("The {street} had {cards_text}", street=street_name(street), cards_text=count_of(cards, "card"))


def street_before_betting_over(street: str, next_seat: int) -> str:
    """Headline: a street came too early."""
    return phrase(
        "The {street} was dealt with seat {next_seat} still to act", street=street_name(street), next_seat=next_seat
    )


def hand_ended_before_betting_over(street: str, next_seat: int) -> str:
    """Headline: the hand ended with a player still to act."""
    return phrase(
        "The hand ended {street} with seat {next_seat} still to act", street=on_street(street), next_seat=next_seat
    )


def betting_first() -> str:
    """Correct: the betting comes first."""
    return phrase("the betting finished first")


def first_card_to(seat: int, due_seat: int) -> str:
    """Headline: the deal began at the wrong seat."""
    return phrase(
        "The first card went to seat {seat}; seat {due_seat} is left of the button", seat=seat, due_seat=due_seat
    )


def first_card_due(due_seat: int, button_seat: int) -> str:
    """Correct: who gets the first card."""
    return phrase(
        "the first card to seat {due_seat}, left of the button in seat {button_seat}",
        due_seat=due_seat,
        button_seat=button_seat,
    )


def last_card_to(seat: int, due_seat: int) -> str:
    """Headline: the deal ended at a wrong seat."""
    return phrase("The last card went to seat {seat}; it should go to seat {due_seat}", seat=seat, due_seat=due_seat)


def last_card_due(due_seat: int) -> str:
    """Correct: who gets the last card."""
    return phrase("the last card to seat {due_seat}, where the deal ends", due_seat=due_seat)


def last_card_to_button(button_seat: int) -> str:
    """Correct: heads-up, the button gets the last card."""
    return phrase("the last card to seat {button_seat}, the button", button_seat=button_seat)


def dealt_wrong_count(seat: int, cards: int) -> str:
    """Headline: a seat got the wrong number of cards."""
    return phrase("Seat {seat} was dealt {cards_text}", seat=seat, cards_text=count_of(cards, "card"))


def hole_cards_due(cards: int) -> str:
    """Correct: how many hole cards the game has."""
    return count_of(cards, "hole card")
