"""How far long work is: on a terminal in a line that goes away, and nowhere else."""

from __future__ import annotations

import io
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cli.demo import copy_samples
from cli.output import console
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books.rulebook import load
from projections.tables.finding_events import announce_new_findings
from tests.cli.conftest import Run


class Terminal(io.StringIO):
    """What a person would see of standard error."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("terminal", [True, False])
def test_work_says_how_long_and_how_far_and_leaves_nothing(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with console.show_progress("judging", seconds=0.01) as progress:
        progress("12 hands\x1b[2J")
        deadline = time.monotonic() + 20
        while terminal and screen.getvalue().count("judging: 12 hands") < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    if not terminal:
        assert screen.getvalue() == ""
        return
    lines = screen.getvalue().split("\r\x1b[K")
    assert re.fullmatch(r"judging: 12 hands\\x1b\[2J, \d s", lines[-2])
    assert lines[-1] == "", "the line is taken away"


def test_work_that_fails_leaves_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")

    def work() -> None:
        with console.show_progress("judging", seconds=0.01):
            deadline = time.monotonic() + 20
            while not terminal.getvalue() and time.monotonic() < deadline:
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert terminal.getvalue().endswith("s\r\x1b[K")


LONG_COMMANDS = (
    ["verify"],
    ["rules", "diff", "hilton", "rrop4"],
    ["fairness", "-r", "rrop4"],
    ["rates", "-r", "rrop4"],
    ["results"],
    ["log", "--where", "pot>0"],
    ["due", "-r", "rrop4"],
    ["due", "T1", "-r", "rrop4"],
    ["findings"],
    ["audit", "-r", "rrop4"],
)


@pytest.mark.parametrize("args", LONG_COMMANDS, ids=" ".join)
def test_every_long_command_says_what_it_does(
    args: list[str], run: Run, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[str] = []
    usual = console.show_progress

    @contextmanager
    def record_task(task: str, every: float = 1.0) -> Iterator[console.ProgressLine]:
        tasks.append(task)
        with usual(task, every) as progress:
            yield progress

    monkeypatch.setattr(console, "show_progress", record_task)
    result = run(*args, "--ledger", book)
    assert tasks, result.err
    assert "\r" not in result.err, "nobody looks: there is no terminal"


FAR = {
    "results": r"[\d,]+ of [\d,]+ events",
    "log --where pot>0": r"[\d,]+ of [\d,]+ events",
    "due -r hilton": r"63 of 63 hands judged",
    "due T3 --before 712 -r hilton": r"12 of 20 hands walked",
    "aftermath 714 -r hilton": r"\d+ of 20 hands walked",
    "findings": r"(\d+) of \1 findings",
}
"""What takes long in a large ledger, and how far it says it is when that was told last."""


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger in which nothing was asked yet."""
    folder = tmp_path_factory.mktemp("far")
    with open_ledger(folder / "l") as ledger:
        import_paths(ledger, [copy_samples(folder / "samples")])
        book = load("hilton")
        adopted = RulebookAdopted("hilton", book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted])
        announce_new_findings(ledger)
    return str(folder / "l")


@pytest.mark.parametrize("line", FAR)
def test_what_takes_long_says_how_far_it_is(
    line: str, evenings: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = tmp_path / "l"
    with closing(sqlite3.connect(evenings)) as source_database, closing(sqlite3.connect(fresh)) as copy:
        source_database.backup(copy)
        if line.startswith("due -r"):  # all of it is judged anew
            copy.execute("DELETE FROM judged_tables")
            copy.execute("UPDATE judgements SET position = 0")
            copy.commit()
    reports: list[str] = []
    __call__ = console.ProgressLine.__call__

    def record_report(self: console.ProgressLine, text: str) -> None:
        reports.append(text)
        __call__(self, text)

    monkeypatch.setattr(console.ProgressLine, "__call__", record_report)
    result = run(*line.split(), "--ledger", str(fresh))
    assert result.code in (0, 1), result.err
    assert re.fullmatch(FAR[line], reports[-1]), reports[-3:]
