"""The encoding of a source is found by its bytes."""

from __future__ import annotations

import codecs

import pytest

from ledger.intake.encoding import Utf8Check, convert_to_utf8, detect_encoding, is_binary

TEXT = "PokerStars Hand #1: Zoë posts €1\r\n" * 20


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-16-be"), "utf-16-be"),
        (TEXT.encode("utf-16"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_the_head_tells_utf8_and_utf16_with_and_without_a_mark(data: bytes, encoding: str) -> None:
    assert detect_encoding(data) == encoding
    assert convert_to_utf8(data, encoding).decode() == TEXT
    assert not is_binary(data)


def blocks(data: bytes, size: int = 7) -> str:
    check = Utf8Check()
    for index in range(0, len(data), size):
        check.add_bytes(data[index : index + size])
    return check.decide_encoding()


def test_text_that_is_no_utf8_is_cp1252() -> None:
    assert blocks(TEXT.encode("cp1252")) == "cp1252"


def test_utf8_is_known_across_blocks_that_cut_characters() -> None:
    for size in range(1, 12):
        assert blocks("é€王ascii ascii ascii".encode() * 9, size) == "utf-8"


def test_one_damaged_byte_does_not_rename_everybody() -> None:
    assert blocks("Zoë Zoë Zoë ".encode() * 5 + b"\xff" + b"plain") == "utf-8"


@pytest.mark.parametrize("data", [bytes(range(256)) * 4, b"\x7fELF\x01\0\0\0" * 9, b"\0" * 100])
def test_binary_is_no_text(data: bytes) -> None:
    assert is_binary(data)


def test_nothing_is_no_binary() -> None:
    assert not is_binary(b"")
    assert detect_encoding(b"") == "utf-8"
