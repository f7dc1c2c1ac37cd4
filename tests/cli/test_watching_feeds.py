"""`import --watch` in processes of its own: killed in mid-hand, begun again, and fed through a pipe."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, cast

import pytest

from ledger.errors import HandledgerError
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from tests.children import child
from tests.cli.conftest import Run
from tests.intake.feeds import corrections, falling, hands, rising, rows

ROWS = rows()
WATCH = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from cli.main import run; run()"
"""The program, heeding Ctrl-C even where a shell started the tests in the background, which ignores it."""


def command(*args: str | Path, ledger: Path) -> list[str]:
    return [sys.executable, "-c", WATCH, "import", "--watch", *map(str, args), "--ledger", str(ledger)]


def wait_until(ledger: Path, holds: Callable[[Ledger], bool], running: subprocess.Popen[bytes]) -> None:
    """Wait until a ledger that another process writes holds something; only the time limit of the test ends it."""
    while True:
        time.sleep(0.05)
        assert running.poll() is None
        try:
            with open_ledger(ledger, create=False, read_only=True) as book:
                if holds(book):
                    return
        except HandledgerError:
            continue  # the other program is still making it


def events(ledger: Ledger) -> int:
    return sum(len(ledger.events(row.stream)) for row in ledger.hands())


def grew(count: int, ledger: Ledger) -> bool:
    return events(ledger) > count


@pytest.mark.slow
def test_a_watch_that_is_killed_in_mid_hand_goes_on_when_it_is_begun_again(tmp_path: Path) -> None:
    log, url = tmp_path / "evening.csv", tmp_path / "l"
    first_row = next(index for index, row in enumerate(ROWS) if "posts a big blind" in row[0])
    event_count = 0
    for count in range(first_row + 2, first_row + 14, 3):
        log.write_bytes(rising(ROWS[:count]))
        with child(command(log, ledger=url), stdout=subprocess.DEVNULL) as running:
            wait_until(url, partial(grew, event_count), running)
            running.send_signal(signal.SIGKILL)
            running.wait()
        with open_ledger(url, create=False) as book:
            event_count = events(book)
            assert book.verify() == []
    log.write_bytes(rising(ROWS))
    with child(command(log, ledger=url), stdout=subprocess.DEVNULL) as running:
        wait_until(url, lambda book: len(list(book.hands())) >= 4, running)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0
    with open_ledger(url) as book, open_ledger(tmp_path / "plain") as ledger:
        assert book.verify() == []
        import_paths(ledger, [log])
        assert hands(book) == hands(ledger)
        assert next(book.hands()).note == "live"  # hand 1 was told as it was played
        assert import_paths(book, [log]).total.new == 0
        assert len(list(book.hands())) == 4


@pytest.mark.slow
def test_a_pipe_is_followed_and_the_table_is_seen_while_the_hand_runs(tmp_path: Path, run: Run) -> None:
    url = tmp_path / "l"
    row_count = next(index for index, row in enumerate(ROWS) if "posts a big blind" in row[0]) + 2
    feed = rising(ROWS)
    first = rising(ROWS[:row_count])
    with child(command("-", ledger=url), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        pipe = cast("IO[bytes]", running.stdin)
        pipe.write(first)
        pipe.flush()
        wait_until(url, lambda book: bool(events(book)), running)
        floor = run("floor", "-", "-r", "rrop4", "--ledger", str(url), "--format", "json").document
        assert floor["running"] is True
        assert (floor["hands"][0]["hand"]["players"], floor["hands"][0]["hand"]["pot"]) == (3, 500)
        pipe.write(feed[len(first) :])
        pipe.close()
        out = cast("IO[bytes]", running.stdout).read().decode()
        assert running.wait(60) == 0
    assert "hand 1 runs, 14 events so far" in out
    assert "hand 1 ended, followed act by act" in out
    with open_ledger(url) as book:
        assert sorted(hands(book)) == ["1", "2", "3", "4"]
        assert book.verify() == []
        assert corrections(book) <= 3


@pytest.mark.slow
def test_a_pipe_that_runs_backwards_is_read_at_its_end_and_says_so(tmp_path: Path) -> None:
    url = tmp_path / "l"
    with child(command("-", ledger=url), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        pipe = cast("IO[bytes]", running.stdin)
        pipe.write(falling(ROWS))
        pipe.flush()
        line = cast("IO[bytes]", running.stdout).readline().decode()
        pipe.close()
        assert running.wait(60) == 0
    assert "runs backwards, its newest row first" in line
    with open_ledger(url) as book:
        assert sorted(hands(book)) == ["1", "2", "3", "4"]
        assert all(row.source for row in book.hands())
