"""Look up the findings of single hands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from projections.books.shelf import Shelf
from projections.findings.finding import Finding
from projections.tables.counted_findings import under_house_books, under_judgements
from projections.tables.kept_findings import kept_findings
from projections.tables.table_set import open_tables

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook


def find_findings_of_hands(
    ledger: Ledger, rows: Sequence[HandRow], books: Sequence[Rulebook], *, uses_house_books: bool = False
) -> dict[int, list[Finding]]:
    """Return the findings of hands under these books, by the hand's position in the index.

    `uses_house_books`: a book counts only where and when the house had it in force.
    """
    findings_by_hand: dict[int, list[Finding]] = {}
    if not books:
        return findings_by_hand
    tables = open_tables(ledger, books, results=uses_house_books)
    with tables as (table_store, numbers), table_store.core() as connection:
        columns = kept_findings.c
        counted_findings = under_house_books(ledger, books, numbers) if uses_house_books else under_judgements(numbers)
        condition = counted_findings & columns.position.in_([row.position for row in rows])
        statement = (
            select(columns.position, columns.finding).where(condition).order_by(columns.judgement, columns.number)
        )
        shelf = Shelf(ledger)
        for position, data in connection.execute(statement):
            finding = shelf.with_current_name(decode_finding(data))
            if finding not in findings_by_hand.setdefault(position, []):  # every judgement repeats those under `record`
                findings_by_hand[position].append(finding)
    return findings_by_hand


def decode_finding(data: bytes) -> Finding:
    """Decode a finding as the table stores it."""
    return msgspec.convert(json.loads(bytes(data)), Finding)
