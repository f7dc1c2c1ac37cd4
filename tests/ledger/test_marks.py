"""Marks: where each event comes from survives packing, in few bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import marks
from ledger.entry import EventOrigin
from ledger.errors import IntegrityError

OFFSETS = st.integers(min_value=0, max_value=2**40)
TIMES = st.integers(min_value=-(2**45), max_value=2**45)


@st.composite
def draw_marks(draw: st.DrawFn) -> tuple[list[int], list[int], dict[int, int]]:
    count = draw(st.integers(min_value=1, max_value=30))
    places = draw(st.lists(OFFSETS, min_size=2 * count, max_size=2 * count))
    indexes = st.integers(min_value=0, max_value=count - 1)
    return places, draw(st.lists(indexes, unique=True)), draw(st.dictionaries(indexes, TIMES))


@given(draw_marks())
def test_what_is_packed_comes_back(case: tuple[list[int], list[int], dict[int, int]]) -> None:
    places, derived, times = case
    back = marks.unpack_origins(marks.pack_origins(places, derived, times), len(places) // 2)
    assert back == [
        EventOrigin(places[2 * i], places[2 * i + 1], times.get(i), "derived" if i in derived else "read")
        for i in range(len(places) // 2)
    ]


def test_lines_of_a_hand_cost_two_bytes_each() -> None:
    places = [number for line in range(30) for number in (line * 26, 25)]
    assert len(marks.pack_origins(places)) == 1 + 2 * 30


def test_no_marks_mean_no_places() -> None:
    assert marks.unpack_origins(b"", 3) == [EventOrigin(), EventOrigin(), EventOrigin()]


@given(draw_marks())
def test_a_cut_blob_is_an_integrity_error(case: tuple[list[int], list[int], dict[int, int]]) -> None:
    places, derived, times = case
    packed = marks.pack_origins(places, derived, times)
    with pytest.raises(IntegrityError):
        marks.unpack_origins(packed[: len(packed) // 2], len(places) // 2)


@given(draw_marks(), st.integers(min_value=0, max_value=400))
def test_whether_a_blob_holds_is_what_reading_it_tells(
    case: tuple[list[int], list[int], dict[int, int]], cut: int
) -> None:
    places, derived, times = case
    packed = marks.pack_origins(places, derived, times)[: cut + 1]
    try:
        marks.unpack_origins(packed, len(places) // 2)
    except IntegrityError:
        assert not marks.is_packed_origins(packed, len(places) // 2)
    else:
        assert marks.is_packed_origins(packed, len(places) // 2)


def test_a_number_beyond_all_files_is_no_mark() -> None:
    assert marks.is_packed_origins(b"\x00" + b"\xff" * 8 + b"\x01\x00", 1)
    assert not marks.is_packed_origins(b"\x00" + b"\xff" * 9 + b"\x01\x00", 1)
