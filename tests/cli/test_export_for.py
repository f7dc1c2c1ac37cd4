"""Exports for an audience and under other names, as rows, and in bounded memory."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ledger import formats
from ledger.house.events import ExportMade
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from tests.cli.conftest import Run
from tests.conftest import ROOT

EVENING = """\
handscript 1
venue "The Room"  table T9  seats 6
game holdem no-limit cash blinds 1/2 unit USD 0

hand 7 2026-11-20T20:00:00Z
seat 1 "Ann" 200
seat 3 "Bob" 200
seat 4 "Cy" 80
button 1
3 posts small 1
4 posts big 2
1 gets AhKh
3 gets QcQd
deal done
1 folds
3 raises to 6
4 folds
4 wins 3
end
"""
FORMATS = ("phh", "ohh", "pokerstars", "handscript", "jsonl", "csv")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("evening")
    (folder / "evening.hand").write_text(EVENING)
    with open_ledger(folder / "l") as ledger:
        import_paths(ledger, [folder / "evening.hand"])
    return str(folder / "l")


def cards_in(text: str) -> set[str]:
    compact_text = text.replace('"', "").replace(",", "").replace("\n", "").replace(" ", "")
    return {cards for cards in ("AhKh", "QcQd") if cards in compact_text}


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize(
    ("audience", "seen"), [("house", {"AhKh", "QcQd"}), ("public", set()), ("Ann", {"AhKh"}), ("3", {"QcQd"})]
)
def test_an_audience_gets_its_own_cards_alone(
    evening: str, run: Run, format_name: str, audience: str, seen: set[str]
) -> None:
    result = run("export", "7", "--to", format_name, "--lossy", "--as", audience, "--ledger", evening)
    assert result.code == 0, result.err
    assert cards_in(result.out) == seen


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("names", ["position", "pseudonym"])
def test_under_other_names_nobody_is_named(evening: str, run: Run, format_name: str, names: str) -> None:
    result = run("export", "7", "--to", format_name, "--lossy", "--names", names, "--ledger", evening)
    assert result.code == 0, result.err
    assert not {"Ann", "Bob"} & set(result.out.replace('"', " ").replace(":", " ").replace(",", " ").split())
    assert ("BTN" if names == "position" else "player-") in result.out


def test_the_very_bytes_are_for_the_house_alone(evening: str, run: Run) -> None:
    result = run("export", "7", "--to", "original", "--as", "public", "--ledger", evening)
    assert result.code == 2


def test_csv_has_a_row_for_each_seat(evening: str, run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("export", "--to", "csv", "--ledger", evening).out)))
    assert [(row["seat"], row["player"], row["net"]) for row in rows] == [
        ("1", "Ann", "0"),
        ("3", "Bob", "-6"),
        ("4", "Cy", "1"),
    ]


def test_parquet_is_written_to_a_file(evening: str, run: Run, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "events.parquet"
    assert run("export", "--to", "parquet", "--ledger", evening, "-o", str(out)).code == 0
    lines = run("export", "--to", "jsonl", "--ledger", evening).out.splitlines()
    documents = [json.loads(line) for line in lines]
    assert [row["position"] for row in pyarrow.read_table(out).to_pylist()] == [line["position"] for line in documents]


def test_a_refusal_leaves_nothing_behind(evening: str, run: Run, tmp_path: Path) -> None:
    out = tmp_path / "x.txt"
    out.write_text("mine")
    with open_ledger(evening) as ledger:
        assert next(iter(ledger.hands())).number == "7"
    refused = run("export", "7", "--to", "original", "--names", "position", "--ledger", evening, "-o", str(out))
    assert refused.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["x.txt"]
    assert out.read_text() == "mine"


def test_who_got_an_export_is_recorded(evening: str, run: Run) -> None:
    run("export", "7", "--to", "csv", "--as", "public", "--ledger", evening)
    with open_ledger(evening) as ledger:
        export = [event for event in ledger.events(HOUSE) if isinstance(event, ExportMade)][-1]
    assert (export.kind, export.hands, export.audience) == ("csv", 1, "public")


@pytest.mark.slow
def test_several_hands_stand_in_one_text_and_are_read_again(run: Run, tmp_path: Path) -> None:
    source = ROOT / "tests/formats/pokerstars/samples"
    url = str(tmp_path / "l")
    with open_ledger(url) as ledger:
        import_paths(ledger, [source])
        hands = [ledger.events(row.stream) for row in ledger.hands()]
        for format_name in ("phh", "ohh", "pokerstars", "handscript"):
            write = formats.get(format_name).write
            assert write is not None
            count = sum(bool(write(events, ledger.people).text) for events in hands)
            out = tmp_path / f"all.{format_name}"
            result = run("export", "--to", format_name, "--lossy", "--ledger", url, "-o", str(out))
            assert result.code == (3 if count < len(hands) else 0), "hands without a text are listed"
            assert ("left out" in result.err) == (count < len(hands))
            with open_ledger(tmp_path / f"l-{format_name}") as other_ledger:
                import_summary = import_paths(other_ledger, [out])
            assert sum(file_summary.new for file_summary in import_summary.files) == count
            assert sum(file_summary.not_read for file_summary in import_summary.files) == 0


def test_one_hand_that_cannot_be_said_does_not_stop_the_others(run: Run, tmp_path: Path) -> None:
    evening = EVENING.replace("3 gets QcQd\n", "")  # Open Hand History has a word for one whose own cards are told
    hands = evening + evening[evening.index("hand 7") :].replace("hand 7", "hand 8")
    (tmp_path / "two.hand").write_text(hands.replace("3 posts small 1\n", "3 posts small 1\nburn flop\n", 1))
    url = str(tmp_path / "l")
    with open_ledger(url) as ledger:
        import_paths(ledger, [tmp_path / "two.hand"])
    result = run("export", "--to", "ohh", "--ledger", url)
    assert result.code == 3
    assert "1 hand left out" in result.err
    assert "card burned" in result.err
    assert json.loads(result.out)["ohh"]["game_number"] == "8"
    document = run("export", "--to", "ohh", "--ledger", url, "--format", "json").document
    assert (document["hands"], document["left_out"]) == (1, 1)
    assert document["first_left_out"][0]["number"] == "7"
    assert run("export", "--to", "ohh", "--lossy", "--ledger", url).code == 0


def test_what_is_lost_of_many_hands_is_said_once_and_counted(run: Run, tmp_path: Path) -> None:
    hands = EVENING + EVENING[EVENING.index("hand 7") :].replace("hand 7", "hand 8")
    (tmp_path / "two.hand").write_text(hands.replace("3 posts small 1\n", "3 posts small 1\nburn flop\n"))
    url = str(tmp_path / "l")
    with open_ledger(url) as ledger:
        import_paths(ledger, [tmp_path / "two.hand"])
        assert len(list(ledger.hands())) == 2
    refused = run("export", "--to", "ohh", "--ledger", url)
    assert refused.code == 2
    assert "card burned (2)" in refused.err
    assert "card burned (1)" not in refused.err


def test_an_audience_with_a_typing_error_is_nobody(run: Run, tmp_path: Path) -> None:
    (tmp_path / "evening.hand").write_text(EVENING)
    ledger = ("--ledger", str(tmp_path / "l"))
    run("import", str(tmp_path / "evening.hand"), *ledger)
    for words in (("export", "7", "--to", "handscript"), ("report", "7", "-o", str(tmp_path / "r.html"))):
        result = run(*words, "--as", "Anm", *ledger)
        assert (result.code, "Did you mean Ann?" in result.err) == (2, True)
        assert run(*words, "--as", "Ann", *ledger).code == 0
    assert not (tmp_path / "r.html").read_text().count("Anm")
