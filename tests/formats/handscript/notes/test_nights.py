"""Nights as people jot them down, against their facts: what is read is right, what is not sure is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.handscript import FORMAT
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.handscript.notes.facts import compare, read_facts

NIGHTS = sorted((Path(__file__).parent / "nights").glob("*.hand"))
STRANGERS = sorted((Path(__file__).parent / "strangers").glob("*.hand"))
"""Nights written before anybody ran the reader on them; it may ask about any hand."""


@pytest.mark.parametrize("night", NIGHTS, ids=lambda path: path.stem)
def test_what_is_read_is_what_the_facts_say(night: Path) -> None:
    people = People(b"k" * 32)
    items = list(FORMAT.read(Chunk(night.read_bytes()), people))
    hands = {item.opened.number: item for item in items if isinstance(item, Account)}
    for facts in read_facts(night.with_suffix(".facts")):
        hand = hands.get(facts.number)
        assert (hand is None) == facts.asked, f"hand {facts.number}"
        if hand is not None:
            assert compare(facts, hand, people) == [], f"hand {facts.number}"


@pytest.mark.parametrize("night", STRANGERS, ids=lambda path: path.stem)
def test_no_hand_of_a_strangers_night_is_read_wrongly(night: Path) -> None:
    people = People(b"k" * 32)
    hands = {
        item.opened.number: item for item in FORMAT.read(Chunk(night.read_bytes()), people) if isinstance(item, Account)
    }
    facts = {row.number: row for row in read_facts(night.with_suffix(".facts"))}
    assert len(hands) / len(facts) >= 0.85
    assert {number: compare(facts[number], hand, people) for number, hand in hands.items()} == {
        number: [] for number in hands
    }


@pytest.mark.slow
def test_most_lines_are_read_and_most_hands_stored() -> None:
    lines = question_count = hands = stored = 0
    for night in NIGHTS:
        data = night.read_bytes()
        items = list(FORMAT.read(Chunk(data), People(b"k" * 32)))
        lines += sum(bool(line.strip()) for line in data.decode().splitlines())
        question_count += len({problem.line for item in items if isinstance(item, Reject) for problem in item.problems})
        stored += sum(isinstance(item, Account) for item in items)
        hands += len(read_facts(night.with_suffix(".facts")))
    assert (lines - question_count) / lines >= 0.92
    assert stored / hands >= 0.85
