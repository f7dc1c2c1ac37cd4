"""Real hands beside the checkout: all are read, their chips add up, FPDB stores the same of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.merge import FORMAT
from ledger.hand.ending import HandCompleted, HandVoided
from ledger.hand.fold import fold
from ledger.hand.opening import HandOpened
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats import checks
from tests.formats.fpdb import against_fpdb
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

BREAKS_OFF = "InValidHand_1.txt"
"""The file ends before the flop: told as far as it goes, not completed."""


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    checks.all_read(files, 76)


def test_there_is_nothing_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_what_was_put_in_came_out_again(files: list[Read]) -> None:
    open_ones = set()
    for file in files:
        for account in file.accounts:
            state = fold(account.events)
            assert not state.oddities, account.opened.number
            assert all((state.stack(seat) or 0) >= 0 for seat in state.seats), account.opened.number
            ended = any(isinstance(e, HandCompleted | HandVoided) for e in account.events)
            if not ended or unbalanced(account):
                open_ones.add(file.path.name)
    assert open_ones == {BREAKS_OFF}


def test_stacks_follow_from_hand_to_hand(files: list[Read]) -> None:
    """Tournament files tell stacks before or behind the posts: both lead to the next hand's stacks."""
    compared = 0
    for file in files:
        ends: dict[tuple[str, str], int] = {}
        for account in file.accounts:
            state, opened = fold(account.events), account.events[0]
            assert isinstance(opened, HandOpened)
            assert state.game is not None
            if state.game.format != "tournament":
                continue
            for seat, player in state.players.items():
                before = ends.get((opened.table, player))
                if before is not None:
                    assert state.start[seat] == before, (opened.number, seat)
                    compared += 1
            ends = {(opened.table, player): state.stack(seat) or 0 for seat, player in state.players.items()}
    assert compared > 70


def test_fpdb_has_the_same_players_stacks_and_winnings(data_dir: Path) -> None:
    compared, differ = against_fpdb(FORMAT, data_dir, "other-rooms")
    assert compared == 3
    assert differ == {}


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*")):
        if path.suffix in (".txt", ".xml") and path.is_file():
            data = path.read_bytes()
            head = as_utf8(data[: 64 * 1024], encoding_of(data))
            assert bool(FORMAT.sniff(head)) == ("Merge" in path.parts), path
            if "Merge" in path.parts:
                assert formats.recognise(head) is FORMAT
