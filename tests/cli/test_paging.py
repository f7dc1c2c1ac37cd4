"""A long list goes through a pager on a terminal, and nowhere else."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
from pathlib import Path

import pytest

from tests.children import child
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def book(room: Path) -> str:
    return str(room)


def on_a_terminal(*args: str, lines: int, pager: str) -> list[str]:
    """Return what a command shows on a terminal of so many lines."""
    our_end, terminal_end = pty.openpty()
    env = os.environ | {"PAGER": pager, "LINES": str(lines), "COLUMNS": "200", "TERM": "xterm"}
    output = b""
    with child([sys.executable, "-m", "cli.main", *args], stdin=terminal_end, stdout=terminal_end, env=env) as running:
        os.close(terminal_end)
        while True:
            ready, _, _ = select.select([our_end], [], [], 60)
            try:
                block = os.read(our_end, 65536) if ready else b""
            except OSError:  # the other end is closed
                block = b""
            if not block:
                break
            output += block
        running.wait(60)
    os.close(our_end)
    return output.decode().replace("\r", "").splitlines()


@pytest.mark.slow
def test_what_a_terminal_does_not_hold_goes_through_the_pager(book: str) -> None:
    log = ["log", "--ledger", book]
    unpaged = on_a_terminal(*log, lines=200, pager="sed s/^/P:/")
    assert len(unpaged) > 8
    assert not any(line.startswith("P:") for line in unpaged)
    hands, next_step = unpaged[:-2], unpaged[-2:]  # the next command stands below what was paged
    assert next_step[1].startswith("Next: ")
    assert on_a_terminal(*log, lines=8, pager="sed s/^/P:/") == [*(f"P:{line}" for line in hands), *next_step]
    assert on_a_terminal(*log, lines=8, pager="") == unpaged
    assert on_a_terminal(*log, lines=8, pager="no-such-pager") == unpaged
    assert on_a_terminal(*log, lines=8, pager="head -n 2") == [*unpaged[:2], *next_step]  # who has seen enough leaves


def test_each_line_is_a_document(run: Run, book: str) -> None:
    hands = run("log", "--format", "json", "-n", "0", "--ledger", book).document["hands"]
    assert [
        json.loads(line) for line in run("log", "--format", "jsonl", "-n", "0", "--ledger", book).out.splitlines()
    ] == hands
    findings = run("audit", "-r", "hilton", "--format", "json", "--ledger", book).document["findings"]
    lined = run("audit", "-r", "hilton", "--format", "jsonl", "--ledger", book).out.splitlines()
    assert [json.loads(line) for line in lined] == findings
    rows = run("log", "--fields", "hand,pot", "--format", "jsonl", "-n", "0", "--ledger", book).out.splitlines()
    assert {json.loads(row)["hand"] for row in rows} == {hand["number"] for hand in hands}
