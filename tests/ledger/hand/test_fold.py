"""What the state holds after events, legal or not."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.errors import UnknownEventError
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand import steps
from ledger.hand.events import HandEvent
from ledger.hand.fold import HANDLERS, apply, begin, fold
from ledger.hand.holdings import CardEvent
from ledger.hand.pots import pots
from ledger.hand.state import HandState
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import Witness
from tests.ledger.hand.generate import BETTINGS, play

seats = st.integers(1, 9)
chips = st.integers(0, 10**15)


@st.composite
def any_events(draw: Any) -> list[HandEvent]:
    """Events in any order, of seats that may not play: what no table would do."""
    one_of = [st.from_type(kind) for kind in get_args(HandEvent)]
    return draw(st.lists(st.one_of(one_of), max_size=30))


def table_of(count: int, stack: int | None = 1000) -> list[HandEvent]:
    return [
        o.HandOpened("Room", "1", "7", 0),
        o.GameSet("holdem", "no-limit", "cash", "chips", 0, (5, 10)),
        *(o.SeatDealtIn(seat, f"player{seat}", stack) for seat in range(1, count + 1)),
        o.ButtonPlaced(count),
        o.BlindPosted(1, "small", 5),
        o.BlindPosted(2, "big", 10),
        d.DealCompleted(),
    ]


random_hands = st.builds(
    lambda seed, name, betting, antes, straddle, drop: play(
        Random(seed), name, betting, antes=antes, straddle=straddle, drop=drop
    ),
    st.integers(0, 10**9),
    st.sampled_from(sorted(VARIANTS)),
    st.sampled_from(BETTINGS),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


def test_every_event_of_a_hand_has_its_step() -> None:
    assert set(HANDLERS) == set(get_args(HandEvent)), "add the event to HANDLERS in ledger/hand/fold.py"


def test_an_event_with_the_step_of_cards_is_an_event_of_cards() -> None:
    kinds = {kind for kind, step in HANDLERS.items() if step is steps.record_card_event}
    assert kinds <= set(get_args(CardEvent)), "add the event to CardEvent in ledger/hand/holdings.py"


def test_what_is_no_event_of_a_hand_is_refused() -> None:
    stranger: Any = "not an event"
    with pytest.raises(UnknownEventError, match="no event of a hand"):
        fold([stranger])
    with pytest.raises(UnknownEventError):
        apply(begin(), stranger)


@given(any_events())
def test_no_order_of_events_is_refused(events: list[HandEvent]) -> None:
    state = fold(events)
    repeated = begin()
    for event in events:
        apply(repeated, event)
    assert state == repeated
    assert (
        sum(pot.amount for pot in pots(state)) == state.pot_size()
        or min(
            [
                *state.chips.put_in.values(),
                *state.chips.dead.values(),
                *state.chips.antes.values(),
                state.chips.seeded,
                0,
            ]
        )
        < 0
        or not state.live
    )


@given(random_hands)
def test_chips_are_conserved_in_every_hand(events: list[HandEvent]) -> None:
    state = begin()
    total = sum(event.stack or 0 for event in events if isinstance(event, o.SeatDealtIn))
    for event in events:
        apply(state, event)
        pot = state.pot_size()
        assert sum(p.amount for p in pots(state)) == pot
        if state.dealt and len(state.dealt) == len(state.chips.put_in):
            stacks = sum(state.stack(seat) or 0 for seat in state.seats)
            total_stacks = sum(dealt_seat.stack or 0 for dealt_seat in state.dealt.values())
            assert stacks == total_stacks - pot + sum(state.chips.awarded.values())
    assert state.conservation() == 0
    assert sum(state.stack(seat) or 0 for seat in state.seats) == total - state.chips.drop
    assert not state.oddities


def test_a_copy_goes_its_own_way() -> None:
    state = fold(table_of(3))
    twin = state.copy()
    assert twin == state
    apply(twin, b.Raised(3, 30, 30))
    apply(twin, b.Folded(1))
    assert state == fold(table_of(3))
    assert twin != state


def test_an_act_of_a_seat_that_was_not_dealt_in_is_kept_as_an_oddity() -> None:
    state = fold([*table_of(3), b.Raised(7, 30, 30), b.Checked(8), b.Folded(9)])
    assert [odd.reason for odd in state.oddities] == ["not-dealt-in", "acts-without-hand", "acts-without-hand"]
    assert state.chips.put_in[7] == 30
    assert state.pot_size() == 45
    assert 7 not in state.live_seats()


def test_only_the_live_part_of_a_post_counts_toward_calling() -> None:
    state = fold([*table_of(4)[:-1], o.BlindPosted(4, "makeup", 10, 5)])
    assert state.round.bets[4] == 10
    assert state.chips.put_in[4] == 15
    assert state.chips.dead == {4: 5}
    assert state.round.bet_to_call == 10


def test_a_street_begins_without_bets_and_remembers_the_one_before() -> None:
    state = fold([*table_of(3), b.Called(3, 10, 10), d.BoardDealt("flop", "AsKd2c")])
    assert (state.street, state.round.bet_to_call, state.round.full_raises, state.round.actions) == ("flop", 0, 0, [])
    assert state.round.bets == {1: 0, 2: 0, 3: 0}
    assert [(past.street, past.bet_to_call, past.actions) for past in state.rounds] == [("preflop", 10, [3])]


def test_a_flop_that_came_too_early_gives_way_to_the_round_that_goes_on() -> None:
    early_flop = [*table_of(3), b.Called(3, 10, 10), d.BoardDealt("flop", "AsKd2c")]
    state = fold([*early_flop, d.BoardWithdrawn("flop", "AsKd2c")])
    assert (state.street, state.round.bet_to_call, state.round.actions) == ("preflop", 10, [3])
    assert state.boards == [[]]


def test_a_second_run_does_not_turn_the_street_back() -> None:
    state = fold(
        [
            *table_of(2),
            d.BoardDealt("flop", "AsKd2c"),
            d.BoardDealt("turn", "3c"),
            d.BoardDealt("river", "4c"),
            d.BoardDealt("turn", "9h", run=2),
            d.BoardDealt("river", "Th", run=2),
        ]
    )
    assert state.street == "river"
    assert state.boards == [["As", "Kd", "2c", "3c", "4c"], ["As", "Kd", "2c", "9h", "Th"]]


def test_a_short_all_in_is_no_full_raise_and_half_a_bet_is_one_in_limit() -> None:
    acts = [b.Raised(3, 30, 30), b.Raised(1, 40, 45, all_in=True)]
    no_limit = fold([*table_of(3), *acts])
    assert (no_limit.round.full_raises, no_limit.round.short_raises, no_limit.round.last_full_raise) == (1, 1, 20)
    limit = table_of(3)
    limit[1] = o.GameSet("holdem", "limit", "cash", "chips", 0, (5, 10), 0, (10, 20))
    assert fold([*limit, *acts]).round.full_raises == 2


def test_a_bet_that_went_back_is_out_of_the_pot() -> None:
    acts = [b.Raised(3, 100, 100), b.Folded(1), b.Folded(2), b.BetReturned(3, 90)]
    state = fold([*table_of(3), *acts, e.PotAwarded(3, 25)])
    assert (state.chips.returned, state.pot_size(), state.conservation()) == ({3: 90}, 25, 0)
    assert state.stack(3) == 1015


def test_a_bet_that_nobody_called_is_out_of_the_pot_where_no_record_tells_that_it_went_back() -> None:
    """And just so much was not paid; of a record that tells it whenever it happens, the chips are missing."""
    acts = [b.Folded(3), b.Raised(1, 395, 400), b.Folded(2), e.PotAwarded(1, 20), e.HandCompleted()]
    for witnesses, missing in ((Witness.AWARDS | Witness.ACTS, 0), (~0, 390)):
        first, *later_events = table_of(3)
        assert isinstance(first, o.HandOpened)
        state = fold([replace(first, witnesses=int(witnesses)), *later_events, *acts])
        assert (state.conservation(), state.pot_size()) == (missing, 20 + missing)
        assert state.stack(1) == 1010 - missing


def test_a_voided_hand_gives_everything_back() -> None:
    state = fold([*table_of(3), b.Raised(3, 100, 100), e.HandVoided("misdeal")])
    assert state.voided
    assert [state.stack(seat) for seat in state.seats] == [1000, 1000, 1000]
    assert state.conservation() == 0


def test_a_hand_that_ends_with_its_misdeal_gives_everything_back() -> None:
    state = fold([*table_of(3), d.MisdealDeclared("extra-card")])
    assert state.pot_size() == 15
    apply(state, e.HandCompleted())
    assert (state.is_spoiled, state.pot_size()) == (True, 0)
    assert [state.stack(seat) for seat in state.seats] == [1000, 1000, 1000]


def test_a_killed_hand_is_out_until_it_is_retrieved() -> None:
    state = fold([*table_of(3), b.HandKilled(3)])
    assert (state.live, state.killed_seats, state.folded) == ({1, 2}, {3}, set())
    apply(state, b.HandRetrieved(3))
    assert (state.live, state.killed_seats) == ({1, 2, 3}, set())


def test_who_is_all_in_follows_from_the_chips_or_from_the_record() -> None:
    state = fold([*table_of(3), b.Raised(3, 1000, 1000)])
    assert state.all_in == {3}
    recorded = fold([*table_of(3, None), b.Raised(3, 70, 70, all_in=True)])
    assert recorded.all_in == {3}
    assert recorded.stack(3) is None


def test_what_the_house_pays_is_no_part_of_the_pot() -> None:
    state = fold([*table_of(2), b.CashOutTaken(1, 300, 3), b.InsuranceBought(2, 20, 100)])
    assert (state.stack(1), state.stack(2)) == (995 + 297, 990 - 20)
    assert state.conservation() == 0  # the house takes what the sold hand wins
    assert fold([*table_of(2), b.InsuranceBought(2, 20, 100)]).conservation() == 15


def test_amounts_of_any_size_keep_the_books(  # a hostile record may say anything
) -> None:
    state: HandState = fold([*table_of(2), b.Bet(1, 10**15, 10**15), b.ChipsReturned(9, 10**15)])
    assert state.chips.put_in[1] == 10**15 + 5
    assert [odd.reason for odd in state.oddities] == ["not-dealt-in"]


def dealt_flop(*more: HandEvent, acts: bool = True) -> list[HandEvent]:
    """Three seats, a called first round, and a flop of four cards."""
    first: list[HandEvent] = [b.Called(3, 10, 10), b.Called(1, 5, 10), b.Checked(2)] if acts else []
    return [*table_of(3), *first, d.BoardDealt("flop", "9h6h2sJc"), *more]


def test_a_street_lies_there_until_its_last_card_is_taken_back() -> None:
    state = fold(dealt_flop(d.BoardWithdrawn("flop", "Jc", "burn")))
    assert (state.street, state.boards) == ("flop", [["9h", "6h", "2s"]])
    assert not state.round.actions
    pieces = [d.BoardWithdrawn("flop", "Jc"), d.BoardWithdrawn("flop", "9h6h2s")]
    full_flop = fold(dealt_flop(*pieces))
    assert (full_flop.street, full_flop.boards) == ("preflop", [[]])
    assert full_flop.round.bets == {1: 10, 2: 10, 3: 10}


def test_a_beaten_hand_that_is_cleared_away_goes_on_contesting_the_pot() -> None:
    events: list[HandEvent] = [
        e.ShowdownBegun(),
        e.CardsShown(1, "AsAh"),
        e.CardsShown(2, "KsKh"),
        b.HandKilled(2, "lost"),
    ]
    state = fold(dealt_flop(*events))
    assert (state.live, state.cleared_seats, state.killed_seats) == ({1, 2, 3}, {2}, frozenset())
    assert fold([*dealt_flop(*events), b.HandRetrieved(2)]).cleared_seats == frozenset()


def test_a_hand_that_is_killed_while_others_have_to_act_is_dead_whatever_the_reason() -> None:
    state = fold([*table_of(3), b.HandKilled(3, "lost")])
    assert (state.live, state.killed_seats) == ({1, 2}, {3})
