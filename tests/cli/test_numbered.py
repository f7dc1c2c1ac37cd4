"""A hole in the hand numbers is a hole, and numbers that start over are another night."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

EVENINGS = Path(__file__).parent / "numbered"
BOOKS = ("hilton", "rrop4", "bicycle")
PROFILES = ("floor-form", "dealer-notes", "live-table")


def rewrite_evening(name: str, profile: str, *, day: int = 0, first: int = 1) -> str:
    """Return an evening as recorded by a profile; `day`: dated, `first`: its numbers begin there."""
    text = (EVENINGS / f"{name}.hand").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^witness .*$", f"witness {profile}", text)

    def head(match: re.Match[str]) -> str:
        number = int(match[1])
        time = f" 2026-11-{day}T20:{number:02}:00-05:00" if day else ""
        return f"hand {number + first - 1}{time}"

    return re.sub(r"(?m)^hand (\d+)$", head, text)


class Table:
    """A ledger into which evenings of one table were imported."""

    def __init__(self, run: Run, folder: Path, *texts: str) -> None:
        self.run, self.ledger = run, str(folder / "evenings.db")
        for index, text in enumerate(texts):
            file = folder / f"{index}.hand"
            file.write_text(text, encoding="utf-8")
            assert run("import", str(file), "--ledger", self.ledger).code == 0

    def findings(self, book: str) -> list[tuple[str, str, str]]:
        audit = self.run("audit", "-r", book, "--ledger", self.ledger, "--format", "json").document
        return [
            (finding["show"], finding["clause"], finding["certainty"])
            for finding in audit["findings"]
            if finding["book"] == book
        ]

    def owed(self, name: str, *more: str) -> str:
        return " ".join(self.run("due", name, *more, "--ledger", self.ledger).out.split())


REPEATED = """
hand 5
seat 1 Ann ?
seat 2 Bob ?
seat 3 Cat ?
seat 4 Dan ?
seat 5 Eve ?
button 4
5 posts small 1
1 posts big 2
deal done
end
"""


@pytest.mark.parametrize("profile", PROFILES)
def test_what_was_due_behind_a_missing_number_cannot_be_told(run: Run, tmp_path: Path, profile: str) -> None:
    """Hand 3 is missing, and hand 4 has the button where hand 2 had it: it may have gone round."""
    text = rewrite_evening("n051", profile)
    text = text.replace("button 4", "button 2").replace("5 posts small", "3 posts small")
    text = re.sub(r"(?s)(button 2\n3 posts small 1\n)1 posts", r"\g<1>4 posts", text)
    table = Table(run, tmp_path, text)
    assert [table.findings(book) for book in BOOKS] == [[], [], []]
    output = table.owed("n051", "-r", "hilton", "--before", "4")
    assert "Can't tell: hands are missing between hand 2 and hand 4." in output


def test_behind_the_hole_a_finding_is_likely(run: Run, tmp_path: Path) -> None:
    """Who may have the button there may rest on the hand that is missing."""
    table = Table(run, tmp_path, rewrite_evening("n051", "live-table") + REPEATED)
    assert table.findings("hilton") == [("n051/5@8", "B12b.1", "likely")]
    assert table.findings("bicycle") == [("n051/5@8", "p24a", "likely")]
    assert [finding[2] for finding in table.findings("rrop4")] == ["likely"]


def test_a_room_that_numbers_the_hands_of_all_its_tables_leaves_no_hole(run: Run, tmp_path: Path) -> None:
    text = rewrite_evening("n051", "floor-form")
    for number, room_number in ((1, 1001), (2, 1002 + 7), (4, 1030)):
        text = re.sub(rf"(?m)^hand {number}$", f"hand {room_number}", text)
    table = Table(run, tmp_path, text)
    assert "Can't tell" not in table.owed("n051", "-r", "hilton", "--before", "1030")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("first", [1, 701])
def test_numbers_that_start_over_are_another_night(run: Run, tmp_path: Path, profile: str, first: int) -> None:
    """Hand 3 repeats the button on both nights; the first hand of the second night follows on nothing."""
    friday, saturday = (rewrite_evening("fri", profile, day=day, first=first) for day in (27, 28))
    table = Table(run, tmp_path, friday, saturday)
    for book in BOOKS:
        findings = table.findings(book)
        assert [address for address, _, _ in findings] == [f"same/{first + 2}/2026-11-{day}@8" for day in (27, 28)]
        assert len({(clause, certainty) for _, clause, certainty in findings}) == 1, "one night is judged as the other"
        assert findings[0][2] == ("certain" if profile == "live-table" else "likely")


def test_the_button_past_a_newcomer_between_the_blinds(run: Run, tmp_path: Path) -> None:
    """Seat 2 sat down between the button and the small blind, and has the button on his first hand."""
    table = Table(run, tmp_path, (EVENINGS / "differ-E82.hand").read_text(encoding="utf-8"))
    assert table.findings("rrop4") == [("E82/2@10", "blinds.7.1", "certain")]
    assert table.findings("hilton") == [("E82/2@10", "B5.2", "certain")]
    assert table.findings("bicycle") == [("E82/2@11", "p24b", "certain")]
    for book, seat in (("rrop4", 4), ("hilton", 4), ("bicycle", 4)):
        assert f"positions button seat {seat}" in table.owed("E82", "-r", book, "--before", "2")


def test_a_repeated_button_is_found_in_a_dealers_notes(run: Run, tmp_path: Path) -> None:
    table = Table(run, tmp_path, (EVENINGS / "fri-dealer-notes.hand").read_text(encoding="utf-8"))
    assert [[finding[2] for finding in table.findings(book)] for book in BOOKS] == [["likely"]] * 3
