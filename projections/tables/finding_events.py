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
from projections.tables.judgement_update import current
from projections.tables.kept_findings import announced_tables, judged_tables

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.database import Link
    from ledger.vocabulary import Millis
    from projections.books.rulebook import Rulebook
    from projections.tables.judgement_update import Progress


_Known: TypeAlias = "dict[tuple[str, Place], dict[str, tuple[FindingChanged, Millis]]]"


def keep_current(ledger: Ledger, *, jobs: int = 1, progress: Progress | None = None) -> list[FindingChanged]:
    """Judge what is new under the books that the house adopted; return what was announced of it.

    `jobs` and `progress` as for `judging.current`, book by book.

    A house that adopted no book is asked nothing. A book that cannot be loaded raises `UsageError`.
    """
    adopted = adoptions(ledger.told(HOUSE, *ADOPTIONS))
    if not adopted:
        return []
    house, there = House(ledger), places(ledger)
    found: list[FindingChanged] = []
    before = cache(lambda: known(ledger))
    for book in house.books():
        reached = {one for one in there if house.reaches(book, one.venue, one.table)}
        only = None if len(reached) == len(there) else reached
        (number,) = current([Judgement(ledger, book, ledger.database)], only, jobs=jobs, progress=progress)
        for place in sorted(reached & _behind(ledger, book, number)):
            found += _announced(ledger, house, book, number, place, before)
    return found


def _behind(ledger: Ledger, book: Rulebook, number: int) -> set[Place]:
    """Return the tables of which something may have to be announced: there may be very many others."""
    last = (
        "SELECT max(f.number) FROM kept_findings AS f WHERE f.judgement = j.judgement "
        "AND f.venue = j.venue AND f.tournament = j.tournament AND f.name = j.name"
    )
    sql = (
        "SELECT j.venue, j.tournament, j.name FROM judged_tables AS j LEFT JOIN announced_tables AS a "  # noqa: S608 - constants
        "ON a.digest = ? AND a.venue = j.venue AND a.tournament = j.tournament AND a.name = j.name "
        f"WHERE j.judgement = ? AND (a.digest IS NULL OR a.judgement <> j.judgement OR a.begun <> j.begun "
        f"OR a.number <> coalesce(({last}), 0))"
    )
    with ledger.database.reading() as link:
        return {Place(*row) for row in link.execute(sql, (book.digest, number)).fetchall()}


class Unjudged(NamedTuple):
    """Tables of which the house does not know all that it would under a book, as it was not judged yet."""

    book: str
    tables: list[Place]
    hands: int  # accounts of hands that came since, or all where none was judged


def unjudged(ledger: Ledger) -> list[Unjudged]:
    """Return what has come in and was not judged under the books that the house adopted: an import judges it.

    A book that cannot be loaded raises `UsageError`.
    """
    house, there = House(ledger), list(ledger.tables())
    found = []
    for book in house.books() if there else ():
        judged = _accounts_judged(ledger, book)
        late = {
            Place(row.venue, row.tournament, row.table): behind
            for row in there
            if house.reaches(book, row.venue, row.table)
            and (behind := row.hands - judged.get(Place(row.venue, row.tournament, row.table), 0)) > 0
        }
        if late:
            found.append(Unjudged(book.name, sorted(late), sum(late.values())))
    return found


def _accounts_judged(ledger: Ledger, book: Rulebook) -> dict[Place, int]:
    """Return how many accounts of hands each table had when it was judged last and its findings were announced."""
    same = and_(
        *(judged_tables.c[one] == announced_tables.c[one] for one in ("judgement", "venue", "tournament", "name"))
    )
    asked = (
        select(judged_tables.c.venue, judged_tables.c.tournament, judged_tables.c.name, judged_tables.c.accounts)
        .join_from(announced_tables, judged_tables, same)
        .where(announced_tables.c.digest == book.digest)
    )
    try:
        with ledger.database.core() as connection:
            return {Place(*row[:3]): int(row[3]) for row in connection.execute(asked)}
    except (SQLAlchemyError, StoreError):  # the tables are made with the first judgement
        return {}


def known(ledger: Ledger) -> _Known:
    """Return what the house knew at the end of its stream: by the book's digest and the table, by fingerprint.

    Each with when it was told to the ledger as it is known.
    """
    found: dict[tuple[str, Place], dict[str, tuple[FindingChanged, Millis]]] = {}
    fingerprints = EarlierFingerprints(ledger)
    for entry in ledger.told(HOUSE, FindingChanged):
        event = entry.event
        if isinstance(event, FindingChanged):
            event = msgspec.structs.replace(event, fingerprint=fingerprints.current(event))
            of_table = found.setdefault((event.digest, Place(event.venue, event.tournament, event.table)), {})
            of_table.pop(event.fingerprint, None)
            if event.became != "gone":
                of_table[event.fingerprint] = event, entry.recorded.at
    return found


