"""Decisions are dated records with context, decision and consequences, and the contents list every one.

`pytest tests/test_decisions.py --regen` writes the contents of `docs/decisions.md` again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CONTENTS = ROOT / "docs" / "decisions.md"
AREAS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
LINES_MOST = 30  # a screen
RECORD = re.compile(
    r"\n\d{4}-\d\d-\d\d\n\n\*\*Context\.\*\* .+\n\n\*\*Decision\.\*\* .+\n\n\*\*Consequences\.\*\* .+", re.DOTALL
)
AREA_LINK = re.compile(r"^### \[[^\]]+\]\(decisions/(\w+)\.md\)$", re.MULTILINE)


class Record(NamedTuple):
    """One decision of an area."""

    title: str
    text: str


def read_records(area: Path) -> list[Record]:
    sections = area.read_text("utf-8").split("\n## ")[1:]
    return [Record(title, text) for title, _, text in (section.partition("\n") for section in sections)]


def link_to(title: str, area: Path) -> str:
    anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    return f"[{title}](decisions/{area.name}#{anchor})"


def contents_of(area: Path) -> str:
    """Return the part of the contents for one area."""
    heading = area.read_text("utf-8").partition("\n")[0].removeprefix("# Decisions: ")
    rows = [f"| {link_to(record.title, area)} | {record.text.split()[0]} |" for record in read_records(area)]
    link = f"### [{heading[0].upper()}{heading[1:]}](decisions/{area.name})"
    return "\n".join([link, "", "| decision | date |", "|---|---|", *rows, ""])


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.stem)
def test_a_decision_has_a_date_context_decision_and_consequences_on_one_screen(area: Path) -> None:
    problems = []
    for title, text in read_records(area):
        if not RECORD.match(text):
            problems.append(f"{title}: write the date, then **Context.**, **Decision.**, **Consequences.**")
        if len(text.strip().splitlines()) > LINES_MOST:
            problems.append(f"{title}: longer than a screen. Split it")
    assert not problems, f"{area.name}: {problems}"


def test_the_contents_list_every_decision(regen: bool) -> None:
    page = CONTENTS.read_text("utf-8")
    names = AREA_LINK.findall(page)
    assert sorted(names) == [area.stem for area in AREAS], "an area needs its heading in docs/decisions.md"
    text = "\n".join(contents_of(CONTENTS.parent / "decisions" / f"{name}.md") for name in names)
    start = page.index("### [")
    end = page.index("\n## Dependencies")
    if regen:
        CONTENTS.write_text(page[:start] + text + page[end:], "utf-8")
        return
    assert page[start:end] == text, "list the decisions: pytest tests/test_decisions.py --regen"
