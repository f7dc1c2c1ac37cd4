"""`import` on a terminal asks what a night of notes doesn't say, and stores the answers with their place."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ledger.formats.handscript import split_answers
from ledger.store import open as open_ledger
from tests.cli.conftest import Run, sealed
from tests.cli.test_record import terminal

NIGHT = """\
Room: Riverside  Table 4
no-limit holdem 2/5
seat 1 Ana 500
seat 2 Bo 430
seat 3 Cy 600
seat 4 Di 200

hand 1
button 1
2 sb, 3 bb
Di raises to 20, Ana folds
Bo calls
Cy folds
flop Kh 9c 4d
Bo checks, Di bets, amount unclear
Bo folds

hand 2
button 2
Ana, Bo and Cy fold

hand 3
button 3
Bo raises to 20
Cy calls, Di folds, Ana folds
flop Ah 8c 2d
Bo bets 20
Cy wins
"""


def ask(night: Path, ledger: str, *answers: tuple[str, str]) -> None:
    """Import on a terminal: type each answer, and wait for what comes then."""
    with terminal("import", str(night), "--ledger", ledger) as person:
        person.wait("How much does seat 4 (Di) bet?")
        for text, prompt in answers:
            person.press(f"{text}\r", prompt)


@pytest.mark.slow
def test_answers_are_stored_with_their_place_and_found_again(run: Run, tmp_path: Path) -> None:
    night, ledger = tmp_path / "friday.hand", str(tmp_path / "l")
    night.write_text("handscript 1\n" + NIGHT)
    ask(
        night,
        ledger,
        ("lots", "I can't read 'lots'"),
        ("4 bets 35", "Store hand 1?"),
        ("", "did he call?"),
        ("", "What to type next"),
    )
    assert night.read_text() == "handscript 1\n" + NIGHT, "the file is left alone"
    result = run("import", str(night), "--ledger", ledger, "--format", "json")
    (file,) = result.document["files"]
    assert (file["new"], file["same"], file["rejected"], file["answers"], file["not_read"]) == (0, 2, 1, 1, 0)
    output = run("show", "4/1", "--ledger", ledger).out
    assert [line.split(None, 2)[1:] for line in output.splitlines() if "bets" in line or "2 Bo checks" in line] == [
        ["16", "2 Bo checks"],
        ["answer", "4 Di bets 35"],
    ]
    with open_ledger(ledger, read_only=True) as book:
        assert not list(book.verify())
        row = next(row for row in book.hands() if row.number == "1")
        stored = b"".join(book.sources.read(row.source))
        assert stored.startswith(night.read_bytes())
        assert [answer.text for answer in split_answers(stored).answers] == ["4 bets 35"]
        for entry in book.entries(row.stream):
            words = stored[row.start + entry.mark.start :][: entry.mark.length]
            assert type(entry.event).__name__ != "Bet" or words == b"4 bets 35"
            assert type(entry.event).__name__ != "Checked" or words == b"Bo checks"


@pytest.mark.slow
def test_the_original_of_a_hand_names_its_answers(run: Run, tmp_path: Path) -> None:
    night, ledger, bundle = tmp_path / "friday.hand", str(tmp_path / "l"), tmp_path / "hand.hlev"
    night.write_text("handscript 1\n" + NIGHT)
    ask(night, ledger, ("4 bets 35", "Store hand 1?"), ("", "did he call?"), ("", "What to type next"))
    key = sealed(run, ledger, tmp_path / "k")
    result = run("evidence", "4/1", "-o", str(bundle), "--verifier", "--ledger", ledger)
    assert "view/answers.txt has the answer that completes the notes of this hand" in result.out
    with zipfile.ZipFile(bundle) as archive:
        heading, *answers = archive.read("view/answers.txt").decode().splitlines()
    assert heading == "# The hand is lines 1 to 17 of its file. It was read with:"
    assert answers[0].startswith(f"answers 1 to {len(night.read_bytes())} bytes, sha256 ")
    assert answers[1:] == ["instead of line 16, characters 12-34: 4 bets 35"]
    checked = run("verify", str(bundle), "--key", key)
    assert checked.code == 0
    assert "view/answers.txt" in checked.out, "it is named as unsigned"
    alone = [sys.executable, str(tmp_path / "verify_hlev.py"), str(bundle), "--key", key]
    assert subprocess.run(alone, capture_output=True, check=False).returncode == 0
    other_result = run("evidence", "4/2", "-o", str(tmp_path / "other.hlev"), "--ledger", ledger)
    assert "view/answers.txt" not in other_result.out
    original = run("export", "4/1", "--to", "original", "--ledger", ledger)
    assert "4 bets 35" not in original.out
    assert "completed with:\n  instead of line 16, characters 12-34: 4 bets 35\n" in original.err


@pytest.mark.slow
def test_a_mended_file_keeps_the_answers_to_hands_that_are_as_they_were(run: Run, tmp_path: Path) -> None:
    night, ledger = tmp_path / "friday.hand", str(tmp_path / "l")
    night.write_text("handscript 1\n" + NIGHT)
    ask(night, ledger, ("4 bets 35", "Store hand 1?"), ("", "did he call?"), ("", "What to type next"))
    night.write_text("handscript 1\n" + NIGHT.replace("Cy wins", "Cy calls\nturn 2c\nBo bets 50\nCy folds"))
    (file,) = run("import", str(night), "--ledger", ledger, "--format", "json").document["files"]
    assert (file["new"], file["same"], file["rejected"], file["answers"]) == (1, 2, 0, 1)
    assert run("rejects", "--ledger", ledger).code == 0
    night.write_text("handscript 1\n" + NIGHT.replace("Bo calls", "Bo calls, slowly"))
    (file,) = run("import", str(night), "--ledger", ledger, "--format", "json").document["files"]
    assert file["answers"] == 0, "hand 1 is another one now: its question is asked again"


@pytest.mark.slow
def test_a_hand_that_reads_wrong_waits(run: Run, tmp_path: Path) -> None:
    night, ledger = tmp_path / "friday.hand", str(tmp_path / "l")
    night.write_text("handscript 1\n" + NIGHT)
    ask(
        night,
        ledger,
        ("4 bets 35", "Store hand 1?"),
        ("n", "did he call?"),
        ("3 calls", "turn CARDS"),
        ("u", "taken back: 3 calls"),
        ("3 calls", "turn CARDS"),
        ("q", "What to type next"),
    )
    (file,) = run("import", str(night), "--ledger", ledger, "--format", "json").document["files"]
    assert (file["same"], file["rejected"], file["answers"]) == (1, 2, 0)
    assert "did he call?" in run("rejects", "--ledger", ledger).out, "nobody saw how the hand reads"


@pytest.mark.slow
def test_nobody_is_asked_without_a_terminal(run: Run, tmp_path: Path) -> None:
    night, ledger = tmp_path / "friday.hand", str(tmp_path / "l")
    night.write_text("handscript 1\n" + NIGHT)
    assert run("import", str(night), "--ledger", ledger).code == 3
    with terminal("import", "--no-input", str(night), "--ledger", ledger) as person:
        person.wait("What to type next")
        assert "Type the line" not in person.seen
