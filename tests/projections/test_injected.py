"""A single wrong in a legal evening yields its clause, and no clause that has nothing to do with it.

HANDLEDGER_WRONGS says how often each is tried.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

import pytest

from projections.rulebook import load
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.injections import INJECTIONS, Injection, inject
from tests.evenings.judging import judge
from tests.evenings.script import script

ENOUGH = int(os.environ.get("HANDLEDGER_WRONGS", "1"))
SEEDS = 60


def cases() -> list[tuple[str, Injection]]:
    return [(room, one) for room in ROOMS for one in INJECTIONS if room in one.must]


@lru_cache(maxsize=400)
def told_evening(room: str, seed: int, favour: tuple[str, ...]) -> Evening:
    return evening(room, seed, 30, keep=True, favour=favour)


def wrongs(room: str, injection: Injection) -> Iterator[tuple[Evening, int]]:
    """A few evenings that end with the wrong, and the index of its hand."""
    found = 0
    for seed in range(SEEDS):
        told = told_evening(room, seed, injection.favour)
        for at in range(len(told.hands)):
            wrong = inject(told, injection, at)
            if wrong is not None:
                yield wrong, at
                found += 1
                break
        if found == ENOUGH:
            return


@pytest.mark.parametrize(("room", "injection"), cases(), ids=lambda one: getattr(one, "name", one))
def test_a_single_wrong_yields_its_clause(room: str, injection: Injection) -> None:
    must, may = injection.clauses(room)
    book = load(ROOMS[room].book)
    seen = 0
    for wrong, at in wrongs(room, injection):
        findings = judge(wrong)[0]
        spoke = {
            clause
            for _, found in findings
            for clause in (found.clause, *found.also)
            if found.book != book.name or not book.clauses[clause].entry.restates
        }
        said = f"{wrong!r}: {sorted(spoke)}\n{script(wrong)}"
        assert spoke & must, said
        assert spoke <= may, said
        assert {index for index, _ in findings} == {at}, said
        assert not any(sum(share.amount for share in found.money) for _, found in findings), said
        seen += 1
    assert seen, "no evening offers the occasion"
