"""How far long work is: on a terminal in a line that goes away, and nowhere else."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cli import output
from tests.cli.conftest import Run


class Terminal(io.StringIO):
    """What a person would see of standard error."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("terminal", [True, False])
def test_work_says_how_long_and_how_far_and_leaves_nothing(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    said = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setenv("TERM", "xterm")
    with output.working("judging", every=0.01) as progress:
        progress("12 hands\x1b[2J")
        until = time.monotonic() + 20
        while terminal and said.getvalue().count("judging: 12 hands") < 3 and time.monotonic() < until:
            time.sleep(0.01)
    if not terminal:
        assert said.getvalue() == ""
        return
    lines = said.getvalue().split("\r\x1b[K")
    assert re.fullmatch(r"judging: 12 hands\\x1b\[2J, \d s", lines[-2])
    assert lines[-1] == "", "the line is taken away"


def test_work_that_fails_leaves_nothing_either(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Terminal()
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setenv("TERM", "xterm")

    def work() -> None:
        with output.working("judging", every=0.01):
            until = time.monotonic() + 20
            while not said.getvalue() and time.monotonic() < until:
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert said.getvalue().endswith("s\r\x1b[K")


LONG = (
    ["verify"],
    ["rules", "diff", "hilton", "rrop4"],
    ["fairness", "-r", "rrop4"],
    ["rates", "-r", "rrop4"],
    ["results"],
    ["owed", "-r", "rrop4"],
    ["owed", "T1", "-r", "rrop4"],
    ["known"],
    ["audit", "-r", "rrop4"],
)


@pytest.mark.parametrize("args", LONG, ids=" ".join)
def test_every_long_command_says_what_it_does(
    args: list[str], run: Run, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    usual = output.working

    @contextmanager
    def heard(what: str, every: float = 1.0) -> Iterator[output.Progress]:
        begun.append(what)
        with usual(what, every) as progress:
            yield progress

    monkeypatch.setattr(output, "working", heard)
    done = run(*args, "--ledger", book)
    assert begun, done.err
    assert "\r" not in done.err, "nobody looks: there is no terminal"
