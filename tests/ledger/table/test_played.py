"""What a table remembers of one hand."""

from __future__ import annotations

import pytest

from ledger.hand.betting import BetReturned, Called, Folded
from ledger.hand.dealing import DealCompleted, MisdealDeclared
from ledger.hand.ending import DropTaken, HandCompleted, HandVoided, PlayerFinished, PotAwarded
from ledger.hand.fold import fold
from ledger.hand.opening import (
    AntePosted,
    BlindPositionPlaced,
    BlindPosted,
    BlindSkipped,
    ButtonPlaced,
    DeadMoneyTaken,
    GameSet,
    HandOpened,
    OptionSet,
    PermissionGranted,
    PostReturned,
    SeatDealtIn,
    SeatLeftOut,
    StraddlePosted,
    TournamentSet,
)
from ledger.presence import ChipsAdded, SeatLeft, WordsSaid
from ledger.table.events import DealtIn, LeftOut, Post, Skipped
from ledger.table.played import build_hand_played
from ledger.vocabulary import Witness

OPENED = HandOpened("Hilton", "7", "42", 3, started=1000, seats=9)
GAME = GameSet("holdem", "limit", "cash", "USD", 2, (5, 10), bets=(10, 20))
SEATS = (SeatDealtIn(1, "a", 100), SeatDealtIn(2, "b", 100), SeatDealtIn(3, "c", None))


def test_a_hand_is_remembered_with_its_posts_seats_and_stacks() -> None:
    hand_played = build_hand_played(
        fold(
            [
                OPENED,
                GAME,
                OptionSet("button-method", "dead"),
                *SEATS,
                SeatLeftOut(5, "e", 70, "away"),
                ButtonPlaced(9),
                BlindPositionPlaced("small", 5),
                BlindPositionPlaced("big", 1),
                BlindSkipped("small", 5, "absent"),
                BlindPosted(1, "big", 10),
                BlindPosted(3, "makeup-small", 0, 5),
                StraddlePosted(2, 20, "sleeper"),
                DealCompleted(),
                Called(3, 20, 20),
                Folded(1),
                WordsSaid("t0"),
                SeatLeft(1, "a"),
                ChipsAdded(2, 50, "rebuy"),
                BetReturned(2, 5),
                PotAwarded(2, 48),
                DropTaken("rake", 2),
                HandCompleted(),
            ]
        ),
        "abc",
    )
    assert (hand_played.number, hand_played.hand, hand_played.started, hand_played.seats) == ("42", "abc", 1000, 9)
    assert (hand_played.button, hand_played.small, hand_played.big) == (9, 5, 1)
    assert (hand_played.variant, hand_played.unit, hand_played.exponent, hand_played.blinds) == (
        "holdem",
        "USD",
        2,
        (5, 10),
    )
    assert hand_played.options == (("button-method", "dead"),)
    assert hand_played.posts == (Post(1, "big", 10), Post(3, "makeup-small", 0, 5), Post(2, "sleeper", 20))
    assert hand_played.skipped == (Skipped("small", 5, "absent"),)
    assert hand_played.dealt_in == (DealtIn(1, "a", 100, 90), DealtIn(2, "b", 100, 133), DealtIn(3, "c", None, None))
    assert hand_played.left_out == (LeftOut(5, "e", 70, "away"),)
    assert hand_played.within == (SeatLeft(1, "a"), ChipsAdded(2, 50, "rebuy"))
    assert hand_played.completed
    assert [dealt_in.seat for dealt_in in hand_played.dealt_in] == [1, 2, 3]


def test_what_a_format_does_not_tell_is_not_told() -> None:
    """A format that gives an order of players only: its reader's button is inferred."""
    order_only = HandOpened("Hilton", "7", "42", int(Witness.POSTS))
    events = [order_only, GAME, *SEATS, ButtonPlaced(3), BlindPosted(1, "small", 5)]
    hand_played = build_hand_played(fold(events), "abc")
    assert (hand_played.button, hand_played.small, hand_played.big) == (None, None, None)
    assert [dealt_seat.after for dealt_seat in hand_played.dealt_in] == [None, None, None]
    assert not hand_played.completed


