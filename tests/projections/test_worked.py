"""The worked examples, under every column: each book says what its page expects, and nothing else."""

from __future__ import annotations

import pytest

from projections.books.rulebook import load
from tests.projections.pages import Case, explain_marks, worked_cases
from tests.projections.running import differs, run
from tests.several import all_keep

pytestmark = pytest.mark.slow  # seconds; left out of `make check`


def is_judged_as_its_page_says(case: Case) -> None:
    ran = run(case)
    demanded = {mark for mark in case.marks if not mark.untold}
    assert not (case.silent and demanded), "a column without a verdict has marks"
    found = ran.spoken(load(case.book), demanded)
    assert found == demanded, explain_marks(case, found, demanded)
    for mark in case.marks - demanded:
        assert (mark.hand, mark.clause) in ran.untold, f"{mark.clause} does not say that it cannot tell"
    for expectation in case.expected:
        wrong = differs(ran.dues[expectation.hand], expectation.says)
        assert not wrong, f"{expectation.line} | but: {', '.join(wrong)}"


@pytest.mark.parametrize("number", sorted({case.clause for case in worked_cases()}))
def test_a_worked_example_is_judged_and_due_as_its_page_says(number: str) -> None:
    all_keep(
        is_judged_as_its_page_says, [case for case in worked_cases() if case.clause == number], lambda case: case.name
    )


def test_marks_and_due_lines_name_columns_of_their_page() -> None:
    columns: dict[str, set[str]] = {}
    for case in worked_cases():
        columns.setdefault(case.clause, set()).update((case.column.name, case.book))
    for case in worked_cases():
        assert case.named <= columns[case.clause], case.name
