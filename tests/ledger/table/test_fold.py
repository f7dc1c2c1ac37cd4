"""What a table remembers: seats, stacks, absences, gaps, and the order it puts things into."""

from __future__ import annotations

import itertools
from typing import get_args
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.entry import Entry, EventOrigin, Provenance
from ledger.hand.ending import CorrectionMade, LineUnread, PlayerFinished
from ledger.hand.opening import Agreed, GameSet, OptionSet, PermissionGranted
from ledger.presence import (
    ChipsAdded,
    ChipsRemoved,
    ConnectionLost,
    EntryDeferred,
    MarkerGiven,
    MarkerTaken,
    PlayerAway,
    PlayerBack,
    PlayerBusted,
    SeatLeft,
    SeatMoved,
    SeatTaken,
    StackCounted,
    WaitDeclared,
)
from ledger.table.events import (
    GameStarted,
    HandPlayed,
    HandsMissing,
    HostChanged,
    LeftOut,
    PlayerIdentified,
    Post,
    RemovalQueued,
    SeatRequested,
    Skipped,
    StakesChanged,
    TableEvent,
    TableOpened,
    TablePaused,
    TableResumed,
    TimeChargeTaken,
    Within,
)
from ledger.table.fold import HANDLERS, apply, begin, fold, fold_table_entries
from ledger.table.order import TableEntry, number_table_events, sort_entries
from ledger.table.state import TableState
from ledger.vocabulary import Witness
from tests.ledger.table.tables import ROOM, hand, table

FOUR = (1, 2, 3, 4)


def test_every_event_of_a_table_has_its_handler() -> None:
    assert set(HANDLERS) == {*get_args(TableEvent), *get_args(Within)}, (
        "one line in HANDLERS of ledger/table/between.py"
    )


@given(event=st.one_of([st.from_type(kind) for kind in get_args(TableEvent)]))
def test_any_event_can_be_the_first_one_told(event: TableEvent) -> None:
    apply(begin(), event)


@given(events=st.lists(st.one_of([st.from_type(kind) for kind in get_args(TableEvent)]), max_size=8))
def test_nothing_that_is_told_is_refused_and_the_same_is_said_twice(events: list) -> None:
    assert fold_table_entries(number_table_events(events)) == fold_table_entries(number_table_events(events))


# seats


def test_a_seat_knows_who_sits_there_since_when_and_from_where() -> None:
    state = table(hand(1, 1, 2, 3, FOUR), SeatTaken(6, "new", "broken-game", 500))
    seat = state.seats[6]
    assert (seat.player, seat.origin, seat.stack, seat.hand_before_seating) == ("new", "broken-game", 500, "1")
    assert seat.is_history_known
    assert not state.seats[1].is_history_known, "what lies before the record began is not known"


def test_absence_is_kept_with_its_hands_until_the_seat_is_dealt_in_again() -> None:
    state = table(
        hand(1, 1, 2, 3, FOUR),
        PlayerAway(4, "p4", in_room=True),
        hand(2, 2, 3, 1, (1, 2, 3), out={4: "away"}),
        hand(3, 3, 1, 2, (1, 2, 3), out={4: "away"}),
    )
    seat = state.seats[4]
    assert (seat.presence, seat.in_room, seat.hand_before_absence) == ("away", True, "1")
    assert [absence.hand for absence in seat.absences] == ["2", "3"]
    assert [(passed.role, passed.hand) for passed in seat.passed_positions] == [("big", "2"), ("small", "3")]
    back = table(
        hand(1, 1, 2, 3, FOUR),
        PlayerAway(4, "p4"),
        hand(2, 2, 3, 1, (1, 2, 3), out={4: "away"}),
        PlayerBack(4, "p4"),
        hand(3, 3, 1, 2, FOUR),
    ).seats[4]
    assert (back.presence, back.absences) == ("present", [])
    assert [passed.role for passed in back.passed_positions] == ["big"], "being dealt in pays nothing"


LIVE = int(Witness.BUTTON | Witness.POSTS | Witness.PRESENCE | Witness.SEATING)


