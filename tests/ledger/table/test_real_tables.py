"""Real tables: hands in sequence as rooms dealt them, put together from their histories."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from ledger.account import Account
from ledger.formats.phh import FORMAT
from ledger.hand.fold import fold
from ledger.notation import Chunk
from ledger.people import People
from ledger.table.events import HandPlayed
from ledger.table.fold import fold_told
from ledger.table.order import from_events
from ledger.table.played import played

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def tables(data_dir: Path) -> dict[tuple[str, str], list[HandPlayed]]:
    people = People(b"0" * 32)
    found: dict[tuple[str, str], list[HandPlayed]] = defaultdict(list)
    for path in sorted((data_dir / "phh" / "handhq").glob("*.phhs")):
        for item in FORMAT.read(Chunk(path.read_bytes()), people):
            if isinstance(item, Account):
                opened = item.opened
                found[opened.venue, opened.table].append(played(fold(item.events), "00"))
    assert sum(map(len, found.values())) > 400
    return found


def test_the_order_of_import_makes_no_difference(tables: dict) -> None:
    for hands in tables.values():
        assert fold_told(from_events(hands)) == fold_told(from_events(hands[::-1]))


def test_a_button_that_only_the_order_of_players_implies_is_not_told(tables: dict) -> None:
    assert all(hand.button is None for hands in tables.values() for hand in hands)
