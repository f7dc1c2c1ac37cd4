"""Suggest the right name for an unknown field or word in a query."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.text.language import phrase

_DAY_HINT: Final = "day:2026-11-20, since:2026-11-20 or until:2026-11-21T04:00"
_FIELD_HINTS: Final = {
    **dict.fromkeys(("date", "time", "when", "at", "from", "to", "started", "before", "after", "on"), _DAY_HINT),
    **dict.fromkeys(("hero", "me", "name", "who"), 'player:"Old Tom"'),
    **dict.fromkeys(("room", "site", "casino", "club"), "venue:PokerStars"),
    **dict.fromkeys(("rule", "rulebook"), "clause:hilton.B8* or book:hilton"),
    **dict.fromkeys(("file", "path"), "source:night.hand"),
    **dict.fromkeys(("profit", "lost", "loss"), "net<-100"),
}
"""Names that people try, and the terms to write instead."""


def suggest_name(word: str, candidates: Iterable[str]) -> str:
    """Return a hint for an unknown word: the term to write instead, or the nearest candidate."""
    from difflib import get_close_matches  # noqa: PLC0415 - only in an error

    if word.casefold() in _FIELD_HINTS:
        return phrase("Write {term}.", term=_FIELD_HINTS[word.casefold()])
    matches = get_close_matches(word, [*candidates], 1)
    return phrase("Did you mean {names}?", names=matches[0]) if matches else phrase("`--where help` lists all words.")