@pytest.mark.parametrize(
    ("game_format", "witnesses", "stack_after", "presence"),
    [
        ("tournament", LIVE, 200, "away"),
        ("tournament", LIVE, 190, "away"),  # blinded off
        ("tournament", LIVE, 205, "away"),  # everybody folded to the big blind
        ("tournament", LIVE, 150, "present"),  # put in more than the blind
        ("tournament", LIVE, 300, "present"),  # won more than the others' posts
        ("tournament", ROOM, 200, "present"),  # each hand lists who sits out
        ("cash", LIVE, 200, "present"),
    ],
)
def test_an_absent_player_of_a_tournament_is_dealt_in_and_still_away(
    game_format: str, witnesses: int, stack_after: int, presence: str
) -> None:
    posts = (Post(3, "small", 5, 0), Post(4, "big", 10, 0))
    second = hand(2, 2, 3, 4, FOUR, posts=posts, after={4: stack_after}, witnesses=witnesses, format=game_format)
    events = hand(1, 1, 2, 3, FOUR, format=game_format), PlayerAway(4, "p4", in_room=True), second
    seat = table(*events).seats[4]
    assert (seat.presence, seat.last_hand_dealt) == (presence, "2")
    if presence == "away":
        assert (seat.in_room, seat.hand_before_absence, seat.hands_dealt) == (True, "1", 2)
        third = hand(3, 3, 4, 1, FOUR, witnesses=witnesses, format=game_format)
        assert table(*events, third).seats[4].presence == "away"
        assert table(*events, third, PlayerBack(4, "p4")).seats[4].presence == "present"


def test_what_passed_a_seat_is_forgotten_once_it_has_posted() -> None:
    state = table(
        hand(1, 1, 2, 3, FOUR),
        hand(2, 2, 3, 1, (1, 2, 3), out={4: "sitting-out"}),
        hand(3, 3, 1, 2, FOUR, posts=(Post(4, "makeup-big", 10),)),
    )
    assert state.seats[4].passed_positions == []


def test_a_post_that_was_not_made_is_kept_with_its_reason() -> None:
    skipped = (Skipped("big", 4, "absent"), Skipped("small", None, "dead-small-blind"))
    state = table(hand(1, 1, 2, 3, FOUR, skipped=skipped))
    assert state.seats[4].missing_posts == [("1", "big", "absent")]


def test_waits_markers_and_deferrals_stand_until_they_end() -> None:
    state = table(
        hand(1, 1, 2, 3, FOUR),
        SeatTaken(5, "p5"),
        WaitDeclared(5),
        MarkerGiven(4, "missed-big"),
        MarkerGiven(4, "away"),
        MarkerTaken(4, "away"),
        EntryDeferred(5, "p5"),
        ConnectionLost(2),
    )
    assert (state.seats[5].awaited_position, state.seats[5].deferred_until) == ("big-blind", "button-passed")
    assert state.seats[4].markers == {"missed-big"}
    assert state.seats[2].is_connected is False
    apply(state, hand(2, 2, 3, 4, (1, 2, 3, 4, 5)))
    assert (state.seats[5].awaited_position, state.seats[5].deferred_until) == ("", "")


def test_who_is_no_longer_listed_is_gone_where_the_source_tells_who_is_away() -> None:
    state = table(hand(1, 1, 2, 3, FOUR), hand(2, 2, 3, 1, (1, 2, 3)))
    assert 4 not in state.seats
    assert state.departures["p4"].hand == "1"
    silent = table(hand(1, 1, 2, 3, FOUR, witnesses=0), hand(2, 2, 3, 1, (1, 2, 3), witnesses=0))
    assert silent.seats[4].presence == "unknown"


def test_a_player_keeps_stack_and_past_when_changing_seats() -> None:
    state = table(hand(1, 1, 2, 3, FOUR, after={4: 350}), SeatMoved("p4", 4, 9))
    assert state.seats[9].player == "p4"
    assert state.seats[9].stack == 350
    assert 4 not in state.seats


def test_players_who_swapped_seats_unannounced_keep_their_past() -> None:
    swapped = hand(2, 2, 3, 4, FOUR)
    first, second, *other_seats = swapped.dealt_in
    swapped = msgspec.structs.replace(
        swapped,
        dealt_in=(
            msgspec.structs.replace(first, player="p2"),
            msgspec.structs.replace(second, player="p1"),
            *other_seats,
        ),
    )
    state = table(hand(1, 1, 2, 3, FOUR), swapped)
    assert {seat: (seat_state.player, seat_state.hands_dealt) for seat, seat_state in state.seats.items()} == {
        1: ("p2", 2),
        2: ("p1", 2),
        3: ("p3", 2),
        4: ("p4", 2),
    }
    assert state.departures == {}


