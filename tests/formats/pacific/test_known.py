"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: rake is at most a tenth, every call matches the bet."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.formats.pacific import FORMAT
from ledger.hand.betting import Bet, Called, Raised
from ledger.hand.dealing import BoardDealt
from ledger.hand.fold import fold
from tests.formats.support import read_folder, unbalanced

pytestmark = pytest.mark.data


def test_chips_in_come_out_again_and_rake_is_at_most_a_tenth(data_dir: Path) -> None:
    for read in read_folder(FORMAT, data_dir / "888"):
        for account in read.accounts:
            assert unbalanced(account) == [], account.opened.number
            state = fold(account.events)
            assert state.chips.drop * 10 <= state.pot_size()


def test_every_call_matches_the_bet_or_is_all_that_the_seat_has(data_dir: Path) -> None:
    """Were the number behind `raises` another one, calls would not match."""
    calls = 0
    for read in read_folder(FORMAT, data_dir / "888"):
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
                    assert event.to == level or state.chips.put_in[event.seat] == state.start[event.seat]
    assert calls > 1300
