"""What the house knows: the books that it adopted are kept current, and each finding that came or went is an event.

So what was known on a day can be asked later, whatever the program and the record say by then. An event is
written in one transaction with the note of what was announced: nothing is announced twice, and another
state of the program's code announces only what it finds otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import and_, select
from sqlalchemy.exc import SQLAlchemyError

from ledger.entry import Recorded
from ledger.errors import StoreError
from ledger.house.books import ADOPTIONS, adoptions
from ledger.house.events import FindingChanged
from ledger.store.accounts import Place
from ledger.streams import HOUSE
from projections.audit.house_audit import House
from projections.findings.earlier_fingerprints import EarlierFingerprints
from projections.findings.finding import Finding
from projections.table_walk.played_tables import places
from projections.tables.code import code_digest
from projections.tables.judgement import Judgement
from projections.tables.judgement_update import update_judgements
from projections.tables.kept_findings import announced_tables, judged_tables

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.database import Link
    from ledger.vocabulary import Millis
    from projections.books.rulebook import Rulebook
    from projections.tables.judgement_update import Progress


_KnownFindings: TypeAlias = "dict[tuple[str, Place], dict[str, tuple[FindingChanged, Millis]]]"


def keep_current(ledger: Ledger, *, jobs: int = 1, progress: Progress | None = None) -> list[FindingChanged]:
    """Judge what is new under the books that the house adopted; return what was announced of it.

    `jobs` and `progress` as for `judging.current`, book by book.

    A house that adopted no book is asked nothing. A book that cannot be loaded raises `UsageError`.
    """
    adopted = adoptions(ledger.told(HOUSE, *ADOPTIONS))
    if not adopted:
        return []
    house, all_places = House(ledger), places(ledger)
    announced: list[FindingChanged] = []
    known_before = cache(lambda: load_known_findings(ledger))
    for book in house.books():
        judged_places = {place for place in all_places if house.reaches(book, place.venue, place.table)}
        only = None if len(judged_places) == len(all_places) else judged_places
        (number,) = update_judgements([Judgement(ledger, book, ledger.database)], only, jobs=jobs, progress=progress)
        for place in sorted(judged_places & _list_unannounced_tables(ledger, book, number)):
            announced += _announce_table(ledger, house, book, number, place, known_before)
    return announced


def _list_unannounced_tables(ledger: Ledger, book: Rulebook, number: int) -> set[Place]:
    """Return the tables of which something may have to be announced: there may be very many others."""
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
        return {Place(*row) for row in connection.execute(sql, (book.digest, number)).fetchall()}


class Unjudged(NamedTuple):
    """Tables of which the house does not know all that it would under a book, as it was not judged yet."""

    book: str
    tables: list[Place]
    hands: int  # accounts of hands that came since, or all where none was judged


def list_unjudged(ledger: Ledger) -> list[Unjudged]:
    """Return what has come in and was not judged under the books that the house adopted: an import judges it.

    A book that cannot be loaded raises `UsageError`.
    """
    house, table_rows = House(ledger), list(ledger.tables())
    unjudged_books = []
    for book in house.books() if table_rows else ():
        judged_counts = _count_judged_accounts(ledger, book)
        missing_by_place = {
            Place(row.venue, row.tournament, row.table): missing_hands
            for row in table_rows
            if house.reaches(book, row.venue, row.table)
            and (missing_hands := row.hands - judged_counts.get(Place(row.venue, row.tournament, row.table), 0)) > 0
        }
        if missing_by_place:
            unjudged_books.append(Unjudged(book.name, sorted(missing_by_place), sum(missing_by_place.values())))
    return unjudged_books


def _count_judged_accounts(ledger: Ledger, book: Rulebook) -> dict[Place, int]:
    """Return how many accounts of hands each table had when it was judged last and its findings were announced."""
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
            return {Place(*row[:3]): int(row[3]) for row in connection.execute(statement)}
    except (SQLAlchemyError, StoreError):  # the tables are made with the first judgement
        return {}


def load_known_findings(ledger: Ledger) -> _KnownFindings:
    """Return what the house knew at the end of its stream: by the book's digest and the table, by fingerprint.

    Each with when it was told to the ledger as it is known.
    """
    known_findings: dict[tuple[str, Place], dict[str, tuple[FindingChanged, Millis]]] = {}
    fingerprints = EarlierFingerprints(ledger)
    for entry in ledger.told(HOUSE, FindingChanged):
        event = entry.event
        if isinstance(event, FindingChanged):
            event = msgspec.structs.replace(event, fingerprint=fingerprints.current(event))
            table_findings = known_findings.setdefault(
                (event.digest, Place(event.venue, event.tournament, event.table)), {}
            )
            table_findings.pop(event.fingerprint, None)
            if event.became != "gone":
                table_findings[event.fingerprint] = event, entry.recorded.at
    return known_findings


_TABLE_CONDITION = "venue = ? AND tournament = ? AND name = ?"


def _announce_table(
    ledger: Ledger, house: House, book: Rulebook, number: int, place: Place, known_before: Callable[[], _KnownFindings]
) -> list[FindingChanged]:
    """Announce what is new of one table under one book, in one transaction that holds the log.

    `known_before`: what the log said before; the note of what was announced may have been changed.
    """
    with ledger.writing() as connection:
        row = connection.execute(
            f"SELECT begun FROM judged_tables WHERE judgement = ? AND {_TABLE_CONDITION}",  # noqa: S608 - constants
            (number, *place),
        ).fetchone()
        if row is None:
            return []
        begun_position = int(row[0])
        announced_row = connection.execute(
            f"SELECT judgement, begun, number FROM announced_tables WHERE digest = ? AND {_TABLE_CONDITION}",  # noqa: S608 - constants
            (book.digest, *place),
        ).fetchone()
        can_continue = announced_row is not None and (announced_row[0], announced_row[1]) == (number, begun_position)
        can_continue = can_continue and 0 <= announced_row[2] <= _last_finding_number(
            connection, number, place
        )  # otherwise somebody moved it
        findings, last_number = _load_findings(
            connection, number, place, announced_row[2] if announced_row is not None and can_continue else 0
        )
        in_force = [finding for finding in findings if _is_in_force(ledger, house, book, finding)]
        if can_continue:
            known_findings = known_before().get((book.digest, place), {}) if in_force else {}
            events = [
                _finding_event(book, place, finding)
                for finding in in_force
                if finding.fingerprint not in known_findings
            ]
        else:
            events = _compare_findings(book, place, in_force, load_known_findings(ledger).get((book.digest, place), {}))
        if events:
            ledger.append_within(connection, "house", HOUSE, events, Recorded(ledger.now(), by="judging"))
        if announced_row is None or (announced_row[0], announced_row[1], announced_row[2]) != (
            number,
            begun_position,
            last_number,
        ):
            connection.execute(
                f"DELETE FROM announced_tables WHERE digest = ? AND {_TABLE_CONDITION}",  # noqa: S608 - constants
                (book.digest, *place),
            )
            connection.execute(
                "INSERT INTO announced_tables (digest, venue, tournament, name, judgement, begun, number) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (book.digest, *place, number, begun_position, last_number),
            )
    return events


def _load_findings(connection: Link, number: int, place: Place, after_number: int) -> tuple[list[Finding], int]:
    """Return the findings that are kept of a table, behind one of them, and the number of the last."""
    rows = connection.execute(
        f"SELECT number, finding FROM kept_findings WHERE judgement = ? AND {_TABLE_CONDITION} "  # noqa: S608 - constants
        "AND number > ? ORDER BY number",
        (number, *place, after_number),
    ).fetchall()
    findings = [msgspec.convert(json.loads(bytes(row[1])), Finding) for row in rows]
    return findings, rows[-1][0] if rows else after_number


def _last_finding_number(connection: Link, number: int, place: Place) -> int:
    """Return the number of the last finding that is kept of a table; 0 = there is none."""
    sql = f"SELECT coalesce(max(number), 0) FROM kept_findings WHERE judgement = ? AND {_TABLE_CONDITION}"  # noqa: S608 - constants
    return int(connection.execute(sql, (number, *place)).fetchone()[0])


def _is_in_force(ledger: Ledger, house: House, book: Rulebook, finding: Finding) -> bool:
    """Whether the book was the house's at that table when the hand began."""
    row = ledger.hand(finding.hand.stream)
    return row is not None and book in house.in_force(row.venue, row.table, row.started)


