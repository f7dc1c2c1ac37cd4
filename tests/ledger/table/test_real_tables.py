"""Real tables: hands in sequence as rooms dealt them, put together from their histories."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.table.events import HandPlayed
from ledger.table.fold import fold_table_entries
from ledger.table.order import number_table_events
from tests.ledger.table.tables import real_tables

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def tables(data_dir: Path) -> dict[tuple[str, str], list[HandPlayed]]:
    return real_tables(data_dir)


def test_the_order_of_import_makes_no_difference(tables: dict) -> None:
    for hands in tables.values():
        assert fold_table_entries(number_table_events(hands)) == fold_table_entries(number_table_events(hands[::-1]))


def test_a_button_that_only_the_order_of_players_implies_is_not_told(tables: dict) -> None:
    assert all(hand.button is None for hands in tables.values() for hand in hands)
