"""Announce findings: judge under the house's adopted books, and log an event for each finding that appears or goes.

The events show what the house knew on a day, even if the program or the record changes later. Events are written in one
transaction with a note of what was announced. So nothing is announced twice, and another version of the program
announces only the differences.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import and_, select
from sqlalchemy.exc import SQLAlchemyError

from ledger.decoders import convert
from ledger.entry import Provenance
from ledger.errors import StoreError
from ledger.house.books import ADOPTIONS, read_adoptions
from ledger.house.events import FindingChanged
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import HOUSE
from ledger.text.language import in_english
from projections.audit.house_audit import House
from projections.findings.earlier_fingerprints import EarlierFingerprints
from projections.findings.finding import Finding
from projections.table_walk.played_tables import list_places
from projections.tables.code import code_digest
from projections.tables.finding_tables import announced_tables, judged_tables
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.database.database import Link
    from ledger.vocabulary import Millis
    from projections.books.rulebook import Rulebook
    from projections.tables.judgement_update import Progress


_KnownFindings: TypeAlias = "dict[tuple[str, TableKey], dict[str, tuple[FindingChanged, Millis]]]"
"""Book digest and table → fingerprint → the finding's last event, and when the ledger recorded it."""


@in_english
def announce_new_findings(ledger: Ledger, *, jobs: int = 1, progress: Progress | None = None) -> list[FindingChanged]:
    """Judge new hands under the house's adopted books; announce the changes of findings and return their events.

    Without adopted books, do nothing. Raise `UsageError` if a book can't be loaded. `jobs` and `progress`: as for
    `update_judgements`, book by book.
    """
    if not read_adoptions(ledger.entries_of_types(HOUSE, *ADOPTIONS)):
        return []
    house, all_tables = House(ledger), list_places(ledger)
    announced: list[FindingChanged] = []
    load_known = cache(lambda: load_known_findings(ledger))
    for book in house.list_books():
        judged_table_keys = {
            table_key for table_key in all_tables if house.was_adopted_at(book, table_key.venue, table_key.table)
        }
        selected_places = None if len(judged_table_keys) == len(all_tables) else judged_table_keys
        (number,) = update_judgements(
            [TableJudgement(ledger, book, ledger.database)], selected_places, jobs=jobs, progress=progress
        )
        for table_key in sorted(judged_table_keys & _list_unannounced_tables(ledger, book, number)):
            announced += _announce_table(ledger, house, book, number, table_key, load_known)
    return announced


def _list_unannounced_tables(ledger: Ledger, book: Rulebook, number: int) -> set[TableKey]:
    """Return the tables whose announcement note is missing or behind the judgement."""
    last_number = (
        "SELECT max(f.number) FROM kept_findings AS f WHERE f.judgement = j.judgement "
        "AND f.venue = j.venue AND f.tournament = j.tournament AND f.name = j.name"
    )
    sql = (
        "SELECT j.venue, j.tournament, j.name FROM judged_tables AS j LEFT JOIN announced_tables AS a "  # noqa: S608 - constants
        "ON a.digest = ? AND a.venue = j.venue AND a.tournament = j.tournament AND a.name = j.name "
        f"WHERE j.judgement = ? AND (a.digest IS NULL OR a.judgement <> j.judgement OR a.begun <> j.begun "
        f"OR a.number <> coalesce(({last_number}), 0))"
    )
    with ledger.database.reading() as connection:
        return {TableKey(*row) for row in connection.execute(sql, (book.digest, number)).fetchall()}


class UnjudgedTables(NamedTuple):
    """A book, and the tables with hands that weren't judged under it yet."""

    book: str
    tables: list[TableKey]
    hands: int  # accounts of hands not judged yet, at all of these tables


