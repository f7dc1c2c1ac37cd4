"""Sentences of findings about how chips were put in: string raises, single chips, partial raises."""

from __future__ import annotations

# Rulings, for headlines and corrections


def call_of(amount: str) -> str:
    """Return a call as a ruling."""
    return f"a call of {amount}"


def raise_to(amount: str) -> str:
    """Return a raise as a ruling."""
    return f"a raise to {amount}"


def one_chip_or_several(one_chip_ruling: str, several_ruling: str) -> str:
    """Return both rulings, if the record doesn't show whether it was one chip."""
    return f"{one_chip_ruling} if it was one chip, otherwise {several_ruling}"


# Headlines


def string_raise(seat: int, amount: str, count: int) -> str:
    """Headline: a raise in several motions."""
    return f"String raise: seat {seat} raised to {amount} in {count} motions without announcing it"


def ruled_wrong(seat: int, amount: str, ruling: str) -> str:
    """Headline: chips were taken as another action."""
    return f"Seat {seat} put in {amount}, and it was ruled {ruling}"


def single_chip_raise(seat: int, chip: str, amount: str) -> str:
    """Headline: one large chip was taken as a raise."""
    return f"Seat {seat} put in one {chip} chip, and it was ruled a raise to {amount}"


def not_whole_chips(seat: int, amount: str) -> str:
    """Headline: a bet includes chips smaller than the smallest in play."""
    return f"Seat {seat} put in {amount}, which isn't a multiple of the smallest chip"


# Correct


def first_motion_counts(ruling: str, amount: str) -> str:
    """Correct: the ruling on the first motion."""
    return f"{ruling}: only the first motion of {amount} counts"


def raise_completed(due_amount: str) -> str:
    """Correct: a completed raise."""
    return f"a raise, completed to {due_amount}"


def call_and_rest_back(due_amount: str) -> str:
    """Correct: a call, with the other chips back."""
    return f"a call of {due_amount}, the rest returned"


def call_and_change(due_amount: str) -> str:
    """Correct: a call, with change back."""
    return f"a call of {due_amount}, with change returned"


def multiples_of(amount: str) -> str:
    """Correct: multiples of the smallest chip."""
    return f"multiples of the smallest chip, {amount}"


# Notes on other events


def note_motion(amount: str) -> str:
    """Note: one motion."""
    return f"motion of {amount}"


# Unknown


def one_chip() -> str:
    """Unknown: whether it was one chip."""
    return "whether it was one chip or several"
