"""What breaks a chain of hands is said when they come in, and by `due`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

HEAD = """\
handscript 1
venue "The Room"  table T9  seats 6
witness live-table
game holdem no-limit cash blinds 1/2 unit USD 0
"""
SEATS = {1: 200, 3: 200, 5: 200}


def hand(number: str, button: int, stacks: dict[int, int] | None = None, witness: str = "") -> str:
    """One hand that everybody folds to the big blind."""
    seats = stacks or SEATS
    order = sorted(seats, key=lambda seat: (seat <= button, seat))
    names = "\n".join(f"seat {seat} P{seat} {stack}" for seat, stack in seats.items())
    small, big = order[0], order[1]
    folds = "\n".join(f"{seat} folds" for seat in [*order[2:], small])
    return (
        f"\nhand {number} {witness}\n{names}\nbutton {button}\n{small} posts small 1\n{big} posts big 2\n"
        f"deal done\n{folds}\n{big} uncalled 1\n{big} wins 2\nend\n"
    )


SECOND = {1: 200, 3: 199, 5: 201}  # after a first hand with the button at seat 1
COUNTED = "witness button,posts,presence,seating,stacks-before"


def import_and_due(run: Run, folder: Path, *files: str) -> tuple[str, Any, Any]:
    """What import says in words and as a document, and what owed says."""
    url = str(folder / "l")
    out = document = None
    for index, text in enumerate(files):
        (folder / f"{index}.hand").write_text(HEAD + text)
        results = (
            run("import", str(folder / f"{index}.hand"), "--ledger", f"{folder / shape}", "--format", shape)
            for shape in ("json", "text")
        )
        document, out = (result.document if index == 0 else result.out for index, result in enumerate(results))
        run("import", str(folder / f"{index}.hand"), "--ledger", url)
    owed = run("due", "T9", "-r", "hilton", "--ledger", url)
    return str(out), document, owed.out


@pytest.mark.parametrize(
    ("files", "sentence", "kind"),
    [
        ([hand("1", 1) + hand("4", 3, SECOND)], "between hand 1 and hand 4: 2 hands are missing", "numbers"),
        (
            [hand("1", 1) + hand("2", 3, {1: 200, 3: 150, 5: 201})],
            "between hand 1 and hand 2: stacks don't carry over (seat 3 has $49 less)",
            "stacks",
        ),
        (
            [hand("1", 1) + hand("2", 5, SECOND)],
            "between hand 1 and hand 2: the button jumps over seat 3, which played both",
            "button",
        ),
        (
            [hand("P0", 1), hand("1", 3, {1: 0, 3: 0, 5: 0}).replace(" 0\n", " ?\n")],
            "between hand 1 and hand P0: the record doesn't show which was played first",
            "order",
        ),
    ],
)
def test_what_breaks_a_chain_is_said(files: list[str], sentence: str, kind: str, run: Run, tmp_path: Path) -> None:
    text, document, owed = import_and_due(run, tmp_path, *files)
    assert "table T9: hands don't follow on in 1 place:" in text
    assert sentence in text
    assert sentence in owed.replace("\n   ", "")
    [table] = document["breaks"]
    assert [break_entry["how"] for break_entry in table["breaks"]] == [kind]


@pytest.mark.parametrize("numbers", [("before-1", "1"), ("P0", "1"), ("1", "2"), ("x", "a")])
def test_a_chain_that_holds_is_not_spoken_of(numbers: tuple[str, str], run: Run, tmp_path: Path) -> None:
    text, document, owed = import_and_due(run, tmp_path, hand(numbers[0], 1) + hand(numbers[1], 3, SECOND))
    assert "chain of hands" not in text + owed
    assert document["breaks"] == []
    assert f"after hand {numbers[1]}" in owed


def test_the_button_of_the_two_who_are_left_jumps_over_nobody(run: Run, tmp_path: Path) -> None:
    two = """
hand 2
seat 1 P1 200
seat 3 P3 199
button 3
3 posts small 1
1 posts big 2
deal done
3 folds
1 uncalled 1
1 wins 2
end
"""
    text, document, owed = import_and_due(
        run, tmp_path, hand("1", 5) + two.replace("1 P1 200", "1 P1 199").replace("3 199", "3 201")
    )
    assert "chain of hands" not in text + owed
    assert document["breaks"] == []


def test_owed_says_what_broke_before_the_hand_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    import_and_due(run, tmp_path, hand("1", 1) + hand("2", 3, SECOND) + hand("9", 5))
    url = str(tmp_path / "l")
    results = {
        number: run("due", "T9", "--before", number, "-r", "hilton", "--ledger", url, "--format", "json")
        for number in ("2", "9")
    }
    assert results["2"].document["breaks"] == []
    assert [break_entry["how"] for break_entry in results["9"].document["breaks"]] == ["numbers"]


def test_import_says_where_the_ledger_is_and_what_comes_next(run: Run, tmp_path: Path) -> None:
    (tmp_path / "night.hand").write_text(HEAD + hand("1", 1))
    url = str(tmp_path / "my ledger")
    out = run("import", str(tmp_path / "night.hand"), "--ledger", url).out
    assert f"The ledger is {url}." in out
    for command in ("log", "audit", "due TABLE -r BOOK"):
        assert f"handledger {command} --ledger '{url}'" in out
    dry = run("import", "--dry-run", str(tmp_path / "night.hand"), "--ledger", url).out
    assert "What to type next" not in dry
