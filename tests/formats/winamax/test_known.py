"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: FPDB has the same profits."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path

import pytest

from ledger.hand.fold import fold
from ledger.hand.opening import SeatDealtIn
from ledger.people import People
from tests.formats.support import Read

pytestmark = pytest.mark.data


def test_fpdb_has_the_same_players_stacks_and_profits(files: list[Read], people: People, data_dir: Path) -> None:
    compared = 0
    for file in files:
        stored = data_dir / "expected-by-fpdb" / file.path.relative_to(data_dir)
        stored = stored.with_name(stored.name + ".hp")
        if not stored.exists():
            continue
        fpdb_rows = {
            name: (row["seatNo"], row["startCash"], row["totalProfit"])
            for name, row in literal_eval(stored.read_text()).items()
        }
        (account,) = file.accounts
        state = fold(account.events)
        ours = {
            people.name(seat.player): (seat.seat, seat.stack, (state.stack(seat.seat) or 0) - (seat.stack or 0))
            for seat in account.events
            if isinstance(seat, SeatDealtIn)
        }
        assert ours == fpdb_rows, file.path.name
        compared += 1
    assert compared == 3
