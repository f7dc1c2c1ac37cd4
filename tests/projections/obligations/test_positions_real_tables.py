"""Real tables: what the methods expect of a hand, against what the rooms dealt."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ledger.table.events import HandPlayed
from ledger.table.order import number_table_events
from ledger.table.positions import find_big_blind, find_small_blind
from projections.table_walk.table_context import TableWalk
from tests.ledger.table.tables import real_tables
from tests.projections.obligations.rooms import DEAD, MOVING, book

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def tables(data_dir: Path) -> dict[tuple[str, str], list[HandPlayed]]:
    return real_tables(data_dir)


@pytest.mark.parametrize(("book_policy", "odd"), [(DEAD, 1), (MOVING, 2)])
def test_the_big_blind_is_where_some_reading_says(tables: dict, book_policy: object, odd: int) -> None:
    """Of the rest, nearly all are hands before which somebody came or left; this format tells it
    only by the next hand's players. The room uses a dead button: once a small blind was dead."""
    count: Counter[str] = Counter()
    for hands in tables.values():
        table = TableWalk([book(book_policy)])
        last: HandPlayed | None = None
        for sat in table.contexts(number_table_events(hands)):
            due, hand = sat["house"].due, sat.hand
            big, small = find_big_blind(hand).seat, find_small_blind(hand).seat
            has_newcomers = last is None or {d.player for d in last.dealt_in} != {d.player for d in hand.dealt_in}
            last = hand
            if not due.placements or big is None:
                count["open"] += 1
            elif any(placement.big == big and small in (placement.small, None) for placement in due.placements):
                count["right"] += 1
            else:
                count["came or left" if has_newcomers else "odd"] += 1
    assert count["right"] > 300
    assert count["right"] / (count["right"] + count["came or left"] + count["odd"]) > 0.95
    assert count["odd"] <= odd, "one heads-up table had the big blind in the same seat twice running"
