"""Read one book's stored judgement of a ledger by plain SQL, without loading SQLAlchemy or the table walk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.decoders import convert
from ledger.errors import StoreError
from ledger.files.disk_spool import DiskSpool
from ledger.store.hands.hand_accounts import TableKey
from projections.audit.audit_result import AuditResult, make_empty_result
from projections.audit.book_differences import Difference
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import Finding
from projections.tables.clause_tallies import decode_tallies
from projections.tables.code import code_digest

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.database.database import Link
    from projections.books.rulebook import Rulebook
    from projections.tables.table_stores import SqlTableStore

_TABLE_CONDITION: Final = "judgement = ? AND venue = ? AND tournament = ? AND name = ?"
_SELECT_ENTRY: Final = "SELECT id, position FROM judgements WHERE digest = ? AND code = ?"
_SELECT_PLACES: Final = "SELECT venue, tournament, name FROM judged_tables WHERE judgement = ?"
_SELECT_RESULT: Final = f"SELECT result FROM judged_tables WHERE {_TABLE_CONDITION}"  # noqa: S608 - constants
_SELECT_FINDINGS: Final = f"SELECT finding FROM kept_findings WHERE {_TABLE_CONDITION} ORDER BY number"  # noqa: S608 - constants
_COUNT_HANDS: Final = "SELECT count(*), coalesce(sum(CASE WHEN position <= ? THEN 1 ELSE 0 END), 0) FROM hands"
_SUM_JUDGED_HANDS: Final = (
    "SELECT coalesce(min(accounts), 0), coalesce(max(accounts), 0), "
    "coalesce(sum(CASE WHEN accounts <= ? THEN accounts ELSE 0 END), 0) FROM judged_tables WHERE judgement = ?"
)


class StoredJudgement:
    """One book's judgement, stored in a ledger or in a temporary database."""

    def __init__(self, ledger: Ledger, book: Rulebook, table_store: SqlTableStore) -> None:
        """Open a book's judgement of a ledger. `table_store`: the database with the tables of judgements."""
        self.ledger = ledger
        self._shown_book = book
        self.book = book if book.name == book.plain_name else replace(book, name=book.plain_name)
        self.table_store = table_store

    def load_result(self, selected_places: Iterable[TableKey] | None = None) -> AuditResult:
        """Return the stored result of these tables, or of all, as an audit would give it."""
        findings = DiskSpool(Finding)

        def read_tallies(connection: Link) -> Iterator[bytes]:
            entry = self._read_entry(connection)
            if entry is None:
                return
            number, judged_position = entry
            for table_key in sorted(
                _list_judged_places(connection, number) if selected_places is None else selected_places
            ):
                row = connection.execute(_SELECT_RESULT, (number, *table_key)).fetchone()
                if row is not None:
                    yield bytes(row[0])
                    findings.extend(map(self._rename_book, _load_findings(connection, number, table_key)))
                elif selected_places is not None:
                    self._check_unjudged(table_key, judged_position)

        with self.table_store.snapshot() as connection:
            result = decode_tallies(read_tallies(connection), self._empty_result)
        result.findings, result.differences = findings, DiskSpool(Difference)
        return result

    @cached_property
    def _empty_result(self) -> AuditResult:
        return make_empty_result([self._shown_book])

    def _rename_book(self, finding: Finding) -> Finding:
        """Return a finding with the book's name as the caller has it. Rows have the plain name."""
        name = self._shown_book.name
        return finding if finding.book in (name, BUILT_IN) else msgspec.structs.replace(finding, book=name)

    def is_at_end(self) -> bool:
        """Whether all tables were judged up to the end of the log."""
        entry = self._load_entry()
        return entry is not None and entry[1] == self.find_head() and self._is_complete(*entry)

    def _is_complete(self, number: int, judged_position: int) -> bool:
        """Whether every hand up to a position was judged, by the counts in the judged tables' rows."""
        if self.ledger.upto is not None or self.table_store is not self.ledger.database:
            return True
        with self.ledger.database.reading() as connection:
            all_hands, hands = connection.execute(_COUNT_HANDS, (judged_position,)).fetchone()
            fewest, highest, judged_hands = connection.execute(_SUM_JUDGED_HANDS, (all_hands, number)).fetchone()
        return bool(fewest >= 0 and highest <= all_hands and hands <= judged_hands)

    def _check_unjudged(self, table_key: TableKey, judged_position: int) -> None:
        """Raise `StoreError` if a table without a row has hands that must have been judged: the index is damaged."""
        from ledger.store.database.quick_checks import build_index_error  # noqa: PLC0415 - only a damaged ledger needs it
        from projections.tables.changed_tables import count_accounts  # noqa: PLC0415 - it loads the walk

        if count_accounts(self.ledger, table_key, judged_position):
            reason = f"the hands at {table_key.table!r:.80} were judged at a table of another name"
            raise build_index_error(self.ledger.database.address.name, reason)

    def find_head(self) -> int:
        """Return the position of the log up to which the ledger is read."""
        ledger = self.ledger
        head = ledger.head()[0]
        return head if ledger.upto is None else min(head, ledger.upto)

    def has_row(self) -> bool:
        """Whether the judgement has a row, even if it has judged nothing yet."""
        return self._load_entry() is not None

    def find_number(self) -> int | None:
        """Return the judgement's number, or None if it doesn't exist."""
        entry = self._load_entry()
        return None if entry is None else entry[0]

    def _load_entry(self) -> tuple[int, int] | None:
        """Return the judgement's number and the position it has reached, or None if it doesn't exist."""
        try:
            with self.table_store.snapshot() as connection:
                return self._read_entry(connection)
        except StoreError:  # the tables are made with the first judgement
            return None

    @property
    def code(self) -> str:
        """The digest of the judging code. Other code has its own judgement."""
        return code_digest()

    def _read_entry(self, connection: Link) -> tuple[int, int] | None:
        row = connection.execute(_SELECT_ENTRY, (self.book.digest, self.code)).fetchone()
        return None if row is None else (row[0], row[1])


def _list_judged_places(connection: Link, number: int) -> list[TableKey]:
    return [TableKey(*row) for row in connection.execute(_SELECT_PLACES, (number,)).fetchall()]


def _load_findings(connection: Link, number: int, table_key: TableKey) -> Iterator[Finding]:
    """Yield a table's findings, in the order of an audit."""
    for (data,) in connection.execute(_SELECT_FINDINGS, (number, *table_key)):
        yield convert(json.loads(bytes(data)), Finding)
