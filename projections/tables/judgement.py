"""Store one book's judgement of a ledger: rows for each poker table, and the position reached in the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, Table, and_, bindparam, delete, func, insert, select, update

from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.mapper import find_kind_code
from ledger.table.events import HandPlayed
from ledger.text.json_encoding import encode_json
from projections.audit.audit_result import AuditResult
from projections.findings.finding import Finding
from projections.tables.changed_tables import ChangedTables, count_accounts, find_changed_tables
from projections.tables.clause_tallies import decode_tallies, encode_tallies
from projections.tables.finding_tables import (
    create_finding_tables,
    judged_tables,
    judgements,
    kept_findings,
    obligations,
    rested_walks,
    walks_on_the_way,
)
from projections.tables.stored_judgement import StoredJudgement
from projections.tables.stored_walks import EndCheckpoint, digest_unread, format_order

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.log.log_reader import HandAt
    from ledger.table.standing_accounts import TableEntry
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.tables.table_stores import SqlTableStore

_BATCH_SIZE: Final = 500  # rows in one INSERT


_StoredRow: TypeAlias = dict[str, Any]
"""A row of `judged_tables`."""


class JudgementBase(NamedTuple):
    """The stored state that a book's judgement of a table continues from."""

    number: int  # of the judgement
    stored_row: _StoredRow | None  # the table's row, if it was judged before
    stored_result: AuditResult | None  # hands and coverage so far, without findings; None = judge from the first hand
    hands_to_judge: list[HandAt]  # in the order they were stored


class _StoredTable(NamedTuple):
    """The facts that show whether a judged table has changed since."""

    unread_digest: str  # of its unread lines
    accounts: int  # of its hands
    position: int  # in the log, up to which it was judged


class StaleTable(NamedTuple):
    """A table whose judgement is behind the log."""

    table_key: TableKey
    accounts: int  # of its hands
    has_changed_past: bool  # hands that were judged have changed since


class HandCheckpoint(NamedTuple):
    """A walk of a table, stored before one of its hands: columns of `walks_on_the_way`."""

    hands: int  # walked before it
    stream: bytes  # id of the next hand's stream
    version: int  # of the table's last walked event
    broken: int  # breaks in the chain of hands so far
    walk: bytes


class WalkResult(NamedTuple):
    """The results of a table's walk under one book."""

    result: AuditResult
    dues: bytes | None  # on the next hand, encoded; None = the book has no clauses about tables
    end_walk: bytes | None  # the walk at its end; None = not stored
    checkpoints: list[HandCheckpoint]


class TableRecord(NamedTuple):
    """A table's record in the ledger when it's judged."""

    table_key: TableKey
    accounts: int  # of its hands
    rows: list[HandAt]  # the account in force of each hand
    order: Sequence[int]  # versions of its valid events, in playing order
    unread_lines: dict[str, UnreadLines]  # by the id of the hand's stream, hex


class ResumableWalk(NamedTuple):
    """A stored walk that can continue with new hands, and the stored state of its judgement."""

    end_checkpoint: EndCheckpoint
    base: JudgementBase  # without hands to judge


Rows: TypeAlias = defaultdict[Table, list[dict[str, object]]]
"""Rows to insert, by database table."""


def write_rows(connection: Connection, rows: Rows) -> None:
    """Insert the rows that `TableJudgement.store_walk` collected, in the same transaction."""
    for table, table_rows in rows.items():
        connection.execute(insert(table), table_rows)


