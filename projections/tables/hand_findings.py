"""What is kept of single hands: the findings of each, under some books."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from projections.books.shelf import Shelf
from projections.findings.finding import Finding
from projections.tables.counted_findings import named, of_house
from projections.tables.kept_findings import kept_findings
from projections.tables.table_set import kept

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook


def found_in(
    ledger: Ledger, rows: Sequence[HandRow], books: Sequence[Rulebook], *, adopted: bool = False
) -> dict[int, list[Finding]]:
    """Return what was found in some hands under some books, by the hands' positions in the index.

    `adopted`: the books are those of `judging_books`, the house's each where and when it was in force.
    """
    found: dict[int, list[Finding]] = {}
    if not books:
        return found
    with kept(ledger, books, results=adopted) as (keeping, numbers), keeping.core() as connection:
        columns = kept_findings.c
        judged = of_house(ledger, books, numbers) if adopted else named(numbers)
        wanted = judged & columns.position.in_([row.position for row in rows])
        asked = select(columns.position, columns.finding).where(wanted).order_by(columns.judgement, columns.number)
        shelf = Shelf(ledger)
        for position, data in connection.execute(asked):
            one = shelf.called(finding_of(data))
            if one not in found.setdefault(position, []):  # several books look whether the record agrees with itself
                found[position].append(one)
    return found


def finding_of(data: bytes) -> Finding:
    """Return a finding as it is kept."""
    return msgspec.convert(json.loads(bytes(data)), Finding)
