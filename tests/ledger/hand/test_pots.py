"""Main and side pots, who can win them, what goes back, and who should have been paid."""

from __future__ import annotations

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.chips import UncalledBet
from ledger.hand.evaluate import PotShare, Range, award_ranges, shares
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.pots import Pot, find_uncalled_bet, pots
from ledger.hand.state import HandState

BOARD = d.BoardDealt("flop", "2c7d9hJsKd")


def hand(stacks: list[int], *events: HandEvent, variant: str = "holdem") -> HandState:
    return fold(
        [
            o.GameSet(variant, "no-limit", "cash", "chips", 0),  # type: ignore[arg-type] # any text
            *(o.SeatDealtIn(seat, f"p{seat}", stack) for seat, stack in enumerate(stacks, 1)),
            *events,
        ]
    )


def test_each_all_in_cuts_a_pot_of_those_who_paid_so_far() -> None:
    state = hand(
        [50, 100, 300, 300], b.Bet(1, 50, 50), b.Raised(2, 100, 100), b.Raised(3, 300, 300), b.Called(4, 300, 300)
    )
    assert pots(state) == [Pot(200, (1, 2, 3, 4)), Pot(150, (2, 3, 4)), Pot(400, (3, 4))]


def test_a_folded_seat_leaves_its_chips_and_wins_nothing() -> None:
    state = hand([500, 100, 500], b.Bet(1, 200, 200), b.Called(2, 100, 100), b.Folded(1))
    assert pots(state) == [Pot(200, (2, 3)), Pot(100, (3,))]


def test_dead_money_goes_to_the_main_pot_and_is_matched_by_nobody() -> None:
    state = hand(
        [50, 500, 500],
        o.BlindPosted(3, "makeup", 10, 5),
        o.AntePosted(2, 7, for_table=True),
        b.Bet(1, 50, 50),
        b.Called(2, 50, 50),
        b.Called(3, 40, 50),
        o.PotSeeded("splash", 100),
    )
    assert pots(state) == [Pot(150 + 5 + 7 + 100, (1, 2, 3))]


def test_a_short_ante_wins_the_like_part_of_the_others() -> None:
    state = hand(
        [3, 500, 500], o.AntePosted(1, 3), o.AntePosted(2, 5), o.AntePosted(3, 5), b.Bet(2, 20, 20), b.Called(3, 20, 20)
    )
    assert pots(state) == [Pot(9, (1, 2, 3)), Pot(44, (2, 3))]


def test_an_uncalled_bet_is_what_the_next_highest_did_not_match() -> None:
    state = hand([500, 100, 500], b.Bet(1, 300, 300), b.Called(2, 100, 100), b.Folded(3))
    assert find_uncalled_bet(state) == UncalledBet(1, 200)
    assert find_uncalled_bet(hand([500, 500], b.Bet(1, 300, 300), b.Called(2, 300, 300))) is None


def showdown(hands: dict[int, str]) -> list[HandEvent]:
    return [e.CardsShown(seat, cards) for seat, cards in hands.items()]


def call_amounts(*amounts: int) -> list[HandEvent]:
    return [b.Called(seat, amount, amount) for seat, amount in enumerate(amounts, 1)]


def test_each_pot_goes_to_the_best_hand_that_can_win_it() -> None:
    cards = {1: "AcAd", 2: "KcKh", 3: "3c4c"}
    dealt = [d.HoleCardsDealt(seat, hole) for seat, hole in cards.items()]
    state = hand([50, 200, 200], *dealt, *call_amounts(50, 200, 200), BOARD, *showdown(cards))
    assert shares(state).parts == (PotShare(0, 1, 1, "", 150, (2,), 0), PotShare(1, 1, 1, "", 300, (2,), 0))
    assert award_ranges(state) == {2: Range(450, 450)}


def test_an_odd_chip_may_go_to_any_of_the_equal_hands() -> None:
    cards = {1: "AcKc", 2: "AhKh"}
    dealt = [d.HoleCardsDealt(seat, hole) for seat, hole in cards.items()]
    state = hand([500, 500, 1], *dealt, b.Bet(3, 1, 1), *call_amounts(50, 50), b.Folded(3), BOARD)
    assert shares(state).parts == (PotShare(0, 1, 1, "", 101, (1, 2), 1),)
    assert award_ranges(state) == {1: Range(50, 51), 2: Range(50, 51)}


def test_the_pot_is_split_between_high_and_low() -> None:
    cards = {1: "KcKhQcQh", 2: "AcAh3c4h"}
    dealt = [d.HoleCardsDealt(seat, hole) for seat, hole in cards.items()]
    board = d.BoardDealt("flop", "2c7d5hJsKd")
    state = hand([50, 50], *dealt, *call_amounts(50, 50), board, variant="omaha8")
    assert [(part.half, part.amount, part.winners) for part in shares(state).parts] == [
        ("high", 50, (1,)),
        ("low", 50, (2,)),
    ]
    nobody = hand([50, 50], *dealt, *call_amounts(50, 50), BOARD, variant="omaha8")
    assert [(part.half, part.amount) for part in shares(nobody).parts] == [("", 100)]


def test_each_run_and_each_board_is_worth_its_part() -> None:
    cards = {1: "AcAh", 2: "QcQh"}
    dealt = [d.HoleCardsDealt(seat, hole) for seat, hole in cards.items()]
    runs = [
        d.BoardDealt("flop", "2c7d9h"),
        d.BoardDealt("turn", "Js"),
        d.BoardDealt("river", "3d"),
        d.BoardDealt("river", "Qs", run=2),
    ]
    state = hand([51, 51], *dealt, *call_amounts(51, 51), b.RunsAgreed(2), *runs)
    assert [(part.run, part.amount, part.winners) for part in shares(state).parts] == [(1, 51, (1,)), (2, 51, (2,))]
    missing = hand([51, 51], *dealt, *call_amounts(51, 51), b.RunsAgreed(2), *runs[:3])
    assert shares(missing).reason == "board-incomplete"


def test_who_mucks_concedes_and_who_is_unknown_leaves_it_open() -> None:
    events = [d.HoleCardsDealt(1, "3c4c"), *call_amounts(50, 50), BOARD, e.CardsShown(1, "3c4c")]
    assert shares(hand([50, 50], *events)).reason == "cards-unknown"
    mucked = hand([50, 50], *events, e.CardsMucked(2))
    assert award_ranges(mucked) == {1: Range(100, 100)}


def test_a_pot_that_only_one_seat_can_win_needs_no_cards() -> None:
    state = hand([50, 50], b.Bet(1, 20, 20), b.Folded(2), e.DropTaken("rake", 1))
    assert award_ranges(state) == {1: Range(19, 19)}


def test_a_voided_hand_owes_nobody() -> None:
    state = hand([50, 50], *call_amounts(50, 50), e.HandVoided())
    assert shares(state).reason == "voided"
    assert award_ranges(state) is None
