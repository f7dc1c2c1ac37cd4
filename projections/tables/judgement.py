"""One book's judgement of a ledger as it is kept: its rows, table by table, and how far it has come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, Table, and_, bindparam, delete, func, insert, select, update

from ledger.json_encoding import encode
from ledger.store.accounts import Place
from ledger.store.mapper import code_of
from ledger.table.events import HandPlayed
from projections.audit.audit_result import AuditResult
from projections.findings.finding import Finding
from projections.tables.changed_tables import Touched, accounts_at, touched
from projections.tables.clause_tallies import framed, unframed
from projections.tables.kept_checkpoints import Rest, digest_of, order_of
from projections.tables.kept_findings import (
    judged_tables,
    judgements,
    kept_findings,
    lay_out_findings,
    obligations,
    rested_walks,
    walks_on_the_way,
)
from projections.tables.kept_judgement import KeptJudgement

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.reading import HandAt
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import Spoiled
    from projections.tables.lending import SqlKeeping

_MANY: Final = 500


_KeptRow: TypeAlias = dict[str, Any]
"""A row of `judged_tables`."""


class Base(NamedTuple):
    """What one book's judgement of a table goes on from."""

    number: int  # of the judgement
    before: _KeptRow | None  # what is kept of the table
    kept: AuditResult | None  # its coverage; None: all is judged from the beginning
    wanted: list[HandAt]  # the hands that are judged


class ToJudge(NamedTuple):
    """A table that is behind the log: how many accounts of hands it has, and whether what was there changed."""

    place: Place
    accounts: int
    whole: bool


class OnTheWay(NamedTuple):
    """A walk of a table as it was before one of its hands."""

    hands: int  # that had been walked by then
    stream: bytes  # of the hand that comes next, by the id's bytes
    version: int  # of the last event of the table's stream that had been walked
    broken: int  # places where the chain of its hands broke before
    walk: bytes


class Found(NamedTuple):
    """What a walk of a table found under a book."""

    result: AuditResult
    owing: bytes | None  # what is due next; None: the book knows no blinds
    rest: bytes | None  # the walk at its end; None: it is not kept
    on_the_way: list[OnTheWay]


class Walk(NamedTuple):
    """A table that is to be judged, as it is now."""

    place: Place
    accounts: int
    rows: list[HandAt]
    order: Sequence[int]  # versions of its events that hold, in its order
    unread: dict[str, Spoiled]


class Rested(NamedTuple):
    """A walk of a table that can go on from where it rested."""

    rest: Rest
    base: Base  # without the hands that are to be judged


Rows: TypeAlias = defaultdict[Table, list[dict[str, object]]]
"""Rows that are to be written, by their table."""


def keep_rows(connection: Connection, rows: Rows) -> None:
    """Write the rows that `Judgement.keep` left, in the same transaction."""
    for table, some in rows.items():
        connection.execute(insert(table), some)


