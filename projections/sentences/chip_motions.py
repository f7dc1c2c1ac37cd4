"""Sentences of findings about how chips were put in: string raises, single chips, partial raises."""

from __future__ import annotations

from ledger.text.language import phrase

# Rulings, for headlines and corrections


def call_of(amount: str) -> str:
    """Return a call as a ruling."""
    return phrase("a call of {amount}", amount=amount)


def raise_to(amount: str) -> str:
    """Return a raise as a ruling."""
    return phrase("a raise to {amount}", amount=amount)


def one_chip_or_several(one_chip_ruling: str, several_ruling: str) -> str:
    """Return both rulings, if the record doesn't show whether it was one chip."""
    return phrase(
        "{one_chip_ruling} if it was one chip, otherwise {several_ruling}",
        one_chip_ruling=one_chip_ruling,
        several_ruling=several_ruling,
    )


# Headlines


def string_raise(seat: int, amount: str, count: int) -> str:
    """Headline: a raise in several motions."""
    return phrase(
        "String raise: seat {seat} raised to {amount} in {count} motions without announcing it",
        seat=seat,
        amount=amount,
        count=count,
    )


def ruled_wrong(seat: int, amount: str, ruling: str) -> str:
    """Headline: chips were taken as another action."""
    return phrase("Seat {seat} put in {amount}, and it was ruled {ruling}", seat=seat, amount=amount, ruling=ruling)


def single_chip_raise(seat: int, chip: str, amount: str) -> str:
    """Headline: one large chip was taken as a raise."""
    return phrase(
        "Seat {seat} put in one {chip} chip, and it was ruled a raise to {amount}", seat=seat, chip=chip, amount=amount
    )


def not_whole_chips(seat: int, amount: str) -> str:
    """Headline: a bet includes chips smaller than the smallest in play."""
    return phrase("Seat {seat} put in {amount}, which isn't a multiple of the smallest chip", seat=seat, amount=amount)


# Correct


def first_motion_counts(ruling: str, amount: str) -> str:
    """Correct: the ruling on the first motion."""
    return phrase("{ruling}: only the first motion of {amount} counts", ruling=ruling, amount=amount)


def raise_completed(due_amount: str) -> str:
    """Correct: a completed raise."""
    return phrase("a raise, completed to {due_amount}", due_amount=due_amount)


def call_and_rest_back(due_amount: str) -> str:
    """Correct: a call, with the other chips back."""
    return phrase("a call of {due_amount}, the rest returned", due_amount=due_amount)


def call_and_change(due_amount: str) -> str:
    """Correct: a call, with change back."""
    return phrase("a call of {due_amount}, with change returned", due_amount=due_amount)


def multiples_of(amount: str) -> str:
    """Correct: multiples of the smallest chip."""
    return phrase("multiples of the smallest chip, {amount}", amount=amount)


# Notes on other events


def note_motion(amount: str) -> str:
    """Note: one motion."""
    return phrase("motion of {amount}", amount=amount)


# Unknown


def one_chip() -> str:
    """Unknown: whether it was one chip."""
    return phrase("whether it was one chip or several")
