"""A line that nobody knows within a summary costs that line, and not the summary."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account
from ledger.hand.ending import LineUnread
from tests.formats.support import read
from tests.formats.test_every_reader import UNDAMAGED

ODD = "Something odd that nobody knows 12"
_SUMMARY = re.compile(r"(?mi)^([*\- =]*(?:summary|end of hand|résumé)[*\- :=]*)(\r?\n)")


def kinds(items: list) -> list[list[object]]:
    """Return the events of each hand, without lines that nobody knows."""
    return [
        [type(event) for event in item.events if not isinstance(event, LineUnread)]
        for item in items
        if isinstance(item, Account)
    ]


def cases() -> list[tuple[str, Path]]:
    return [(name, path) for name, path in UNDAMAGED if _SUMMARY.search(utf8(path))]


def utf8(path: Path) -> str:
    """Return a sample as text; one in another encoding is left out."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return ""


@pytest.mark.parametrize(("name", "path"), cases(), ids=lambda one: getattr(one, "stem", one))
def test_an_odd_line_in_a_summary_costs_that_line(name: str, path: Path) -> None:
    text, form = utf8(path), formats.get(name)
    odd = _SUMMARY.sub(lambda match: f"{match[1]}{match[2]}{ODD}{match[2]}", text)
    items, wounded = read(form, text), read(form, odd)
    assert [type(entry) for entry in wounded] == [type(entry) for entry in items]
    assert kinds(wounded) == kinds(items)
    assert any(isinstance(event, LineUnread) for item in wounded if isinstance(item, Account) for event in item.events)
