"""Real hands beside the checkout: all are read, chips add up as declared, FPDB agrees."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.winamax import FORMAT
from ledger.hand.fold import fold
from ledger.hand.opening import SeatDealtIn
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

WRONG = {
    # the room left the small blind's post out (1 € more was won than put in)
    ("PLO-5max-EUR-1.00-2.00-201408.bad.pot.txt", 0),
    # half chips bet, the pot paid in whole chips
    ("NLHE-Ticket-MTT-201010.raise.written.as.bet.preflop.txt", 0),
    # edited by hand: a call of 0.50 € that its twin has as 1 €
    ("PostingDead.txt", 0),
}
"""Files and the places in them of hands that do not add up."""


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "winamax", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    assert sum(len(file.accounts) for file in files) == 64
    assert [reject for file in files for reject in file.rejects] == []
    assert {file.bytes.not_read for file in files} == {0}


def test_there_is_no_line_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_chips_in_are_the_declared_pot_and_all_come_out(files: list[Read]) -> None:
    wrong = {
        (file.path.name, place) for file in files for place, account in enumerate(file.accounts) if unbalanced(account)
    }
    assert wrong == WRONG


def test_fpdb_has_the_same_players_stacks_and_profits(files: list[Read], who: People, data_dir: Path) -> None:
    compared = 0
    for file in files:
        stored = data_dir / "expected-by-fpdb" / file.path.relative_to(data_dir)
        stored = stored.with_name(stored.name + ".hp")
        if not stored.exists():
            continue
        theirs = {
            name: (one["seatNo"], one["startCash"], one["totalProfit"])
            for name, one in literal_eval(stored.read_text()).items()
        }
        (account,) = file.accounts
        state = fold(account.events)
        ours = {
            who.name(seat.player): (seat.seat, seat.stack, (state.stack(seat.seat) or 0) - (seat.stack or 0))
            for seat in account.events
            if isinstance(seat, SeatDealtIn)
        }
        assert ours == theirs, file.path.name
        compared += 1
    assert compared == 3


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*.txt")):
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        own = path.relative_to(data_dir).parts[0] == "winamax"
        assert bool(FORMAT.sniff(head)) == own, path
        if own:
            assert formats.recognise(head) is FORMAT
