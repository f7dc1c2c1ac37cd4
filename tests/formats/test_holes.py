"""NUL bytes on a line of their own cost that line; within a line the hand is damaged."""

from __future__ import annotations

import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.hand.ending import LineUnread
from tests.formats.support import read, samples

HOLE = "\0" * 7


@pytest.mark.parametrize("name", ["pokerstars", "fulltilt", "winamax", "wpn", "ggpoker"])
def test_nul_bytes_between_lines_cost_one_line(name: str) -> None:
    path = next(path for path in samples(name) if "*** FLOP ***" in path.read_text(encoding="utf-8", errors="replace"))
    text, form = path.read_text(encoding="utf-8", errors="replace"), formats.get(name)
    items = read(form, text)
    holed = read(form, text.replace("*** FLOP ***", f"{HOLE}\n*** FLOP ***", 1))
    assert [type(entry) for entry in holed] == [type(entry) for entry in items]
    assert sum(_count_unread(item) for item in holed) == sum(_count_unread(item) for item in items) + 1


def test_nul_bytes_within_a_line_are_damage() -> None:
    path = next(path for path in samples("pokerstars") if "*** FLOP ***" in path.read_text(encoding="utf-8"))
    text = path.read_text(encoding="utf-8").replace("*** FLOP ***", f"*** FL{HOLE}OP ***", 1)
    rejects = [item for item in read(formats.get("pokerstars"), text) if isinstance(item, Reject)]
    assert any("no text" in item.reason for item in rejects)


def _count_unread(item: object) -> int:
    return sum(isinstance(event, LineUnread) for event in item.events) if isinstance(item, Account) else 0
