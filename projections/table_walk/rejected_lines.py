"""Rejected spans of sources that still count: nobody waived them, and no later import read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from ledger.house.events import RejectWaived, SourceImported, SourceRejected
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import Ledger


def iter_open_rejects(ledger: Ledger) -> Iterator[SourceRejected]:
    """Yield the rejected spans that nobody waived and no later import read."""
    if next(_house_events(ledger, SourceRejected), None) is None:
        return
    events = partial(_house_events, ledger, SourceRejected, SourceImported, RejectWaived)
    mended_by = find_mended_sources(ledger, events)
    waived = {(e.source, e.start) for e in events() if isinstance(e, RejectWaived)}
    for index, event in enumerate(events()):
        if (
            isinstance(event, SourceRejected)
            and (event.source, event.start) not in waived
            and mended_by.get(event.source, -1) < index
        ):
            yield event


def _house_events(ledger: Ledger, *kinds: type[Event]) -> Iterator[Event]:
    """Yield the house's events of these kinds. There may be many: they are read again each time, not kept."""
    return (entry.event for entry in ledger.entries_of_types(HOUSE, *kinds))


def find_mended_sources(ledger: Ledger, events: Callable[[], Iterator[Event]]) -> dict[str, int]:
    """Return the sources that a later import read in full: digest → index of that import's event.

    The import is of the same source, now without a reject, or of a later edition: a file of the same name
    or place that repeats the source's hands. For a source without hands, the edition shares most of its lines.
    """
    editions: dict[str, dict[str, int]] = {}  # name or place → digest → hands in that source
    for row in ledger.sources:
        editions.setdefault(row.name, {})[row.digest] = 0
    mended_by: dict[str, int] = {}
    rejected_sources = {event.source for event in events() if isinstance(event, SourceRejected)}
    for index, event in enumerate(events()):
        if not isinstance(event, SourceImported):
            continue
        if not event.rejected:
            mended_by[event.source] = index
        hands_told = event.new + event.same + event.second + event.superseded
        for key in {event.name, event.origin, event.told} - {""}:
            for digest, hands in editions.setdefault(key, {}).items():
                if digest == event.source or digest not in rejected_sources:
                    continue
                if event.same + event.superseded if hands else _shares_most_lines(ledger, digest, event.source):
                    mended_by[digest] = index
            editions[key][event.source] = hands_told
    return mended_by


def _shares_most_lines(ledger: Ledger, first_digest: str, second_digest: str) -> bool:
    """Return whether most lines of the first source are in the second, too."""
    first_lines, second_lines = (
        {hash(source_line.strip()) for source_line in ledger.sources.slice(digest, 0, _COMPARED).split(b"\n")}
        if ledger.sources.has_bytes(digest)
        else {hash(b"")}
        for digest in (first_digest, second_digest)
    )
    return 2 * len(first_lines & second_lines) > len(first_lines)


_COMPARED: Final = 16 * 1024 * 1024