def test_seats_that_are_counted_anew_in_each_hand_are_not_compared() -> None:
    """A format that gives only an order of players calls whoever posts first seat 1."""
    first = hand(1, 4, 1, 2, FOUR)
    turned = tuple(
        msgspec.structs.replace(dealt_seat, player=f"p{dealt_seat.seat % 4 + 1}") for dealt_seat in first.dealt_in
    )
    away = (LeftOut(9, "p9", 100, "away"),)
    state = table(
        msgspec.structs.replace(first, left_out=away),
        msgspec.structs.replace(first, number="2", small=2, big=3, dealt_in=turned, left_out=away),
    )
    assert state.seats[1].player == "p2"
    assert state.hand_before_last is None
    assert state.seats[9].passed_positions == []


def test_a_player_with_a_new_id_is_the_same_player() -> None:
    state = table(hand(1, 1, 2, 3, FOUR), PlayerIdentified("p4", "known"))
    assert state.seats[4].player == "known"
    assert state.identities == {"p4": "known"}


# stacks


def test_stacks_continue_and_chips_bought_explain_a_difference() -> None:
    state = table(
        hand(1, 1, 2, 3, FOUR, after={1: 150, 2: 250}),
        ChipsAdded(1, 50),
        ChipsRemoved(None, 20, player="p2"),
        hand(2, 2, 3, 4, FOUR, before={1: 200, 2: 230}),
    )
    fit = state.continuity
    assert fit is not None
    assert (fit.consecutive, fit.continues) == (True, True)
    assert {stack.seat: stack.moved for stack in fit.stacks} == {1: 50, 2: -20, 3: 0, 4: 0}
    assert state.breaks == []


def test_an_unexplained_stack_is_shown_with_its_difference() -> None:
    state = table(hand(1, 1, 2, 3, FOUR, after={1: 150}), hand(2, 2, 3, 4, FOUR))
    (fit,) = state.breaks
    assert [(stack.seat, stack.difference) for stack in fit.unexplained] == [(1, 50)]
    assert state.gaps == [], "the numbers are consecutive: nothing is missing"


def test_a_count_between_hands_explains_what_it_finds() -> None:
    state = table(hand(1, 1, 2, 3, FOUR), StackCounted(3, 180), hand(2, 2, 3, 4, FOUR, before={3: 180}))
    assert state.breaks == []


def test_a_stack_that_is_not_told_is_neither_right_nor_wrong() -> None:
    first = hand(1, 1, 2, 3, FOUR)
    unknown = msgspec.structs.replace(
        first, dealt_in=tuple(msgspec.structs.replace(dealt_seat, after=None) for dealt_seat in first.dealt_in)
    )
    fit = table(unknown, hand(2, 2, 3, 4, FOUR)).continuity
    assert fit is not None
    assert fit.continues is None


def test_chips_bought_during_a_hand_do_not_play_in_it() -> None:
    state = table(
        hand(1, 1, 2, 3, FOUR, after={4: 0}, within=(PlayerBusted(4), ChipsAdded(4, 200, "rebuy"))),
        hand(2, 2, 3, 4, FOUR),
    )
    assert state.breaks == []
    assert not state.seats[4].is_busted


def test_who_sits_down_in_the_hand_that_they_play_has_the_stack_that_the_hand_leaves() -> None:
    """A source may put who joins into the hand: before its stacks, as PokerNow does."""
    first = hand(1, 1, 2, 3, FOUR, after={4: 130}, within=(SeatTaken(4, "p4", stack=200),))
    assert table(first).seats[4].stack == 130
    assert table(first, hand(2, 2, 3, 4, FOUR, before={4: 130})).breaks == []


def test_who_leaves_during_a_hand_and_sits_down_again_has_the_new_stack() -> None:
    within = (SeatLeft(4, "p4", "busted", 0), SeatTaken(4, "p4", stack=150))
    assert table(hand(1, 1, 2, 3, FOUR, after={4: 0}, within=within)).seats[4].stack == 150


def test_time_paid_to_the_house_leaves_the_stack() -> None:
    state = table(hand(1, 1, 2, 3, FOUR), TimeChargeTaken(2, 7))
    assert (state.seats[2].stack, state.time_charges) == (193, {"p2": 7})


def test_newcomers_and_leavers_between_two_hands_are_named() -> None:
    state = table(hand(1, 1, 2, 3, FOUR), hand(2, 2, 3, 5, (1, 2, 3, 5)))
    assert state.continuity is not None
    assert (state.continuity.came, state.continuity.left) == ((5,), ("p4",))


# gaps


