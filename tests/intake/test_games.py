"""A PokerNow log under another file name tells the game that the ledger has, known by its hands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.intake import ImportOptions, import_paths
from ledger.intake.summary import FileSummary
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, TableOpened

LOG = Path(__file__).parents[1] / "formats" / "pokernow" / "samples" / "evening.csv"
HEAD, *ROWS = LOG.read_text().split("\n", 1)
TEXT = ROWS[0]
GAME = "poker_now_log_pglGame1.csv"


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "book.ledger") as opened:
        yield opened


def log(*, hands: int = 4, other_viewer: bool = False) -> str:
    """Return the log when so many of its hands had begun and the next one had not; newest row first."""
    start = TEXT.find(f"-- starting hand #{hands + 1} ")
    rows = TEXT if start < 0 else TEXT[TEXT.index("\n", start) + 1 :]
    if other_viewer:
        rows = rows.replace("bbbb_bbbbb", "zzzz_zzzzz").replace("aaaaaaaaaa", "yyyyyyyyyy")
    return f"{HEAD}\n{rows}"


def take(book: Ledger, folder: Path, name: str, text: str, **how: bool) -> FileSummary:
    (folder / name).write_text(text)
    return import_paths(book, [folder / name], ImportOptions(**how)).files[0]  # type: ignore[arg-type] # a flag by its name


def tables(book: Ledger) -> dict[str, list[str]]:
    """Return the numbers of the hands at each table."""
    lines_by_table: dict[str, list[str]] = {}
    for row in book.hands():
        lines_by_table.setdefault(row.table, []).append(row.number)
    return {table: sorted(numbers) for table, numbers in lines_by_table.items()}


def facts(book: Ledger, table: str) -> list[object]:
    """Return what the table was told between its hands, by kind and seat: ids are each ledger's own."""
    events = book.events(table_stream("PokerNow", "", table))
    return [
        (type(event).__name__, getattr(event, "seat", None), getattr(event, "stack", None))
        for event in events
        if not isinstance(event, HandPlayed | TableOpened)
    ]


def test_the_same_log_under_another_name_is_the_same(book: Ledger, tmp_path: Path) -> None:
    first = take(book, tmp_path, GAME, log())
    first_facts = facts(book, "pglGame1")
    file_summary = take(book, tmp_path, "saved-as.csv", log() + "\n")
    assert (file_summary.new, file_summary.same, file_summary.second) == (0, first.new, 0)
    assert list(tables(book)) == ["pglGame1"]
    assert facts(book, "pglGame1") == first_facts


def test_a_longer_log_under_another_name_goes_on_at_the_same_table(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path, "saved-as.csv", log(hands=2))
    file_summary = take(book, tmp_path, GAME, log())
    assert file_summary.same + file_summary.superseded == 2
    assert tables(book) == {"saved-as": ["1", "2", "3", "4"]}
    with open_ledger(tmp_path / "fresh.ledger") as fresh:
        take(fresh, tmp_path, GAME, log())
        assert facts(book, "saved-as") == facts(fresh, "pglGame1")


def test_another_game_of_the_same_moment_has_a_table_of_its_own(book: Ledger, tmp_path: Path) -> None:
    take(book, tmp_path, GAME, log())
    file_summary = take(book, tmp_path, "other.csv", log(other_viewer=True))
    assert file_summary.same == 0
    assert tables(book) == {"pglGame1": ["1", "2", "3", "4"], "other": ["1", "2", "3", "4"]}


def test_a_dry_run_says_the_same(book: Ledger, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(log(hands=2))
    (tmp_path / "b.csv").write_text(log())
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    dry = import_paths(book, paths, ImportOptions(dry_run=True))
    real = import_paths(book, paths)
    assert [(f.new, f.same) for f in dry.files] == [(f.new, f.same) for f in real.files]
    assert list(tables(book)) == ["a"]


def test_several_processes_tell_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(log(hands=2))
    (tmp_path / "b.csv").write_text(log())
    heads = []
    for jobs in (1, 2):
        with open_ledger(tmp_path / f"{jobs}.ledger") as book:
            import_paths(book, [tmp_path / "a.csv", tmp_path / "b.csv"], ImportOptions(jobs=jobs))
            heads.append(tables(book))
    assert heads[0] == heads[1] == {"a": ["1", "2", "3", "4"]}


def test_a_hand_that_was_on_is_finished_by_a_later_log(book: Ledger, tmp_path: Path) -> None:
    rows = log(hands=3).split("\n")
    on = next(index for index, row in enumerate(rows) if row.startswith("-- ending hand #3"))
    first = take(book, tmp_path, "so-far.csv", "\n".join([HEAD, *rows[on + 1 :]]))
    assert first.new == 3
    file_summary = take(book, tmp_path, "later.csv", log(hands=3))
    assert (file_summary.new, file_summary.same, file_summary.second, file_summary.superseded) == (0, 2, 0, 1)
    assert tables(book) == {"so-far": ["1", "2", "3", "3"]}
