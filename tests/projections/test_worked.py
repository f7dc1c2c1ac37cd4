"""The worked examples, under every column: each book says what its page expects, and nothing else."""

from __future__ import annotations

from functools import cache

import pytest

from projections.rulebook import load
from tests.projections.pages import Case, worked_cases
from tests.projections.running import Ran, differs, run

pytestmark = pytest.mark.slow  # seconds; left out of `make check`


@cache
def ran(case: Case) -> Ran:
    return run(case)


@pytest.mark.parametrize("case", worked_cases(), ids=lambda case: case.name)
def test_a_worked_example_is_judged_as_its_page_says(case: Case) -> None:
    demanded = {mark for mark in case.marks if not mark.untold}
    assert not (case.silent and demanded), "a column without a verdict has marks"
    assert ran(case).spoken(load(case.book), demanded) == demanded
    for mark in case.marks - demanded:
        assert (mark.hand, mark.clause) in ran(case).untold, f"{mark.clause} does not say that it cannot tell"


@pytest.mark.parametrize("case", [c for c in worked_cases() if c.expected], ids=lambda case: case.name)
def test_what_is_due_is_what_the_page_says(case: Case) -> None:
    for one in case.expected:
        wrong = differs(ran(case).dues[one.hand], one.says)
        assert not wrong, f"{one.line} | but: {', '.join(wrong)}"


def test_marks_and_due_lines_name_columns_of_their_page() -> None:
    columns: dict[str, set[str]] = {}
    for case in worked_cases():
        columns.setdefault(case.clause, set()).update((case.column.name, case.book))
    for case in worked_cases():
        assert case.named <= columns[case.clause], case.name
