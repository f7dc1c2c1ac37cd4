"""Real hands beside the checkout: all are read, and chips add up as declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account
from ledger.formats.pokertracker import FORMAT
from ledger.intake.encoding import as_utf8
from ledger.notation import Item
from ledger.people import People
from tests.formats.support import encoding_of, people, read, unbalanced, unread

pytestmark = pytest.mark.data

FOLDER = "pokertracker-converted"
HANDS = 136


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def items(data_dir: Path, who: People) -> list[Item]:
    """Of all files: one has no ending that a folder is searched for."""
    found: list[Item] = []
    for path in sorted((data_dir / FOLDER).rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found += read(FORMAT, data, who=who, name=path.name, encoding=encoding_of(data))
    return found


def test_every_hand_is_read(items: list[Item]) -> None:
    assert [item for item in items if not isinstance(item, Account)] == []
    assert len(items) == HANDS


def test_there_is_no_line_that_nobody_knows(items: list[Item], who: People) -> None:
    accounts = [item for item in items if isinstance(item, Account)]
    assert [line for account in accounts for line in unread(account, who)] == []


def test_chips_in_are_the_declared_pot_and_all_come_out(items: list[Item]) -> None:
    accounts = [item for item in items if isinstance(item, Account)]
    assert [a.opened.number for a in accounts if unbalanced(a)] == []


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*")):
        if path.suffix not in (".txt", ".xt"):
            continue
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        mine = FOLDER in path.relative_to(data_dir).parts and "expected-by-fpdb" not in path.parts
        assert bool(FORMAT.sniff(head)) == mine, path
        if mine:
            assert formats.recognise(head) is FORMAT
