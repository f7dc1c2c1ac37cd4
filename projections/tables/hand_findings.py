"""Look up the findings of single hands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from ledger.decoders import convert
from ledger.errors import StoreError
from ledger.store.requests.stored_hands import group_rows_by_table
from ledger.text.language import is_english
from projections.books.shelf import Shelf
from projections.findings.finding import Finding
from projections.tables.counted_findings import build_house_condition, build_judgement_condition
from projections.tables.finding_tables import kept_findings
from projections.tables.table_set import open_tables

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook


_BATCH: Final = 500
"""The number of hands in one statement."""


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
        counted_findings = (
            build_house_condition(ledger, books, numbers) if uses_house_books else build_judgement_condition(numbers)
        )
        condition = counted_findings & columns.position.in_([row.position for row in rows])
        statement = (
            select(columns.position, columns.finding).where(condition).order_by(columns.judgement, columns.number)
        )
        shelf = Shelf(ledger)
        for position, data in connection.execute(statement):
            finding = shelf.update_book_name(decode_finding(data))
            # Every judgement repeats the findings under `record`.
            if finding not in findings_by_hand.setdefault(position, []):
                findings_by_hand[position].append(finding)
    return findings_by_hand if is_english() else _translate_findings(ledger, rows, books, findings_by_hand)


def _translate_findings(
    ledger: Ledger, rows: Sequence[HandRow], books: Sequence[Rulebook], findings_by_hand: dict[int, list[Finding]]
) -> dict[int, list[Finding]]:
    """Return stored findings in the language in force. Their hands are judged again, because a ledger stores English."""
    from projections.audit.auditor import Auditor  # noqa: PLC0415 - English answers need no detectors
    from projections.table_walk.replay import walk_hands  # noqa: PLC0415 - see above

    rows_with_findings = [row for row in rows if findings_by_hand.get(row.position)]
    translated: dict[tuple[str, str], Finding] = {}
    for replay, contexts in walk_hands(ledger, group_rows_by_table(rows_with_findings), books):
        for finding in Auditor(books).judge_hands([(replay, contexts)]).findings:
            translated[finding.book, finding.fingerprint] = finding
    return {
        position: [translated.get((finding.book, finding.fingerprint), finding) for finding in findings]
        for position, findings in findings_by_hand.items()
    }


def load_stored_findings(ledger: Ledger, rows: Sequence[HandRow]) -> dict[tuple[str, str, str], Finding]:
    """Return the stored findings of hands by book, edition and fingerprint.

    Stored findings are in English. In another language, the hands with findings are judged again. A finding under a
    book that no longer exists stays in English.
    """
    findings_by_key: dict[tuple[str, str, str], Finding] = {}
    findings_by_hand: dict[int, list[Finding]] = {}
    columns = kept_findings.c
    for batch_start in range(0, len(rows), _BATCH):
        positions = [row.position for row in rows[batch_start : batch_start + _BATCH]]
        statement = (
            select(columns.position, columns.finding)
            .where(columns.position.in_(positions))
            .order_by(columns.judgement, columns.number)
        )
        try:
            with ledger.database.core() as connection:
                findings = [(position, decode_finding(data)) for position, data in connection.execute(statement)]
        except (SQLAlchemyError, StoreError):  # the tables are made with the first judgement
            return {}
        for position, finding in findings:
            findings_by_key[finding.book, finding.edition, finding.fingerprint] = finding
            findings_by_hand.setdefault(position, []).append(finding)
    if is_english() or not findings_by_key:
        return findings_by_key
    return findings_by_key | _translate_stored_findings(ledger, rows, findings_by_hand)


def _translate_stored_findings(
    ledger: Ledger, rows: Sequence[HandRow], findings_by_hand: dict[int, list[Finding]]
) -> dict[tuple[str, str, str], Finding]:
    """Return stored findings in the language in force, by stored book name, edition and fingerprint."""
    shelf = Shelf(ledger)
    current_names = {
        (finding.book, finding.edition): shelf.update_book_name(finding).book
        for findings in findings_by_hand.values()
        for finding in findings
    }
    named_editions = {(name, edition) for (_, edition), name in current_names.items()}
    books = [book for book in shelf.load_all() if (book.name, book.edition) in named_editions]
    renamed = {
        position: [shelf.update_book_name(finding) for finding in findings]
        for position, findings in findings_by_hand.items()
    }
    translated = _translate_findings(ledger, rows, books, renamed)
    return {
        (stored.book, stored.edition, stored.fingerprint): finding
        for position, findings in findings_by_hand.items()
        for stored, finding in zip(findings, translated[position], strict=True)
    }


def decode_finding(data: bytes) -> Finding:
    """Decode a finding from its stored JSON."""
    return convert(json.loads(bytes(data)), Finding)
