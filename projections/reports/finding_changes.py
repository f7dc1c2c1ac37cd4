"""How many findings an import brought or took away, table by table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from ledger.house.events import FindingChanged


class FindingsChanged(msgspec.Struct, frozen=True):
    """How many findings an import brought or took away at a table, under a rulebook of the house."""

    book: str
    edition: str
    venue: str
    tournament: str
    table: str
    found: int
    gone: int
    other: int  # told otherwise than before


def counted(changed: Sequence[FindingChanged]) -> list[FindingsChanged]:
    """Return how many findings came and went, by book and table."""
    counts: dict[tuple[str, str, str, str, str], Counter[str]] = {}
    for one in changed:
        of = (one.book, one.edition, one.venue, one.tournament, one.table)
        counts.setdefault(of, Counter())[one.became] += 1
    return [FindingsChanged(*of, how["found"], how["gone"], how["other"]) for of, how in counts.items()]
