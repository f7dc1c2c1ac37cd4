"""Hands that strangers wrote and the program passed over: what `record` finds under every book, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.hand.fold import fold
from ledger.replay import HandReplay
from projections.audit.auditor import judge
from projections.books.rulebook import BUILT_IN, list_names, load
from tests.formats.support import read_hand

HANDS = Path(__file__).parent / "impossible"

EXPECTED_FINDINGS: dict[str, list[tuple[str, str, int]]] = {
    "act-after-round-over": [("R17", "certain", 16)],
    "all-in-folds": [("R14", "certain", 12)],
    "call-for-less": [("R16", "certain", 10)],
    "call-for-more": [("R16", "certain", 10)],
    "check-facing-bet": [("R15", "certain", 10)],
    "dead-hand-wins": [("R18", "certain", 30)],
    "folded-calls": [("R13", "certain", 11)],
    "folded-player-wins": [*(("R13", "certain", at) for at in (17, 20, 24, 28)), ("R18", "certain", 33)],
    "folded-raises": [("R13", "certain", 11)],
    "folds-again": [("R13", "certain", 11)],
    "no-stacks-min-raise-tournament": [],
    "no-stacks-runout": [],
    "not-reopened": [],  # what may be raised is the house's rule
    "out-of-turn-mid-round": [("R20", "likely", 11)],
    "raise-below-min": [],
    "winner-bets-after-award": [("R1", "certain", 15), ("R17", "likely", 16)],
}


def replay_hand(name: str) -> HandReplay:
    data = (HANDS / f"{name}.hand").read_bytes()
    return HandReplay(read_hand(formats.get("handscript"), data).events)


def test_every_hand_is_looked_at() -> None:
    assert {path.stem for path in HANDS.glob("*.hand")} == set(EXPECTED_FINDINGS)


@pytest.mark.parametrize("book", [*list_names(), BUILT_IN])
@pytest.mark.parametrize("name", EXPECTED_FINDINGS)
def test_what_the_record_rules_out_is_found_under_every_book(name: str, book: str) -> None:
    findings = [finding for finding in judge(replay_hand(name), load(book)).findings if finding.book == BUILT_IN]
    assert [(finding.clause, finding.certainty, finding.version) for finding in findings] == EXPECTED_FINDINGS[name]


@pytest.mark.parametrize(
    ("name", "notes"), [("folded-calls", 1), ("folded-raises", 1), ("folds-again", 1), ("folded-player-wins", 4)]
)
def test_an_act_of_a_folded_seat_leaves_one_note_whatever_it_does(name: str, notes: int) -> None:
    state = fold(replay_hand(name).events)
    assert [odd.reason for odd in state.oddities] == ["acts-without-hand"] * notes


@pytest.mark.parametrize("book", list_names())
def test_no_book_judges_a_bet_after_the_pot_was_paid(book: str) -> None:
    findings = judge(replay_hand("winner-bets-after-award"), load(book)).findings
    assert [finding.clause for finding in findings if finding.book != BUILT_IN] == []
