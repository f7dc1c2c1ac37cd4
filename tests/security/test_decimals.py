"""An exponent beyond reason: notes refuse it, and a forged event of it costs nothing and ends no program."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Reject
from ledger.formats.handscript import FORMAT
from ledger.hand.opening import GameSet
from ledger.readers import amounts
from ledger.vocabulary import in_units
from projections.amount_text import MoneyFormat
from tests.cli.conftest import Run
from tests.formats.support import read, read_hand

HAND = """handscript 1

venue Lakeside  table 1  seats 9  unit USD {exponent}

hand 1  2026-11-20T20:00:00Z
game holdem no-limit cash blinds 2/5
seat 1 Ana 500
seat 2 Bo 500
button 1
1 posts small 2
2 posts big 5
deal done
1 folds
2 uncalled 3
2 wins 4 from main
end
"""
BEYOND_REASON = (-3, -1, 16, 9_999_999, 2**62)


@pytest.mark.parametrize("exponent", BEYOND_REASON)
def test_notes_with_so_many_decimals_are_refused_where_they_say_it(exponent: int, tmp_path: Path, run: Run) -> None:
    assert all(isinstance(item, Reject) for item in read(FORMAT, HAND.format(exponent=exponent)))
    (tmp_path / "night.hand").write_text(HAND.format(exponent=exponent))
    result = run("import", str(tmp_path / "night.hand"), "--ledger", str(tmp_path / "night.ledger"))
    assert result.code == 2
    assert "a number of decimals from 0 to 15" in result.out + result.err
    assert str(exponent) in result.out + result.err


@pytest.mark.parametrize("exponent", BEYOND_REASON)
def test_a_forged_event_with_so_many_decimals_is_shown(exponent: int) -> None:
    """The power of ten of 2^62 would fill the memory, and that of -3 is no whole number."""
    game = GameSet("holdem", "no-limit", "cash", "USD", exponent, (2, 5))
    assert MoneyFormat(game)(5).startswith("$")
    assert in_units(5, exponent)
    assert amounts.write(5, "USD", exponent)


@pytest.mark.parametrize("exponent", range(16))
def test_a_number_of_decimals_within_reason_is_read(exponent: int) -> None:
    events = read_hand(FORMAT, HAND.format(exponent=exponent)).events
    assert [event.exponent for event in events if isinstance(event, GameSet)] == [exponent]