class TableJudgement(StoredJudgement):
    """One book's stored judgement of a ledger. `update_judgements` updates it, and `load_result` reads it."""

    def __init__(self, ledger: Ledger, book: Rulebook, table_store: SqlTableStore) -> None:
        """Open a book's judgement of a ledger. `table_store`: the database with the tables of judgements."""
        super().__init__(ledger, book, table_store)
        self._new_number: int | None = None  # the judgement's number, while it has no tables

    def _enter_if_missing(self, connection: Connection) -> tuple[int, int]:
        """Return the judgement's number and the position it has reached; insert its row if it's missing."""
        book, code = self.book, self.code
        row = connection.execute(_SELECT_JUDGEMENT, {"of_book": book.digest, "of_code": code}).first()
        if row is not None:
            return row[0], row[1]
        number = int(connection.execute(select(func.coalesce(func.max(judgements.c.id), 0))).scalar_one()) + 1
        new_row = {"id": number, "book": book.name, "edition": book.edition, "digest": book.digest, "code": code}
        connection.execute(insert(judgements).values(**new_row, position=0))
        return number, 0

    def find_stale_tables(
        self, head: int, unread_by_table: Mapping[TableKey, dict[str, UnreadLines]]
    ) -> Iterator[StaleTable]:
        """Return the tables whose judgement is behind `head`: they changed, or had lines read again."""
        columns = judged_tables.c
        with self.table_store.core(write=True) as connection:
            create_finding_tables(connection)
            number, judged_position = self._enter_if_missing(connection)
        is_possible = 0 < judged_position <= self.ledger.head()[0] and self._is_complete(number, judged_position)
        if judged_position and not is_possible:
            self._delete_rows(number)
            judged_position = 0
        with self.table_store.core() as connection:
            rows = connection.execute(
                select(
                    columns.venue, columns.tournament, columns.name, columns.unread, columns.accounts, columns.position
                ).where(columns.judgement == number)
            ).all()
        stored_tables = {TableKey(*row[:3]): _StoredTable(*row[3:]) for row in rows}
        self._new_number = None if stored_tables else number
        if stored_tables and judged_position:
            return self._iter_changed_since(judged_position, head, stored_tables, unread_by_table)
        return self._iter_changed_one_by_one(head, stored_tables, unread_by_table)

    def _iter_changed_since(
        self,
        judged_position: int,
        head: int,
        stored_tables: Mapping[TableKey, _StoredTable],
        unread_by_table: Mapping[TableKey, dict[str, UnreadLines]],
    ) -> Iterator[StaleTable]:
        """Yield the tables that changed after all tables were judged up to one position."""
        changed_tables = (
            find_changed_tables(self.ledger, judged_position) if judged_position < head else ChangedTables(set(), set())
        )
        reread_tables = {
            table_key
            for table_key, stored_table in stored_tables.items()
            if stored_table.unread_digest != digest_unread(unread_by_table.get(table_key, {}))
        }
        for table_key in sorted(changed_tables.with_new_entries | reread_tables):
            has_changed_past = table_key in changed_tables.with_changed_hands | reread_tables
            yield StaleTable(table_key, count_accounts(self.ledger, table_key), has_changed_past=has_changed_past)

    def _iter_changed_one_by_one(
        self,
        head: int,
        stored_tables: Mapping[TableKey, _StoredTable],
        unread_by_table: Mapping[TableKey, dict[str, UnreadLines]],
    ) -> Iterator[StaleTable]:
        """Yield the tables that changed since each was last judged, and those that never were."""
        changes_since = cache(partial(find_changed_tables, self.ledger))
        for table in sorted(self.ledger.tables(), key=lambda row: row[:3]):
            table_key = TableKey(table.venue, table.tournament, table.table)
            stored_table = stored_tables.get(table_key)
            is_current = (
                stored_table is not None
                and stored_table.unread_digest == digest_unread(unread_by_table.get(table_key, {}))
                and stored_table.accounts == table.hands
                and not (
                    stored_table.position < head and table_key in changes_since(stored_table.position).with_new_entries
                )
            )
            if not is_current:
                yield StaleTable(table_key, table.hands, has_changed_past=True)

    def _delete_rows(self, number: int) -> None:
        """Delete the judgement's rows and reset its position."""
        with self.table_store.core(write=True) as connection:
            for table in (judged_tables, rested_walks, walks_on_the_way, obligations, kept_findings):
                connection.execute(delete(table).where(table.c.judgement == number))
            connection.execute(update(judgements).where(judgements.c.id == number).values(position=0))

    def enter(self) -> None:
        """Insert the judgement's row if it's missing."""
        with self.table_store.core(write=True) as connection:
            create_finding_tables(connection)
            self._enter_if_missing(connection)

    @property
    def number(self) -> int:
        """The judgement's number, which its rows have as a key."""
        with self.table_store.core() as connection:
            return self._enter_if_missing(connection)[0]

    def record_position(self, head: int) -> None:
        """Record that all tables were judged up to a position of the log."""
        with self.table_store.core(write=True) as connection:
            own_row = and_(judgements.c.id == self._enter_if_missing(connection)[0], judgements.c.position < head)
            connection.execute(update(judgements).where(own_row).values(position=head))

    def find_base(self, record: TableRecord, entries: Iterable[TableEntry]) -> JudgementBase:
        """Return the stored state that a table's judgement continues from, and the hands to judge.

        If an earlier hand of the table changed, all of its hands are judged again.
        """
        if self._new_number is not None:
            return JudgementBase(self._new_number, None, None, record.rows)
        with self.table_store.core() as connection:
            number, _ = self._enter_if_missing(connection)
            stored_row = _load_stored_row(connection, number, record.table_key)
        restart = JudgementBase(number, stored_row, None, record.rows)
        if stored_row is None or stored_row["unread"] != digest_unread(record.unread_lines):
            return restart
        judged_order, new_versions = record.order[: stored_row["events"]], record.order[stored_row["events"] :]
        if format_order(judged_order) != stored_row["order"]:
            return restart
        new_streams = _collect_hand_streams(entries, set(new_versions))
        new_hands = [row for row in record.rows if row.id.hex() in new_streams]
        stored_result = decode_tallies([stored_row["result"]], self._empty_result)
        if stored_result.hands + len(new_hands) != len(record.rows):
            return restart
        if self._has_amended_hand(record.rows, stored_row["position"]):
            return restart
        return JudgementBase(number, stored_row, stored_result, new_hands)

    def find_resumable_walk(self, table_key: TableKey, unread_lines: Mapping[str, UnreadLines]) -> ResumableWalk | None:
        """Return a table's stored walk, or None if the table must be walked from its first hand."""
        with self.table_store.core() as connection:
            number, _ = self._enter_if_missing(connection)
            stored_row = _load_stored_row(connection, number, table_key)
            row = connection.execute(_SELECT_WALK, _build_key(number, table_key)).first()
        if row is None or stored_row is None or stored_row["unread"] != digest_unread(unread_lines):
            return None
        stored_result = decode_tallies([stored_row["result"]], self._empty_result)
        base = JudgementBase(number, stored_row, stored_result, [])
        return ResumableWalk(
            EndCheckpoint(row.version, stored_row["position"], stored_row["accounts"], bytes(row.walk)), base
        )

    def store_walk(
        self,
        connection: Connection,
        record: TableRecord,
        base: JudgementBase,
        walk_result: WalkResult,
        head: int,
        rows: Rows,
    ) -> bool:
        """Store the results of a table's walk; return False if another process has stored its own in the meantime.

        Findings are inserted at once. `rows` collects the other rows for `write_rows`, in the same transaction.
        """
        number, stored_row, stored_result, _ = base
        table_key, result = record.table_key, walk_result.result
        key, row_key = _build_key(number, table_key), {"judgement": number, **_build_table_columns(table_key)}
        if _load_stored_row(connection, number, table_key) != stored_row:
            self._new_number = None
            return False
        first_finding_number, merged_result = 1, result
        if stored_result is not None:
            first_finding_number += int(connection.execute(_COUNT_FINDINGS, key).scalar_one())
            stored_result.append(AuditResult(result.books, result.hands, [], result.coverage))
            merged_result = stored_result
        if stored_row is not None:
            hand_tables = (kept_findings, walks_on_the_way) if stored_result is None else ()
            for table in (judged_tables, rested_walks, obligations, *hand_tables):
                connection.execute(_DELETE_BY_TABLE[table], key)
        rows[judged_tables].append(
            {
                **row_key,
                "begun": head if stored_result is None or stored_row is None else stored_row["begun"],
                "position": head,
                "unread": digest_unread(record.unread_lines),
                "accounts": record.accounts,
                "events": len(record.order),
                "order": format_order(record.order),
                "result": encode_tallies(merged_result),
            }
        )
        if walk_result.end_walk is not None:
            rows[rested_walks].append({**row_key, "version": max(record.order), "walk": walk_result.end_walk})
        if walk_result.dues is not None:
            rows[obligations].append({**row_key, "owing": walk_result.dues})
        needs_positions = result.findings or walk_result.checkpoints
        positions = {row.id.hex(): row.position for row in record.rows} if needs_positions else {}
        for checkpoint in walk_result.checkpoints:
            rows[walks_on_the_way].append({**row_key, **_build_checkpoint_columns(checkpoint, positions)})
        finding_rows = (
            _build_finding_row(number, table_key, finding_number, finding, positions)
            for finding_number, finding in enumerate(result.findings, first_finding_number)
        )
        _insert_in_batches(connection, finding_rows)
        return True

    def _has_amended_hand(self, rows: Sequence[HandAt], since_position: int) -> bool:
        """Whether one of the hands was corrected or finished after a position of the log."""
        with self.ledger.database.reading() as connection:
            sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ? AND version > 1"
            continued_hands = {
                bytes(row[0]) for row in connection.execute(sql, (since_position, find_kind_code("hand")))
            }
        return any(row.id in continued_hands for row in rows)


