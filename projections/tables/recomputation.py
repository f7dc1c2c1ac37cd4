"""Whether the tables beside the log are what the log gives: made anew elsewhere, and compared row by row."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Select, Table, func, inspect, select

from ledger.errors import HandledgerError
from ledger.store.accounts import Place
from ledger.store.tables import tracking
from projections.books import rulebook
from projections.books.shelf import Shelf
from projections.tables.code import code_digest
from projections.tables.finding_events import known
from projections.tables.judgement import Judgement
from projections.tables.judgement_update import current
from projections.tables.kept_findings import (
    announced_tables,
    judged_tables,
    judgements,
    kept_findings,
    obligations,
    rested_walks,
    walks_on_the_way,
)
from projections.tables.kept_results import Results, hand_results, seat_results
from projections.tables.lending import Beside, Keeping
from projections.tables.sittings import bring_up, hand_dealers, sittings
from projections.tables.table_set import brought_up, fill

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook

_Question: TypeAlias = Select[Any]


class Recomputed(NamedTuple):
    """What was compared, what differs, and what could not be made anew."""

    same: list[str]
    different: list[str]
    left: list[str]


def kept_tables(ledger: Ledger) -> bool:
    """Whether anything made from the log is kept beside it that answers questions."""
    with ledger.database.core() as connection:
        there = set(inspect(connection).get_table_names())
        return any(
            name in there and connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one()  # noqa: S608 - constants
            for name in (hand_results.name, judgements.name, sittings.name)
        )


def recomputed(ledger: Ledger) -> Recomputed:
    """Make the tables anew, and compare them with those that are kept.

    They are brought up to the end of the log first; where that cannot be written, what is behind the
    log is not compared and is said.
    """
    found = Recomputed([], [], [])
    if not kept_tables(ledger):
        return found
    with TemporaryDirectory() as name:
        beside = Beside(Path(name))
        try:
            for what, compare in _COMPARED:
                try:
                    compare(ledger, beside, found)
                except HandledgerError as error:
                    found.different.append(f"{what} can't be read: {error.message}")
                except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                    found.different.append(f"{what} can't be read: {error}")
        finally:
            beside.close()
    return found


def make_anew(ledger: Ledger) -> None:
    """Make all that may be kept anew, beside the ledger; raises what making it raises: then what is kept isn't to blame."""
    with ledger.database.core() as connection:
        is_judged = inspect(connection).has_table(judgements.name)
        digests = set(connection.scalars(select(judgements.c.digest))) if is_judged else set()
    books = {book.digest: book for book in _books(ledger) if book.digest in digests}
    with TemporaryDirectory() as name:
        beside = Beside(Path(name))
        try:
            fill(ledger, beside)
            bring_up(ledger, beside)
            current([Judgement(ledger, book, beside) for book in books.values()])
        finally:
            beside.close()


def _results(ledger: Ledger, beside: Beside, found: Recomputed) -> None:
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(hand_results.name):
            return
        at = connection.execute(select(tracking.c.position).where(tracking.c.name == Results.name)).scalar()
    if at is None or not brought_up(ledger, ()):
        found.left.append("results of hands and seats: they are behind the log, which may not be written")
        return
    fill(ledger, beside)
    tables = [hand_results, seat_results]
    _compare(ledger, beside, [select(one).order_by(*one.primary_key) for one in tables], "results of hands", found)


def _sittings(ledger: Ledger, beside: Beside, found: Recomputed) -> None:
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(sittings.name):
            return
    if not brought_up(ledger, (), results=False, seats=True):
        found.left.append("who sat where and who dealt: that is behind the log, which may not be written")
        return
    bring_up(ledger, beside)
    asked = [select(one).order_by(*one.primary_key) for one in (sittings, hand_dealers)]
    _compare(ledger, beside, asked, "who sat where and who dealt", found)


def _judgements(ledger: Ledger, beside: Beside, found: Recomputed) -> None:
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(judgements.name):
            return
        there = connection.execute(select(judgements).order_by(judgements.c.id)).mappings().all()
    known = {book.digest: book for book in _books(ledger)}
    others = 0
    for row in there:
        book = known.get(row["digest"])
        if row["code"] != code_digest() or book is None:
            others += 1
            continue
        what = f"findings under {book.name} {book.edition}"
        judged_before = _at_tables(ledger, row["id"])
        if row["position"] and not brought_up(ledger, [book], results=False):
            found.left.append(f"{what}: they are behind the log, which may not be written")
            continue
        if row["position"] == ledger.head()[0] and _at_tables(ledger, row["id"]) != judged_before:
            found.different.append(f"{what}: a table's judgement was gone or changed; it was judged again")
        number, mine = Judgement(ledger, book, ledger.database).number, _at_tables(ledger, row["id"])
        (made,) = current([Judgement(ledger, book, beside)], None if row["position"] else mine)
        asked = [_rows(table, number, made) for table in _KEPT]
        _compare(ledger, beside, [one for one, _ in asked], what, found, [one for _, one in asked])
    if others:
        found.left.append(f"findings by other versions of the program, or under books that are not here: {others}")


