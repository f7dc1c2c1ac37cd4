"""The trace of a hand and its fold: one engine, so that both come to the same state."""

from __future__ import annotations

import pytest

from ledger.hand.acts import CrowdedAct
from ledger.hand.fold import fold
from ledger.hand.trace import build_trace
from tests.engine import hands
from tests.laws import size


@pytest.mark.law
def test_a_trace_ends_in_the_state_of_the_fold() -> None:
    every = size(10, 1)
    for table in [*list(hands.pages())[::every], *hands.evenings(1), *hands.damaged(size(2, 100))]:
        for hand in table.hands:
            assert build_trace(hand.numbered).state == fold(hand.events), hand.numbered


@pytest.mark.law
def test_an_act_of_a_crowd_answers_as_one_that_keeps_its_sets() -> None:
    for table in hands.damaged(size(2, 100)):
        for hand in table.hands:
            for act in build_trace(hand.numbered).acts:
                crowded = CrowdedAct.from_act(act)
                assert crowded[:11] == act[:11]
                for name in ("has_turn", "has_hand", "has_chips", "live_count", "able_count"):
                    assert getattr(crowded, name) == getattr(act, name), (name, act)
                assert bool(crowded.to_act_bits) == bool(act.to_act_bits)


def test_seats_of_any_number_take_their_turns() -> None:
    table = next(hands.damaged(1))
    hand_trace = build_trace(table.hands[0].numbered)
    assert hand_trace.acts
    assert all(act.far_seats == [] for act in hand_trace.acts)