_PLACE = "venue = ? AND tournament = ? AND name = ?"


def _announced(
    ledger: Ledger, house: House, book: Rulebook, number: int, place: Place, known_before: Callable[[], _Known]
) -> list[FindingChanged]:
    """Announce what is new of one table under one book, in one transaction that holds the log.

    `known_before`: what the log said before; the note of what was announced may have been changed.
    """
    with ledger.writing() as link:
        row = link.execute(
            f"SELECT begun FROM judged_tables WHERE judgement = ? AND {_PLACE}",  # noqa: S608 - constants
            (number, *place),
        ).fetchone()
        if row is None:
            return []
        begun = int(row[0])
        before = link.execute(
            f"SELECT judgement, begun, number FROM announced_tables WHERE digest = ? AND {_PLACE}",  # noqa: S608 - constants
            (book.digest, *place),
        ).fetchone()
        goes_on = before is not None and (before[0], before[1]) == (number, begun)
        goes_on = goes_on and 0 <= before[2] <= _last(link, number, place)  # otherwise somebody moved it
        findings, last = _kept(link, number, place, before[2] if before is not None and goes_on else 0)
        mine = [one for one in findings if _in_force(ledger, house, book, one)]
        if goes_on:
            already = known_before().get((book.digest, place), {}) if mine else {}
            events = [_event(book, place, one) for one in mine if one.fingerprint not in already]
        else:
            events = _differing(book, place, mine, known(ledger).get((book.digest, place), {}))
        if events:
            ledger.append_within(link, "house", HOUSE, events, Recorded(ledger.now(), by="judging"))
        if before is None or (before[0], before[1], before[2]) != (number, begun, last):
            link.execute(
                f"DELETE FROM announced_tables WHERE digest = ? AND {_PLACE}",  # noqa: S608 - constants
                (book.digest, *place),
            )
            link.execute(
                "INSERT INTO announced_tables (digest, venue, tournament, name, judgement, begun, number) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (book.digest, *place, number, begun, last),
            )
    return events


def _kept(link: Link, number: int, place: Place, after: int) -> tuple[list[Finding], int]:
    """Return the findings that are kept of a table, behind one of them, and the number of the last."""
    rows = link.execute(
        f"SELECT number, finding FROM kept_findings WHERE judgement = ? AND {_PLACE} "  # noqa: S608 - constants
        "AND number > ? ORDER BY number",
        (number, *place, after),
    ).fetchall()
    found = [msgspec.convert(json.loads(bytes(row[1])), Finding) for row in rows]
    return found, rows[-1][0] if rows else after


def _last(link: Link, number: int, place: Place) -> int:
    """Return the number of the last finding that is kept of a table; 0 = there is none."""
    sql = f"SELECT coalesce(max(number), 0) FROM kept_findings WHERE judgement = ? AND {_PLACE}"  # noqa: S608 - constants
    return int(link.execute(sql, (number, *place)).fetchone()[0])


def _in_force(ledger: Ledger, house: House, book: Rulebook, finding: Finding) -> bool:
    """Whether the book was the house's at that table when the hand began."""
    row = ledger.hand(finding.hand.stream)
    return row is not None and book in house.in_force(row.venue, row.table, row.started)


def _differing(
    book: Rulebook, place: Place, now: Collection[Finding], before: Mapping[str, tuple[FindingChanged, Millis]]
) -> list[FindingChanged]:
    """Return what is found now and was not known, what is known and not found, and what is found otherwise."""
    made = {one.fingerprint: _event(book, place, one) for one in now}
    gone = [one for name, (one, _) in before.items() if name not in made]
    events = [msgspec.structs.replace(one, became="gone", code=code_digest()) for one in gone]
    for name, one in made.items():
        was = before.get(name)
        if was is None:
            events.append(one)
        elif _said(was[0]) != _said(one):
            events.append(msgspec.structs.replace(one, became="other"))
    return events


def _said(event: FindingChanged) -> FindingChanged:
    """Return what an event says of the finding, whichever code said it."""
    return msgspec.structs.replace(event, became="found", code="")


def _event(book: Rulebook, place: Place, one: Finding) -> FindingChanged:
    return FindingChanged(
        became="found",
        book=one.book,
        edition=one.edition,
        digest=book.digest,
        venue=place.venue,
        tournament=place.tournament,
        table=place.table,
        hand=one.hand.stream,
        fingerprint=one.fingerprint,
        clause=one.clause,
        version=one.version,
        severity=one.severity,
        certainty=one.certainty,
        seat=one.seat,
        code=code_digest(),
    )
