"""Every clause that has a detector has a page, and the page is right: its marks and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path

import pytest

from projections.rulebook import load, names
from tests.projections.pages import Case, Mark, book_cases, cases
from tests.projections.running import Ran, differs, run
from tests.several import all_keep

DETECTORS = Path(import_module("projections.detectors").__file__ or "").parent


@cache
def ran(case: Case) -> Ran:
    return run(case)


def each_page(found: Iterable[Case]) -> pytest.MarkDecorator:
    """The cases of one page after the other."""
    pages = [list(cases) for _, cases in groupby(found, key=lambda case: (case.page, case.clause))]
    return pytest.mark.parametrize("page", pages, ids=[f"{cases[0].page} {cases[0].clause}" for cases in pages])


def finds_the_marked(case: Case) -> None:
    demanded = {mark for mark in case.marks if not mark.untold}
    assert ran(case).spoken(load(case.book), demanded) == demanded
    for mark in case.marks - demanded:
        assert (mark.hand, mark.clause) in ran(case).untold


@each_page(book_cases())
def test_the_marked_lines_are_found_and_no_other_clause_of_the_book_speaks(page: list[Case]) -> None:
    all_keep(finds_the_marked, page, lambda case: case.name)


def is_due(case: Case) -> None:
    for one in case.expected:
        assert not differs(ran(case).dues[one.hand], one.says), one.line


@each_page(case for case in book_cases() if case.due)
def test_what_is_due_is_what_the_page_says(page: list[Case]) -> None:
    all_keep(is_due, page, lambda case: case.name)


def test_each_clause_has_a_page_that_keeps_to_it_and_is_judged_not_guessed() -> None:
    judged: dict[tuple[str, str], bool] = {}
    for case in book_cases():
        if load(case.book).clauses[case.clause].kind != "detector":
            continue  # a definition is shown by what is due
        if any(mark.clause == case.clause for mark in case.marks):
            continue
        rows = {c.clause: c for c in ran(case).result.coverage if c.book == case.book}
        row = rows[case.clause]
        key = case.book, case.clause
        judged[key] = judged.get(key, False) or row.clean + row.not_applicable > 0
    assert judged
    assert [key for key, seen in judged.items() if not seen] == []


@pytest.mark.slow
def test_the_cheap_pass_loses_no_finding() -> None:
    for case in cases():
        assert ran(case).findings == run(case, screened=False).findings, case.name


def test_every_clause_with_a_detector_has_a_page_with_right_and_wrong() -> None:
    wrong = {(c.book, c.clause) for c in book_cases() if any(_accuses(c, mark) for mark in c.marks)}
    right = {(c.book, c.clause) for c in book_cases() if not any(_accuses(c, mark) for mark in c.marks)}
    built = {(name, c.id) for name in names() for c in load(name).clauses.values() if c.kind == "detector"}
    assert built - wrong == set(), "its page marks no line that offends it: `# CLAUSE` behind the line"
    assert built - right == set(), "its page has no hand without a mark: one that keeps to it"


def _accuses(case: Case, mark: Mark) -> bool:
    return mark.clause == case.clause and not mark.untold


def test_every_page_is_about_a_clause() -> None:
    known = {(name, clause) for name in [*names(), "record"] for clause in load(name).clauses}
    assert {(case.book, case.clause) for case in book_cases()} <= known


def test_every_detector_is_named_by_a_clause_and_states_the_wrong() -> None:
    named = {c.entry.detector for name in [*names(), "record"] for c in load(name).clauses.values() if c.entry.detector}
    there = {}
    for file in DETECTORS.glob("[!_]*.py"):
        module = import_module(f"projections.detectors.{file.stem}")
        for name, function in inspect.getmembers(module, inspect.isgeneratorfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                there[f"{file.stem}.{name}"] = function
    assert set(there) == named
    for name, function in there.items():
        assert inspect.getdoc(function), name
        assert "trait" in function.__dict__, f"{name} does not say when it has an occasion"
