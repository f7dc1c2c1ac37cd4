"""A single wrong in a legal evening yields its clause, and no clause that has nothing to do with it.

It does so whether or not the evening has a line for each player who gets no cards.

HANDLEDGER_WRONGS says how often each is tried.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from projections.books.rulebook import load
from tests.evenings import ROOMS, Evening
from tests.evenings.injections import INJECTIONS, Injection, occasions
from tests.evenings.judging import judge
from tests.evenings.natural import as_told, natural
from tests.evenings.script import script

pytestmark = pytest.mark.slow  # seconds; left out of `make check`

ENOUGH = int(os.environ.get("HANDLEDGER_WRONGS", "1"))


def cases() -> list[tuple[str, Injection]]:
    return [(room, one) for room in ROOMS for one in INJECTIONS if room in one.must]


@pytest.mark.parametrize("written", [as_told, natural])
@pytest.mark.parametrize(("room", "injection"), cases(), ids=lambda one: getattr(one, "name", one))
def test_a_single_wrong_yields_its_clause(
    room: str, injection: Injection, written: Callable[[Evening], Evening]
) -> None:
    must, may = injection.clauses(room)
    book = load(ROOMS[room].book)
    seen = 0
    for told, at in occasions(room, injection, ENOUGH):
        wrong = written(told)
        findings = judge(wrong)[0]
        spoke = {
            clause
            for _, found in findings
            for clause in (found.clause, *found.also)
            if found.book != book.name or not book.clauses[clause].entry.restates
        }
        text = f"{wrong!r}: {sorted(spoke)}\n{script(wrong)}"
        assert spoke & must, text
        assert spoke <= may, text
        assert {index for index, _ in findings} == {at}, text
        assert not any(sum(share.amount for share in found.money) for _, found in findings), text
        seen += 1
    assert seen, "no evening offers the occasion"
