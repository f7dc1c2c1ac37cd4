"""Compare hand numbers as people read them."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

NumberKey: TypeAlias = tuple[tuple[int, int, str], ...]


@lru_cache(maxsize=1024)  # a walk needs each hand's key several times
def number_key(number: str) -> NumberKey:
    """Return a key that sorts hand numbers as people read them: "9" before "10", "2-9" before "2-10".

    Digits are compared by length and text, so long numbers need no conversion.
    """
    parts: list[tuple[int, int, str]] = []
    start = 0
    while start < len(number):
        is_digits = number[start] in "0123456789"
        end = start + 1
        while end < len(number) and (number[end] in "0123456789") == is_digits:
            end += 1
        number_part = number[start:end]
        if is_digits:
            number_part = number_part.lstrip("0")
            parts.append((0, len(number_part), number_part))
        else:
            parts.append((1, 0, number_part))
        start = end
    return tuple(parts)


def find_series(key: NumberKey) -> str:
    """Return the word at the start of a number. Numbers with the same word continue one count."""
    return key[0][2] if key and key[0][0] else ""


def is_later_in_series(lower: str, higher: str) -> bool:
    """Return whether both numbers are of one series, and `lower` comes first."""
    first, second = number_key(lower), number_key(higher)
    return find_series(first) == find_series(second) and first < second
