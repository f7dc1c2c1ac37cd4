"""Count the findings that an import added, removed or changed, by house rulebook and table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from ledger.house.events import FindingChanged


class FindingChangeCounts(msgspec.Struct, frozen=True):
    """Counts of the findings that an import changed at one table, under one house rulebook."""

    book: str
    edition: str
    venue: str
    tournament: str
    table: str
    found: int
    gone: int
    other: int  # findings whose text changed


def count_changes(finding_changes: Sequence[FindingChanged]) -> list[FindingChangeCounts]:
    """Count the findings that were added, removed and changed, by book and table."""
    counts: dict[tuple[str, str, str, str, str], Counter[str]] = {}
    for change in finding_changes:
        group_key = (change.book, change.edition, change.venue, change.tournament, change.table)
        counts.setdefault(group_key, Counter())[change.became] += 1
    return [
        FindingChangeCounts(*group_key, by_change["found"], by_change["gone"], by_change["other"])
        for group_key, by_change in counts.items()
    ]
