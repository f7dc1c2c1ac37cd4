"""Numbers of hands as people read them: which is the higher, and which are of one series."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

NumberKey: TypeAlias = tuple[tuple[int, int, str], ...]


@lru_cache(maxsize=1024)  # a walk asks several times of each hand and its neighbour
def number_key(number: str) -> NumberKey:
    """Return a key that sorts hand numbers as people read them: "9" before "10", "2-9" before "2-10".

    Digits are compared by length and text, so that a number of any length costs no conversion.
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


def series(key: NumberKey) -> str:
    """Return the word that a number begins with: numbers that begin alike count on from each other."""
    return key[0][2] if key and key[0][0] else ""


def counts_on(lower: str, higher: str) -> bool:
    """Whether two hand numbers are of one series, the first the lower."""
    first, second = number_key(lower), number_key(higher)
    return series(first) == series(second) and first < second
