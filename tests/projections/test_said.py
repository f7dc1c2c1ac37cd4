"""What is said of the pages' hands stays as it is, word by word, until a person changes it."""

from __future__ import annotations

import pytest

from tests.projections.pages import Case, cases, house_cases
from tests.projections.said import GOLDEN_FOLDER, place, read_golden_blocks, render_case

pytestmark = pytest.mark.slow  # seconds; left out of `make check`

FILES: dict[str, list[Case]] = {}
for _case in (*cases(), *house_cases()):
    if place(_case):
        FILES.setdefault(place(_case), []).append(_case)


@pytest.mark.parametrize("name", sorted(FILES))
def test_each_finding_of_a_hand_says_what_it_said(name: str, regen: bool) -> None:
    blocks_told = {case.name: render_case(case) for case in FILES[name]}
    if regen:
        GOLDEN_FOLDER.mkdir(exist_ok=True)
        (GOLDEN_FOLDER / f"{name}.txt").write_text("\n\n".join(blocks_told.values()) + "\n", encoding="utf-8")
        read_golden_blocks.cache_clear()
    assert blocks_told == read_golden_blocks(name), (
        "if the new words are right: pytest tests/projections/test_said.py --regen, and read the diff"
    )
