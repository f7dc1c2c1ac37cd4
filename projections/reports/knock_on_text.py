"""What a wrong button or blind led to, in a sentence or two."""

from __future__ import annotations

from typing import Final

from ledger import safe
from projections.amount_text import amount
from projections.audit.knock_on import KnockOn

_METHODS: Final = {
    "dead": "dead button",
    "positional": "moving button, blinds by position",
    "owed": "moving button, blinds as owed",
    "record": "the record",
}
_NAMED: Final = 6
"""Hands that are named; more are counted."""


def sentence(found: KnockOn) -> str:
    """Return how many hands were out of step, whether the game came back, and who posted too much or too little."""
    if not found.hands:
        return f"cannot be followed: {safe.terminal(found.why, 200)}"
    count = len(found.hands)
    numbers = [safe.terminal(one.number, 24) for one in found.hands[:_NAMED]]
    named = ", ".join(numbers) + (f" and {count - _NAMED} more" if count > _NAMED else "")
    parts = [f"{count} hand{'s' * (count != 1)} out of step: {named}"]
    if found.in_step:
        settled = "" if found.settled else ", though what is owed may still differ because of it"
        parts.append(f"back in step on hand {safe.terminal(found.in_step, 24)}{settled}")
    else:
        parts.append(f"not back in step as far as can be told: {safe.terminal(found.why, 200)}")
    over = [
        f"seat {one.seat} posted {amount(abs(one.amount), found.unit, found.exponent)} too {'much' if one.amount > 0 else 'little'}"
        for one in found.money
    ]
    parts.append(", ".join(over) or "nobody posted too much or too little")
    if untold := sum(bool(one.untold) for one in found.hands):
        parts.append(f"of {untold} of these hands the amounts cannot be told, or do not count")
    how = _METHODS[found.method]
    parts.append(f"by {how}, to which the record is nearest" if found.assumed else f"by {how}")
    return ("likely, not certain: " if found.likely else "") + "; ".join(parts)