def test_missing_numbers_are_a_gap_only_where_the_source_counts_hand_by_hand() -> None:
    state = table(hand(1, 1, 2, 3, FOUR), hand(4, 4, 1, 2, FOUR))
    (gap,) = state.gaps
    assert (gap.after, gap.before, gap.count, gap.how) == ("1", "4", 2, "numbers")
    assert state.first_unbroken_hand == "4"
    assert state.hand_before_last is None
    room = ROOM & ~Witness.MISSING_HANDS
    assert table(hand(1, 1, 2, 3, FOUR, witnesses=room), hand(9, 4, 1, 2, FOUR, witnesses=room)).gaps == []


def test_a_stack_that_shrank_between_hands_is_a_gap_where_numbers_tell_nothing() -> None:
    room = ROOM & ~Witness.MISSING_HANDS
    state = table(
        hand(100, 1, 2, 3, FOUR, witnesses=room), hand(900, 4, 1, 2, FOUR, before={1: 120, 2: 280}, witnesses=room)
    )
    assert [gap.how for gap in state.gaps] == ["stacks"]


def test_a_table_full_of_strangers_is_a_gap_where_numbers_tell_nothing() -> None:
    room = ROOM & ~Witness.MISSING_HANDS
    state = table(hand(100, 1, 2, 3, FOUR, witnesses=room), hand(900, 5, 6, 7, (5, 6, 7), witnesses=room))
    assert [gap.how for gap in state.gaps] == ["players"]


UNCOUNTED = ROOM & ~int(Witness.MISSING_HANDS)


@pytest.mark.parametrize(
    ("stacks_before", "expected"),
    [
        ({}, []),
        ({2: 250}, []),  # one bought chips
        ({2: 250, 3: 300}, ["stacks"]),
        ({2: 150}, ["stacks"]),
        ({2: 150, 3: 250}, ["stacks"]),
    ],
)
def test_several_stacks_that_grew_untold_are_a_gap_as_one_that_shrank(stacks_before: dict, expected: list) -> None:
    state = table(
        hand(1, 1, 2, 3, (1, 2, 3, 4), witnesses=UNCOUNTED),
        hand(9, 2, 3, 4, (1, 2, 3, 4), witnesses=UNCOUNTED, before=stacks_before),
    )
    assert [gap.how for gap in state.gaps] == expected


@pytest.mark.parametrize(
    ("stayed", "expected"), [((1, 2, 3), []), ((1, 2, 3, 8), []), ((1, 2), ["players"]), ((1, 2, 8), ["players"])]
)
def test_most_players_gone_at_once_are_a_gap(stayed: tuple, expected: list) -> None:
    state = table(hand(1, 1, 2, 3, (1, 2, 3, 4, 5), witnesses=UNCOUNTED), hand(9, 2, 3, 1, stayed, witnesses=UNCOUNTED))
    assert [gap.how for gap in state.gaps] == expected


def test_the_one_player_left_to_compare_may_not_have_grown() -> None:
    state = table(
        hand(1, 1, 2, 3, (1, 2, 3), witnesses=UNCOUNTED),
        hand(9, 2, 3, 1, (1, 8, 9), witnesses=UNCOUNTED, before={1: 210}),
    )
    assert [gap.how for gap in state.gaps] == ["stacks"]


def test_after_a_gap_nobody_knows_what_passed_a_seat() -> None:
    hand_played = hand(2, 2, 3, 1, (1, 2, 3), out={4: "away"})
    state = table(hand(1, 1, 2, 3, FOUR), hand_played, hand(9, 2, 3, 1, (1, 2, 3), out={4: "away"}))
    assert state.seats[4].passed_positions == []
    assert not state.seats[4].is_history_known


def fold_with_late_event(*events: TableEvent) -> TableState:
    """A table of which the last event came from a source of its own."""
    return fold_table_entries(number_table_events(events, sources=["night"] * (len(events) - 1) + ["late"]))


def test_a_late_hand_fills_the_gap_that_it_left() -> None:
    events = [hand(1, 1, 2, 3, FOUR), hand(3, 3, 4, 1, FOUR), hand(2, 2, 3, 4, FOUR)]
    assert table(*events[:2]).gaps
    assert fold_with_late_event(*events).gaps == []


def test_a_late_hand_fills_the_gap_that_the_record_told_of() -> None:
    events = [hand(1, 1, 2, 3, FOUR), HandsMissing("1", "3", 1), hand(3, 3, 4, 1, FOUR)]
    assert [gap.how for gap in table(*events).gaps] == ["told"]
    state = fold_with_late_event(*events, hand(2, 2, 3, 4, FOUR))
    assert state.gaps == []
    assert state.open_gap is None


