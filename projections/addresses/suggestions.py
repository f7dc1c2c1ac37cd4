"""Suggest known names for a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from ledger.text.language import join_each_or, phrase

_MAX_COMPARED: Final = 5_000
"""With more names than this, only names that differ in case or begin with the typed text are suggested."""
_MAX_SUGGESTIONS: Final = 3


def suggest_names(typed_name: str, known_names: Iterable[str], fallback: str) -> str:
    """Return "Did you mean …?" with the nearest known names; `fallback` if none is near.

    >>> suggest_names("t7", ["T3", "T7", "Final"], "There is none."), suggest_names("T9", ["T3", "Final"], "There is none.")
    ("Did you mean 'T7'?", "Did you mean 'T3'?")
    """
    by_folded_name: dict[str, str] = {}
    for name in known_names:
        by_folded_name.setdefault(name.casefold(), name)
    folded_name = typed_name.casefold()
    matches = (
        [folded_name]
        if folded_name in by_folded_name
        else sorted(name for name in by_folded_name if folded_name and name.startswith(folded_name))
    )
    if folded_name not in by_folded_name and len(by_folded_name) <= _MAX_COMPARED:
        matches += get_close_matches(folded_name, by_folded_name, _MAX_SUGGESTIONS, 0.5)
    suggestions = [repr(by_folded_name[name]) for name in dict.fromkeys(matches)][:_MAX_SUGGESTIONS]
    return phrase("Did you mean {names}?", names=join_each_or(suggestions)) if suggestions else fallback
