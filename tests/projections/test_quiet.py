"""The short way past clauses about tables loses nothing: with and without it the answers are the same."""

from __future__ import annotations

import pytest

from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, load, names
from projections.table_walk.table_context import TableWalk, pick_table_books
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.injections import INJECTIONS, inject

pytestmark = pytest.mark.slow  # seconds; left out of `make check`


def judged(evening: Evening, books: list[Rulebook], *, screened: bool) -> tuple[AuditResult, int]:
    """Judge an evening; return also how often a hand was quiet under a book."""
    audit, table = Auditor(books, screened=screened), TableWalk(pick_table_books(books))
    quiet = 0
    for index, sat in enumerate(table.contexts(evening.told())):
        quiet += sum(sat[name].is_steady for name in table.keepers)
        audit.judge_hand(evening.played[index], sat)
    return audit.result(), quiet


def compare_screening(evening: Evening, books: list[Rulebook]) -> int:
    short, quiet = judged(evening, books, screened=True)
    long, _ = judged(evening, books, screened=False)
    assert short.findings == long.findings
    for mine, other in zip(short.coverage, long.coverage, strict=True):
        assert mine.found == other.found
        assert mine.cannot_tell == other.cannot_tell, f"{mine.book} {mine.clause} {other.missing}"
    return quiet


@pytest.mark.parametrize("room", ROOMS)
def test_an_evening_under_every_book(room: str) -> None:
    books = [load(name) for name in names()]
    assert sum(compare_screening(evening(room, seed, 20), books) for seed in range(90, 93)) > 5


@pytest.mark.parametrize("room", ROOMS)
def test_an_evening_with_a_wrong_in_it(room: str) -> None:
    book = load(ROOMS[room].book)
    told = evening(room, 11, 25, keep=True)
    for injection in INJECTIONS:
        wrong = next((w for index in range(len(told.hands)) if (w := inject(told, injection, index)) is not None), None)
        if wrong is not None:
            compare_screening(wrong, [book])
