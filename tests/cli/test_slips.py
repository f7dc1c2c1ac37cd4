"""One slip of the pen is one finding, with what it makes look wrong under it, and nobody is accused for certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

SLIPS = Path(__file__).parent / "slips"
BOOKS = ("hilton", "rrop4", "bicycle", "house-burn", "tda2024")

HEAD = """handscript 1
venue V  table 1  seats 9
witness live-table
game holdem no-limit {form} blinds 2/5 unit USD 2
hand 1 2026-11-27T20:10:00-05:00
seat 1 Ana 200
seat 2 Bo 200
seat 3 Cy 200
seat 4 Di 200
seat 5 Eve 200
seat 6 Fay 200
button 1
2 posts small 2
3 posts big 5
deal done
"""
PLAY = """4 folds
5 raises to 15
6 calls 15
1 folds
2 calls 13
3 folds
burn flop
flop Ah 7c 2d
2 checks
5 bets 20
6 folds
2 calls 20
burn turn
turn Kd
2 checks
5 bets 30
2 folds
5 uncalled 30
5 wins 90
end
"""
FOLDS = [line for line in PLAY.splitlines() if line.endswith("folds")]


def audited(run: Run, folder: Path, text: str, book: str) -> list[dict]:
    file, ledger = folder / "slip.hand", str(folder / "slip.db")
    file.write_text(text, encoding="utf-8")
    assert run("import", str(file), "--ledger", ledger).code == 0
    return run("audit", "-r", book, "--ledger", ledger, "--format", "json").document["findings"]


@pytest.mark.parametrize("fold", FOLDS[:4])
@pytest.mark.parametrize("book", BOOKS)
def test_a_fold_that_nobody_wrote_down_is_one_finding(run: Run, tmp_path: Path, fold: str, book: str) -> None:
    head = HEAD.format(form="tournament" if book == "tda2024" else "cash")
    sound = audited(run, tmp_path, head + PLAY, book)
    assert not sound
    (tmp_path / "slip.db").unlink()
    findings = audited(run, tmp_path, head + PLAY.replace(f"{fold}\n", ""), book)
    seat = int(fold.split(maxsplit=1)[0])
    assert len([finding for finding in findings if finding["book"] == book]) <= 1, [
        finding["saw"] for finding in findings
    ]
    for finding in findings:
        assert finding["certainty"] == "likely", finding
        assert (finding["seat"], finding["saw"]) == (seat, f"Play passed seat {seat}, which never folded")


def test_a_hand_without_a_seat_list_is_one_finding(run: Run, tmp_path: Path) -> None:
    findings = audited(run, tmp_path, (SLIPS / "same.hand").read_text(encoding="utf-8"), "hilton")
    assert [(finding["book"], finding["clause"], finding["hand"]["number"]) for finding in findings] == [
        ("record", "R7", "2")
    ]
    assert "no seat list" in findings[0]["saw"]
