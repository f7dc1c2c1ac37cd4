"""Replace `saved:NAME` in a query by the saved query of that name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ledger.errors import UsageError
from ledger.house.events import QuerySaved
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.store import Ledger

_SAVED_REFERENCE: Final = re.compile(r'"[^"]*"|(?<![\w-])saved\s*[:=]\s*(?:"([^"]*)"|([^\s(),"]+))', re.IGNORECASE)


def list_saved_queries(ledger: Ledger) -> dict[str, str]:
    """Return the saved queries by name."""
    words = ledger.people.words
    saved_events = (entry.event for entry in ledger.entries_of_types(HOUSE, QuerySaved))
    return {
        words(event.name) or "": words(event.query) or "" for event in saved_events if isinstance(event, QuerySaved)
    }


def expand_saved_queries(ledger: Ledger, text: str) -> str:
    """Replace each `saved:NAME` in a query by the saved query; raise `UsageError` if there is none of that name."""
    if "saved" not in text.lower():
        return text
    saved_by_name: dict[str, str] = {}

    def expand_reference(reference: re.Match[str]) -> str:
        name = reference[1] if reference[1] is not None else reference[2]
        if name is None:
            return reference[0]
        if not saved_by_name:
            saved_by_name.update(list_saved_queries(ledger))
        if name not in saved_by_name:
            saved_names = ", ".join(sorted(saved_by_name))
            raise UsageError(
                f"there is no saved query {name!r}",
                f"There are: {saved_names}." if saved_names else "handledger log --where QUERY --save NAME saves one.",
            )
        return f"({saved_by_name[name]})"

    return _SAVED_REFERENCE.sub(expand_reference, text)
