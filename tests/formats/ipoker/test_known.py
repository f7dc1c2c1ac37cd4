"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: rake stays small, FPDB stores the same."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ledger.hand.ending import DropTaken
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet
from ledger.people import People
from tests.formats.support import Read

pytestmark = pytest.mark.data


def test_a_rake_is_never_more_than_a_fifteenth_and_none_is_taken_in_tournaments(files: list[Read]) -> None:
    for read in files:
        for account in read.accounts:
            pot = fold(account.events).pot_size()
            game = next(event for event in account.events if isinstance(event, GameSet))
            drop = sum(drop_event.amount for drop_event in account.events if isinstance(drop_event, DropTaken))
            assert drop * 15 <= pot + 15, account.opened.number
            assert not drop or game.format == "cash"


def test_what_fpdb_stores_of_a_hand_agrees(data_dir: Path, files: list[Read], people: People) -> None:
    """Players, seats, stacks, winnings and rake of the one file with stored results.

    FPDB counts a returned bet as neither put in nor won, as we do; its rake is of the winner's.
    """
    stored = data_dir / "expected-by-fpdb"
    compared = 0
    for read in files:
        path = stored / read.path.relative_to(data_dir)
        results = path.with_name(path.name + ".hp")
        if not results.exists():
            continue
        fpdb_rows = ast.literal_eval(results.read_text(encoding="utf-8"))
        state = fold(read.accounts[0].events)
        names = {people.name(player): seat for seat, player in state.players.items()}
        assert set(names) == set(fpdb_rows)
        for name, seat in names.items():
            assert fpdb_rows[name]["seatNo"] == seat
            assert fpdb_rows[name]["startCash"] == state.start[seat]
            assert fpdb_rows[name]["winnings"] == state.chips.awarded.get(seat, 0)
        assert sum(row["rake"] for row in fpdb_rows.values()) == state.chips.drop
        compared += 1
    assert compared == 1
