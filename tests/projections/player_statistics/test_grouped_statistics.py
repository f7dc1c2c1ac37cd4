"""Statistics by several groupings are those that each grouping gives by itself, and the hands are selected once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.store import open as open_ledger
from projections.addresses.room_days import DEFAULT_DAY_START
from projections.queries import statistics_query
from projections.queries.statistics_query import find_person_ids, read_grouped_statistics, read_statistics
from projections.queries.statistics_sums import STATISTICS_GROUPS
from tests.cli.test_statistics import CUT_OFF, OPEN_RAISE, SHOWDOWN, THREE_BET, write_ledger


@pytest.mark.parametrize("query", [None, "showdown", "position:BTN", "table:1 -showdown"])
@pytest.mark.parametrize("name", ["", "Ana"])
def test_each_grouping_gives_what_it_gives_by_itself(tmp_path: Path, name: str, query: str | None) -> None:
    tournament = {"format": "tournament", "unit": "chips"}
    url = write_ledger(tmp_path, (OPEN_RAISE, {}), (THREE_BET, {"day": 21}), (SHOWDOWN, tournament), (CUT_OFF, {}))
    with open_ledger(url) as ledger:
        ids = find_person_ids(ledger, name) if name else []
        reports = read_grouped_statistics(ledger, query, list(STATISTICS_GROUPS), ids, DEFAULT_DAY_START)
        for group_field, report in reports.items():
            assert report == read_statistics(ledger, query, group_field, ids, DEFAULT_DAY_START), group_field
            assert report.rows, group_field
    assert list(reports) == list(STATISTICS_GROUPS)


def test_what_groupings_share_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    for name in ("select_hands", "count_left_out", "read_win_lines"):
        original = getattr(statistics_query, name)
        monkeypatch.setattr(
            statistics_query,
            name,
            lambda *words, _name=name, _original=original, **options: (
                calls.append(_name),
                _original(*words, **options),
            )[1],
        )
    with open_ledger(write_ledger(tmp_path, (SHOWDOWN, {}))) as ledger:
        ids = find_person_ids(ledger, "Ana")
        read_grouped_statistics(ledger, None, ["player", "position", "stakes"], ids, DEFAULT_DAY_START)
    assert sorted(calls) == ["count_left_out", "read_win_lines", "select_hands"]
