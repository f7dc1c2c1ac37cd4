"""Who is taken to have been left out of a hand that does not name them."""

from __future__ import annotations

import pytest

from ledger.presence import ChipsAdded, DealOutRequested, PlayerAway, PlayerBack, WaitDeclared
from ledger.table.events import DealtIn, HandPlayed, LeftOut, TableEvent
from ledger.table.fold import apply, begin
from ledger.table.state import TableState
from ledger.table.unlisted_seats import find_late_seats, list_absent_players
from ledger.vocabulary import Witness

TELLS = int(Witness.PRESENCE | Witness.SEATING | Witness.MISSING_HANDS)
LISTS = int(Witness.PRESENCE | Witness.MISSING_HANDS)


def hand(number: int, *seats: int, witnesses: int = TELLS, **more: object) -> HandPlayed:
    return HandPlayed(
        **{
            "number": str(number),
            "hand": f"{number:032x}",
            "started": None,
            "betting": "limit",
            "format": "cash",
            "blinds": (5, 10),
            "button": 1,
            "small": None,
            "big": None,
            "posts": (),
            "skipped": (),
            "dealt_in": tuple(DealtIn(seat, f"p{seat}", 500, 500) for seat in seats),
            "left_out": (),
            "completed": True,
            "witnesses": witnesses,
        }
        | more
    )  # type: ignore[arg-type]  # fields by name


def table(*told: TableEvent, witnesses: int = TELLS) -> TableState:
    """Three players on hand 1, and what was told after it."""
    state = begin()
    for event in (hand(1, 1, 2, 3, witnesses=witnesses), *told):
        apply(state, event)
    return state


@pytest.mark.parametrize("witnesses", [TELLS, LISTS, 0])
@pytest.mark.parametrize(
    ("table_event", "reason"),
    [
        (PlayerAway(3), "away"),
        (DealOutRequested(3), "asked-to-be-dealt-out"),
        (WaitDeclared(3), "waiting-for-big-blind"),
    ],
)
def test_whoever_was_told_of_and_is_not_named_was_left_out(
    table_event: TableEvent, reason: str, witnesses: int
) -> None:
    state = table(table_event, witnesses=witnesses)
    full = list_absent_players(state, hand(2, 1, 2, witnesses=witnesses))
    assert full.left_out == (LeftOut(3, "p3", None, reason),)  # type: ignore[arg-type]  # one of the reasons
    assert list_absent_players(state, full) is full


def test_of_whom_nothing_was_told_is_not_named_and_keeps_the_seat() -> None:
    state = table()
    two = hand(2, 1, 2)
    assert list_absent_players(state, two) is two
    apply(state, two)
    assert (state.seats[3].player, state.seats[3].presence) == ("p3", "unknown")
    apply(state, PlayerBack(3))
    assert list_absent_players(state, hand(3, 1, 2)).left_out[0].reason == "unknown"


def test_a_source_that_lists_whoever_stays_means_by_silence_that_a_player_left() -> None:
    state = table(witnesses=LISTS)
    apply(state, hand(2, 1, 2, witnesses=LISTS))
    assert 3 not in state.seats
    state = table(ChipsAdded(3, 100), witnesses=LISTS)
    apply(state, hand(2, 1, 2, witnesses=LISTS))
    assert 3 in state.seats


def test_away_inside_a_hand_counts_for_that_hand() -> None:
    full = list_absent_players(table(), hand(2, 1, 2, within=(PlayerAway(3),)))
    assert full.left_out[0].reason == "away"


def test_somebody_else_in_the_chair_or_in_another_chair_is_named() -> None:
    state = table(PlayerAway(3))
    hand_played = hand(2, 1, 2, left_out=(LeftOut(3, "other", 500, "unknown"),))
    assert list_absent_players(state, hand_played) is hand_played
    moved = hand(2, 1, 2, left_out=(LeftOut(4, "p3", 500, "unknown"),))
    assert list_absent_players(state, moved) is moved


def test_who_comes_back_behind_the_blinds_was_away_when_they_fell() -> None:
    assert find_late_seats(table(PlayerAway(3)), hand(2, 1, 2, 3, late=(3,))) == {3}
    assert find_late_seats(table(), hand(2, 1, 2, 3, late=(3,))) == frozenset()
    assert find_late_seats(table(PlayerAway(3)), hand(2, 1, 2, 3)) == frozenset()
