"""The law of remarks: a sentence about nothing holds nothing back, and one that may hide an act never makes a hand wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.account import Account
from ledger.formats.handscript import FORMAT
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.handscript.notes.facts import Facts, compare, read_facts
from tests.laws import size

PLACE = Path(__file__).parent
NIGHTS = sorted([*(PLACE / "nights").glob("*.hand"), *(PLACE / "strangers").glob("*.hand")])
REMARKS = ("Dealer change.", "Fun night", "phone died", "nice weather outside", "The pizza arrived.", "What a table!")
GAPS = (
    "{name} fiddles with it",
    "{name} shrugs and orders a beer.",
    "then {name} does it",
    "{name} is not happy at all.",
)
_ACTS = re.compile(r"^[^#]*\b(?:folds|calls|checks|bets|raises)\b")
_STARTS = re.compile(r"^\W*(?:hand|h\d|#\d|\d+\.)|button|btn", re.IGNORECASE)


def stored_hands(lines: list[str], people: People) -> dict[str | None, Account]:
    items = FORMAT.read(Chunk("\n".join(lines).encode()), people)
    return {item.opened.number: item for item in items if isinstance(item, Account)}


def facts_of(night: Path) -> dict[str | None, Facts]:
    return {facts.number: facts for facts in read_facts(night.with_suffix(".facts"))}


def wrong_acts(night: Path, lines: list[str]) -> dict[str | None, list[str]]:
    """Return what is wrong about the acts of stored hands."""
    people = People(b"k" * 32)
    facts = facts_of(night)
    hands = stored_hands(lines, people)
    wrong = {number: compare(facts[number], hand, people) for number, hand in hands.items() if number in facts}
    return {
        number: rows for number, differences in wrong.items() if (rows := [row for row in differences if "acts" in row])
    }


@st.composite
def places(draw: st.DrawFn) -> tuple[Path, list[str], int]:
    """Return a night, its lines, and the index of a line within its hands."""
    night = draw(st.sampled_from(NIGHTS))
    lines = night.read_text().splitlines()
    first = next(index for index, line in enumerate(lines) if _STARTS.search(line))
    return night, lines, draw(st.integers(first + 1, len(lines) - 1))


@pytest.mark.law
@settings(max_examples=size(25, 250), deadline=None)
@given(place=places(), remark=st.sampled_from(REMARKS))
def test_a_remark_holds_nothing_back(place: tuple[Path, list[str], int], remark: str) -> None:
    night, lines, index = place
    hands = set(stored_hands(lines, People(b"k" * 32)))
    assert set(stored_hands([*lines[:index], remark, *lines[index:]], People(b"k" * 32))) == hands
    assert wrong_acts(night, [*lines[:index], remark, *lines[index:]]) == {}


@pytest.mark.law
@settings(max_examples=size(40, 400), deadline=None)
@given(place=places(), gap=st.sampled_from(GAPS), data=st.data())
def test_a_sentence_that_may_hide_an_act_makes_no_hand_wrong(
    place: tuple[Path, list[str], int], gap: str, data: st.DataObject
) -> None:
    """The sentence comes between two lines, or in the place of a line with acts."""
    night, lines, index = place
    seats = next(iter(facts_of(night).values())).rows.get("seats", "1 Bo 100").split(", ")
    sentence = gap.format(name=data.draw(st.sampled_from([seat.split()[1] for seat in seats])))
    hides_act = bool(_ACTS.search(lines[index]) and not _STARTS.search(lines[index])) and data.draw(st.booleans())
    assert wrong_acts(night, [*lines[:index], sentence, *lines[index + hides_act :]]) == {}