class Judgement(KeptJudgement):
    """One book's kept judgement of a ledger. `judging.current` brings it up to date, `result` gives it."""

    def __init__(self, ledger: Ledger, book: Rulebook, keeping: SqlKeeping) -> None:
        """Take the ledger, the book, and where judgements are kept."""
        super().__init__(ledger, book, keeping)
        self._new: int | None = None  # its number, while nothing is kept of any table

    @property
    def _key(self) -> dict[str, str]:
        return {"of_book": self.book.digest, "of_code": self.code}

    def _entered(self, connection: Connection) -> tuple[int, int]:
        """Return the judgement's number and how far it has come; it is entered where there is none."""
        book, code = self.book, self.code
        row = connection.execute(_MINE, self._key).first()
        if row is not None:
            return row[0], row[1]
        number = int(connection.execute(select(func.coalesce(func.max(judgements.c.id), 0))).scalar_one()) + 1
        row_of_it = {"id": number, "book": book.name, "edition": book.edition, "digest": book.digest, "code": code}
        connection.execute(insert(judgements).values(**row_of_it, position=0))
        return number, 0

    def to_judge(self, head: int, unread: Mapping[Place, dict[str, Spoiled]]) -> Iterator[ToJudge]:
        """Yield the tables of which anything came into the log, or was read after all, since they were judged."""
        columns = judged_tables.c
        with self.keeping.core(write=True) as connection:
            lay_out_findings(connection)
            number, reached = self._entered(connection)
        if reached and not (0 < reached <= self.ledger.head()[0] and self._is_whole(number, reached)):
            self._forget(number)
            reached = 0
        with self.keeping.core() as connection:
            rows = connection.execute(
                select(
                    columns.venue, columns.tournament, columns.name, columns.unread, columns.accounts, columns.position
                ).where(columns.judgement == number)
            ).all()
        kept = {Place(*row[:3]): (row[3], row[4]) for row in rows}
        self._new = None if kept else number
        if kept and reached:
            late = touched(self.ledger, reached) if reached < head else Touched(set(), set())
            otherwise = {place for place, (was, _) in kept.items() if was != digest_of(unread.get(place, {}))}
            for place in sorted(late.late | otherwise):
                yield ToJudge(place, accounts_at(self.ledger, place), whole=place in late.amended | otherwise)
            return
        since = {Place(*row[:3]): row[5] for row in rows}  # each was judged for itself, as somebody looked at it
        changed = cache(partial(touched, self.ledger))
        for table in sorted(self.ledger.tables(), key=lambda row: row[:3]):
            place = Place(table.venue, table.tournament, table.table)
            late_there = since.get(place, head) < head and place in changed(since[place]).late
            if late_there or kept.get(place) != (digest_of(unread.get(place, {})), table.hands):
                yield ToJudge(place, table.hands, whole=True)

    def _forget(self, number: int) -> None:
        """Drop what was judged: how far it says that it has come can't be."""
        with self.keeping.core(write=True) as connection:
            for table in (judged_tables, rested_walks, walks_on_the_way, obligations, kept_findings):
                connection.execute(delete(table).where(table.c.judgement == number))
            connection.execute(update(judgements).where(judgements.c.id == number).values(position=0))

    def enter(self) -> None:
        """Note that there is such a judgement, if nothing is noted of it yet."""
        with self.keeping.core(write=True) as connection:
            lay_out_findings(connection)
            self._entered(connection)

    @property
    def number(self) -> int:
        """The number of the judgement, by which its rows are known."""
        with self.keeping.core() as connection:
            return self._entered(connection)[0]

    def reached(self, head: int) -> None:
        """Note that all tables were judged up to a position of the log."""
        with self.keeping.core(write=True) as connection:
            mine = and_(judgements.c.id == self._entered(connection)[0], judgements.c.position < head)
            connection.execute(update(judgements).where(mine).values(position=head))

    def base(self, walk: Walk, told: Iterable[Told]) -> Base:
        """Return what a table's judgement goes on from, and the hands that are to be judged."""
        if self._new is not None:
            return Base(self._new, None, None, walk.rows)
        with self.keeping.core() as connection:
            number, _ = self._entered(connection)
            before = _one(connection, number, walk.place)
        if before is None or before["unread"] != digest_of(walk.unread):
            return Base(number, before, None, walk.rows)
        if order_of(walk.order[: before["events"]]) != before["order"]:
            return Base(number, before, None, walk.rows)
        new = _streams(told, set(walk.order[before["events"] :]))
        behind = [row for row in walk.rows if row.id.hex() in new]
        kept = unframed([before["result"]], self._empty)
        if kept.hands + len(behind) != len(walk.rows) or self._amended(walk.rows, before["position"]):
            return Base(number, before, None, walk.rows)
        return Base(number, before, kept, behind)

    def rested(self, place: Place, unread: Mapping[str, Spoiled]) -> Rested | None:
        """Return where the walk of a table rested, None where it has to be walked anew."""
        with self.keeping.core() as connection:
            number, _ = self._entered(connection)
            before = _one(connection, number, place)
            row = connection.execute(_REST, _key(number, place)).first()
        if row is None or before is None or before["unread"] != digest_of(unread):
            return None
        kept = unframed([before["result"]], self._empty)
        base = Base(number, before, kept, [])
        return Rested(Rest(row.version, before["position"], before["accounts"], bytes(row.walk)), base)

    def keep(self, connection: Connection, walk: Walk, base: Base, found: Found, head: int, rows: Rows) -> bool:
        """Keep what was found at a table; return whether it is kept: not if another process was quicker.

        `rows` are left for `keep_rows`, in the same transaction.
        """
        number, before, kept, _ = base
        place, result = walk.place, found.result
        key, named = _key(number, place), {"judgement": number, **_named(place)}
        if _one(connection, number, place) != before:
            self._new = None
            return False
        first, frame = 1, result
        if kept is not None:
            first += int(connection.execute(_COUNT, key).scalar_one())
            kept.merge(AuditResult(result.books, result.hands, [], result.coverage))
            frame = kept
        if before is not None:
            of_the_hands = (kept_findings, walks_on_the_way) if kept is None else ()
            for table in (judged_tables, rested_walks, obligations, *of_the_hands):
                connection.execute(_DELETED[table], key)
        rows[judged_tables].append(
            {
                **named,
                "begun": head if kept is None or before is None else before["begun"],
                "position": head,
                "unread": digest_of(walk.unread),
                "accounts": walk.accounts,
                "events": len(walk.order),
                "order": order_of(walk.order),
                "result": framed(frame),
            }
        )
        if found.rest is not None:
            rows[rested_walks].append({**named, "version": max(walk.order), "walk": found.rest})
        if found.owing is not None:
            rows[obligations].append({**named, "owing": found.owing})
        asked = result.findings or found.on_the_way
        positions = {row.id.hex(): row.position for row in walk.rows} if asked else {}
        for one in found.on_the_way:
            at = positions[one.stream.hex()]
            told = {"position": at, **one._asdict()}
            del told["stream"]
            rows[walks_on_the_way].append({**named, **told})
        made = (_row(number, place, at, one, positions) for at, one in enumerate(result.findings, first))
        while some := list(islice(made, _MANY)):
            connection.execute(insert(kept_findings), some)
        return True

    def _amended(self, rows: Sequence[HandAt], since: int) -> bool:
        """Whether a hand went on behind a position of the log: it was corrected, or finished."""
        with self.ledger.database.reading() as link:
            sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ? AND version > 1"
            gone_on = {bytes(row[0]) for row in link.execute(sql, (since, code_of("hand")))}
        return any(row.id in gone_on for row in rows)


