"""Sentences of findings about new players."""

from __future__ import annotations

from typing import Final

from ledger.text.language import phrase, translatable

_ORIGINS: Final = {
    "broken-game": translatable("broken game"),
    "limit-change": translatable("limit change"),
    "table-balance": translatable("table balance"),
    "must-move": translatable("must move"),
}
"""Why the house moved a player."""

# Headlines


def dealt_in_too_early(seat: int) -> str:
    """Headline: a new player was dealt in where newcomers must wait."""
    return phrase("Seat {seat}, a new player, was dealt in before the button passed it", seat=seat)


def dealt_in_without_post(seat: int, price: str) -> str:
    """Headline: a new player didn't post; `price` is "" if it is unknown."""
    if not price:
        return phrase("Seat {seat}, a new player, was dealt in without posting anything", seat=seat)
    return phrase("Seat {seat}, a new player, was dealt in without posting {price}", seat=seat, price=price)


def posted_too_little(seat: int, amount: str, price: str) -> str:
    """Headline: a new player posted less than the book asks, or not live."""
    return phrase(
        "Seat {seat}, a new player, posted {amount} instead of {price} to come in",
        seat=seat,
        amount=amount,
        price=price,
    )


def charged_too_much(seat: int, amount: str, price: str) -> str:
    """Headline: a new player posted more than the book asks."""
    return phrase(
        "Seat {seat}, a new player, was charged {amount} instead of {price}", seat=seat, amount=amount, price=price
    )


def wrong_entry_post(seat: int, amount: str, due_amount: str) -> str:
    """Headline: an entry post has the wrong size."""
    return phrase(
        "Seat {seat} posted {amount} instead of {due_amount} to come in",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def big_blind_skipped(seat: int) -> str:
    """Headline: the big blind went past a player who waits for it."""
    return phrase("The big blind skipped seat {seat}, where a new player was waiting for it", seat=seat)


def dealt_in_behind_button(seat: int) -> str:
    """Headline: a tournament newcomer got cards too early."""
    return phrase(
        "Seat {seat} just came to the table and was dealt in between the button and the small blind", seat=seat
    )


# Correct


def no_cards_behind_button(seat: int) -> str:
    """Correct: no cards for a tournament newcomer before the button passes."""
    return phrase("no cards for seat {seat} until the button has passed", seat=seat)


def post_of(due_amount: str) -> str:
    """Correct: the entry post."""
    return phrase("a post of {due_amount}", due_amount=due_amount)


def cards_and_big_blind(seat: int) -> str:
    """Correct: the player dealt in on the big blind."""
    return phrase("seat {seat} dealt in on the big blind", seat=seat)


# Because


def not_known_to_decline(seat: int) -> str:
    """Because: nothing shows that the player declined the blind."""
    return phrase("The record doesn't show that the player in seat {seat} let it pass.", seat=seat)


def no_blind_passed(seat: int) -> str:
    """Because: why the player comes in without a post."""
    return phrase("No blind has passed seat {seat} since the game began.", seat=seat)


def moved_by_house(seat: int, origin: str) -> str:
    """Because: why the player comes in without a post."""
    origin_text = phrase(_ORIGINS[origin]) if origin in _ORIGINS else origin.replace("-", " ")
    return phrase("The house moved the player in seat {seat} here ({origin}).", seat=seat, origin=origin_text)


# Unknown


def origin_of_player() -> str:
    """Unknown: whether the house moved the player."""
    return phrase("where the player came from")


def button_passed_twice() -> str:
    """Unknown: what a player owes who let the button pass twice."""
    return phrase("what a new player owes after the button has passed more than once")