def _at_tables(ledger: Ledger, number: int) -> set[Place]:
    columns = judged_tables.c
    with ledger.database.core() as connection:
        asked = select(columns.venue, columns.tournament, columns.name).where(columns.judgement == number)
        return {Place(*row) for row in connection.execute(asked)}


def _books(ledger: Ledger) -> Iterator[Rulebook]:
    """Yield every book and edition that comes with the program, and those of the house's own that can be read."""
    shelf = Shelf(ledger)
    for name in shelf.own():
        with suppress(HandledgerError):
            yield shelf.load(name)
    for name in (*rulebook.names(), rulebook.BUILT_IN):
        yield rulebook.load(name)
        if name != rulebook.BUILT_IN:
            yield from (rulebook.load(f"{name}@{edition}") for edition in rulebook.editions(name))


def _announcements(ledger: Ledger, _: Beside, found: Recomputed) -> None:
    """Look whether the notes of what was announced speak of tables that were judged, and whether one is gone."""
    of_note = [announced_tables.c[name] for name in ("digest", "venue", "tournament", "name", "judgement")]
    of_table = [judged_tables.c[name] for name in ("judgement", "venue", "tournament", "name")]
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(announced_tables.name):
            return
        notes = {(row[0], Place(*row[1:4])): row[4] for row in connection.execute(select(*of_note))}
        judged = {(row[0], Place(*row[1:])) for row in connection.execute(select(*of_table))}
    wrong = [place for (_, place), number in notes.items() if (number, place) not in judged]
    wrong += [place for (digest, place), said in known(ledger).items() if said and (digest, place) not in notes]
    if wrong:
        found.different.append(f"the notes of what was announced: that of table {wrong[0].table!r} is gone or changed")


_COMPARED = (
    ("results of hands", _results),
    ("who sat where and who dealt", _sittings),
    ("findings", _judgements),
    ("notes of what was announced", _announcements),
)

_KEPT = (judged_tables, kept_findings, obligations, rested_walks, walks_on_the_way)

_OF_THE_LOG = ("judgement", "begun", "position")
"""Columns that say when something was judged, not what was found."""


def _rows(table: Table, number: int, made: int) -> tuple[_Question, _Question]:
    """Return the rows of two judgements of one table, without what says when they were made."""
    left_out = _OF_THE_LOG if table is judged_tables else ("judgement",)
    columns = [column for column in table.c if column.name not in left_out]
    order = [column for column in table.primary_key if column.name != "judgement"]
    asked = select(*columns).order_by(*order)
    return asked.where(table.c.judgement == number), asked.where(table.c.judgement == made)


def _compare(
    ledger: Ledger,
    beside: Keeping,
    asked: Sequence[_Question],
    what: str,
    found: Recomputed,
    anew: Sequence[_Question] | None = None,
) -> None:
    """Compare the answers of the ledger's tables with those that were made anew."""
    rows = 0
    with ledger.database.core() as kept, beside.core() as made:
        for one, other in zip(asked, anew or asked, strict=True):
            with closing(_stream(kept, one)) as there, closing(_stream(made, other)) as again:
                for row, right in zip(there, again, strict=False):
                    if row != right:
                        found.different.append(
                            f"{what}: row {rows + 1:,} is not what the log gives: {_differing(row, right)}"
                        )
                        return
                    rows += 1
            counts = [
                c.execute(select(func.count()).select_from(q.subquery())).scalar()
                for c, q in ((kept, one), (made, other))
            ]
            if counts[0] != counts[1]:
                found.different.append(f"{what}: {counts[0]:,} rows are kept where the log gives {counts[1]:,}")
                return
    found.same.append(f"{what}, made anew from the log: {rows:,} rows are the same")


def _stream(connection: Connection, asked: _Question) -> Generator[dict[str, object], None, None]:
    at_once = 1 if "walk" in asked.selected_columns else 1000  # a walk at rest may be some megabytes
    with connection.execution_options(yield_per=at_once).execute(asked) as result:
        for row in result.mappings():
            yield {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()}


def _differing(row: dict[str, object], right: dict[str, object]) -> str:
    return ", ".join(name for name in row if row[name] != right.get(name))