def list_unjudged_tables(ledger: Ledger) -> list[UnjudgedTables]:
    """Return each adopted book with the tables that have hands not yet judged under it. An import judges them.

    Raise `UsageError` if a book can't be loaded.
    """
    house, table_rows = House(ledger), list(ledger.tables())
    unjudged_books = []
    for book in house.list_books() if table_rows else ():
        judged_counts = _count_judged_accounts(ledger, book)
        missing_by_table = {
            TableKey(row.venue, row.tournament, row.table): missing_hands
            for row in table_rows
            if house.was_adopted_at(book, row.venue, row.table)
            and (missing_hands := row.hands - judged_counts.get(TableKey(row.venue, row.tournament, row.table), 0)) > 0
        }
        if missing_by_table:
            unjudged_books.append(UnjudgedTables(book.name, sorted(missing_by_table), sum(missing_by_table.values())))
    return unjudged_books


def _count_judged_accounts(ledger: Ledger, book: Rulebook) -> dict[TableKey, int]:
    """Return the number of accounts that each table had when its findings were last announced."""
    is_same_table = and_(
        *(
            judged_tables.c[column] == announced_tables.c[column]
            for column in ("judgement", "venue", "tournament", "name")
        )
    )
    statement = (
        select(judged_tables.c.venue, judged_tables.c.tournament, judged_tables.c.name, judged_tables.c.accounts)
        .join_from(announced_tables, judged_tables, is_same_table)
        .where(announced_tables.c.digest == book.digest)
    )
    try:
        with ledger.database.core() as connection:
            return {TableKey(*row[:3]): int(row[3]) for row in connection.execute(statement)}
    except (SQLAlchemyError, StoreError):  # the tables are made with the first judgement
        return {}


def load_known_findings(ledger: Ledger) -> _KnownFindings:
    """Return the findings that were announced and not withdrawn by the end of the house's stream."""
    known_findings: _KnownFindings = {}
    fingerprints = EarlierFingerprints(ledger)
    for entry in ledger.entries_of_types(HOUSE, FindingChanged):
        event = entry.event
        if isinstance(event, FindingChanged):
            event = msgspec.structs.replace(event, fingerprint=fingerprints.find_current(event))
            table_findings = known_findings.setdefault(
                (event.digest, TableKey(event.venue, event.tournament, event.table)), {}
            )
            table_findings.pop(event.fingerprint, None)
            if event.became != "gone":
                table_findings[event.fingerprint] = event, entry.recorded.time
    return known_findings


_TABLE_CONDITION: Final = "venue = ? AND tournament = ? AND name = ?"


class _AnnouncementNote(NamedTuple):
    """The note of the last announcement for a table under a book."""

    judgement: int
    begun: int  # end of the log when the table was last judged from its first hand
    number: int  # of the last announced finding


def _announce_table(
    ledger: Ledger,
    house: House,
    book: Rulebook,
    number: int,
    table_key: TableKey,
    load_known: Callable[[], _KnownFindings],
) -> list[FindingChanged]:
    """Announce the new findings of one table under one book, in one transaction that locks the log.

    `load_known` returns the findings announced before this run. If the note doesn't match the judgement, all findings of
    the table are compared with those in the log.
    """
    with ledger.writing() as connection:
        begun_position = _load_begun_position(connection, number, table_key)
        if begun_position is None:
            return []
        note = _load_note(connection, book, table_key)
        can_continue = (
            note is not None
            and (note.judgement, note.begun) == (number, begun_position)
            and 0 <= note.number <= _find_last_number(connection, number, table_key)
        )
        announced_number = note.number if note is not None and can_continue else 0
        findings, last_number = _load_findings(connection, number, table_key, announced_number)
        in_force = [finding for finding in findings if _is_in_force(ledger, house, book, finding)]
        if can_continue:
            known_findings = load_known().get((book.digest, table_key), {}) if in_force else {}
            events = [
                _build_event(book, table_key, finding)
                for finding in in_force
                if finding.fingerprint not in known_findings
            ]
        else:
            events = _compare_findings(
                book, table_key, in_force, load_known_findings(ledger).get((book.digest, table_key), {})
            )
        if events:
            ledger.append_within(connection, "house", HOUSE, events, Provenance(ledger.now(), writer="judging"))
        new_note = _AnnouncementNote(number, begun_position, last_number)
        if note != new_note:
            _replace_note(connection, book, table_key, new_note)
    return events


