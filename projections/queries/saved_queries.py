"""Queries that the ledger keeps under a name: `saved:NAME` stands for one in any query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ledger.errors import UsageError
from ledger.house.events import QuerySaved
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.store import Ledger

_SAVED: Final = re.compile(r'"[^"]*"|(?<![\w-])saved\s*[:=]\s*(?:"([^"]*)"|([^\s(),"]+))', re.IGNORECASE)


def saved(ledger: Ledger) -> dict[str, str]:
    """Return the queries that are kept, by their names."""
    words = ledger.people.words
    found = (entry.event for entry in ledger.told(HOUSE, QuerySaved))
    return {words(event.name) or "": words(event.query) or "" for event in found if isinstance(event, QuerySaved)}


def expanded(ledger: Ledger, text: str) -> str:
    """Return a query with what is kept in the places where it is named."""
    if "saved" not in text.lower():
        return text
    there: dict[str, str] = {}

    def put(found: re.Match[str]) -> str:
        name = found[1] if found[1] is not None else found[2]
        if name is None:
            return found[0]
        if not there:
            there.update(saved(ledger))
        if name not in there:
            known = ", ".join(sorted(there))
            raise UsageError(
                f"no query is kept under the name {name!r}",
                f"There are: {known}." if known else "handledger log --where QUERY --save NAME keeps one.",
            )
        return f"({there[name]})"

    return _SAVED.sub(put, text)
