"""An import that hides cards keeps nothing in which they stand: neither events nor sources nor texts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ledger.errors import NothingFoundError
from ledger.hidden_cards import find_commitments
from ledger.house.events import HiddenCardsViewed
from ledger.intake import ImportOptions, import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.requests.erasure import erase
from ledger.streams import HOUSE
from tests.cli.conftest import Run
from tests.intake.hands import hands

__all__ = ["run"]
from tests.cli.conftest import run

BROKEN = '\n[9]\nvariant = "NT"\nactions = ["d dh p1 AhKh"\n'


@pytest.fixture
def night(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "n.phhs"
    path.write_text(hands(1, 2, 3) + BROKEN)
    return path


@pytest.fixture
def url(night: Path, tmp_path: Path) -> str:
    (tmp_path / "own").mkdir()
    with open_ledger(tmp_path / "own" / "x.ledger") as book:
        total = import_paths(book, [night], ImportOptions(hide_cards=True)).total
        assert (total.new, total.rejected) == (3, 1)
    return str(tmp_path / "own" / "x.ledger")


def openings(book: Ledger) -> list[tuple[str, ...]]:
    with book.database.reading() as link:
        return link.execute("SELECT * FROM openings ORDER BY commitment").fetchall()


def test_the_bytes_of_the_source_are_not_kept_but_their_digest_is(url: str, night: Path) -> None:
    with open_ledger(url) as book:
        (row,) = {row.source for row in book.hands()}
        assert not book.sources.has_bytes(row)
        with pytest.raises(NothingFoundError, match="not in this ledger"):
            book.sources.read_all(row)
        assert all(b"AhKh" not in commit.data for commit in book.commits())
        assert book.verify() == []
        total = import_paths(book, [night], ImportOptions(hide_cards=True)).total
        assert (total.new, total.same) == (0, 3), "and it is known again"
        assert import_paths(book, [night]).total.new == 0


def test_every_command_says_that_the_bytes_are_not_kept_and_goes_on(
    url: str, night: Path, run: Run, tmp_path: Path
) -> None:
    result = run("show", "1", "--ledger", url)
    assert result.code == 0
    assert "its bytes are not kept" in result.out
    for args in (
        ["log"],
        ["replay", "1"],
        ["audit", "-r", "hilton"],
        ["audit", "-r", "hilton", "--frames", "50"],
        ["due", "T1", "-r", "hilton"],
        ["rejects", "--bytes"],
        ["verify"],
        ["export", "1", "--to", "handscript", "--lossy"],
        ["export", "--to", "jsonl"],
    ):
        command_result = run(*args, "--ledger", url)
        assert command_result.code in (0, 1, 3), command_result.err
        assert not re.search(r"\bAh\b", command_result.out), args  # ids are random and may hold it
        assert "AhKh" not in command_result.err, args
    for args in (
        ["show", f"{night.name}:3"],
        ["export", "1", "--to", "original"],
        ["export", "--to", "original", "--source", night.name],
    ):
        command_result = run(*args, "--ledger", url)
        assert command_result.code == 2
        assert "not in this ledger" in command_result.err or "no source" in command_result.err


def test_cards_are_opened_with_a_reason_and_that_is_written_down(url: str, run: Run) -> None:
    assert "Ah Kh" in run("show", "1", "--open-cards", "--why", "a dispute", "--ledger", url).out
    assert run("show", "1", "--open-cards", "--ledger", url).code == 2, "not without a reason"
    assert run("replay", "1", "--open-cards", "--why", " ", "--ledger", url).code == 2
    assert "Ah Kh" not in run("replay", "1", "--all", "--ledger", url).out
    assert "Ah Kh" in run("replay", "2", "--open-cards", "--why", "the same", "--ledger", url).out
    assert run("audit", "1", "-r", "hilton", "--open-cards", "--ledger", url).code == 2
    options = ["--open-cards", "--why", "audit of the week"]
    assert run("audit", "1", "3", "-r", "hilton", *options, "--ledger", url).code in (0, 1)
    output = run("export", "--to", "jsonl", "--ledger", url).out
    assert "a dispute" not in output
    with open_ledger(url) as book:
        views = [event for event in book.events(HOUSE) if isinstance(event, HiddenCardsViewed)]
        assert [book.people.words(view.why) for view in views] == ["a dispute", "the same", *["audit of the week"] * 2]


def test_who_is_forgotten_takes_the_hidden_cards_along(url: str) -> None:
    with open_ledger(url) as book:
        (ann,) = book.people.find_players("Ann")
        openings_before = openings(book)
        all_commitments = {
            commitment for row in book.hands() for _, commitment in find_commitments(book.events(row.stream))
        }
        assert {row[0] for row in openings_before} == all_commitments | {f"key:{ann}"}
        erase(book, ann)
        assert openings(book) == []
        assert all(book.people.opening(hidden) is None for hidden in all_commitments)
        assert book.verify() == []