def test_posts_that_went_back_are_not_remembered_as_made() -> None:
    hand_played = build_hand_played(
        fold(
            [
                OPENED,
                GAME,
                *SEATS,
                AntePosted(1, 2),
                AntePosted(2, 2, all_in=True),
                BlindPosted(3, "entry", 10),
                BlindPosted(2, "makeup-big", 10, 5),
                PostReturned(1, 2, "ante"),
                PostReturned(3, 10, "entry"),
                PostReturned(2, 5, "makeup", dead=True),
                DeadMoneyTaken(1, 7),
            ]
        ),
        "abc",
    )
    assert hand_played.posts == (
        Post(2, "ante", 0, 2, all_in=True),
        Post(2, "makeup-big", 10, 0),
        Post(1, "dead-money", 0, 7),
    )


def test_a_voided_hand_says_why_and_leaves_the_stacks_as_they_were() -> None:
    hand_played = build_hand_played(
        fold([OPENED, GAME, *SEATS, BlindPosted(1, "big", 10), MisdealDeclared(), HandVoided("misdeal")]), "abc"
    )
    assert (hand_played.completed, hand_played.voided) == (False, "misdeal")
    assert hand_played.dealt_in[0].after == 100


def test_a_hand_that_ended_with_a_misdeal_is_no_completed_one() -> None:
    events = [OPENED, GAME, *SEATS, BlindPosted(1, "big", 10), DealCompleted(), MisdealDeclared()]
    hand_played = build_hand_played(fold([*events, HandCompleted()]), "abc")
    assert (hand_played.completed, hand_played.voided) == (False, "misdeal")
    assert [dealt_seat.after for dealt_seat in hand_played.dealt_in] == [100, 100, None], "the posts went back"
    cut_off = build_hand_played(fold(events), "abc")
    assert (cut_off.completed, cut_off.voided) == (False, ""), "what came after it is not on record"


def test_a_hand_that_was_dealt_again_after_a_misdeal_counts() -> None:
    events = [OPENED, GAME, *SEATS, BlindPosted(1, "big", 10), MisdealDeclared()]
    for later_events in ([DealCompleted()], [Folded(2), Folded(3)], [PotAwarded(1, 10)]):
        hand_played = build_hand_played(fold([*events, *later_events, HandCompleted()]), "abc")
        assert (hand_played.completed, hand_played.voided) == (True, "")


def test_permissions_levels_and_finishes_told_in_the_hand_come_along() -> None:
    granted = PermissionGranted("shift-manager", "multiple-straddles", scope="table")
    hand_played = build_hand_played(
        fold([OPENED, GAME, TournamentSet(level="IV"), *SEATS, granted, PlayerFinished(2, 9)]), "abc"
    )
    assert hand_played.within == (granted, PlayerFinished(2, 9))
    assert hand_played.level == "IV"


def test_a_hand_of_which_next_to_nothing_is_known_can_be_remembered() -> None:
    hand_played = build_hand_played(fold([SEATS[0]]), "abc")
    assert (hand_played.number, hand_played.format, hand_played.blinds) == ("", "unknown", ())


@pytest.mark.parametrize("witnesses", [Witness.POSTS, Witness.POSTS | Witness.AWARDS])
def test_a_hand_that_ended_is_completed_though_nobody_is_recorded_as_winner(witnesses: Witness) -> None:
    opened = HandOpened("Hilton", "7", "42", int(witnesses))
    course = [opened, GAME, *SEATS, ButtonPlaced(1), BlindPosted(2, "small", 5), BlindPosted(3, "big", 10)]
    hand_played = build_hand_played(fold([*course, DealCompleted(), HandCompleted()]), "abc")
    assert hand_played.completed
    assert [dealt_seat.after for dealt_seat in hand_played.dealt_in] == [None, None, None], (
        "who has the pot is not known"
    )
    assert not build_hand_played(fold([*course, DealCompleted()]), "abc").completed
    assert not build_hand_played(fold([*course, MisdealDeclared("other"), HandCompleted()]), "abc").completed
    assert not build_hand_played(fold([*course, HandVoided(), HandCompleted()]), "abc").completed
