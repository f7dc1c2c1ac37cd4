"""`table breaks` tells what happens and begins no new header: the hands below it stay at their table."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.handscript import FORMAT
from ledger.formats.handscript.writer import write_told
from ledger.notation import Chunk
from ledger.people import People
from ledger.table.events import GameBroken
from tests.formats.handscript.tableside import HEADER, PLACES

NEXT = "hand 2\nstacks 1:100 2:100\nbutton 1\nstop\n"
TABLE_NAMES = ["change", "breaks", "moved", "Closed", "T7 moved", "is open"]


def read_items(text: str) -> list[object]:
    return list(FORMAT.read(Chunk(text.encode()), People(b"p" * 32)))


def tables(items: list[object]) -> list[str]:
    return [item.opened.table for item in items if isinstance(item, Account)]


@pytest.mark.parametrize(
    "line",
    [
        "table breaks",
        "table closed",
        "table change",
        "table moved to 9",
        "Table MOVED",
        "table T7 breaks",
        "room closes",
    ],
)
def test_no_line_of_what_happens_takes_the_next_hand_to_another_table(line: str) -> None:
    items_read = read_items(f"{HEADER}{PLACES['between']}{line}\n{NEXT}")
    assert tables(items_read) == ["Q", "Q"]
    assert len(items_read) == 3


def test_a_table_that_breaks_is_a_game_that_is_broken() -> None:
    items_read = read_items(f"{HEADER}{PLACES['between']}table breaks\n{NEXT}")
    assert getattr(items_read[1], "events", None) == [GameBroken()]


def test_another_table_is_told_by_its_name() -> None:
    [_, refused, _] = read_items(f"{HEADER}{PLACES['between']}table moved to 9\n{NEXT}")
    assert isinstance(refused, Reject)
    assert refused.hint.endswith("table 9")
    assert tables(read_items(f"{HEADER}{PLACES['between']}table 9\n{NEXT}")) == ["Q", "9"]


def test_above_the_first_hand_its_hands_are_not_read_either() -> None:
    items_read = read_items(f"{HEADER.replace('table Q', '')}table change\n{NEXT}")
    assert tables(items_read) == []


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_a_table_that_is_called_so_stands_in_quotes(name: str) -> None:
    people = People(b"p" * 32)
    text = HEADER.replace("table Q", f'table "{name}"') + NEXT
    [account] = FORMAT.read(Chunk(text.encode()), people)
    assert isinstance(account, Account)
    document = write_told(account, people)
    [round_trip] = FORMAT.read(Chunk(document.encode()), people)
    assert isinstance(round_trip, Account)
    assert round_trip.events == account.events
    assert round_trip.opened.table == name