def _streams(told: Iterable[Told], versions: set[int]) -> set[str]:
    """Return the hands of which a table was told by these events of its stream."""
    if not versions:
        return set()
    return {one.event.hand for one in told if one.version in versions and isinstance(one.event, HandPlayed)}


def _one(connection: Connection, number: int, place: Place) -> _KeptRow | None:
    """Return what is kept of a table, without what was found there."""
    row = connection.execute(_TABLE, _key(number, place)).mappings().first()
    return None if row is None else {name: bytes(v) if isinstance(v, memoryview) else v for name, v in row.items()}


def _of(table: Table) -> ColumnElement[bool]:
    """Return the condition that picks the rows of one table of the room under one judgement: `_key` says which."""
    return and_(*[table.c[name] == bindparam(f"of_{name}") for name in ("judgement", "venue", "tournament", "name")])


def _key(number: int, place: Place) -> dict[str, int | str]:
    """Return what `_of` asks for."""
    return {"of_judgement": number, "of_venue": place.venue, "of_tournament": place.tournament, "of_name": place.table}


def _named(place: Place) -> dict[str, str]:
    return {"venue": place.venue, "tournament": place.tournament, "name": place.table}


# Made once: where there are many tables, to put a statement together takes longer than the database does.
_MINE: Final = select(judgements.c.id, judgements.c.position).where(
    judgements.c.digest == bindparam("of_book"), judgements.c.code == bindparam("of_code")
)
_TABLE: Final = select(judged_tables).where(_of(judged_tables))
_REST: Final = select(rested_walks.c.version, rested_walks.c.walk).where(_of(rested_walks))
_DELETED: Final = {
    one: delete(one).where(_of(one))
    for one in (judged_tables, rested_walks, walks_on_the_way, obligations, kept_findings)
}
_COUNT: Final = select(func.count()).select_from(kept_findings).where(_of(kept_findings))


def _row(number: int, place: Place, at: int, found: Finding, positions: Mapping[str, int]) -> dict[str, object]:
    return {
        "judgement": number,
        **_named(place),
        "number": at,
        "position": positions[found.hand.stream],
        "seat": found.seat,
        "book": found.book,
        "clause": found.clause,
        "severity": found.severity,
        "certainty": found.certainty,
        "finding": encode(found),
    }
