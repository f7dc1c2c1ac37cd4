"""Every clause that has a detector has a page, and the page is right: its marks and nothing else."""

from __future__ import annotations

import inspect
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from pathlib import Path

import pytest

from projections.books.rulebook import list_names, load
from tests.laws import size
from tests.projections.pages import Case, Mark, book_cases, cases, explain_marks, house_cases, load_book
from tests.projections.running import Ran, differs, run
from tests.several import all_keep

DETECTORS = Path(import_module("projections.detectors").__file__ or "").parent


@lru_cache(maxsize=64)  # no page has more cases
def ran(case: Case) -> Ran:
    return run(case)


def finds_what_is_marked(case: Case) -> None:
    demanded = {mark for mark in case.marks if not mark.untold}
    found = ran(case).spoken(load(case.book), demanded)
    assert found == demanded, explain_marks(case, found, demanded)
    for mark in case.marks - demanded:
        assert (mark.hand, mark.clause) in ran(case).untold


def says_what_is_due(case: Case) -> None:
    for expectation in case.expected:
        assert not differs(ran(case).dues[expectation.hand], expectation.says), expectation.line


def judges(case: Case) -> bool:
    """Whether the clause of a page is judged in a case that keeps to it, and not only guessed at."""
    (row,) = (row for row in ran(case).result.coverage if (row.book, row.clause) == (case.book, case.clause))
    return row.clean + row.not_applicable > 0


PAGES = {
    f"{page} {clause}": list(cases)
    for (page, clause), cases in groupby(book_cases(), key=lambda case: (case.page, case.clause))
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_is_right_no_other_clause_of_the_book_speaks_and_its_own_is_judged(page: list[Case]) -> None:
    all_keep(finds_what_is_marked, page, lambda case: case.name)
    all_keep(says_what_is_due, page, lambda case: case.name)
    if load(page[0].book).clauses[page[0].clause].kind == "detector":  # a definition is shown by what is due
        cases = [case for case in page if all(mark.clause != case.clause for mark in case.marks)]
        assert not cases or any(map(judges, cases))


@pytest.mark.law
@pytest.mark.slow
def test_the_cheap_pass_loses_no_finding() -> None:
    for case in cases()[:: size(4, 1)]:
        assert ran(case).findings == run(case, screened=False).findings, case.name


def test_every_clause_with_a_detector_has_a_page_with_right_and_wrong() -> None:
    wrong = {(c.book, c.clause) for c in book_cases() if any(_accuses(c, mark) for mark in c.marks)}
    right_cases = {(c.book, c.clause) for c in book_cases() if not any(_accuses(c, mark) for mark in c.marks)}
    built = {(name, c.id) for name in list_names() for c in load(name).clauses.values() if c.kind == "detector"}
    assert built - wrong == set(), "its page marks no line that offends it: `# CLAUSE` behind the line"
    assert built - right_cases == set(), "its page has no hand without a mark: one that keeps to it"


def _accuses(case: Case, mark: Mark) -> bool:
    return mark.clause == case.clause and not mark.untold


def test_every_page_is_about_a_clause() -> None:
    known_clauses = {(name, clause) for name in [*list_names(), "record"] for clause in load(name).clauses}
    assert {(case.book, case.clause) for case in book_cases()} <= known_clauses


def test_every_detector_is_named_by_a_clause_and_states_the_wrong() -> None:
    books = [*map(load, [*list_names(), "record"]), *map(load_book, {case.book for case in house_cases()})]
    detectors = {clause.entry.detector for book in books for clause in book.clauses.values() if clause.entry.detector}
    there = {}
    for file in DETECTORS.glob("[!_]*.py"):
        module = import_module(f"projections.detectors.{file.stem}")
        for name, function in inspect.getmembers(module, inspect.isgeneratorfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                there[f"{file.stem}.{name}"] = function
    assert set(there) == detectors
    for name, function in there.items():
        assert inspect.getdoc(function), name
        assert "spec" in function.__dict__, f"{name} does not say when it has an occasion"
