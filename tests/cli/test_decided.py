"""Disputed hands, each with the answer that docs/readings.md gives and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

HANDS = Path(__file__).parent / "decided"

EXPECTED: dict[tuple[str, str], list[str]] = {
    # Only the Bicycle knows a purchase of the button: elsewhere nothing about it is certain.
    ("d06c", "hilton"): ["3 B14.1 likely", "4 B10 likely"],
    ("d06c", "rrop4"): ["4 blinds.intro.8 likely 4:-200 5:200"],
    ("d06c", "bicycle"): [],
    # A purchase that nobody wrote down: the missing blinds may be its trace, the make-up in the gap is none.
    ("d06d", "hilton"): ["3 B14.1 likely", "3 B16.1 certain", "3 B11b.1 likely 3:-600 4:200 5:400", "4 B10 certain"],
    ("d06d", "rrop4"): [
        "3 blinds.7.2 certain",
        "3 blinds.intro.8 likely 3:-600 4:200 5:400",
        "4 blinds.intro.8 likely 4:-200 5:200",
    ],
    ("d06d", "bicycle"): ["3 p24b likely 3:-600 4:200 5:400"],
    # A newcomer from a broken table between the button and the small blind.
    ("d12b", "tda2024"): ["2 10a certain"],
    # Two players, the button at an empty seat again: in front of neither; a dead button may stay once.
    ("d20", "hilton"): ["163921 B12b.1 likely", "163922 B12b.1 likely"],
    ("d20b", "hilton"): ["163921 B12b.1 certain", "163922 B12b.1 certain"],
    # Blinds exchanged by two players, and both called: no money moved.
    ("b09", "rrop4"): ["900000001 blinds.3 certain"],
    ("b09", "hilton"): [],
    # Big bet, both blinds missed: all of them are due in two books; a floor's form doesn't show who asked for the rest.
    ("n056", "hilton"): [],
    ("n056", "rrop4"): [],
    ("n056", "bicycle"): [],
    # A newcomer dealt in free: his first hand is wrong, and what he owes later no book says.
    ("n059", "hilton"): ["2 B17.2 likely"],
    ("n059", "rrop4"): ["2 blinds.4.1 likely"],
    ("n059", "bicycle"): [],
    ("ent", "hilton"): ["2 B17.2 likely"],
    ("ent", "rrop4"): ["2 blinds.4.1 likely"],
    ("ent", "bicycle"): [],
    # "15 dead 5" is 15 live and 5 dead; as it may mean 15 in all, nothing about it is certain.
    ("makeup-15-dead-5", "hilton"): ["6 B15a.1 likely"],
    ("makeup-15-dead-5", "rrop4"): ["6 blinds.9.1 likely", "6 blinds.9.2 likely"],
    ("makeup-15-dead-5", "bicycle"): ["6 p23a likely"],
    # An accident that was put right is a warning, and one slip.
    ("d1", "hilton"): ["1 intro.1a warning"],
    ("d1", "rrop4"): ["1 holdem.3.1 warning"],
    ("d2", "hilton"): ["1 intro.1b warning"],
    # A dead hand was paid: the chips are those of whom the other cards send them to.
    ("g1", "bicycle"): ["1 p10a certain", "1 p12c certain 3:-25 4:25"],
    ("g2", "bicycle"): ["1 p14b certain 3:30 4:-30"],
    ("g3", "hilton"): ["1 B23.1 certain 3:-25 4:25"],
    ("g3", "rrop4"): ["1 blinds.10.1 certain 3:-25 4:25"],
}


def format_finding(finding: dict, *, severity: bool) -> str:
    money = [f"{share['seat']}:{share['amount']}" for share in finding["money"]]
    grade = finding["severity"] if severity else finding["certainty"]
    return " ".join([finding["hand"]["number"], finding["clause"], grade, *money])


@pytest.mark.parametrize("name", sorted({name for name, _ in EXPECTED}))
def test_a_disputed_hand_is_judged_as_decided(run: Run, tmp_path: Path, name: str) -> None:
    (file,) = HANDS.glob(f"{name}.*")
    ledger = str(tmp_path / "decided.db")
    assert run("import", str(file), "--ledger", ledger).code == 0
    for book in [book for file_name, book in EXPECTED if file_name == name]:
        audit = run("audit", "-r", book, "--ledger", ledger, "--format", "json").document
        findings = [
            format_finding(finding, severity=name in ("d1", "d2"))
            for finding in audit["findings"]
            if finding["book"] == book
        ]
        assert findings == EXPECTED[name, book], book


@pytest.mark.parametrize("book", ["hilton", "rrop4", "bicycle"])
def test_what_a_newcomer_owes_after_a_free_hand_is_usual_practice(run: Run, tmp_path: Path, book: str) -> None:
    ledger = str(tmp_path / "ent.db")
    assert run("import", str(HANDS / "ent.hand"), "--ledger", ledger).code == 0
    seats = run("due", "ent", "-r", book, "--ledger", ledger).out.partition("\nseats\n")[2]
    line = next(line for line in seats.splitlines() if line.split()[:2] == ["6", "Ned"])
    assert "plays, has the big blind" in line, "he takes it in turn, and nothing is made up"
