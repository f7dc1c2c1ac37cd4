"""Describe the consequences of a wrong button or blind."""

from __future__ import annotations

from typing import Final

from ledger import safe
from ledger.text.language import phrase, translatable
from projections.amount_text import amount
from projections.audit.knock_on import KnockOn
from projections.sentences import knock_on as say
from projections.sentences import paragraph

_METHOD_NAMES: Final = {
    "dead": translatable("the dead-button rule"),
    "positional": translatable("the moving-button rule, with blinds by position"),
    "owed": translatable("the moving-button rule, with blinds as owed"),
    "record": translatable("the record"),
}
_MAX_NAMED_HANDS: Final = 6
"""The most hands that a sentence names. The others are only counted."""


def describe_knock_on(knock_on: KnockOn) -> str:
    """Return which hands were affected, when play was right again, and who posted too much or too little."""
    if not knock_on.hands:
        return say.cannot_follow(safe.terminal(phrase(knock_on.why), 200))
    hand_numbers = [safe.terminal(entry.number, 24) for entry in knock_on.hands[:_MAX_NAMED_HANDS]]
    unknown_count = sum(bool(entry.untold) for entry in knock_on.hands)
    if knock_on.in_step:
        ending = say.back_in_step(safe.terminal(knock_on.in_step, 24), is_settled=knock_on.settled)
    else:
        ending = say.never_back_in_step(safe.terminal(phrase(knock_on.why), 200))
    return paragraph(
        say.likely_only() if knock_on.likely else "",
        say.hands_out_of_step(hand_numbers, len(knock_on.hands) - len(hand_numbers)),
        ending,
        *_describe_posts(knock_on),
        say.amounts_unknown(unknown_count) if unknown_count else "",
        say.based_on_method(phrase(_METHOD_NAMES[knock_on.method]), is_assumed=knock_on.assumed),
    )


def _describe_posts(knock_on: KnockOn) -> list[str]:
    if not knock_on.money:
        return [say.nobody_posted_wrong()]
    return [
        say.posted_wrong(
            entry.seat,
            amount(abs(entry.amount), knock_on.unit, knock_on.exponent),
            "much" if entry.amount > 0 else "little",
        )
        for entry in knock_on.money
    ]
