"""What a mutant is shown: every fence of every page, evenings of each kind of game, and wrongs in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from projections.books.rulebook import load
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.injections import INJECTIONS, Injection, occasions
from tests.evenings.judging import complaints, judge
from tests.projections.pages import Case, cases, house_cases, load_book
from tests.projections.running import differs, run
from tests.projections.said import place, read_golden_blocks, render_case


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
        if ran.spoken(load_book(self.case.book), self.demanded) != self.demanded:
            return False
        if any((m.hand, m.clause) not in ran.untold for m in self.case.marks - self.demanded):
            return False
        return not any(
            differs(ran.dues[expected_hand.hand], expected_hand.says) for expected_hand in self.case.expected
        )


class Said:
    """What is said of one hand, word by word."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.told = read_golden_blocks(place(case))[case.name]

    def passes(self) -> bool:
        return render_case(self.case) == self.told


class Night:
    """A legal evening: nothing is found, and what was due is what was played."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening

    def passes(self) -> bool:
        return not complaints(self.evening)


class Wronged:
    """An evening with one wrong in it: its clause is found, and nothing unrelated."""

    def __init__(self, room: str, injection: Injection, evening: Evening) -> None:
        self.must, self.may = injection.clauses(room)
        self.evening = evening

    def passes(self) -> bool:
        spoke = {
            clause
            for _, finding in judge(self.evening)[0]
            for clause in (finding.clause, *finding.also)
            if not load(finding.book).clauses[clause].entry.restates
        }
        return bool(spoke & self.must) and spoke <= self.may


def checks() -> Iterator[Check]:
    """The quick ones first."""
    yield from (Page(case) for case in (*house_cases(), *cases()))
    yield from (Said(case) for case in (*house_cases(), *cases()) if place(case))
    for name in ROOMS:
        for seed in range(3):
            yield Night(evening(name, seed, 25))
    for injection in INJECTIONS:
        for room in injection.must:
            yield from (Wronged(room, injection, index) for index, _ in occasions(room, injection))