def _compare_findings(
    book: Rulebook,
    place: Place,
    findings: Collection[Finding],
    known_findings: Mapping[str, tuple[FindingChanged, Millis]],
) -> list[FindingChanged]:
    """Return what is found now and was not known, what is known and not found, and what is found otherwise."""
    current_events = {finding.fingerprint: _finding_event(book, place, finding) for finding in findings}
    removed = [event for name, (event, _) in known_findings.items() if name not in current_events]
    events = [msgspec.structs.replace(event, became="gone", code=code_digest()) for event in removed]
    for name, event in current_events.items():
        known_event = known_findings.get(name)
        if known_event is None:
            events.append(event)
        elif _comparable(known_event[0]) != _comparable(event):
            events.append(msgspec.structs.replace(event, became="other"))
    return events


def _comparable(event: FindingChanged) -> FindingChanged:
    """Return what an event says of the finding, whichever code said it."""
    return msgspec.structs.replace(event, became="found", code="")


def _finding_event(book: Rulebook, place: Place, finding: Finding) -> FindingChanged:
    return FindingChanged(
        became="found",
        book=finding.book,
        edition=finding.edition,
        digest=book.digest,
        venue=place.venue,
        tournament=place.tournament,
        table=place.table,
        hand=finding.hand.stream,
        fingerprint=finding.fingerprint,
        clause=finding.clause,
        version=finding.version,
        severity=finding.severity,
        certainty=finding.certainty,
        seat=finding.seat,
        code=code_digest(),
    )
