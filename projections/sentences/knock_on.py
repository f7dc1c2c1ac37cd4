"""Sentences about what a wrong button or blind led to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from projections.sentences import join_and


def hands_out_of_step(hand_numbers: Sequence[str], more_count: int) -> str:
    """Say which hands had button or blinds at wrong seats; `more_count` is how many aren't named."""
    if len(hand_numbers) == 1 and not more_count:
        return f"Hand {hand_numbers[0]} was affected."
    names = join_and([*hand_numbers, f"{more_count} more"] if more_count else hand_numbers)
    return f"{len(hand_numbers) + more_count} hands were affected: {names}."


def back_in_step(hand: str, *, is_settled: bool) -> str:
    """Say with which hand button and blinds are right again."""
    return f"Right again on hand {hand}{'' if is_settled else ', though what players owe may still be off'}."


def never_back_in_step(reason: str) -> str:
    """Say that button and blinds stay wrong as far as the record goes."""
    return f"Not corrected, as far as the record shows: {reason}."


def cannot_follow(reason: str) -> str:
    """Say that nobody can tell what followed."""
    return f"We can't tell what it affected: {reason}."


def posted_wrong(seat: int, amount: str, direction: Literal["much", "little"]) -> str:
    """Say that a seat posted too much or too little."""
    return f"Seat {seat} posted {amount} too {direction}."


def nobody_posted_wrong() -> str:
    """Say that every seat posted what it owed."""
    return "Nobody posted too much or too little."


def amounts_unknown(count: int) -> str:
    """Say in how many hands the amounts can't be compared."""
    return f"In {count} of these hands, the amounts are unknown or don't count."


def counted_by(method: str, *, is_assumed: bool) -> str:
    """Say by which method of moving the button this was worked out."""
    return f"Worked out by {method}{', the method closest to the record' if is_assumed else ''}."


def likely_only() -> str:
    """Say that it rests on an assumption."""
    return "Likely, not certain."
