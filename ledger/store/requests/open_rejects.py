"""Find the rejected spans of sources that are still open: nobody waived them, and no later import read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from ledger.house.events import RejectWaived, SourceImported, SourceRejected
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store.ledger import Ledger

_COMPARED_BYTES: Final = 16 * 1024 * 1024
"""Bytes from the start of a source that are compared with a later edition."""


def iter_open_rejects(ledger: Ledger) -> Iterator[SourceRejected]:
    """Yield the rejected spans that nobody waived and that no later import read."""
    if next(_read_house_events(ledger, SourceRejected), None) is None:
        return
    events = partial(_read_house_events, ledger, SourceRejected, SourceImported, RejectWaived)
    mended_by = find_mended_sources(ledger, events)
    waived = {(event.source, event.start) for event in events() if isinstance(event, RejectWaived)}
    for index, event in enumerate(events()):
        if (
            isinstance(event, SourceRejected)
            and (event.source, event.start) not in waived
            and mended_by.get(event.source, -1) < index
        ):
            yield event


def _read_house_events(ledger: Ledger, *kinds: type[Event]) -> Iterator[Event]:
    """Yield the house's events of these types. There may be very many, so they are read again each time."""
    return (entry.event for entry in ledger.entries_of_types(HOUSE, *kinds))


def find_mended_sources(ledger: Ledger, events: Callable[[], Iterator[Event]]) -> dict[str, int]:
    """Return the sources that a later import read in full: digest → index of that import among the events.

    The import is of the same source, now without a reject, or of a later edition: a file of the same name or origin
    that repeats the source's hands or, if the source had none, most of its lines.
    """
    editions: dict[str, dict[str, int]] = {}  # name or origin → digest → hands in that source
    for row in ledger.sources:
        editions.setdefault(row.name, {})[row.digest] = 0
    mended_by: dict[str, int] = {}
    rejected_sources = {event.source for event in events() if isinstance(event, SourceRejected)}
    for index, event in enumerate(events()):
        if not isinstance(event, SourceImported):
            continue
        if not event.rejected:
            mended_by[event.source] = index
        hand_count = event.new + event.same + event.second + event.superseded
        for key in {event.name, event.origin, event.told} - {""}:
            for digest, hands in editions.setdefault(key, {}).items():
                if digest == event.source or digest not in rejected_sources:
                    continue
                repeats_hands = event.same + event.superseded > 0
                if repeats_hands if hands else _shares_most_lines(ledger, digest, event.source):
                    mended_by[digest] = index
            editions[key][event.source] = hand_count
    return mended_by


def _shares_most_lines(ledger: Ledger, first_digest: str, second_digest: str) -> bool:
    """Whether most lines of the first source are also in the second."""
    first_lines, second_lines = _hash_lines(ledger, first_digest), _hash_lines(ledger, second_digest)
    return 2 * len(first_lines & second_lines) > len(first_lines)


def _hash_lines(ledger: Ledger, digest: str) -> set[int]:
    """Return the hashes of a source's lines; those of an empty text if its bytes aren't stored."""
    if not ledger.sources.has_bytes(digest):
        return {hash(b"")}
    return {hash(line.strip()) for line in ledger.sources.slice(digest, 0, _COMPARED_BYTES).split(b"\n")}
