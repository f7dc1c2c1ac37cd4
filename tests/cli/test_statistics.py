"""`statistics`: figures of players with the counts behind them, apart by money, by position, stakes and day."""

from __future__ import annotations

import csv
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import pytest

from cli.statistics import Grouping
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.tables.recomputation import compare_tables
from tests.cli.conftest import Run
from tests.conftest import ROOT

HAND = """
hand {number} 2026-11-{day}T20:0{minute}:00Z
game holdem no-limit {format} blinds 1/2 unit {unit} 0
button 1
seat 1 Ana 200
seat 2 Bo 200
seat 3 Cy 200
2 posts small 1
3 posts big 2
deal done
"""
OPEN_RAISE = "1 raises to 6\n2 folds\n3 folds\n1 uncalled 4\n1 wins 5\nend\n"
THREE_BET = "1 raises to 6\n2 folds\n3 raises to 20\n1 folds\n3 uncalled 14\n3 wins 13\nend\n"
SHOWDOWN = """1 calls 2
2 folds
3 checks
flop Ah Kd 7s
3 bets 4
1 calls 4
turn 2c
3 checks
1 checks
river 9d
3 checks
1 checks
1 wins 13
end
"""
CUT_OFF = "1 raises to 6\n"


def write_ledger(folder: Path, *hands: tuple[str, dict[str, Any]]) -> str:
    """Return the address of a new ledger with these hands: the acts, and what differs in the head."""
    text = "handscript 1\nvenue Room  table 1\nwitness everything\n"
    for number, (acts, changes) in enumerate(hands, 1):
        values = {"number": number, "minute": number, "day": 20, "format": "cash", "unit": "USD"} | changes
        text += HAND.format(**values) + acts
    (folder / "night.hand").write_text(text)
    with open_ledger(folder / "x.ledger") as ledger:
        import_paths(ledger, [folder / "night.hand"])
    return str(folder / "x.ledger")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return write_ledger(tmp_path, (OPEN_RAISE, {}), (THREE_BET, {}), (SHOWDOWN, {}), (CUT_OFF, {}))


def read_rows(run: Run, url: str, *words: str) -> dict[str, dict[str, Any]]:
    result = run("statistics", *words, "--ledger", url, "--format", "json")
    assert result.code == 0, result.err
    return {row["name"]: row for row in result.document["rows"]}


def test_figures_have_the_counts_behind_them(run: Run, url: str) -> None:
    rows = read_rows(run, url)
    assert rows["Ana"]["vpip"] == {"count": 3, "of": 3}
    assert rows["Ana"]["pfr"] == {"count": 2, "of": 3}
    assert rows["Bo"]["vpip"] == {"count": 0, "of": 3}
    assert rows["Cy"]["three_bet"] == {"count": 1, "of": 2}
    assert (rows["Cy"]["bets"], rows["Ana"]["calls"]) == (1, 1)
    assert rows["Ana"]["went_to_showdown"] == rows["Ana"]["won_at_showdown"] == {"count": 1, "of": 1}
    assert rows["Cy"]["won_at_showdown"] == {"count": 0, "of": 1}
    assert {name: row["net"] for name, row in rows.items()} == {
        row["name"]: row["net"]
        for row in run("results", "--where", "-note:cut-off", "--ledger", url, "--format", "json").document["results"]
    }


def test_a_hand_that_is_cut_off_is_counted_apart(run: Run, url: str) -> None:
    row = read_rows(run, url)["Ana"]
    assert (row["hands"], row["left_out"]) == (4, {"cut-off": 1})
    result = run("statistics", "--ledger", url)
    assert "Not counted: 1 hand that is cut off." in result.out
    assert run("statistics", "--ledger", url, "--format", "json").document["left_out"] == {"cut-off": 1}


def test_a_person_is_shown_with_counts_and_a_chart_in_plain_characters(run: Run, url: str) -> None:
    result = run("statistics", "Ana", "--ledger", url)
    assert "3 of 3 hands with a decision before the flop" in result.out
    assert "1 of 1 showdowns won" in result.out
    assert "$4 in all: $7 at showdowns, -$3 without one" in result.out
    assert "Won over 3 hands · cash USD · 2026-11-20 - 2026-11-20" in result.out
    chart = [line for line in result.out.splitlines() if " |" in line]
    assert len(chart) == 10
    assert chart[0].startswith("   $4 |") or chart[0].strip().startswith("$4 |")
    assert "*" in chart[0]
    assert result.out.replace("·", "").isascii()


def test_rows_by_position_add_up_to_the_players(run: Run, url: str) -> None:
    positions = read_rows(run, url, "--by", "position")
    assert list(positions) == ["BTN", "SB", "BB"]
    assert positions["BTN"]["vpip"] == {"count": 3, "of": 3}
    own_positions = read_rows(run, url, "Cy", "--by", "position")
    assert list(own_positions) == ["BB"]
    players, days = read_rows(run, url), read_rows(run, url, "--by", "day")
    for rows in (positions, days):
        assert sum(row["hands"] for row in rows.values()) == sum(row["hands"] for row in players.values())
        assert sum(row["net"] for row in rows.values()) == sum(row["net"] for row in players.values())


