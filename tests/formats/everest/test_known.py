"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: FPDB stores the same of the one file it has."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ledger.hand.fold import fold
from ledger.people import People
from tests.formats.support import Read

pytestmark = pytest.mark.data


def test_fpdb_has_the_same_players_stacks_and_winnings(data_dir: Path, files: list[Read], people: People) -> None:
    """Of the one file with stored results; it counts chairs from 0, and its stacks are a hundredfold."""
    stored = data_dir / "expected-by-fpdb/other-rooms/fpdb/cash/Everest/Flop"
    (path,) = stored.glob("*.hp")
    fpdb_rows = ast.literal_eval(path.read_text(encoding="utf-8"))
    (read,) = [file for file in files if file.path.name == path.stem]
    state = fold(read.accounts[0].events)
    assert {
        people.name(player): (seat - 1, 100 * (state.start[seat] or 0), state.chips.awarded.get(seat, 0))
        for seat, player in state.players.items()
    } == {name: (int(row["seatNo"]), row["startCash"], row["winnings"]) for name, row in fpdb_rows.items()}
