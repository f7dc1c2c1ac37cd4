"""What a mutant is shown: every fence of every page, and a few evenings of each kind of game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from projections.rulebook import load
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.judging import complaints
from tests.projections.pages import Case, cases
from tests.projections.running import differs, run
from tests.projections.said import kept, place, said


class Check(Protocol):
    """Something that passes while all is well."""

    def passes(self) -> bool: ...


class Page:
    """One fence under one column, held against its marks and its `due` lines."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.demanded = {mark for mark in case.marks if not mark.untold}

    def passes(self) -> bool:
        ran = run(self.case)
        if ran.spoken(load(self.case.book)) != self.demanded:
            return False
        if any((m.hand, m.clause) not in ran.untold for m in self.case.marks - self.demanded):
            return False
        return not any(differs(ran.dues[one.hand], one.says) for one in self.case.expected)


class Said:
    """What is said of one hand, word by word."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.told = kept(place(case))[case.name]

    def passes(self) -> bool:
        return said(self.case) == self.told


class Night:
    """A legal evening: nothing is found, and what was due is what was played."""

    def __init__(self, told: Evening) -> None:
        self.evening = told

    def passes(self) -> bool:
        return not complaints(self.evening)


def checks() -> Iterator[Check]:
    """The quick ones first."""
    yield from (Page(case) for case in cases())
    yield from (Said(case) for case in cases() if place(case))
    for name in ROOMS:
        for seed in range(3):
            yield Night(evening(name, seed, 25))
