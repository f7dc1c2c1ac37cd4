"""What somebody may have meant who named what is not here."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_COMPARED: Final = 5_000
"""Of more names than these only those are meant that are the same but for capitals, or begin so."""
_MOST: Final = 3


def near(told: str, there: Iterable[str], otherwise: str) -> str:
    """Return the question whether one of the names that are there was meant; `otherwise` where none is near.

    >>> near("t7", ["T3", "T7", "Final"], "There is none."), near("T9", ["T3", "Final"], "There is none.")
    ("Did you mean 'T7'?", "Did you mean 'T3'?")
    """
    names: dict[str, str] = {}
    for one in there:
        names.setdefault(one.casefold(), one)
    small = told.casefold()
    found = [small] if small in names else sorted(one for one in names if small and one.startswith(small))
    if small not in names and len(names) <= _COMPARED:
        found += get_close_matches(small, names, _MOST, 0.5)
    meant = [repr(names[one]) for one in dict.fromkeys(found)][:_MOST]
    return f"Did you mean {' or '.join(meant)}?" if meant else otherwise
