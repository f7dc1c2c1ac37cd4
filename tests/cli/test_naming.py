"""People whose id or name begins with a dash, as an option does."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from ledger.case.events import CaseOpened
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import case_stream
from tests.cli.conftest import Run
from tests.intake.hands import hand

VENUE = "Testing room"


@pytest.fixture(params=["-", "-h", "-o", "--"])
def dashed(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str, str]:
    """A ledger, the id in it that begins so, and the name behind that."""
    begins: str = request.param
    book = tmp_path / "x.ledger"
    with open_ledger(book) as ledger:
        ids = ((ledger.people.player(VENUE, f"Ann {number}"), f"Ann {number}") for number in count())
        person, name = next(candidate for candidate in ids if candidate[0].startswith(begins))
        (tmp_path / "night.phh").write_text(hand(1, names=(name, "Bob")))
        assert import_paths(ledger, [tmp_path / "night.phh"]).total.new == 1
        ledger.append("case", case_stream("X1"), [CaseOpened("X1", "other", "player")])
    return str(book), person, name


def test_an_id_is_taken_as_it_was_printed(run: Run, dashed: tuple[str, str, str]) -> None:
    book, person, name = dashed
    for line in (
        ["people", "list", person],
        ["people", "hold", person, "--days", "3"],
        ["people", "release", person],
        ["people", "merge", "Bob", person, "--why", "same passport"],
        ["case", "assign", "X1", person],
        ["case", "hold", "X1", "person", person, "--days", "2"],
        ["case", "note", "X1", "so it was", "--by", "dealer", "--person", person],
    ):
        result = run(*line, "--ledger", book, "--format", "json")
        assert result.code == 0, (line, result.out)
        document = result.document
        if line[0] == "people":
            assert (person, name) in [(person_row["id"], person_row["name"]) for person_row in document["people"]]
    assert person in run("people", "hold", "--ledger", book, "--", person).out


def test_another_name_that_begins_with_a_dash_goes_behind_two(run: Run, tmp_path: Path) -> None:
    book = str(tmp_path / "x.ledger")
    (tmp_path / "night.phh").write_text(hand(1, names=("-Zed-", "Bob")))
    assert run("import", str(tmp_path / "night.phh"), "--ledger", book).code == 0
    refused = run("people", "hold", "-Zed-", "--ledger", book)
    assert refused.code == 2
    assert refused.err.splitlines() == [
        "handledger: people has no option -Z",
        "  To write a name that begins with a dash, put -- before it: handledger people -- -NAME",
    ]
    assert run("people", "hold", "--ledger", book, "--", "-Zed-").code == 0
    assert "put --" not in run("demo", "--nonsense").err