def test_money_and_tournament_chips_and_currencies_are_apart(run: Run, tmp_path: Path) -> None:
    url = write_ledger(
        tmp_path,
        (OPEN_RAISE, {}),
        (OPEN_RAISE, {"unit": "EUR"}),
        (OPEN_RAISE, {"format": "tournament", "unit": "chips"}),
    )
    document = run("statistics", "Ana", "--ledger", url, "--format", "json").document
    expected = Counter([("cash", "USD"), ("cash", "EUR"), ("tournament", "chips")])
    assert Counter((row["format"], row["unit"]) for row in document["rows"]) == expected
    assert Counter((line["format"], line["unit"]) for line in document["lines"]) == expected
    assert {row["hands"] for row in document["rows"]} == {1}
    stakes = run("statistics", "--by", "stakes", "--ledger", url, "--format", "json").document["rows"]
    assert {row["name"] for row in stakes} == {"1/2 USD NL", "1/2 EUR NL", "not recorded"}


def test_the_line_adds_up_what_was_won_in_the_order_of_play(run: Run, tmp_path: Path) -> None:
    url = write_ledger(tmp_path, (SHOWDOWN, {"day": 22}), (OPEN_RAISE, {"day": 21}), (THREE_BET, {"day": 23}))
    (line,) = run("statistics", "Ana", "--ledger", url, "--format", "json").document["lines"]
    assert [(point["hands"], point["net"]) for point in line["points"]] == [(1, 3), (2, 10), (3, 4)]
    assert [(point["showdown"], point["other"]) for point in line["points"]] == [(0, 3), (7, 3), (7, -3)]
    assert line["untimed"] == 0


def test_csv_has_a_row_for_each_group(run: Run, url: str) -> None:
    rows = list(csv.DictReader(StringIO(run("statistics", "--ledger", url, "--format", "csv").out)))
    ana = next(row for row in rows if row["name"] == "Ana")
    assert (ana["vpip"], ana["pfr"], ana["decisions"], ana["net"]) == ("3", "2", "3", "4")
    assert len(rows) == 3


def test_a_query_chooses_the_hands(run: Run, url: str) -> None:
    assert read_rows(run, url, "--where", "hand:2")["Cy"]["three_bet"] == {"count": 1, "of": 1}
    assert read_rows(run, url, "Ana", "--where", "showdown")["Ana"]["hands"] == 1


def test_people_of_one_name_are_asked_apart_and_merged_people_together(run: Run, tmp_path: Path) -> None:
    url = write_ledger(tmp_path, (OPEN_RAISE, {}))
    other = (tmp_path / "night.hand").read_text().replace("venue Room", "venue Club").replace("table 1", "table 2")
    (tmp_path / "club.hand").write_text(other)
    assert run("import", str(tmp_path / "club.hand"), "--ledger", url).code == 0
    assert "matches 2 people" in run("statistics", "Ana", "--ledger", url).err
    assert read_rows(run, url, "Club/Ana")["Ana"]["hands"] == 1
    rooms = {row["room"] for row in run("statistics", "--ledger", url, "--format", "json").document["rows"]}
    assert rooms == {"Room", "Club"}
    assert run("people", "merge", "Room/Ana", "Club/Ana", "--why", "one person", "--ledger", url).code == 0
    assert read_rows(run, url, "Ana")["Ana"]["hands"] == 2
    assert read_rows(run, url)["Ana"]["hands"] == 2


def test_a_correction_is_counted_and_the_tables_are_those_of_the_log(run: Run, url: str) -> None:
    assert read_rows(run, url)["Cy"]["three_bet"]["count"] == 1
    before = read_rows(run, url)["Ana"]["vpip"]
    assert run("statistics", "--ledger", url, "--as-of", "1").code in (0, 2, 3)
    with open_ledger(url) as ledger:
        comparison = compare_tables(ledger)
    assert comparison.different == []
    assert any("statistics of players" in line for line in comparison.matching)
    assert read_rows(run, url)["Ana"]["vpip"] == before


def test_a_hand_with_two_accounts_counts_once(run: Run, tmp_path: Path) -> None:
    url = write_ledger(tmp_path, (OPEN_RAISE, {}), (SHOWDOWN, {}))
    changed = (tmp_path / "night.hand").read_text().replace("3 bets 4\n1 calls 4", "3 bets 4\n1 calls 4 to 4")
    (tmp_path / "again.hand").write_text(changed.replace("1 wins 13", "1 wins 12\nrake 1"))
    assert run("import", str(tmp_path / "again.hand"), "--ledger", url).code == 0
    with open_ledger(url) as ledger:
        assert [row.account for row in ledger.hands(account=2)] == [2]
    results = {
        row["name"]: row["hands"]
        for row in run("results", "--where", "-note:cut-off", "--ledger", url, "--format", "json").document["results"]
    }
    assert {name: row["hands"] for name, row in read_rows(run, url).items()} == results == {"Ana": 2, "Bo": 2, "Cy": 2}


def test_the_demo_has_figures_for_every_player(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "d.ledger")
    with open_ledger(url) as ledger:
        import_paths(ledger, [ROOT / "cli" / "samples"])
    for grouping in get_args(Grouping):
        rows = run("statistics", "--by", grouping, "-n", "0", "--ledger", url, "--format", "json").document["rows"]
        assert rows
        for row in rows:
            for name in ("vpip", "pfr", "three_bet", "went_to_showdown", "won_at_showdown"):
                assert 0 <= row[name]["count"] <= row[name]["of"] <= row["hands"]
            assert row["pfr"]["count"] <= row["vpip"]["count"]
