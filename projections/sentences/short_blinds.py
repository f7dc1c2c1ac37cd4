"""Sentences of findings about a big blind that is all-in for less."""

from __future__ import annotations

# Headlines


def called_short(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a call matched only the short blind."""
    return f"Seat {seat} called {amount} instead of {due_amount} against a short big blind"


def raised_short(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a raise was measured by the short blind."""
    return f"Seat {seat} raised to {amount} instead of at least {due_amount} over a short big blind"


def full_blind_missing(seat: int, amount: str, due_seat: int) -> str:
    """Headline: the next player didn't post the blind."""
    return f"Seat {seat} is all-in for {amount} of the big blind, but seat {due_seat} didn't post the full blind"


def second_big_blind(seat: int) -> str:
    """Headline: the next player posted a blind that wasn't due."""
    return f"Seat {seat} posted a second big blind"


# Correct


def as_if_full(due_amount: str) -> str:
    """Correct: the call or raise measured by the full blind."""
    return f"{due_amount}, as if the big blind were full"


def big_blind_from(due_seat: int, due_amount: str) -> str:
    """Correct: who posts the full blind."""
    return f"a big blind of {due_amount} from seat {due_seat}"


def counts_as_full(seat: int, amount: str) -> str:
    """Correct: no second blind, since the short one counts as full."""
    return f"no second big blind: seat {seat}'s {amount} counts as the full blind"


# Notes on other events


def note_all_in(amount: str) -> str:
    """Note: the short blind."""
    return f"all-in for {amount}"
