"""Real logs beside the checkout: every hand is read, and the declared payoffs follow from the betting."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.acpc import FORMAT
from ledger.hand.fold import fold
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

CUT_OFF = {"147"}  # the log of messages ends within it


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "acpc", who=who))


def test_every_file_is_claimed_by_this_reader_and_by_no_other(data_dir: Path) -> None:
    for path in sorted((data_dir / "acpc").iterdir()):
        data = path.read_bytes()
        found = formats.recognise(as_utf8(data[: 64 * 1024], encoding_of(data)))
        assert found is FORMAT, path.name


def test_no_file_of_another_room_is_claimed(data_dir: Path) -> None:
    claimed = {read.path.relative_to(data_dir).parts[0] for read in folder(FORMAT, data_dir)}
    assert claimed == {"acpc"}


def test_every_hand_is_read_and_no_line_is_unknown(files: list[Read], who: People) -> None:
    assert sum(len(read.accounts) for read in files) == 2148
    assert [reject for read in files for reject in read.rejects] == []
    assert [words for read in files for one in read.accounts for words in unread(one, who)] == []
    assert [read.bytes.not_read for read in files] == [0] * len(files)


def test_every_hand_balances_but_the_one_that_is_cut_off(files: list[Read]) -> None:
    wrong = {account.opened.number for read in files for account in read.accounts if unbalanced(account)}
    assert wrong == CUT_OFF


def test_declared_payoffs_follow_from_the_betting_and_the_blinds_that_are_assumed(files: list[Read]) -> None:
    count = 0
    for read in files:
        for account in read.accounts:
            state = fold(account.events)
            nets = {one.seat or 0: one.amount for one in state.declared if one.what == "net"}
            for seat, net in nets.items():
                assert state.awarded.get(seat, 0) - state.put[seat] == net, account.opened.number
                count += 1
    assert count == 500 * (2 + 2 + 3 + 3)


def test_messages_and_lines_of_one_match_tell_the_same_hands(files: list[Read]) -> None:
    """The messages hold no payoffs: who won is concluded from the cards, and agrees with them."""
    told: dict[str, list[tuple[object, ...]]] = {}
    for read in files:
        for account in read.accounts:
            if account.opened.table == "2p.nolimit.h1000.r0":
                state = fold(account.events)
                told.setdefault(account.opened.number, []).append(
                    (state.awarded, state.put, state.boards, state.hole(1), state.hole(2))
                )
    pairs = {number: both for number, both in told.items() if len(both) == 2}
    assert len(pairs) == 148
    assert {number for number, (one, other) in pairs.items() if one != other} == CUT_OFF
