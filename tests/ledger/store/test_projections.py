"""Projections take each commit in once, whoever else runs, and can be made anew."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, Table, insert, select

import ledger
from ledger.store import Commit, Ledger
from tests.ledger.store.hands import draft


class Sizes:
    """How many events each commit has."""

    name = "sizes"

    def __init__(self) -> None:
        self.tables = MetaData()
        self.table = Table(
            "sizes",
            self.tables,
            Column("position", BigInteger, primary_key=True, autoincrement=False),
            Column("count", Integer),
        )
        self.fails_at = 0
        self.batches: list[int] = []

    def project(self, commits: Sequence[Commit], connection: Connection) -> None:
        self.batches.append(len(commits))
        connection.execute(insert(self.table), [{"position": c.position, "count": c.count} for c in commits])
        if self.fails_at and commits[-1].position >= self.fails_at:
            raise RuntimeError("the projection broke")

    def rows(self, book: Ledger) -> list[tuple[int, int]]:
        with book.database.core() as core:
            rows = core.execute(select(self.table).order_by(self.table.c.position)).all()
        return [(row[0], row[1]) for row in rows]


def expected_rows(book: Ledger) -> list[tuple[int, int]]:
    return [(commit.position, commit.count) for commit in book.commits()]


def test_a_projection_catches_up_in_batches_and_goes_on(book: Ledger) -> None:
    book.append_all([draft(n, book.people) for n in range(25)])
    sizes = Sizes()
    assert book.catch_up(sizes, batch=10) == book.head()[0]
    assert sizes.batches == [10, 10, 6]
    assert sizes.rows(book) == expected_rows(book)
    book.append_all([draft(99, book.people)])
    book.catch_up(sizes)
    book.catch_up(sizes)
    assert sizes.batches == [10, 10, 6, 1]
    assert sizes.rows(book) == expected_rows(book)


def test_a_projection_that_breaks_goes_on_where_it_was(book: Ledger) -> None:
    book.append_all([draft(n, book.people) for n in range(25)])
    sizes = Sizes()
    sizes.fails_at = 100
    with pytest.raises(RuntimeError, match="broke"):
        book.catch_up(sizes, batch=5)
    sizes.fails_at = 0
    book.catch_up(sizes, batch=5)
    assert sizes.rows(book) == expected_rows(book)
    assert book.verify() == []


def test_a_rebuilt_projection_is_the_same(book: Ledger) -> None:
    book.append_all([draft(n, book.people) for n in range(25)])
    sizes = Sizes()
    book.catch_up(sizes)
    with book.database.core(write=True) as core:
        core.execute(insert(sizes.table), [{"position": 100_000, "count": 5}])
    book.rebuild(sizes, batch=7)
    assert sizes.rows(book) == expected_rows(book)


def test_two_projectors_take_nothing_in_twice(url: str) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:
        first_ledger.append_all([draft(n, first_ledger.people) for n in range(60)])
        projections, errors = (Sizes(), Sizes()), []

        def work(book: Ledger, sizes: Sizes) -> None:
            try:
                book.catch_up(sizes, batch=3)
            except Exception as error:  # noqa: BLE001 - it is what the test asks
                errors.append(error)

        projections[0].tables.create_all(first_ledger.database.engine)
        threads = [
            threading.Thread(target=work, args=pair)
            for pair in zip((first_ledger, second_ledger), projections, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert projections[0].rows(first_ledger) == expected_rows(first_ledger)
        assert sum(projections[0].batches) + sum(projections[1].batches) == 61


def test_the_index_of_hands_can_be_made_anew(book: Ledger) -> None:
    book.append_all([draft(n, book.people) for n in range(9)])
    book.append_all([draft(3, book.people, amount=300)])
    rows_before = list(book.hands())
    with book.writing() as link:
        link.execute("DELETE FROM hands WHERE position > 20")
        link.execute("UPDATE hands SET account = 7")
    assert book.verify() != []
    assert book.reindex() == 10
    assert list(book.hands()) == rows_before
    assert book.verify() == []
