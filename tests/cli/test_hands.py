"""What a person sees of hands: lists, the telling, the table drawn, exports."""

from __future__ import annotations

import json
import shlex
import tempfile
from pathlib import Path

import msgspec
import pytest

from cli.output.table_drawing import draw_table
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.amount_text import amount
from projections.reports.hand_documents import MomentDocument
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.intake.hands import hands

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
deal done
1 raises to 8
3 calls 7
4 raises to 80 all-in
1 calls 72
3 folds
flop 2c 7d Th
"""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("evening")
    (folder / "evening.hand").write_text(EVENING)
    with open_ledger(folder / "l") as ledger:
        summary = import_paths(ledger, [folder / "evening.hand"])
        assert summary.exit_code == 0, summary
    return str(folder / "l")


def test_log_tells_a_hand_on_one_line(book: str, run: Run) -> None:
    lines = run("log", "--ledger", book).out.splitlines()
    assert len(lines) == 4
    assert lines[0].split()[0] == "T1/1"
    assert "→ " in lines[0]


def test_show_tells_each_event_with_its_version_and_the_line_of_its_source(book: str, night: Path, run: Run) -> None:
    document = run("show", "2", "--ledger", book, "--format", "json").document
    assert [event["version"] for event in document["events"]] == list(range(1, len(document["events"]) + 1))
    source = night.read_text().splitlines()
    raised = next(e for e in document["events"] if e["topic"] == "hand.raised")
    assert "cbr 6" in source[raised["place"]["line"] - 1]
    data = night.read_bytes()[raised["place"]["start"] :][: raised["place"]["length"]]
    assert data == b"p2 cbr 6"
    assert raised["told"] == "2 Bob raises to 6" or "raises to" in raised["told"]
    text = run("show", "2", "--ledger", book).out
    assert f"{night.name}:{document['hand']['place']['line']}" in text


def test_the_table_is_drawn_as_it_stood_after_an_event(evening: str, run: Run) -> None:
    document = run("show", "7@flop", "--ledger", evening, "--format", "json").document
    moment = json.dumps(document)
    assert '"board' in moment
    assert document["boards"] == ["2c7dTh"]
    assert {seat["seat"]: seat["status"] for seat in document["seats"]} == {1: "in", 3: "folded", 4: "all-in"}
    assert sum(pot["amount"] for pot in document["pots"]) == 80 + 80 + 8
    output = run("show", "7@flop", "--ledger", evening).out
    for word in ("1 Ann (D)", "3 Bob (SB)", "4 Cy (BB)", "[ 2c 7d Th ]", "$168", "Ah Kh", "ALL IN", "folded"):
        assert word in output


def test_who_is_due_and_what_is_legal_is_said(evening: str, run: Run) -> None:
    output = run("show", "7@preflop", "--ledger", evening).out
    assert "> 1 Ann is to act: $2 to call, raise to $4 or more, up to $200" in output


def test_a_narrow_terminal_gets_a_list_of_seats(evening: str, run: Run) -> None:
    document = run("show", "7@flop", "--ledger", evening, "--format", "json").document
    seat_list = draw_table(msgspec.convert(document, MomentDocument), 30)
    assert [line.split()[0] for line in seat_list.splitlines()[:3]] == ["1", "3", "4"]


def test_replay_prints_every_state_where_there_is_no_terminal(evening: str, run: Run) -> None:
    events = run("show", "7", "--ledger", evening, "--format", "json").document["events"]
    out = run("replay", "7", "--ledger", evening).out
    assert out.count("\n--- ") == len(events)
    moments = run("replay", "7", "--ledger", evening, "--format", "json").document["moments"]
    assert [moment["version"] for moment in moments] == [event["version"] for event in events]
    assert run("replay", "7@flop", "--ledger", evening).out.count("\n--- ") == 1


@pytest.mark.parametrize("address", ["7", "T9/7", "evening.hand:9", "7~1", "{id}", "{id8}", "7@3", "7@flop"])
def test_a_hand_is_found_by_each_kind_of_address(address: str, evening: str, run: Run) -> None:
    identity = run("log", "--ledger", evening, "--format", "json").document["hands"][0]["id"]
    address = address.replace("{id}", identity).replace("{id8}", identity[:8])
    document = run("show", address, "--ledger", evening, "--format", "json").document
    assert document["hand"]["id"] == identity


def test_an_ambiguous_beginning_lists_the_choices(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.phhs").write_text(hands(101, 102))
    run("import", str(tmp_path / "a.phhs"), "--ledger", str(tmp_path / "l"))
    result = run("show", "10", "--ledger", str(tmp_path / "l"))
    assert result.code == 2
    assert "101" in result.err
    assert "102" in result.err
    assert run("show", "101", "--ledger", str(tmp_path / "l")).code == 0


def test_a_table_is_told_from_a_hand(evening: str, run: Run) -> None:
    for command in (["show", "T9"], ["show", "The Room/T9"], ["replay", "T9"]):
        result = run(*command, "--ledger", evening)
        assert result.code == 2
        assert "is a table, not a hand" in result.err
        assert "handledger log --table T9 lists its hands" in result.err
    result = run("show", "T8", "--ledger", evening)
    assert "no hand 'T8' in this ledger" in result.err


def test_an_event_of_a_table_that_is_no_hand_says_what_to_type(evening: str, run: Run) -> None:
    result = run("show", "T9#1", "--ledger", evening)
    assert result.code == 2
    assert "'T9#1' isn't an address: # could mean a hand or an event" in result.err
    assert "Write TABLE/HAND" in result.err
    for number in (2, 7):
        result = run("show", f"T9#{number}", "--ledger", evening)
        assert "hand T9/7." in result.err or "is T9/7." in result.err


# export


def test_original_gives_back_the_very_bytes(book: str, night: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out.phhs"
    assert run("export", "--to", "original", "--source", night.name, "--ledger", book, "-o", str(out)).code == 0
    assert out.read_bytes() == night.read_bytes()
    run("export", "3", "--to", "original", "--ledger", book, "-o", str(out))
    assert out.read_bytes() in night.read_bytes()
    assert out.stat().st_mode & 0o077 == 0, "hands are nobody else's business"


@pytest.mark.parametrize("format_name", ["phh", "handscript"])
def test_what_is_exported_is_read_again_as_the_same_hands(
    format_name: str, book: str, tmp_path: Path, run: Run
) -> None:
    out = tmp_path / f"out.{format_name}"
    assert run("export", "--to", format_name, "--lossy", "--ledger", book, "-o", str(out)).code == 0
    result = run("import", str(out), "--ledger", str(tmp_path / "l"), "--format", "json")
    assert result.code == 0, result.document
    assert result.document["total"]["new"] == 4


def test_a_format_that_cannot_say_something_refuses_with_the_losses(evening: str, run: Run) -> None:
    result = run("export", "7", "--to", "pokerstars", "--ledger", evening, "--format", "json")
    if result.code == 2:
        assert result.document["error"]["code"] == "would-be-lost"
        assert run("export", "7", "--to", "pokerstars", "--lossy", "--ledger", evening).code == 0


def test_json_lines_are_one_event_each(book: str, run: Run) -> None:
    lines = run("export", "1", "--to", "jsonl", "--ledger", book).out.splitlines()
    events = run("show", "1", "--ledger", book, "--format", "json").document["events"]
    assert [json.loads(line)["topic"] for line in lines] == [event["topic"] for event in events]


def test_output_goes_whole_into_a_file_or_not_at_all(book: str, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "nowhere" / "x.json"
    result = run("log", "--ledger", book, "-o", str(out))
    assert result.code == 2
    assert "Traceback" not in result.err
    assert not out.exists()
    result = run("log", "--ledger", book, "--format", "json", "-o", str(tmp_path / "x.json"))
    assert (result.code, result.out) == (0, "")
    assert json.loads((tmp_path / "x.json").read_text())["schema"] == "handledger/log/1"
    assert [file.name for file in tmp_path.iterdir()] == ["x.json"]


# the rest


def test_rejects_are_listed_with_their_bytes(book: str, night: Path, run: Run) -> None:
    result = run("rejects", "--bytes", "--ledger", book)
    assert result.code == 3
    assert "    | actions = [" in result.out
    [reject] = run("rejects", "--ledger", book, "--format", "json").document["rejects"]
    assert night.read_bytes()[reject["place"]["start"] :].startswith(b"[5]")


@pytest.mark.slow
def test_the_demonstration_shows_the_whole_way(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # one of its commands writes a page where it is typed
    result = run("demo", "--keep", str(tmp_path / "demo"))
    assert result.code == 0
    for part in ("nothing new will be written", "-->", "= rule", "Judged", "big blind", "handledger replay"):
        assert part in result.out
    ledger = str(tmp_path / "demo" / "demo.ledger")
    for line in result.out.splitlines():
        if line.startswith("handledger ") and "import" not in line:
            words = shlex.split(line.split("#")[0])[1:]
            options = [] if words[0] == "rules" else ["--ledger", ledger]
            assert run(*words, *options).code in (0, 1), line
    assert [path.suffix for path in tmp_path.glob("*.html")] == [".html"]
    assert "rm -r" not in result.out


def test_a_demonstration_in_a_temporary_folder_says_how_it_is_removed(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (line,) = [output_line for output_line in run("demo").out.splitlines() if "rm -r" in output_line]
    assert shlex.split(line)[-1] == str(next(tmp_path.glob("handledger-demo-*")))


def test_a_demonstration_that_fails_leaves_nothing_behind(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("cli.demo._judge_samples", failing)
    assert run("demo").code == 130
    assert not [*tmp_path.iterdir()]


def test_amounts_are_written_as_people_write_them() -> None:
    assert [amount(n, "USD", 2) for n in (0, 5, 100, 1250, -300)] == ["$0", "$0.05", "$1", "$12.50", "-$3"]
    assert amount(1500, "chips", 0) == "1500"
    assert amount(None, "EUR", 2) == "?"


def test_a_clock_that_the_source_writes_as_a_number_is_shown_as_a_date(tmp_path: Path, run: Run) -> None:
    samples = Path(__file__).parents[1] / "formats/globalpoker/samples"
    run("import", str(samples / "cash.json"), "--ledger", str(tmp_path / "l"))
    (first, *_) = run("log", "--ledger", str(tmp_path / "l"), "--format", "json").document["hands"]
    number = first["number"]
    lines = run("show", number, "--ledger", str(tmp_path / "l")).out.splitlines()
    opened = next(line for line in lines if ", table " in line)
    assert opened.rstrip().endswith("Z")
    assert opened.rpartition(", ")[2][4] == "-"


def test_a_moment_of_a_hand_names_the_line_of_the_hand(run: Run, tmp_path: Path) -> None:
    sample = ROOT / "cli/samples/riverside-limit-evening.hand"
    ledger = str(tmp_path / "line.ledger")
    run("import", str(sample), "--ledger", ledger)
    hand, moment = (
        json.loads(run("show", address, "--ledger", ledger, "--format", "json").out)["hand"]["place"]
        for address in ("702", "702@18")
    )
    assert moment == hand
    assert sample.read_text("utf-8").splitlines()[hand["line"] - 1].startswith("hand 702")
