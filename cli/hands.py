"""Hands out of a ledger, ready to be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from ledger.replay import PlayedHand

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger


def played(ledger: Ledger, rows: Iterable[HandRow]) -> Iterator[PlayedHand]:
    """Yield the hands of these rows, each with all its commits and its place in the ledger."""
    decode = ledger.mapper.decode
    for row in rows:
        commits = ledger.stream(row.stream)
        first = commits[0]
        if len(commits) == 1:
            events = cast("list[HandEvent]", decode("hand", first.data))
            yield PlayedHand(events, first.marks, row.stream,
                             position=first.position - first.count + 1, recorded=first.recorded)  # fmt: skip
            continue
        entries = [entry for commit in commits for entry in ledger.entries_of(commit)]
        yield PlayedHand(
            [cast("HandEvent", entry.event) for entry in entries], [entry.mark for entry in entries],
            row.stream, position=first.position - first.count + 1, recorded=first.recorded,
        )  # fmt: skip
