"""The consequences of a wrong button or blind, in a sentence or two."""

from __future__ import annotations

from typing import Final

from ledger import safe
from projections.amount_text import amount
from projections.audit.knock_on import KnockOn

_METHOD_NAMES: Final = {
    "dead": "dead button",
    "positional": "moving button, blinds by position",
    "owed": "moving button, blinds as owed",
    "record": "the record",
}
_MAX_NAMED_HANDS: Final = 6
"""Most hands that a sentence names. The rest are counted."""


def describe_knock_on(knock_on: KnockOn) -> str:
    """Describe the hands out of step, the return to step, and who posted too much or too little."""
    if not knock_on.hands:
        return f"can't be followed: {safe.terminal(knock_on.why, 200)}"
    hand_count = len(knock_on.hands)
    hand_numbers = [safe.terminal(entry.number, 24) for entry in knock_on.hands[:_MAX_NAMED_HANDS]]
    hand_list = ", ".join(hand_numbers) + (
        f" and {hand_count - _MAX_NAMED_HANDS} more" if hand_count > _MAX_NAMED_HANDS else ""
    )
    statements = [f"{hand_count} hand{'s' * (hand_count != 1)} out of step: {hand_list}"]
    if knock_on.in_step:
        reservation = "" if knock_on.settled else ", though blinds owed may still differ"
        statements.append(f"back in step on hand {safe.terminal(knock_on.in_step, 24)}{reservation}")
    else:
        statements.append(f"not back in step, as far as the record shows: {safe.terminal(knock_on.why, 200)}")
    overposts = [
        f"seat {entry.seat} posted {amount(abs(entry.amount), knock_on.unit, knock_on.exponent)} too {'much' if entry.amount > 0 else 'little'}"
        for entry in knock_on.money
    ]
    statements.append(", ".join(overposts) or "nobody posted too much or too little")
    if unknown_amounts := sum(bool(entry.untold) for entry in knock_on.hands):
        statements.append(f"in {unknown_amounts} of these hands, the amounts are unknown or don't count")
    method_name = _METHOD_NAMES[knock_on.method]
    statements.append(
        f"by {method_name}, the method closest to the record" if knock_on.assumed else f"by {method_name}"
    )
    return ("likely, not certain: " if knock_on.likely else "") + "; ".join(statements)
