"""What was copied out of mails, message boards and programs is read as it was written, and found where it stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.readers.copies import Copy, restore_copy

LINES = [f"Ada bets {amount}" for amount in range(5)]


def first(text: str, encoding: str = "utf-8") -> str:
    copy = restore_copy(text.encode(encoding), encoding)
    return text if copy is None else copy.data.decode(encoding)


def test_the_mark_that_all_lines_of_a_stretch_begin_with_is_taken_away() -> None:
    quoted = "".join(f"> {line}\n" for line in ["  Bo folds", ">Cy folds", *LINES])
    assert first(f"He wrote:\n{quoted}") == "He wrote:\n" + "\n".join(["  Bo folds", ">Cy folds", *LINES]) + "\n"


def test_blank_lines_of_a_quotation_are_blank() -> None:
    quoted = "\r\n".join(["> " + line for line in LINES[:3]] + [">", ""] + ["> " + line for line in LINES])
    assert first(quoted) == "\r\n".join([*LINES[:3], "", "", *LINES])


def test_a_few_lines_with_marks_are_a_room_s_own() -> None:
    for mark in ("> ", "    "):
        text = "\n".join([*LINES, *(mark + line for line in LINES[:4]), *LINES])
        assert restore_copy(text.encode()) is None


def test_one_blank_may_be_a_name_that_is_none() -> None:
    assert restore_copy("".join(f" {line}\n" for line in LINES).encode()) is None


def test_printed_signs_beside_plain_ones_are_somebody_s_own() -> None:
    assert first("Hold’em – 1/2\nTable ‘Own’") == "Hold'em - 1/2\nTable 'Own'"  # noqa: RUF001 - as they are printed
    for text in ("Hold'em - 1/2\nAda: I don’t – ‘so’", "Omaha - 1/2\nAda: I don’t – so"):  # noqa: RUF001 - as they are printed
        assert restore_copy(text.encode()) is None
    assert first("Hold’em – 1/2", "cp1252") == "Hold'em - 1/2"  # noqa: RUF001 - as they are printed


CHANGES = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([b"", b"'", b"..."])), max_size=6)


@given(CHANGES, st.binary(max_size=30))
def test_every_byte_that_stayed_is_found_at_its_place(pieces: list[tuple[int, int, bytes]], tail: bytes) -> None:
    raw, changes = b"", []
    for distance, size, replacement in pieces:
        raw += b"x" * (distance + 1)
        changes.append((len(raw), len(raw) + size, replacement))
        raw += b"-" * size
    raw += b"x" + tail
    copy = Copy(raw, changes)
    offsets = [copy.offset(index) for index in range(len(copy.data) + 1)]
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(raw)
    assert all(
        copy.data[index] == raw[offsets[index]]
        for index in range(len(copy.data))
        if copy.data[index : index + 1] == b"x"
    )


def test_tied_blanks_of_a_web_page_are_blanks_and_those_of_amounts_stay() -> None:
    assert first("Seat\u00a01:\u00a0Ada\u00a0($5\u00a0in chips)") == "Seat 1: Ada ($5 in chips)"
    assert restore_copy("Seat 1: Ada ( $1\u00a0430 ) sits here".encode()) is None


def test_the_mark_of_the_first_line_belongs_to_it_behind_a_byte_order_mark_too() -> None:
    quoted = "\ufeff" + "".join(f"> {line}\n" for line in LINES)
    copy = restore_copy(quoted.encode())
    assert copy is not None
    assert copy.data.decode() == "\ufeff" + "\n".join(LINES) + "\n"
    assert copy.span(3, 3 + len(LINES[0])) == (3, 3 + len("> " + LINES[0]))
