"""A line that was read before tells the same as one that is read for the first time."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.formats.handscript import FORMAT
from ledger.notation import Chunk, Item
from ledger.people import People

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.hand"))
HAND = """\
handscript 1
venue {venue}  table T7
witness everything
game holdem no-limit cash blinds {blinds} unit {unit}
hand 1
seat 1 Ann {stack}
seat 2 "Bo B." 80
button 1
1 posts small {small}
2 posts big {big}
1 gets Ah Kd
deal done
1 raises to 6
2 calls
flop 2c 7d Kc
2 checks
1 bets {small}
2 folds
end
"""
DOLLARS = {"venue": "Riverside", "blinds": "1/2", "unit": "USD 2", "stack": "100.50", "small": "1", "big": "2"}
CHIPS = {"venue": "Lakeside", "blinds": "5/10", "unit": "chips 0", "stack": "1000", "small": "1", "big": "2"}
OTHER_GAME = {**DOLLARS, "venue": "Lakeside", "small": "0.50"}


def read(data: bytes, people: People) -> list[Item]:
    return list(FORMAT.read(Chunk(data), people))


def read_items(data: bytes) -> list[Item]:
    return read(data, People(bytes(32)))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_file_tells_the_same_again(path: Path) -> None:
    people = People(bytes(32))
    assert read(path.read_bytes(), people) == read(path.read_bytes(), people) == read_items(path.read_bytes())


@pytest.mark.parametrize("second_header", [CHIPS, OTHER_GAME])
def test_the_same_words_in_another_room_or_unit_mean_what_they_say_there(second_header: dict[str, str]) -> None:
    first, second = (HAND.format(**header).encode() for header in (DOLLARS, second_header))
    people = People(bytes(32))
    assert read(first, people) == read_items(first)
    assert read(second, people) == read_items(second)
    assert read(first + second, people) == read_items(first + second)


def test_what_a_line_builds_upon_is_looked_at_anew() -> None:
    first = HAND.format(**DOLLARS).encode()
    second = first.replace(b"1 raises to 6\n", b"1 raises to 8\n")
    people = People(bytes(32))
    read(first, people)
    assert read(second, people) == read_items(second) != read_items(first)


def test_a_known_line_in_a_hand_that_cannot_be_read_is_counted_as_any_other() -> None:
    first = HAND.format(**DOLLARS).encode()
    wrong = b"2 dances\n" * 101
    second = first.replace(b"deal done\n", wrong + b"deal done\n")
    people = People(bytes(32))
    read(first, people)
    assert read(second, people) == read_items(second)


def test_who_is_named_by_a_known_line_is_known_to_people_who_read_it_first() -> None:
    data = HAND.format(**DOLLARS).encode()
    ann = People(bytes(32))
    read(data, ann)
    people = People(bytes(32), read_before=ann.read_before)
    read(data, people)
    assert people.fresh_names == ann.fresh_names
    assert people.fresh_names
