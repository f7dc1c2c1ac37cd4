"""Two tellings of one hand: equal but for what a format cannot say, or shown where they part."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from cli.documents.published import find_schema
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.conftest import ROOT

STARS = ROOT / "tests/formats/pokerstars/samples/dead-blinds.txt"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("compare")
    with open_ledger(folder / "l") as ledger:
        assert import_paths(ledger, [STARS]).exit_code == 0
    return str(folder / "l")


@pytest.fixture(scope="module")
def number(book: str) -> str:
    with open_ledger(book) as ledger:
        return next(iter(ledger.hands())).number


def import_again(book: str, number: str, folder: Path, run: Run, *change: tuple[str, str]) -> str:
    """Import the hand once more in another format, perhaps changed; return a ledger of both."""
    out, url = folder / "again.ohh", str(folder / "l")
    assert run("export", number, "--to", "ohh", "--lossy", "--ledger", book, "-o", str(out)).code == 0
    text = out.read_text(encoding="utf-8")
    for old, new in change:
        assert old in text
        text = text.replace(old, new, 1)
    out.write_text(text, encoding="utf-8")
    with open_ledger(url) as ledger:
        assert import_paths(ledger, [STARS, out]).exit_code == 0
    return url


def test_the_same_hand_in_two_formats_differs_in_nothing(book: str, number: str, tmp_path: Path, run: Run) -> None:
    url = import_again(book, number, tmp_path, run)
    result = run("compare", number, "--ledger", url)
    assert result.code == 0, result.out
    assert "differ in none" in result.out
    assert "it changes nothing" in result.out


def test_the_first_difference_is_shown_with_the_bytes_of_both_and_what_it_moves(
    book: str, number: str, tmp_path: Path, run: Run
) -> None:
    url = import_again(
        book,
        number,
        tmp_path,
        run,
        ('"action": "Call",\n            "amount": 6', '"action": "Call",\n            "amount": 5'),
    )
    result = run("compare", number, "--ledger", url)
    assert result.code == 1
    assert "The first difference in the course of play" in result.out
    assert STARS.name in result.out
    assert "again.ohh:" in result.out
    assert "calls $6" in result.out.replace(",", "")
    document = run("compare", number, "--ledger", url, "--format", "json").document
    jsonschema.Draft202012Validator(find_schema("compare")).validate(document)
    first = document["first"]
    assert first["about"] == "call"
    assert first["a"]["text"].endswith("calls $6")
    assert '"amount": 5' in first["b"]["text"]
    moved = [net for net in document["nets"] if net["a"] != net["b"]]
    assert [net["b"] - net["a"] for net in moved] == [100]


def test_a_hand_told_once_has_nothing_to_be_compared_with(book: str, number: str, run: Run) -> None:
    result = run("compare", number, "--ledger", book)
    assert (result.code, "only one account" in result.err) == (2, True)
    assert run("compare", number, number, "--ledger", book).code == 2
