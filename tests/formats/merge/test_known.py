"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: stacks follow from hand to hand."""

from __future__ import annotations

import pytest

from ledger.hand.fold import fold
from ledger.hand.opening import HandOpened
from tests.formats.support import Read

pytestmark = pytest.mark.data


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
                previous_stack = ends.get((opened.table, player))
                if previous_stack is not None:
                    assert state.start[seat] == previous_stack, (opened.number, seat)
                    compared += 1
            ends = {(opened.table, player): state.stack(seat) or 0 for seat, player in state.players.items()}
    assert compared > 70
