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
    return [(room, injection) for room in ROOMS for injection in INJECTIONS if room in injection.must]


@pytest.mark.parametrize("written", [as_told, natural])
@pytest.mark.parametrize(("room", "injection"), cases(), ids=lambda one: getattr(one, "name", one))
def test_a_single_wrong_yields_its_clause(
    room: str, injection: Injection, written: Callable[[Evening], Evening]
) -> None:
    must, may = injection.clauses(room)
    book = load(ROOMS[room].book)
    count = 0
    for wrong_evening, hand_index in occasions(room, injection, ENOUGH):
        wrong = written(wrong_evening)
        findings = judge(wrong)[0]
        spoke = {
            clause
            for _, finding in findings
            for clause in (finding.clause, *finding.also)
            if finding.book != book.name or not book.clauses[clause].entry.restates
        }
        text = f"{wrong!r}: {sorted(spoke)}\n{script(wrong)}"
        assert spoke & must, text
        assert spoke <= may, text
        assert {index for index, _ in findings} == {hand_index}, text
        assert not any(sum(share.amount for share in finding.money) for _, finding in findings), text
        count += 1
    assert count, "no evening offers the occasion"
