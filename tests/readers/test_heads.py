"""What stands before a hand's list of seats is read by templates, and what fits none of them is kept."""

from __future__ import annotations

import pytest

from ledger.errors import UnreadableHandError
from ledger.notation import Chunk
from ledger.people import People
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.lines import SourceLines
from ledger.readers.text_format import HandLines

HEAD = HeadTemplates(
    "Room Hand #{number}, Cup #{tournament} - {date}",
    "Room Hand #{number} - {date}",
    later_lines=("Table: {table} Seat #{button} is the button", "Table: {table}", "Owner: {_}"),
)


def read_head(text: str, head: HeadTemplates = HEAD) -> HeadFields:
    lines = SourceLines(Chunk(text.encode()))
    return head.read(HandLines(lines, 0, 0, len(lines.text), People(bytes(32)), None, "", "utf-8"))


def test_the_first_form_that_fits_is_meant_and_a_field_that_it_lacks_is_empty() -> None:
    fields = read_head(
        "Room Hand #5, Cup #8 - 2026/01/02\nTable: A - B Seat #9 x Seat #3 is the button\nSeat 1: Ada (5)"
    )
    assert dict(fields) == {
        "number": "5",
        "tournament": "8",
        "date": "2026/01/02",
        "table": "A - B Seat #9 x",
        "button": "3",
    }
    assert (fields.button_and_line, fields.line_after, fields["price"]) == ((3, 1), 2, "")
    assert "tournament" not in read_head("Room Hand #5 - 2026/01/02")


def test_a_date_begins_with_a_year() -> None:
    with pytest.raises(UnreadableHandError, match="first line breaks off"):
        read_head("Room Hand #5 - soon")


def test_a_damaged_line_of_the_head_is_strange_and_ends_nothing() -> None:
    fields = read_head("Room Hand #5 - 2026/01/02\nOwner\nTable: A\n\nTable: B\nSeat 1: Ada (5)")
    assert (fields["table"], fields.unknown_lines, fields.line_after) == ("A", [1, 4], 5)


def test_a_head_that_ends_with_a_line_of_its_own_keeps_all_others() -> None:
    fields = read_head(
        "Room\nWeather: fine\nTable: A\n*** SEATS",
        HeadTemplates("Room", later_lines=("Table: {table}",), ending="*** "),
    )
    assert (fields["table"], fields.unknown_lines, fields.line_after) == ("A", [1], 3)