def _insert_in_batches(connection: Connection, finding_rows: Iterator[dict[str, object]]) -> None:
    while row_batch := list(islice(finding_rows, _BATCH_SIZE)):
        connection.execute(insert(kept_findings), row_batch)


def _build_checkpoint_columns(checkpoint: HandCheckpoint, positions: Mapping[str, int]) -> dict[str, Any]:
    """Return a row of `walks_on_the_way` without its key. `positions`: stream id (hex) → position in the log."""
    columns = {"position": positions[checkpoint.stream.hex()], **checkpoint._asdict()}
    del columns["stream"]
    return columns


def _collect_hand_streams(entries: Iterable[TableEntry], versions: set[int]) -> set[str]:
    """Return the stream ids (hex) of the hands among these versions of a table's stream."""
    if not versions:
        return set()
    return {entry.event.hand for entry in entries if entry.version in versions and isinstance(entry.event, HandPlayed)}


def _load_stored_row(connection: Connection, number: int, table_key: TableKey) -> _StoredRow | None:
    """Return a table's row of `judged_tables`, or None if it wasn't judged."""
    row = connection.execute(_SELECT_JUDGED_TABLE, _build_key(number, table_key)).mappings().first()
    if row is None:
        return None
    return {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()}


def _build_key_condition(table: Table) -> ColumnElement[bool]:
    """Return the condition for the rows of one poker table under one judgement, with the parameters of `_build_key`."""
    return and_(*[table.c[name] == bindparam(f"of_{name}") for name in ("judgement", "venue", "tournament", "name")])


