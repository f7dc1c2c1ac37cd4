"""A program that is killed at any moment leaves a ledger that opens, verifies and goes on."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import pytest

import ledger
from tests.children import child
from tests.conftest import ROOT
from tests.ledger.store.conftest import empty_schema
from tests.ledger.store.hands import draft

IMPORT = """
import sys
import ledger
from tests.ledger.store.hands import draft
book = ledger.open(sys.argv[1])
number = len(list(book.hands()))
print("ready", flush=True)
with book.bulk():
    while True:
        book.append_all([draft(n, book.people) for n in range(number, number + 50)])
        number += 50
"""

LIVE = """
import sys
from uuid import UUID
import ledger
from ledger.table.events import HandsMissing
book = ledger.open(sys.argv[1])
version = len(book.entries(UUID(int=4)))
print("ready", flush=True)
while True:
    version += 1
    book.append("table", UUID(int=4), [HandsMissing(str(version))], version=version)
    print(version, flush=True)
"""

SOURCE = """
import sys
import ledger
book = ledger.open(sys.argv[1])
print("ready", flush=True)
number = 0
while True:
    number += 1
    book.sources.store(b"%d " % number * 3_000_000)
"""


def killed(program: str, file: Path | str, seconds: float) -> list[str]:
    """Run a program, kill it so many seconds after it is ready; returns what it had said."""
    with child([sys.executable, "-c", program, str(file)], cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        output = [running.stdout.readline().strip()]
        time.sleep(seconds)
        running.kill()
        output += [line for line in running.stdout.read().splitlines() if line]
    assert output[0] == "ready"
    return output[1:]


@pytest.mark.slow
@pytest.mark.parametrize("program", [IMPORT, SOURCE], ids=["importing", "keeping-originals"])
def test_killed_while_importing(tmp_path: Path, program: str) -> None:
    file, hands = tmp_path / "x.ledger", 0
    for kill in range(6):
        killed(program, file, 0.02 + kill * 0.05)
        with ledger.open(file, create=False) as book:
            assert book.verify() == []
            hand_count = len(list(book.hands()))
            assert hand_count >= hands
            assert hand_count % 50 == 0
            hands = hand_count
    with ledger.open(file) as book:
        book.append_all([draft(10**9, book.people)])
        assert book.verify() == []


@pytest.mark.slow
def test_killed_while_recording_no_act_that_was_confirmed_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "x.ledger"
    for kill in range(6):
        output = killed(LIVE, file, 0.02 + kill * 0.04)
        with ledger.open(file, create=False) as book:
            stored = book.entries(UUID(int=4))
            assert len(stored) >= int(output[-1] if output else 0)
            assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))
            assert book.verify() == []


@pytest.mark.slow
@pytest.mark.postgres
def test_killed_while_importing_into_a_server(postgres_server: str) -> None:
    url = empty_schema(postgres_server)
    for kill in range(3):
        killed(IMPORT, url, 0.1 + kill * 0.1)
        with ledger.open(url, create=False) as book:
            assert book.verify() == []
            assert len(list(book.hands())) % 50 == 0
