"""Holds on a person: what ends them, and what the list of people shows of them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.house.events import PersonHeld
from ledger.store import open as open_ledger
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


@pytest.fixture
def book(sampled: Path, tmp_path: Path) -> str:
    return str(shutil.copy(sampled, tmp_path))


def holds(book: str) -> int:
    with open_ledger(book, read_only=True) as ledger:
        return sum(isinstance(event, PersonHeld) for event in ledger.events(HOUSE))


def test_release_ends_every_hold_whatever_its_reason(run: Run, book: str) -> None:
    assert run("people", "hold", "Fay", "--reason", "law", "--ledger", book).code == 0
    assert run("people", "hold", "Fay", "--days", "30", "--ledger", book).code == 0
    released = run("people", "release", "Fay", "--ledger", book)
    assert released.code == 0
    assert released.out.startswith("Fay (")
    assert released.out.endswith(") is released.\n")
    assert "held" not in run("people", "list", "Fay", "--ledger", book).out


def test_a_release_of_nothing_is_refused_and_not_recorded(run: Run, book: str) -> None:
    refused = run("people", "release", "Fay", "--ledger", book)
    assert (refused.code, "Fay (" in refused.err, "has no hold to release" in refused.err) == (2, True, True)
    run("case", "open", "T7/408", "--number", "T7-408", "--claim", "x", "--by", "floor", "--hold", "--ledger", book)
    refused = run("people", "release", "Fay", "--ledger", book)
    assert refused.code == 2
    assert "Case T7-408 still holds this person's data; `case lift` ends that." in refused.err
    assert holds(book) == 0


def test_a_hold_of_ones_own_does_not_hide_that_of_a_case(run: Run, book: str) -> None:
    run("case", "open", "T7/408", "--number", "T7-408", "--claim", "x", "--by", "floor", "--hold", "--ledger", book)
    held = run("people", "hold", "Fay", "--days", "30", "--reason", "law", "--ledger", book)
    (day,) = (word for word in held.out.split() if word[:2] == "20")
    assert f"is held until {day} (law)" in held.out
    assert f"held until {day} (law); held by case T7-408" in run("people", "list", "Fay", "--ledger", book).out
    released = run("people", "release", "Fay", "--ledger", book)
    assert "is released. Case T7-408 still holds this person's data" in " ".join(released.out.split())
    listed = run("people", "list", "Fay", "--ledger", book, "--format", "json").document["people"]
    assert [(person["held"], person["case"]) for person in listed] == [("case T7-408", "T7-408")]
