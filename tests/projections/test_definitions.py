"""Clauses that define: the page of each shows who would be paid what by the definition's own reading."""

from __future__ import annotations

import re

import pytest

from ledger.hand.evaluate import shares
from tests.projections.pages import CASES, Case, book_cases

_FENCE = re.compile(r"^## (.+?)$|^```shares\n([^`]*)^```$", re.MULTILINE)


def _cases_with_shares() -> list[tuple[Case, dict[int, int]]]:
    """Return the cases with a `shares` fence: seat and chips that the cards are worth."""
    cases_with_shares = []
    for case in book_cases():
        title = ""
        for part in _FENCE.finditer((CASES / case.page / f"{case.clause}.md").read_text("utf-8")):
            title = part[1] or title
            if part[2] and title == case.title:
                lines = (line.split() for line in part[2].splitlines())
                cases_with_shares.append((case, {int(seat): int(chips) for seat, chips in lines}))
    return cases_with_shares


@pytest.mark.parametrize(("case", "due"), _cases_with_shares(), ids=lambda part: getattr(part, "name", ""))
def test_cards_are_worth_what_the_page_says(case: Case, due: dict[int, int]) -> None:
    (hand,) = case.told.hands
    paid: dict[int, int] = {}
    for part in shares(hand.final_state).parts:
        for seat in part.winners:
            paid[seat] = paid.get(seat, 0) + part.amount // len(part.winners)
    assert paid == due
