"""A played hand: corrections, the state at any moment, every act in its context."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.entry import EventOrigin
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.bounds import bounds, call_level
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.order import actor
from ledger.hand.state import HandState
from ledger.marks import pack_origins
from ledger.replay import HandReplay, list_corrected
from tests.ledger.hand.generate import BETTINGS, play
from tests.ledger.hand.stepping import steps
from tests.ledger.hand.test_fold import any_events

games = ["holdem", "omaha8", "stud", "razz", "triple-27", "split-holdem"]
some_hands = st.builds(
    lambda seed, name, betting, straddle: play(Random(seed), name, betting, straddle=straddle),
    st.integers(0, 10**9),
    st.sampled_from(games),
    st.sampled_from(BETTINGS),
    st.booleans(),
)


@st.composite
def scrambled(draw: Any) -> list[HandEvent]:
    """A hand in which some acts were made twice, left out, or by the wrong seat."""
    events = list(draw(some_hands))
    for _ in range(draw(st.integers(1, 4))):
        index = draw(st.integers(0, len(events) - 1))
        event = events[index]
        if isinstance(event, b.Folded | b.Checked | b.Called | b.Bet | b.Raised):
            damage = draw(st.sampled_from(["twice", "out", "other"]))
            if damage == "twice":
                events.insert(index, event)
            elif damage == "out":
                del events[index]
            else:
                events[index] = type(event)(draw(st.integers(1, 7)), *_later_fields(event))
    return events


def _later_fields(event: Any) -> tuple[Any, ...]:
    return tuple(getattr(event, name) for name in event.__struct_fields__[1:])


@given(some_hands)
def test_the_state_at_a_version_is_the_fold_of_the_events_so_far(events: list[HandEvent]) -> None:
    hand = HandReplay(events)
    for version in (0, 1, len(events) // 2, len(events)):
        assert hand.state_at(version) == fold(events[:version])
    assert hand.state_at(len(events)) == hand.final_state


@given(st.one_of(scrambled(), any_events()))
def test_states_lead_from_one_to_the_next(events: list[HandEvent]) -> None:
    events = [event for event in events if not isinstance(event, e.CorrectionMade)]
    last = fold([])
    for count, (event, state_before, state_after) in enumerate(steps(events), 1):
        assert event is events[count - 1]
        assert state_before == last
        assert state_after == fold(events[:count])
        last = state_after
    assert last == fold(events)


@given(st.one_of(some_hands, scrambled()))
def test_the_state_before_an_event_is_that_of_all_events_before_it(events: list[HandEvent]) -> None:
    hand = HandReplay(events)
    for version in range(1, len(events) + 1):
        assert hand.state_before(version) == fold(events[: version - 1])


@given(some_hands)
def test_in_a_hand_by_the_rules_every_act_is_in_turn_and_within_bounds(events: list[HandEvent]) -> None:
    for act, state_before, state_after in steps(events):
        check_act(act, state_before, state_after)


def check_act(act: HandEvent, state: HandState, state_after: HandState) -> None:
    if not isinstance(act, b.Folded | b.Checked | b.Called | b.Bet | b.Raised | b.Completed):
        return
    assert actor(state) == act.seat
    legal, bet_to = bounds(state, act.seat), state_after.street_bet(act.seat)
    if isinstance(act, b.Called):
        assert bet_to <= call_level(state)
    if isinstance(act, b.Bet | b.Raised | b.Completed):
        assert legal.min_to <= bet_to <= (legal.max_to or bet_to)
        assert state_after.round.bet_to_call > state.round.bet_to_call


@pytest.mark.parametrize(
    ("variant", "seed", "complete_to"),
    [("razz", 383, 60), ("razz", 2892, 80), ("holdem", 2455, 80), ("stud", 2763, 20)],
)
def test_over_an_all_in_of_less_than_half_a_bet_the_bet_is_completed(variant: str, seed: int, complete_to: int) -> None:
    """Drawn hands in which the raise once went a whole bet beyond the all-in, as PokerKit has it."""
    raised = []
    for act, state_before, state_after in steps(play(Random(seed), variant, "limit")):
        check_act(act, state_before, state_after)
        if isinstance(act, b.Raised | b.Completed) and bounds(state_before, act.seat).why == "short-all-in":
            raised.append(state_after.street_bet(act.seat))
    assert complete_to in raised


def test_a_played_hand_finds_its_events_by_type_and_their_places() -> None:
    events: list[HandEvent] = [o.SeatDealtIn(1, "p1", 100), o.SeatDealtIn(2, "p2", 100), b.Checked(1), b.Checked(2)]
    marks = pack_origins([0, 5, 6, 5, 20, 10, 0, 0], [3], {2: 1_700_000_000_000})
    hand = HandReplay(events, marks, UUID(int=1), position=40)
    assert hand.event_types == {o.SeatDealtIn, b.Checked}
    assert hand.events_of(b.Checked) == [(3, b.Checked(1)), (4, b.Checked(2))]
    assert hand.events_of(b.Folded) == []
    assert hand.origin_of(3) == EventOrigin(20, 10, 1_700_000_000_000)
    assert hand.origin_of(4).basis == "derived"
    assert hand.origin_of(5) == EventOrigin()
    assert HandReplay(events).origin_of(1) == EventOrigin()


def numbers(events: list[HandEvent]) -> list[int]:
    return [version for version, _ in list_corrected(events)]


def test_a_correction_voids_events_and_puts_others_in_their_place() -> None:
    events: list[HandEvent] = [
        b.Checked(1),
        b.Bet(2, 10, 10),
        b.Folded(1),
        e.CorrectionMade((2,), 1, 1, "floor"),
        b.Bet(2, 20, 20),
    ]
    assert numbers(events) == [1, 5, 3]
    hand = HandReplay(events)
    assert list(hand.events) == [b.Checked(1), b.Bet(2, 20, 20), b.Folded(1)]
    assert [version for version, _ in hand.corrections] == [4]
    assert hand.final_state.round.bet_to_call == 20
    assert hand.state_at(3).round.bet_to_call == 10  # as it was recorded then


def test_something_forgotten_is_placed_where_it_belongs() -> None:
    events: list[HandEvent] = [
        b.Checked(1),
        b.Checked(3),
        e.CorrectionMade((), 0, 1),
        o.ButtonPlaced(3),
        e.CorrectionMade((), 1, 1),
        b.Checked(2),
    ]
    assert numbers(events) == [4, 1, 6, 2]


def test_a_correction_that_is_voided_has_no_effect() -> None:
    events: list[HandEvent] = [b.Checked(1), e.CorrectionMade((1,), 0, 1), b.Folded(1), e.CorrectionMade((2,), 1)]
    assert numbers(events) == [1]


def test_a_correction_of_a_correction_takes_its_place() -> None:
    events: list[HandEvent] = [
        b.Bet(1, 5, 5),
        b.Called(2, 5, 5),
        e.CorrectionMade((1,), 0, 1),
        b.Bet(1, 6, 6),
        e.CorrectionMade((4,), 4, 1),
        b.Bet(1, 7, 7),
    ]
    assert numbers(events) == [6, 2]


def test_a_street_that_was_dealt_too_early_does_not_confuse_the_acts() -> None:
    seats: list[HandEvent] = [o.SeatDealtIn(seat, f"p{seat}", 100) for seat in (1, 2)]
    game = o.GameSet("holdem", "no-limit", "cash", "chips", 0)
    early_flop = [d.BoardDealt("flop", "AsKd2c"), d.BoardWithdrawn("flop", "AsKd2c")]
    events = [game, *seats, o.ButtonPlaced(2), b.Bet(1, 10, 10), *early_flop, b.Called(2, 10, 10)]
    state_before = HandReplay(events).state_before(len(events))
    assert (state_before.street, state_before.round.bet_to_call, state_before.pot_size()) == ("preflop", 10, 10)