def _load_begun_position(connection: Link, number: int, table_key: TableKey) -> int | None:
    """Return where the log ended when a table was last judged from its first hand, or None if it wasn't."""
    sql = f"SELECT begun FROM judged_tables WHERE judgement = ? AND {_TABLE_CONDITION}"  # noqa: S608 - constants
    row = connection.execute(sql, (number, *table_key)).fetchone()
    return None if row is None else int(row[0])


def _load_note(connection: Link, book: Rulebook, table_key: TableKey) -> _AnnouncementNote | None:
    sql = f"SELECT judgement, begun, number FROM announced_tables WHERE digest = ? AND {_TABLE_CONDITION}"  # noqa: S608 - constants
    row = connection.execute(sql, (book.digest, *table_key)).fetchone()
    return None if row is None else _AnnouncementNote(*row)


def _replace_note(connection: Link, book: Rulebook, table_key: TableKey, note: _AnnouncementNote) -> None:
    connection.execute(
        f"DELETE FROM announced_tables WHERE digest = ? AND {_TABLE_CONDITION}",  # noqa: S608 - constants
        (book.digest, *table_key),
    )
    connection.execute(
        "INSERT INTO announced_tables (digest, venue, tournament, name, judgement, begun, number) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (book.digest, *table_key, *note),
    )


def _load_findings(connection: Link, number: int, table_key: TableKey, after_number: int) -> tuple[list[Finding], int]:
    """Return a table's stored findings after a number, and the number of the last one."""
    rows = connection.execute(
        f"SELECT number, finding FROM kept_findings WHERE judgement = ? AND {_TABLE_CONDITION} "  # noqa: S608 - constants
        "AND number > ? ORDER BY number",
        (number, *table_key, after_number),
    ).fetchall()
    findings = [convert(json.loads(bytes(row[1])), Finding) for row in rows]
    return findings, rows[-1][0] if rows else after_number


def _find_last_number(connection: Link, number: int, table_key: TableKey) -> int:
    """Return the number of a table's last stored finding, or 0 if there is none."""
    sql = f"SELECT coalesce(max(number), 0) FROM kept_findings WHERE judgement = ? AND {_TABLE_CONDITION}"  # noqa: S608 - constants
    return int(connection.execute(sql, (number, *table_key)).fetchone()[0])


def _is_in_force(ledger: Ledger, house: House, book: Rulebook, finding: Finding) -> bool:
    """Whether the book was in force at the finding's table when the hand began."""
    row = ledger.hand(finding.hand.stream)
    return row is not None and book in house.find_possible_books(row.venue, row.table, row.started)


def _compare_findings(
    book: Rulebook,
    table_key: TableKey,
    findings: Collection[Finding],
    known_findings: Mapping[str, tuple[FindingChanged, Millis]],
) -> list[FindingChanged]:
    """Return events for the findings that are gone, new or changed."""
    current_events = {finding.fingerprint: _build_event(book, table_key, finding) for finding in findings}
    known_events = {fingerprint: event for fingerprint, (event, _) in known_findings.items()}
    events = [
        msgspec.structs.replace(event, became="gone", code=code_digest())
        for fingerprint, event in known_events.items()
        if fingerprint not in current_events
    ]
    for fingerprint, event in current_events.items():
        known_event = known_events.get(fingerprint)
        if known_event is None:
            events.append(event)
        elif _strip_change(known_event) != _strip_change(event):
            events.append(msgspec.structs.replace(event, became="other"))
    return events


def _strip_change(event: FindingChanged) -> FindingChanged:
    """Return an event without the kind of change and the code, so that equal findings are equal."""
    return msgspec.structs.replace(event, became="found", code="")


def _build_event(book: Rulebook, table_key: TableKey, finding: Finding) -> FindingChanged:
    return FindingChanged(
        became="found",
        book=finding.book,
        edition=finding.edition,
        digest=book.digest,
        venue=table_key.venue,
        tournament=table_key.tournament,
        table=table_key.table,
        hand=finding.hand.stream,
        fingerprint=finding.fingerprint,
        clause=finding.clause,
        version=finding.version,
        severity=finding.severity,
        certainty=finding.certainty,
        seat=finding.seat,
        code=code_digest(),
    )
