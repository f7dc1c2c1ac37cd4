"""The law of notes: whatever people write, each line is read, asked about or refused, and nothing falls out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.account import Account, Reject, TableAccount
from ledger.formats.handscript import FORMAT
from ledger.formats.handscript.notes.reader import is_free
from ledger.formats.handscript.notes.reader import read as read_notes
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.support import new_people
from tests.laws import size

NIGHTS = [path.read_text().splitlines() for path in sorted((Path(__file__).parent / "nights").glob("*.hand"))]
WORDS = sorted({word for night in NIGHTS for line in night for word in line.split()})


@st.composite
def nights(draw: st.DrawFn) -> str:
    """Return a night with lines left out, moved and mixed up."""
    lines = list(draw(st.sampled_from(NIGHTS)))
    for _ in range(draw(st.integers(1, 6))):
        line_index = draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(("drop", "twice", "move", "word", "text")))
        if kind == "drop" and len(lines) > 2:
            del lines[line_index]
        elif kind == "twice":
            lines.insert(line_index, lines[line_index])
        elif kind == "move":
            lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(line_index))
        elif kind == "word":
            words = lines[line_index].split() or [""]
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
            lines[line_index] = " ".join(words)
        else:
            lines[line_index] = draw(st.text(max_size=30)).replace("\n", " ")
    return "\n".join(lines) + "\n"


def lines_left_out(data: bytes, items: list[Account | TableAccount | Reject]) -> list[bytes]:
    """Return what stands in no item and is not blank."""
    covered = bytearray(data)
    for item in items:
        covered[item.start : item.start + item.length] = b" " * item.length
    return bytes(covered).split()


@pytest.mark.law
@settings(max_examples=size(40, 1500), deadline=None)
@given(text=nights())
def test_each_line_is_read_asked_about_or_refused(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    items = list(FORMAT.read(Chunk(data), People(b"k" * 32)))
    assert lines_left_out(data, items) == []  # type: ignore[arg-type] # no amendment comes of notes
    places = sorted((item.start, item.start + item.length) for item in items)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(places))
    for item in items:
        if isinstance(item, Reject):
            assert item.reason
            assert all(problem.reason for problem in item.problems)


@pytest.mark.law
@settings(max_examples=size(40, 1500), deadline=None)
@given(text=nights())
def test_what_is_stored_keeps_its_chips(text: str) -> None:
    """Chips that go in come out again: an award, or back to who put them in."""
    data = text.encode("utf-8", "surrogatepass")
    if not is_free(data):
        return
    for item in read_notes(Chunk(data), People(b"k" * 32)):
        if isinstance(item, Account):
            assert _chips_fit(item)


def _chips_fit(hand: Account) -> bool:
    chips_in = sum(getattr(event, "added", 0) for event in hand.events)
    chips_in += sum(
        getattr(event, "live", 0) + getattr(event, "dead", 0)
        for event in hand.events
        if "Blind" in type(event).__name__
    )
    names = {"AntePosted": 1, "StraddlePosted": 1, "BetReturned": -1, "PotAwarded": -1, "DropTaken": -1}
    chips_in += sum(
        names[type(event).__name__] * event.amount for event in hand.events if type(event).__name__ in names
    )  # type: ignore[union-attr] # these have one
    return chips_in == 0 or any(type(event).__name__ == "HandVoided" for event in hand.events)


@pytest.mark.parametrize("blank", ["\x1c", "\x1f\x1e", "-\x1c=", "\u2028", "\x85\x0b"])
def test_a_line_of_blanks_that_few_people_know_is_a_line_of_blanks(blank: str) -> None:
    """Python counts these characters as blanks, too: a line of them has no first word."""
    items = list(read_notes(Chunk(blank.encode()), new_people()))
    assert not any(isinstance(item, Account) for item in items)