def _build_key(number: int, table_key: TableKey) -> dict[str, int | str]:
    """Return the parameters of `_build_key_condition`."""
    return {
        "of_judgement": number,
        "of_venue": table_key.venue,
        "of_tournament": table_key.tournament,
        "of_name": table_key.table,
    }


def _build_table_columns(table_key: TableKey) -> dict[str, str]:
    return {"venue": table_key.venue, "tournament": table_key.tournament, "name": table_key.table}


# Built once: with many tables, building a statement takes longer than running it.
_SELECT_JUDGEMENT: Final = select(judgements.c.id, judgements.c.position).where(
    judgements.c.digest == bindparam("of_book"), judgements.c.code == bindparam("of_code")
)
_SELECT_JUDGED_TABLE: Final = select(judged_tables).where(_build_key_condition(judged_tables))
_SELECT_WALK: Final = select(rested_walks.c.version, rested_walks.c.walk).where(_build_key_condition(rested_walks))
_DELETE_BY_TABLE: Final = {
    table: delete(table).where(_build_key_condition(table))
    for table in (judged_tables, rested_walks, walks_on_the_way, obligations, kept_findings)
}
_COUNT_FINDINGS: Final = select(func.count()).select_from(kept_findings).where(_build_key_condition(kept_findings))


def _build_finding_row(
    number: int, table_key: TableKey, finding_number: int, finding: Finding, positions: Mapping[str, int]
) -> dict[str, object]:
    return {
        "judgement": number,
        **_build_table_columns(table_key),
        "number": finding_number,
        "position": positions[finding.hand.stream],
        "seat": finding.seat,
        "book": finding.book,
        "clause": finding.clause,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "finding": encode_json(finding),
    }
