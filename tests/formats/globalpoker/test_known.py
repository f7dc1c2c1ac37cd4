"""Real hands beside the checkout: all are read, and their chips add up but in those that are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.globalpoker import FORMAT
from ledger.hand.betting import Called, Folded
from ledger.hand.ending import HandCompleted, ResultDeclared
from ledger.hand.fold import apply, begin, fold
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats import checks
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

FOLDERS = ("globalpoker-json",)
DOES_NOT_ADD_UP: dict[str, list[str]] = {}


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "globalpoker-json", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    checks.all_read(files, 8)


def test_there_is_nothing_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_every_hand_is_over_and_what_was_put_in_came_out_again(files: list[Read]) -> None:
    wrong = {}
    for file in files:
        for account in file.accounts:
            state = fold(account.events)
            assert not state.oddities, account.opened.number
            assert any(isinstance(event, HandCompleted) for event in account.events)
            if unbalanced(account):
                wrong[account.opened.number] = unbalanced(account)
    assert wrong == DOES_NOT_ADD_UP


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*")):
        if path.suffix in (".txt", ".xml", ".json") and path.is_file():
            data = path.read_bytes()
            head = as_utf8(data[: 64 * 1024], encoding_of(data))
            mine = any(part in FOLDERS for part in path.relative_to(data_dir).parts)
            assert bool(FORMAT.sniff(head)) == mine, path
            if mine:
                assert formats.recognise(head) is FORMAT


def test_balances_behind_every_act_are_what_the_acts_lead_to(files: list[Read]) -> None:
    compared = 0
    for file in files:
        for account in file.accounts:
            state = begin()
            for event in account.events:
                apply(state, event)
                if isinstance(event, ResultDeclared) and event.what == "balance":
                    assert state.stack(event.seat or 0) == event.amount, account.opened.number
                    compared += 1
    assert compared > 40


def test_every_act_has_its_moment_in_the_order_of_the_record(files: list[Read]) -> None:
    for file in files:
        for account in file.accounts:
            acts = [at for at, e in enumerate(account.events) if isinstance(e, Called | Folded)]
            assert all(at in account.times for at in acts)
            assert sorted(account.times[at] for at in acts) == [account.times[at] for at in acts]
