"""What a house states for itself: its pages are right, and a schedule never accuses a hand that keeps to it."""

from __future__ import annotations

from itertools import groupby

import pytest

from tests.projections.pages import Case, Mark, explain_marks, house_cases, load_book
from tests.projections.running import run
from tests.several import all_keep

PAGES = {
    f"{page} {clause}": list(cases)
    for (page, clause), cases in groupby(house_cases(), key=lambda case: (case.page, case.clause))
}


def finds_what_is_marked(case: Case) -> None:
    ran = run(case)
    demanded = {mark for mark in case.marks if not mark.untold}
    found = ran.spoken(load_book(case.book), demanded)
    assert found == demanded, explain_marks(case, found, demanded)
    for mark in case.marks - demanded:
        assert (mark.hand, mark.clause) in ran.untold


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_of_a_house_is_right_and_no_other_clause_speaks(page: list[Case]) -> None:
    all_keep(finds_what_is_marked, page, lambda case: case.name)


def test_every_clause_of_a_house_has_a_page_with_right_and_wrong() -> None:
    def accuses(case: Case, mark: Mark) -> bool:
        return mark.clause == case.clause and not mark.untold

    wrong = {(case.book, case.clause) for case in house_cases() if any(accuses(case, mark) for mark in case.marks)}
    right = {(case.book, case.clause) for case in house_cases() if not any(accuses(case, mark) for mark in case.marks)}
    built = {(name, clause) for name in {case.book for case in house_cases()} for clause in load_book(name).clauses}
    assert built == wrong == right
