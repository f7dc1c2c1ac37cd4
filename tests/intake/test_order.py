"""Nights without times, imported whole, in parts, in any sequence and again: one order."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, OrderTold
from ledger.table.order import build_table_entries, sort_entries

HEAD = """\
handscript 1
venue "The Room"  table T9  seats 6
witness live-table
game holdem no-limit cash blinds 1/2 unit USD 0
"""
HAND = """
hand {number}
seat 1 Ann 200
seat 3 Bob 200
button 1
1 posts small 1
3 posts big 2
deal done
1 folds
3 uncalled 1
3 wins 2
end
"""


def write(path: Path, *numbers: str) -> Path:
    path.write_text(HEAD + "".join(HAND.format(number=number) for number in numbers))
    return path


def walked(ledger: Ledger) -> tuple[list[str], list[str]]:
    """The hands of the table in its order, and those of them whose place is a guess."""
    entries = sort_entries(build_table_entries(ledger.entries(table_stream("The Room", "", "T9"))))
    hands = [hand for hand in entries if isinstance(hand.event, HandPlayed)]
    return [hand.event.number for hand in hands], [hand.event.number for hand in hands if hand.is_guess]  # type: ignore[union-attr]  # only hands are asked


def imported(folder: Path, *nights: tuple[str, ...]) -> tuple[list[str], list[str]]:
    with open_ledger(f"sqlite:///{folder / 'l'}") as ledger:
        for index, night in enumerate(nights):
            summary = import_paths(ledger, [write(folder / f"{index}.hand", *night)])
            assert summary.exit_code == 0, summary
        return walked(ledger)


NIGHTS = (("P0", "1", "2"), ("1", "2", "3", "late"), ("late", "4"), ("before", "P0"))


@pytest.mark.slow
@pytest.mark.parametrize("nights", list(itertools.permutations(NIGHTS)), ids=lambda n: "+".join(x[0] for x in n))
def test_sources_that_share_hands_come_together_in_any_sequence(
    nights: tuple[tuple[str, ...], ...], tmp_path: Path
) -> None:
    assert imported(tmp_path, *nights) == (["before", "P0", "1", "2", "3", "late", "4"], [])


def test_a_hand_that_was_forgotten_stands_where_its_source_has_it(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path / 'l'}") as ledger:
        import_paths(ledger, [write(tmp_path / "night.hand", "1", "2", "3")])
        import_paths(ledger, [write(tmp_path / "night.hand", "1", "extra", "2", "3")])
        assert walked(ledger) == (["1", "extra", "2", "3"], [])


def test_nothing_is_said_of_an_order_that_shows_by_itself(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path / 'l'}") as ledger:
        import_paths(ledger, [write(tmp_path / "night.hand", "P0", "1", "2")])
        import_paths(ledger, [write(tmp_path / "more.hand", "1", "2", "3")])
        events = ledger.events(table_stream("The Room", "", "T9"))
        assert not any(isinstance(event, OrderTold) for event in events)


def test_random_nights_are_walked_as_they_were_written(tmp_path: Path) -> None:
    draw = random.Random(20261123)
    names = ["P0", "P1", "before-1", "b", "a", "1", "2", "10", "3", "7b", "x"]
    for index in range(12):
        night = tuple(draw.sample(names, draw.randint(2, len(names))))
        cut = draw.randint(1, len(night))
        parts = [night, night[:cut], night[cut - 1 :]]
        draw.shuffle(parts)
        (folder := tmp_path / str(index)).mkdir()
        assert imported(folder, *parts) == (list(night), []), parts
