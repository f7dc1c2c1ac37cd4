"""What a page says about a finding besides its clause: the remedy, what should have been, the money."""

from __future__ import annotations

import re

import pytest

from projections.findings.finding import Finding
from tests.projections.pages import CASES, WORKED, Case, worked_cases
from tests.projections.running import run
from tests.several import all_keep

pytestmark = pytest.mark.slow  # seconds; left out of `make check`

_FENCE = re.compile(r"^## (.+?)$|^```findings\n([^`]*)^```$", re.MULTILINE)


def _details() -> list[tuple[Case, str]]:
    """Return each line of the `findings` fences with the case it is about.

    A line names a column, a clause, what of the finding is told and its value: `rrop4 holdem.2 remedy followed`.
    """
    told: dict[tuple[str, str], list[str]] = {}
    pages = {case.clause: CASES / WORKED / f"{case.clause}.md" for case in worked_cases()}
    for clause, path in pages.items():
        title = ""
        for match in _FENCE.finditer(path.read_text(encoding="utf-8")):
            title = match[1] or title
            if match[2]:
                told.setdefault((clause, title), []).extend(match[2].splitlines())
    return [
        (case, line)
        for case in worked_cases()
        for line in told.get((case.clause, case.title), ())
        if line.split(" ", 1)[0] == case.column.name
    ]


def _value(finding: Finding, what: str) -> str:
    if what == "money":
        return " ".join(f"{share.seat}:{share.amount:+d}" for share in finding.money)
    return str(getattr(finding, what))


def says_what_its_page_says_of_it(told: tuple[Case, str]) -> None:
    case, line = told
    _, clause, what, value = line.split(" ", 3)
    found = [one for _, one in run(case).findings if clause in (one.clause, *one.also)]
    assert found, "there is no such finding"
    if what == "should":
        assert value in found[0].should
    else:
        assert _value(found[0], what) == value


def test_a_finding_says_what_its_page_says_of_it() -> None:
    all_keep(says_what_its_page_says_of_it, _details(), lambda told: f"{told[0].name}: {told[1]}")


@pytest.mark.slow
def test_money_of_a_finding_sums_to_nothing() -> None:
    for case in worked_cases():
        for _, found in run(case).findings:
            assert sum(share.amount for share in found.money) == 0, case.name
