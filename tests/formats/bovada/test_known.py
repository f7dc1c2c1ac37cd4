"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: nobody puts in more than the stack, no rake is above a twentieth."""

from __future__ import annotations

import pytest

from ledger.hand.ending import DropTaken
from ledger.hand.fold import fold
from tests.formats.support import Read

pytestmark = pytest.mark.data


def test_nobody_ever_puts_in_more_than_the_stack_and_a_rake_is_never_above_a_twentieth(files: list[Read]) -> None:
    for read in files:
        for account in read.accounts:
            state = fold(account.events)
            assert all((state.stack(seat) or 0) >= 0 for seat in state.seats), account.opened.number
            for event in account.events:
                if isinstance(event, DropTaken):
                    assert 20 * event.amount <= state.pot_size() + 20, account.opened.number
