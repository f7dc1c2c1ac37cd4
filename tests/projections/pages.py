"""The case pages: hands in handscript, with the lines that offend a clause marked at their end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ledger.formats.handscript import read_case
from ledger.hand.events import HandEvent
from ledger.people import People

CASES = Path(__file__).resolve().parent.parent / "cases"


class Case(NamedTuple):
    """One hand of a page. `marks` are the findings that its book owes: version and clause."""

    book: str
    clause: str
    title: str
    events: tuple[HandEvent, ...]
    marks: frozenset[tuple[int, str]]

    @property
    def name(self) -> str:
        return f"{self.book} {self.clause}: {self.title}"


@cache
def cases() -> tuple[Case, ...]:
    return tuple(case for page in sorted(CASES.glob("*/*.md")) for case in _page(page))


def _page(page: Path) -> Iterator[Case]:
    text = page.read_text(encoding="utf-8")
    for title, block in re.findall(
        r"^## (.+?)$.*?^```hand\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    ):
        account, comments = read_case(block, People(b"c" * 32))
        marks = {
            (index + 1, clause)
            for index, comment in comments.items()
            for clause in comment.split(", ")
        }
        yield Case(page.parent.name, page.stem, title, tuple(account.events), frozenset(marks))
