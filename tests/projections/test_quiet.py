"""The short way past clauses about tables loses nothing: with and without it the answers are the same."""

from __future__ import annotations

import pytest

from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, list_names, load
from projections.table_walk.table_context import TableWalk, pick_table_books
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.injections import INJECTIONS, inject

pytestmark = pytest.mark.slow  # seconds; left out of `make check`


def judged(evening: Evening, books: list[Rulebook], *, screened: bool) -> tuple[AuditResult, int]:
    """Judge an evening; return also how often a hand was quiet under a book."""
    audit, table = Auditor(books, screened=screened), TableWalk(pick_table_books(books))
    quiet_count = 0
    for index, sat in enumerate(table.contexts(evening.told())):
        quiet_count += sum(sat[name].is_steady for name in table.keepers)
        audit.judge_hand(evening.played[index], sat)
    return audit.result(), quiet_count


def compare_screening(evening: Evening, books: list[Rulebook]) -> int:
    screened_result, quiet_count = judged(evening, books, screened=True)
    unscreened_result, _ = judged(evening, books, screened=False)
    assert screened_result.findings == unscreened_result.findings
    for own_coverage, other_coverage in zip(screened_result.coverage, unscreened_result.coverage, strict=True):
        assert own_coverage.found == other_coverage.found
        assert own_coverage.cannot_tell == other_coverage.cannot_tell, (
            f"{own_coverage.book} {own_coverage.clause} {other_coverage.missing}"
        )
    return quiet_count


@pytest.mark.parametrize("room", ROOMS)
def test_an_evening_under_every_book(room: str) -> None:
    books = [load(name) for name in list_names()]
    assert sum(compare_screening(evening(room, seed, 20), books) for seed in range(90, 93)) > 5


@pytest.mark.parametrize("room", ROOMS)
def test_an_evening_with_a_wrong_in_it(room: str) -> None:
    book = load(ROOMS[room].book)
    evening_told = evening(room, 11, 25, keep=True)
    for injection in INJECTIONS:
        wrong = next(
            (
                w
                for index in range(len(evening_told.hands))
                if (w := inject(evening_told, injection, index)) is not None
            ),
            None,
        )
        if wrong is not None:
            compare_screening(wrong, [book])