def test_a_new_game_begins_anew_without_a_gap() -> None:
    state = table(hand(7, 1, 2, 3, FOUR), GameStarted(), hand(1, 1, 2, 3, FOUR), times={0: 1, 1: 2, 2: 3})
    assert state.gaps == []
    assert state.seats[4].is_history_known


# order


def test_hands_in_any_order_of_arrival_give_the_same_table() -> None:
    hands = [
        hand(1, 1, 2, 3, FOUR, started=1000, after={1: 100, 2: 300}),
        hand(2, 2, 3, 4, FOUR, started=2000, before={1: 100, 2: 300}),
        hand(3, 3, 4, 1, FOUR, started=3000),
        hand(10, 4, 1, 2, FOUR, started=4000),
    ]
    table_state = fold_table_entries(number_table_events(hands))
    for mixed in itertools.permutations(hands):
        assert fold_table_entries(number_table_events(mixed)) == table_state


def test_a_hand_told_twice_counts_once_and_its_complete_telling_stands() -> None:
    cut = hand(1, 1, None, None, FOUR, completed=False)
    state = table(cut, hand(1, 1, 2, 3, FOUR), hand(1, 1, 3, 4, FOUR))
    assert state.hands == 1
    assert state.small.seat == 2


def test_a_correction_voids_and_inserts_where_it_says() -> None:
    events = [
        hand(1, 1, 2, 3, FOUR),
        ChipsAdded(1, 50),
        ChipsAdded(2, 60),
        CorrectionMade((2,), 1, 1),
        ChipsAdded(1, 500),
        ChipsAdded(3, 5),
    ]
    state = table(*events)
    assert [state.seats[seat].stack for seat in (1, 2, 3)] == [700, 260, 205]
    assert [entry.version for entry in sort_entries(number_table_events(events))] == [1, 5, 3, 6]
    assert state.corrections == 1


def test_entries_of_the_ledger_are_folded_with_their_times() -> None:
    stream, recorded = UUID(int=1), Provenance(time=9)
    events = [
        (hand(2, 2, 3, 4, FOUR, started=2000), None),
        (hand(1, 1, 2, 3, FOUR, started=1000), None),
        (TablePaused("break"), 1500),
    ]
    state = fold(
        Entry(stream, index + 1, index + 7, event, EventOrigin(time=time), recorded)
        for index, (event, time) in enumerate(events)
    )
    assert (state.number, state.time) == ("2", 2000)
    assert state.pause_reason == "", "hand 2 was played after the break"


# the game and the house


def test_stakes_options_permissions_and_host_are_those_told_last() -> None:
    state = table(
        TableOpened("Hilton", "7", seats=9),
        GameSet("holdem", "limit", "cash", "USD", 2, (500, 1000), bets=(1000, 2000)),
        OptionSet("button-method", "dead"),
        PermissionGranted("shift-manager", "multiple-straddles", scope="table"),
        PermissionGranted("floor", "sleeper", scope="hand"),
        Agreed((1, 2), "seat-change"),
        StakesChanged((1000, 2000), ante=100, level="II"),
        HostChanged("h"),
        SeatRequested("q"),
        RemovalQueued("p2"),
        LineUnread("t0"),
    )
    assert (state.chairs, state.betting, state.blinds, state.bets) == (9, "limit", (1000, 2000), (1000, 2000))
    assert (state.unit, state.exponent, state.ante, state.level, state.host) == ("USD", 2, 100, "II", "h")
    assert state.options == {"button-method": "dead"}
    assert [permission.event.subject for permission in state.permissions] == ["multiple-straddles", "sleeper"]
    assert set(state.requests) == {"q"}
    assert set(state.removals) == {"p2"}
    assert state.unread_lines == 1
    apply(state, hand(1, 1, 2, 3, FOUR))
    assert [permission.event.subject for permission in state.permissions] == ["multiple-straddles"]
    assert state.agreements == []


def test_a_pause_has_its_reason_and_its_end() -> None:
    assert table(TablePaused("dispute")).pause_reason == "dispute"
    assert table(TablePaused("dispute"), TableResumed()).pause_reason == ""


def test_who_is_out_of_the_tournament_leaves_the_seat() -> None:
    state = table(hand(1, 1, 2, 3, FOUR, within=(PlayerFinished(4, 17),)))
    assert state.eliminated == {"p4": 17}
    assert 4 not in state.seats


def test_told_keeps_what_the_order_needs() -> None:
    event = hand(1, 1, 2, 3, FOUR)
    assert number_table_events([event]) == [TableEntry(1, event, None)]
    assert isinstance(event, HandPlayed)
