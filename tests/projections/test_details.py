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
    details_by_case: dict[tuple[str, str], list[str]] = {}
    pages = {case.clause: CASES / WORKED / f"{case.clause}.md" for case in worked_cases()}
    for clause, path in pages.items():
        title = ""
        for match in _FENCE.finditer(path.read_text(encoding="utf-8")):
            title = match[1] or title
            if match[2]:
                details_by_case.setdefault((clause, title), []).extend(match[2].splitlines())
    return [
        (case, line)
        for case in worked_cases()
        for line in details_by_case.get((case.clause, case.title), ())
        if line.split(" ", 1)[0] == case.column.name
    ]


def _value(finding: Finding, detail: str) -> str:
    if detail == "money":
        return " ".join(f"{share.seat}:{share.amount:+d}" for share in finding.money)
    return str(getattr(finding, detail))


def says_what_its_page_says_of_it(case_and_line: tuple[Case, str]) -> None:
    case, line = case_and_line
    _, clause, detail, value = line.split(" ", 3)
    finding = [one for _, one in run(case).findings if clause in (one.clause, *one.also)]
    assert finding, "there is no such finding"
    if detail == "should":
        assert value in finding[0].should
    else:
        assert _value(finding[0], detail) == value


def test_a_finding_says_what_its_page_says_of_it() -> None:
    all_keep(says_what_its_page_says_of_it, _details(), lambda told: f"{told[0].name}: {told[1]}")


@pytest.mark.slow
def test_money_of_a_finding_sums_to_nothing() -> None:
    for case in worked_cases():
        for _, finding in run(case).findings:
            assert sum(share.amount for share in finding.money) == 0, case.name
