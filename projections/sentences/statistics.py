"""Words for statistics of players: what each figure counts, and why hands are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.text.language import join_list, phrase, phrase_count, translatable_count

_GAP_COUNTS: Final = {
    "voided": translatable_count("{number} canceled hand", "{number} canceled hands"),
    "cut-off": translatable_count("{number} hand that is cut off", "{number} hands that are cut off"),
    "unread-lines": translatable_count(
        "{number} hand with lines that couldn't be read", "{number} hands with lines that couldn't be read"
    ),
    "unbalanced": translatable_count(
        "{number} hand whose chips don't add up", "{number} hands whose chips don't add up"
    ),
    "acts-missing": translatable_count(
        "{number} hand whose record lacks actions", "{number} hands whose record lacks actions"
    ),
    "game-unknown": translatable_count("{number} hand of an unknown game", "{number} hands of an unknown game"),
}
"""Reason why hands are left out → their number, in words."""


def describe_left_out(left_out: Mapping[str, int]) -> str:
    """Return the sentence about hands that aren't counted; "" if all are."""
    counts = [
        phrase_count(*_GAP_COUNTS[gap], count, number=_group_digits(count)) for gap, count in left_out.items() if count
    ]
    return phrase("Not counted: {hands}.", hands=join_list(counts)) if counts else ""


def describe_unknown_showdowns(count: int) -> str:
    """Return the sentence about hands without a known end; "" if there are none."""
    if not count:
        return ""
    return phrase_count(
        "WTSD leaves out {number} hand: its record doesn't show whether there was a showdown.",
        "WTSD leaves out {number} hands: their records don't show whether there was a showdown.",
        count,
        number=_group_digits(count),
    )


def describe_untimed(count: int, hands: int) -> str:
    """Return the sentence about hands without a time in a line of so many `hands`; "" if all have one."""
    if not count:
        return ""
    if count == hands:
        return phrase("No hand has a time on record: the order is that of the import.")
    return phrase_count(
        "{number} hand has no time on record and comes last.",
        "{number} hands have no time on record and come last, in the order of the import.",
        count,
        number=_group_digits(count),
    )


def _group_digits(count: int) -> str:
    return f"{count:,}"
