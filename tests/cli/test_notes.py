"""`handledger new` and `handledger read`: a page to fill in, and what was understood of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.output.notes_page import format_page
from ledger.people import People
from projections.reports.notes_lines import read_lines
from tests.cli.conftest import Run
from tests.conftest import ROOT

NIGHTS = ROOT / "tests/formats/handscript/notes/nights"


def test_each_line_stands_beside_its_events(run: Run) -> None:
    result = run("read", str(NIGHTS / "wednesday.hand"))
    assert result.code == 0
    rows = {int(line.split()[0]): line for line in result.out.splitlines() if line[:2].strip().isdigit()}
    assert rows[18].endswith("6 Eve raises to $20*")  # a limit raise
    assert rows[34].endswith("3 Cy wins $205* · the hand is over*")
    assert rows[16].split()[-4:] == ["3", "Cy", "calls", "$10"]
    assert "5 is what seat 3 (Cy) wins" in result.out
    assert "Every line was understood." in result.out


def test_a_question_stands_below_its_line(run: Run) -> None:
    night = str(NIGHTS / "camera_analyst.hand")
    result = run("read", night)
    assert result.code == 3
    lines = result.out.splitlines()
    line_index = next(index for index, line in enumerate(lines) if "amount unclear" in line)
    assert any("How much does seat 1 (Grey Cap) bet?" in line for line in lines[line_index : line_index + 3])
    question_lines = [line for line in run("read", night, "--format", "json").document["lines"] if line["questions"]]
    assert [(line["line"], line["questions"][0]["write"]) for line in question_lines] == [(35, "1 raises to AMOUNT")]


def test_a_template_is_read_once_it_is_filled_in(run: Run, tmp_path: Path) -> None:
    night = tmp_path / "friday.hand"
    assert run("new", str(night), "--table", "T7", "--game", "limit 10/20").code == 0
    text = night.read_text()
    assert "table T7" in text
    assert "limit holdem 10/20" in text
    for line in ("seat 1 Ana 500", "seat 2 Bo 430"):
        text = text.replace(f"# {line}", line)
    night.write_text(text + "hand 1\nbutton 1\n1 sb 5\n2 bb\nAna folds\nBo wins\n")
    assert run("read", str(night)).code == 0
    assert run("import", str(night), "--ledger", str(tmp_path / "x.ledger")).code == 0
    assert run("new", str(night), "--game", "limit 10/20").code == 2, "it never overwrites"


@pytest.mark.parametrize("game", ["limit 10/20", "no-limit holdem 1/2", "pot-limit omaha 5/5"])
def test_the_examples_of_the_template_are_a_night(run: Run, tmp_path: Path, game: str) -> None:
    night = tmp_path / "friday.hand"
    run("new", str(night), "--table", "T7", "--game", game)
    lines = night.read_text().splitlines()
    night.write_text("\n".join(line.removeprefix("# ") for line in lines if not line.endswith((".", ":"))) + "\n")
    result = run("read", str(night))
    assert (result.code, result.out.splitlines()[-1]) == (0, "Every line was understood. 1 hand read.")


HANDS = """\
handscript 1
venue V  table 2  seats 9
game holdem no-limit cash blinds 2/5 unit USD 2
hand 1
seat 1 Ana 100
seat 2 Bob 150
button 1
1 posts small 2
2 posts big 5
1 folds
2 wins 4
end
hand 2
seat 1 Ana 98
seat 2 Bob 152
button 2
2 posts small 2
1 posts big 5
2 folds
1 uncalled 3
1 wins 4
end
"""


def test_a_line_of_a_mended_file_is_the_line_as_it_reads_now(run: Run, tmp_path: Path) -> None:
    night, ledger = tmp_path / "friday.hand", str(tmp_path / "x.ledger")
    night.write_text(HANDS)
    run("import", str(night), "--ledger", ledger)
    night.write_text(HANDS.replace("2 wins 4", "2 uncalled 3\n2 wins 4"))
    run("import", str(night), "--ledger", ledger)
    mended = run("show", "friday.hand:9", "--ledger", ledger).out
    assert mended.startswith("hand 2/1 ")
    assert "uncalled bet of $3 returned to 2 Bob" in mended
    unchanged = run("show", "friday.hand:14", "--ledger", ledger).out
    assert unchanged.startswith("hand 2/2 "), "hand 2 stands one line further down"


CENTS = """\
handscript 1
table 2  no-limit holdem $1/$2
seat 1 Ana 200
seat 2 Bo 200
seat 3 Cy 200
hand 1
button 1
2 sb, 3 bb
Ana folds
Bo folds
Cy wins
new player Ned in seat 5 with 300
Bo rebuys 100
hand 2
button 2
3 sb, 5 bb
1 folds
2 folds
3 folds
5 wins
"""


def test_amounts_between_hands_are_in_the_unit_of_the_game(run: Run, tmp_path: Path) -> None:
    night = tmp_path / "friday.hand"
    night.write_text(CENTS)
    lines = run("read", str(night), "--format", "json").document["lines"]
    events_by_line = {line["line"]: [event["plain"] for event in line["events"]] for line in lines}
    assert events_by_line[12] == ["5 Ned sits down with $300"]
    assert events_by_line[13] == ["2 Bo adds $100 (rebuy)"]


def test_a_dealer_and_a_count_above_the_first_hand_are_named_and_in_its_unit(run: Run, tmp_path: Path) -> None:
    night = tmp_path / "friday.hand"
    night.write_text(CENTS.replace("seat 1 Ana", "dealer Tess\ntray 1,000\nseat 1 Ana", 1))
    lines = run("read", str(night), "--format", "json").document["lines"]
    events_by_text = {line["text"]: [event["plain"] for event in line["events"]] for line in lines}
    assert events_by_text["dealer Tess"] == ["dealer changed: dealer Tess"]
    assert events_by_text["tray 1,000"] == ["tray counted: $1000"]


def test_import_says_what_it_took_for_notes(run: Run, tmp_path: Path) -> None:
    night, ledger = tmp_path / "tuesday.txt", str(tmp_path / "l")
    night.write_bytes((NIGHTS / "tuesday.hand").read_bytes().removeprefix(b"handscript 1\n"))
    result = run("import", str(night), "--ledger", ledger)
    assert result.code == 0
    assert f"tuesday.txt: read as notes. How each line was read: handledger read {night}" in " ".join(
        result.out.split()
    )
    (file,) = run("import", str(night), "--ledger", ledger, "--format", "json").document["files"]
    assert (file["same"], file["as_notes"]) == (4, True)
    (tmp_path / "scrawl.txt").write_text("Ana sort of raised, Bo called I think\nflop came something red\nBo won\n")
    (file,) = run("import", str(tmp_path / "scrawl.txt"), "--ledger", ledger, "--format", "json").document["files"]
    assert "If these are notes, write above them: handscript 1." in file["rejects"][0]["hint"]
    (tmp_path / "listed.txt").write_text("witness button posts\nAna sort of raised\nBo called\nhand 2\n")
    (file,) = run("import", str(tmp_path / "listed.txt"), "--ledger", ledger, "--format", "json").document["files"]
    assert "this is handscript without its first line" in file["rejects"][0]["hint"]
    (tmp_path / "shopping.txt").write_text("2 eggs\n3 rolls\n1 box of tea\n")
    (file,) = run("import", str(tmp_path / "shopping.txt"), "--ledger", ledger, "--format", "json").document["files"]
    assert file["rejects"][0]["reason"] == "no format that handledger reads"
    assert "notes" not in file["rejects"][0]["hint"]


def test_import_repeats_the_total_of_a_post_with_a_dead_part(run: Run, tmp_path: Path) -> None:
    night, ledger = ROOT / "tests/cli/decided/makeup-15-dead-5.hand", str(tmp_path / "l")
    result = run("import", str(night), "--ledger", ledger)
    assert "makeup-15-dead-5.hand: check hand 6: seat 6 posts 15 live and 5 dead, 20 in all." in result.out
    night = tmp_path / "cents.hand"
    night.write_text(CENTS.replace("hand 1\n", "hand 1\nAna posts 3, 1 of it dead\n"))
    (file,) = run("import", str(night), "--ledger", ledger, "--format", "json").document["files"]
    assert file["dead_posts"] == [{"hand": "1", "seat": 1, "live": "2", "dead": "1", "total": "3"}]


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_row_of_a_page_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setattr("cli.output.console.find_width", lambda: width)
    for night in sorted(NIGHTS.glob("*.hand")):
        rows = list(format_page(read_lines(night.read_bytes(), People(bytes(32)))))
        assert max(map(len, rows)) < width, night.name
        assert all(row == row.rstrip() for row in rows)


def test_the_lines_of_a_waiting_hand_are_marked(run: Run) -> None:
    out = run("read", str(NIGHTS / "acesup_incidents.hand")).out
    rows = {line.split()[0]: line for line in out.splitlines() if line[:2].strip().isdigit()}
    assert [rows[number].endswith("…") for number in ("48", "51", "58")] == [False, True, True]
    assert "3 hands read; the others wait." in out
