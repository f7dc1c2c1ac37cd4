"""Evenings of real home games, with every buy-in, cash-out and count on record: their chips add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.money.chips import check_chips, read_chips_input
from projections.table_walk.played_tables import list_places

pytestmark = [pytest.mark.data, pytest.mark.slow]


def test_the_chips_of_home_games_add_up(data_dir: Path) -> None:
    with open_ledger(":memory:") as ledger:
        import_paths(ledger, [data_dir / "pokernow"])
        places = list_places(ledger)
        checks = [check_chips(read_chips_input(ledger, table_key)) for table_key in places]
    assert len(places) >= 20
    assert sum(len(check.hands) for check in checks) > 2000
    assert [difference.says for check in checks for difference in check.differences] == []


def test_a_record_that_does_not_note_rebuys_accuses_nobody(data_dir: Path) -> None:
    """Players of an online room buy chips between hands, and its files don't say so."""
    with open_ledger(":memory:") as ledger:
        import_paths(ledger, [data_dir / "bovada"])
        checks = [check_chips(read_chips_input(ledger, table_key)) for table_key in list_places(ledger)]
    assert sum(len(check.hands) for check in checks) > 1000
    assert [difference.says for check in checks for difference in check.differences] == []
    assert sum(len(check.gaps) for check in checks) > 10
