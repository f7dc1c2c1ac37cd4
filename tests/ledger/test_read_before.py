"""What readers remember belongs to the reading: it is bounded, and goes when somebody is forgotten."""

from __future__ import annotations

from ledger.account import Account
from ledger.formats import pokerstars
from ledger.formats.pokerstars.hand import PokerStarsHand
from ledger.notation import Chunk
from ledger.people import People
from ledger.text import repeated_texts
from tests.conftest import ROOT

SAMPLE = ROOT / "tests/formats/pokerstars/samples/dead-blinds.txt"


def test_a_kind_that_has_grown_too_large_begins_anew() -> None:
    repeated = repeated_texts.RepeatedTexts()
    repeated.results_of("acts", 2).update({str(number): number for number in range(repeated_texts.MAX_TEXTS + 1)})
    repeated.results_of("acts", 0)["folds"] = 1
    assert repeated.results_of("acts", 2) == {}
    assert repeated.results_of("acts", 0) == {"folds": 1}


def test_what_one_reading_remembers_no_other_knows() -> None:
    data = SAMPLE.read_bytes()
    ann, bob = People(b"a" * 32), People(b"b" * 32)
    first = [item for item in pokerstars.FORMAT.read(Chunk(data), ann) if isinstance(item, Account)]
    items = [item for item in pokerstars.FORMAT.read(Chunk(data), ann) if isinstance(item, Account)]
    assert first
    assert [read_item.events for read_item in first] == [read_item.events for read_item in items]
    assert _names(ann)
    assert not _names(bob)
    ann.read_before.forget_all()
    assert not _names(ann)


def _names(people: People) -> list[str]:
    return list(people.read_before.results_of(PokerStarsHand, "rows"))
