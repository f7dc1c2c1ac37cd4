"""Handscript: what is read can be written, and what is written says the same."""

from __future__ import annotations

from typing import Final

from ledger.account import Account, Reject
from ledger.formats.handscript import FORMAT, read_with_comments, write_told
from ledger.notation import Chunk
from ledger.people import People
from tests.conftest import ROOT
from tests.fuzz.check import corpus
from tests.fuzz.target import Target

SLOW: Final = 120e-6
"""Seconds per byte: of each hand that can't be read it says what would be right there."""


def targets() -> list[Target]:
    """Return the one target."""
    return [
        Target(
            "handscript",
            seeds,
            run,
            ("ledger.formats.handscript", "ledger.hand", "ledger.table"),
            work_per_byte=300,
            seconds_per_byte=SLOW,
        )
    ]


def seeds() -> list[bytes]:
    """Return samples, and hands of the tests of small tables."""
    causes = sorted((ROOT / "tests/small_tables/causes").glob("*.hand"))
    return [*corpus("handscript"), *(path.read_bytes() for path in causes)]


def run(data: bytes) -> None:
    """Read, write, read again."""
    people = People(bytes(32))
    for item in FORMAT.read(Chunk(data, name="fuzz.hand"), people):
        if isinstance(item, Reject):
            continue
        text = write_told(item, people)
        (read_item,) = (commented.told for commented in read_with_comments(text, people))
        assert not isinstance(read_item, Reject), "what was written can't be read"
        assert read_item.events == item.events, "what was written says something else"
        assert read_item.inferred == item.inferred, "what was inferred isn't marked when written"
        assert read_item.times == item.times, "the times are others when written"
        if isinstance(item, Account):
            assert write_told(read_item, people) == text, "written twice, it differs"
