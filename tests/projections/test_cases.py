"""Every clause that has a detector has a page, and the page is right: its marks and nothing else."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from ledger.replay import PlayedHand
from projections.audit import Audit
from projections.finding import Finding
from projections.rulebook import load, names
from tests.projections.pages import Case, cases

DETECTORS = Path(import_module("projections.detectors").__file__ or "").parent


def findings(case: Case, *, screened: bool = True) -> list[Finding]:
    audit = Audit([load(case.book)], screened=screened)
    return audit.add(PlayedHand(case.events))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_marked_lines_are_found_and_no_other_clause_of_the_book_speaks(case: Case) -> None:
    found = {(f.version, f.clause) for f in findings(case) if f.book == case.book}
    assert found == set(case.marks)


def test_a_hand_that_offends_nothing_is_judged_not_guessed() -> None:
    for case in cases():
        if not any(clause == case.clause for _, clause in case.marks):
            audit = Audit([load(case.book)])
            audit.add(PlayedHand(case.events))
            rows = {c.clause: c for c in audit.result().coverage if c.book == case.book}
            assert not rows[case.clause].cannot_tell, case.name


def test_the_cheap_pass_loses_no_finding() -> None:
    for case in cases():
        assert findings(case) == findings(case, screened=False), case.name


def test_every_clause_with_a_detector_has_a_page_with_right_and_wrong() -> None:
    wrong = {
        (case.book, case.clause) for case in cases() if any(c == case.clause for _, c in case.marks)
    }
    right = {
        (case.book, case.clause)
        for case in cases()
        if not any(c == case.clause for _, c in case.marks)
    }
    built = {
        (name, c.id)
        for name in names()
        for c in load(name).clauses.values()
        if c.kind == "detector"
    }
    assert built - wrong == set(), "no hand that offends it"
    assert built - right == set(), "no hand that keeps to it"
    assert {(case.book, case.clause) for case in cases()} <= built, "a page without a detector"


def test_every_detector_is_named_by_a_clause_and_states_the_wrong() -> None:
    named = {
        c.entry.detector
        for name in [*names(), "record"]
        for c in load(name).clauses.values()
        if c.entry.detector
    }
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
