"""What only one language of 888poker's client writes."""

from __future__ import annotations

import pytest

from ledger.formats.pacific import FORMAT
from ledger.hand import dealing as d
from ledger.hand import ending as e
from tests.formats.support import events_of, new_people, read_hand, texts, unread

sample = texts("888poker")


def test_the_portuguese_ten_is_a_dez_beside_queens() -> None:
    account = read_hand(FORMAT, sample("portuguese-ten"))
    assert [board.cards for board in events_of(account, d.BoardDealt)] == ["5cTsQc", "Qs", "Th"]
    assert [event.cards for event in events_of(account, e.CardsShown)] == ["Qd4c"]
    assert [mucked.cards for mucked in events_of(account, e.CardsMucked)] == ["Td7s"]


def test_an_award_may_say_of_which_run_it_is() -> None:
    people = new_people()
    runs = "Primo runout Ada collected [ $0,30 ]\nSecondo runout Cyd collected [ $0,30 ]\n"
    text = sample("portuguese-ten").replace("Cyd collected [ $0,60 ]\n", runs)
    account = read_hand(FORMAT, text, people=people)
    assert unread(account, people) == []
    assert [(won.seat, won.amount, won.run) for won in events_of(account, e.PotAwarded)] == [(1, 30, 1), (4, 30, 2)]


def _translated(ranks: dict[str, str]) -> list[str]:
    """The Portuguese sample's board in other ranks and English suits."""
    words = {
        f"{rank}{suit}": f"{ranks.get(translation, translation)}{mark}"
        for rank, translation in (("D", "T"), ("Q", "Q"), ("5", "5"), ("7", "7"), ("4", "4"))
        for suit, mark in zip("ecop", "shdc", strict=True)
    }
    lines = []
    for line in sample("portuguese-ten").split("\n"):
        opening, bracket, card_list = line.partition("[ ")
        inner, close, end = card_list.partition(" ]")
        cards = [words.get(word, word) for word in inner.split(", ")]
        lines.append(f"{opening}{bracket}{', '.join(cards)}{close}{end}" if bracket else line)
    return lines


@pytest.mark.parametrize("ranks", [{"Q": "V", "K": "H", "J": "B"}, {"Q": "Ä", "K": "Ê", "J": "Â", "A": "Ò"}])
def test_ranks_of_a_language_beside_english_suits(ranks: dict[str, str]) -> None:
    account = read_hand(FORMAT, "\n".join(_translated(ranks)))
    assert [board.cards for board in events_of(account, d.BoardDealt)] == ["5cTsQc", "Qs", "Th"]
    assert [event.cards for event in events_of(account, e.CardsShown)] == ["Qd4c"]
