"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: each profit is the declared one."""

from __future__ import annotations

import pytest

from ledger.hand.fold import fold
from tests.formats.support import Read

pytestmark = pytest.mark.data

STRANGER_WON = {
    # the room left out the line of the winner, who is not in its list of seats
    ("NLHE-NA-0-0 HH00000000 T1-G0-201601.unknown.player.acts.txt", 0)
}
"""Files and the places in them of hands that do not add up."""


def test_each_profit_is_the_one_that_the_room_declares(files: list[Read]) -> None:
    differing, compared = set(), 0
    for file in files:
        for place, account in enumerate(file.accounts):
            state = fold(account.events)
            for result in state.declarations:
                start = state.start.get(result.seat or 0)
                if result.what == "net" and result.seat is not None and start is not None:
                    compared += 1
                    if (state.stack(result.seat) or 0) - start != result.amount:
                        differing.add((file.path.name, place))
    assert differing <= STRANGER_WON
    assert compared > 250
