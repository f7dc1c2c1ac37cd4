"""Sentences of findings about a big blind that is all-in for less."""

from __future__ import annotations

from ledger.text.language import phrase

# Headlines


def called_short(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a call matched only the short blind."""
    return phrase(
        "Seat {seat} called {amount} instead of {due_amount} against a short big blind",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def raised_short(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a raise was measured by the short blind."""
    return phrase(
        "Seat {seat} raised to {amount} instead of at least {due_amount} over a short big blind",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def full_blind_missing(seat: int, amount: str, due_seat: int) -> str:
    """Headline: the next player didn't post the blind."""
    return phrase(
        "Seat {seat} is all-in for {amount} of the big blind, but seat {due_seat} didn't post the full blind",
        seat=seat,
        amount=amount,
        due_seat=due_seat,
    )


def second_big_blind(seat: int) -> str:
    """Headline: the next player posted a blind that wasn't due."""
    return phrase("Seat {seat} posted a second big blind", seat=seat)


# Correct


def as_if_full(due_amount: str) -> str:
    """Correct: the call or raise measured by the full blind."""
    return phrase("{due_amount}, as if the big blind were full", due_amount=due_amount)


def big_blind_from(due_seat: int, due_amount: str) -> str:
    """Correct: who posts the full blind."""
    return phrase("a big blind of {due_amount} from seat {due_seat}", due_amount=due_amount, due_seat=due_seat)


def counts_as_full(seat: int, amount: str) -> str:
    """Correct: no second blind, since the short one counts as full."""
    return phrase("no second big blind: seat {seat}'s {amount} counts as the full blind", seat=seat, amount=amount)


# Notes on other events


def note_all_in(amount: str) -> str:
    """Note: the short blind."""
    return phrase("all-in for {amount}", amount=amount)
