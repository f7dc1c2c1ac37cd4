"""Sentences about what a record leaves open, so that a finding is likely and not certain."""

from __future__ import annotations


def reading_assumed(reading: str) -> str:
    """Say that a finding holds under one reading of the rule or the record."""
    return f"Assumed: {reading}."


def more_open_questions(count: int) -> str:
    """Say how many more questions the record leaves open; "" = none."""
    if not count:
        return ""
    return f"There {'is one more open question' if count == 1 else f'are {count} more open questions'}."
