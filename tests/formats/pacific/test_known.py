"""Real hands of 888poker beside the checkout: all are read, and chips add up as declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.pacific import FORMAT
from ledger.hand.betting import Bet, Called, Raised
from ledger.hand.dealing import BoardDealt
from ledger.hand.fold import fold
from ledger.intake.encoding import as_utf8
from tests.formats.fpdb import against_fpdb
from tests.formats.support import encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

BLANK_NAMES = {"778799896"}
"""All its players have the same, empty name: no act can be told to belong to one of them."""


def test_every_hand_is_read(data_dir: Path) -> None:
    hands = 0
    for read in folder(FORMAT, data_dir / "888"):
        assert read.bytes.not_read == 0
        assert read.rejects == []
        hands += len(read.accounts)
    assert hands == 256


def test_every_line_is_known_but_in_the_hand_whose_players_have_no_names(data_dir: Path) -> None:
    who = people()
    found = {
        account.opened.number
        for read in folder(FORMAT, data_dir / "888", who=who)
        for account in read.accounts
        if unread(account, who)
    }
    assert found == BLANK_NAMES


def test_chips_in_come_out_again_and_rake_is_at_most_a_tenth(data_dir: Path) -> None:
    for read in folder(FORMAT, data_dir / "888"):
        for account in read.accounts:
            assert unbalanced(account) == [], account.opened.number
            state = fold(account.events)
            assert state.drop * 10 <= state.total_put()


def test_every_call_matches_the_bet_or_is_all_that_the_seat_has(data_dir: Path) -> None:
    """Were the number behind `raises` another one, calls would not match."""
    calls = 0
    for read in folder(FORMAT, data_dir / "888"):
        for account in read.accounts:
            state = fold(account.events)
            assert state.game is not None
            level = state.game.blinds[-1]  # a short blind is called as a whole one
            for event in account.events:
                if isinstance(event, BoardDealt):
                    level = 0
                elif isinstance(event, Bet | Raised):
                    level = max(level, event.to)
                elif isinstance(event, Called):
                    calls += 1
                    assert event.to == level or state.put[event.seat] == state.start[event.seat]
    assert calls > 1300


def test_another_program_s_results_are_the_same(data_dir: Path) -> None:
    assert against_fpdb(FORMAT, data_dir, "888") == (1, {})


def test_every_file_of_the_room_and_no_other_is_claimed(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*.txt")):
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        if path.is_relative_to(data_dir / "888"):
            if head.strip("\ufeff \r\n".encode()):  # two files are empty
                assert formats.recognise(head) is FORMAT, path
        elif formats.recognise(head) is FORMAT:
            pytest.fail(f"{path} is no hand of 888poker")
