"""`due` offers nothing that `audit` then finds: evenings of disputed hands, each with its right answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

EVENINGS = Path(__file__).parent / "offered"

Owed = Callable[[str, str], tuple[str, list[tuple[str, str]]]]


@pytest.fixture
def owed(run: Run, tmp_path: Path) -> Owed:
    """Return what `due` prints of the table of an evening, and what `audit` finds in it."""

    def ask(name: str, book: str) -> tuple[str, list[tuple[str, str]]]:
        ledger = str(tmp_path / f"{name}.db")
        file = EVENINGS / f"{name}.hand"
        assert run("import", str(file), "--ledger", ledger).code == 0
        table = re.search(r" table (\w+)", file.read_text(encoding="utf-8"))
        assert table is not None
        output = run("due", table[1], "-r", book, "--ledger", ledger).out
        audit = run("audit", "-r", book, "--ledger", ledger, "--format", "json").document
        findings = [
            (finding["clause"], finding["certainty"]) for finding in audit["findings"] if finding["book"] == book
        ]
        return output, findings

    return ask


def seat_line(output: str, seat: int) -> str:
    """Return what is said of a seat, in one line, without the reasons."""
    seat_text = output.partition("\nseats\n")[2]
    match = re.search(rf"(?ms)^ +{seat} \S.*?(?=^ +\d+ |^ +- |\Z)", seat_text)
    assert match is not None, output
    return " ".join(match[0].split())


def test_who_plays_only_in_the_big_blind_is_not_offered_a_free_hand(owed: Owed) -> None:
    """Hand 2 has no end: where it doesn't count, the big blind isn't Vic's, and he has to post."""
    output, _ = owed("stop", "rrop4")
    assert "may play in the big blind, elsewhere if it posts $5" in seat_line(output, 4)
    output, _ = owed("stop", "hilton")
    assert "may play at once, has the big blind" in seat_line(output, 4)
    _, findings = owed("stop-played-on", "hilton")
    assert not findings
    _, findings = owed("stop-played-on", "rrop4")
    assert findings == [("blinds.4.1", "likely")]


@pytest.mark.parametrize("name", ["d05b", "f4b"])
def test_the_second_reading_of_the_bicycle_convicts_nobody(owed: Owed, name: str) -> None:
    _, findings = owed(name, "bicycle")
    assert not {clause for clause, _ in findings} & {"p03a", "p24a", "p24b"}


@pytest.mark.parametrize("name", ["f7", "d07"])
def test_the_button_is_for_sale_between_the_button_and_the_blinds_only(owed: Owed, name: str) -> None:
    output, _ = owed(name, "bicycle")
    assert "buys the button" not in output
    seat = 4 if name == "f7" else 3
    assert seat_line(output, seat).startswith(f"{seat} Player {seat} $20")
    assert "may play if it posts $2 live and $1 dead, or waits for the big blind" in seat_line(output, seat)


@pytest.mark.parametrize("name", ["d05", "f1b", "f1c"])
@pytest.mark.parametrize("book", ["rrop4", "bicycle", "hilton"])
def test_a_blinds_line_names_who_posts_it(owed: Owed, name: str, book: str) -> None:
    output, _ = owed(name, book)
    position_text = output.partition("positions\n")[2].partition("seats\n")[0]
    assert not re.search(r"seat \d .* posts \$\d+, the \w+ blind", position_text)
    blinds = re.findall(r"(?m)^  (?:small|big) blind +seat \d [^$:]*?( \$\d+|:)", position_text)
    assert blinds
    assert ":" not in blinds, output


def test_a_seat_has_the_blind_that_it_posts(owed: Owed) -> None:
    output, _ = owed("d05", "rrop4")
    assert seat_line(output, 4).endswith("plays, has the button, has the small blind")
    assert seat_line(output, 5).endswith("plays, has the big blind")
    assert seat_line(output, 6).endswith("plays, has the big blind")
