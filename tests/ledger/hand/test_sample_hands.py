"""Real hands: the pots, winners, turns and bounds that follow agree with what was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.account import Account
from ledger.formats import phh, pokerstars
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.bounds import bounds
from ledger.hand.evaluate import award_ranges
from ledger.hand.order import actor
from ledger.notation import Chunk
from ledger.people import People
from ledger.replay import HandReplay
from tests.ledger.hand.stepping import steps

WAGERS = Bet | Raised | Completed
pytestmark = pytest.mark.data

CONTRADICT_THEMSELVES = {
    "52591619991",  # made up: a seat bets twice its stack
    "111111111111",  # made up: a royal board, and one seat is paid a whole pot
    "35874566077",  # two hands in one
    "999000000001",  # made up: the pot is five chips short
}
ACTS_OUT_OF_TURN, ACTS_OUT_OF_BOUNDS = 12, 6  # made-up hands of other projects' tests, nearly all


def played(folder: Path) -> Iterator[HandReplay]:
    people = People(b"a secret for this test only")
    for form, pattern in ((pokerstars, "pokerstars/**/*.txt"), (phh, "phh/**/*.phh")):
        for file in sorted(folder.glob(pattern)):
            for item in form.FORMAT.read(Chunk(file.read_bytes(), name=file.name), people):
                if isinstance(item, Account):
                    yield HandReplay(item.events)


def test_awards_turns_and_bets_of_real_hands_are_as_derived(data_dir: Path) -> None:
    wrong: set[str] = set()
    count: Counter[str] = Counter()
    for hand in played(data_dir):
        final = hand.final_state
        assert final.opened is not None
        ranges = award_ranges(final)
        count["hands"] += 1
        count["known"] += ranges is not None
        for seat in final.chips.awarded.keys() | (ranges or {}).keys():
            least, greatest = (ranges or {}).get(seat, (0, 0))
            if ranges and not least <= final.chips.awarded.get(seat, 0) <= greatest:
                wrong.add(final.opened.number)
        for act, state_before, state_after in steps(hand.events):
            if isinstance(act, Folded | Checked | Called | WAGERS):
                count["acts"] += 1
                count["out of turn"] += actor(state_before) != act.seat
            if isinstance(act, WAGERS):
                legal, bet_to = bounds(state_before, act.seat), state_after.street_bet(act.seat)
                inside = legal.min_to <= bet_to <= (legal.max_to or bet_to)
                count["out of bounds"] += not (legal.may_raise and inside)
    assert count["hands"] > 5000
    assert count["known"] >= 0.998 * count["hands"]
    assert wrong <= CONTRADICT_THEMSELVES
    assert count["out of turn"] <= ACTS_OUT_OF_TURN
    assert count["out of bounds"] <= ACTS_OUT_OF_BOUNDS
