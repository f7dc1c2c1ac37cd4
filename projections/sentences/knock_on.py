"""Sentences about the consequences of a wrong button or blind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ledger.text.language import join_and, phrase, phrase_count, translatable


def hands_out_of_step(hand_numbers: Sequence[str], more_count: int) -> str:
    """Say which hands were affected; `more_count` is how many aren't named."""
    if len(hand_numbers) == 1 and not more_count:
        return phrase("Hand {hand_number} was affected.", hand_number=hand_numbers[0])
    names = join_and(
        [*hand_numbers, phrase("{more_count} more", more_count=more_count)] if more_count else hand_numbers
    )
    return phrase("{count} hands were affected: {names}.", count=len(hand_numbers) + more_count, names=names)


def back_in_step(hand: str, *, is_settled: bool) -> str:
    """Say on which hand the button and blinds were right again."""
    if is_settled:
        return phrase("The button and blinds were right again on hand {hand}.", hand=hand)
    return phrase(
        "The button and blinds were right again on hand {hand}, but players may still owe the wrong blinds.", hand=hand
    )


def never_back_in_step(reason: str) -> str:
    """Say that the record doesn't show the button and blinds right again, and why."""
    return phrase("The record doesn't show when the button and blinds were right again: {reason}.", reason=reason)


def cannot_follow(reason: str) -> str:
    """Say that we can't tell what followed."""
    return phrase("We can't tell what it affected: {reason}.", reason=reason)


def posted_wrong(seat: int, amount: str, direction: Literal["much", "little"]) -> str:
    """Say that a seat posted too much or too little."""
    message = (
        translatable("Seat {seat} posted {amount} too much.")
        if direction == "much"
        else translatable("Seat {seat} posted {amount} too little.")
    )
    return phrase(message, seat=seat, amount=amount)


def nobody_posted_wrong() -> str:
    """Say that every seat posted what it owed."""
    return phrase("Nobody posted too much or too little.")


def amounts_unknown(count: int) -> str:
    """Say in how many hands the amounts can't be compared."""
    return phrase_count(
        "In {count} hand, the amounts can't be compared.", "In {count} hands, the amounts can't be compared.", count
    )


def based_on_method(method: str, *, is_assumed: bool) -> str:
    """Say which method of moving the button the answer is based on."""
    if is_assumed:
        return phrase("This is based on {method}, the method closest to the record.", method=method)
    return phrase("This is based on {method}.", method=method)


def likely_only() -> str:
    """Say that the answer rests on an assumption."""
    return phrase("This is likely, not certain.")
