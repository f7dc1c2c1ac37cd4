"""Whatever bytes a source holds: no reader raises, and every byte is read, blank or rejected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.intake.accounting import account
from ledger.notation import Chunk
from ledger.people import People

ENCODINGS = ("utf-8", "cp1252", "utf-16-le", "utf-16-be")
TRICKY = st.lists(
    st.sampled_from(
        [
            b" ", b"\n", b"\r", b"\0", b"\x1c", b"\x1d", b"\x85", b"\xa0", b"\xc2", b"\xd8", b"\xe2\x80\xa8",
            b"\xff\xfe", b"\xef\xbb\xbf", b"#", b"[1]\n", b"variant = 'NT'\n", b"handscript 1\n", b"hand 1\n",
            b"PokerStars Hand #1:  Hold'em No Limit ($1/$2 USD) - 2026/01/15 21:04:05 ET\n",
            b"Seat 1: A ($1 in chips)\n", b"seat 1 A 5\n", b"actions = [\n", b"end\n",
        ]
    ),
    max_size=12,
).map(b"".join)  # fmt: skip


@pytest.mark.parametrize("name", formats.NAMES)
@given(
    data=st.one_of(TRICKY, st.binary(max_size=300)),
    encoding=st.sampled_from(ENCODINGS),
    wide=st.booleans(),
)
def test_every_byte_is_accounted_for(name: str, data: bytes, encoding: str, wide: bool) -> None:
    if wide and encoding.startswith("utf-16"):
        data = data.decode("latin-1").encode(encoding)
    chunk = Chunk(data, encoding=encoding)
    told = account(chunk, list(formats.get(name).read(chunk, People(b"0" * 32))))
    assert told.not_read == 0
    assert told.all == len(data)
