"""A hand while it is told: whatever a source's number means, both `to` and `added` come out right."""

from __future__ import annotations

import pytest

from ledger.errors import UnreadableHandError
from ledger.hand.betting import Bet, BetReturned, Called, Raised
from ledger.hand.opening import BlindPosted, GameSet, PostReturned
from ledger.people import People
from ledger.readers import acts
from ledger.readers.hand import HandBuilder
from ledger.readers.listed_hand import ListedHand
from ledger.readers.spans import Spans, find_elements, find_members

GAME = GameSet("holdem", "no-limit", "cash", "USD", 2, (1, 2))


def new_builder() -> HandBuilder:
    spans = Spans()
    spans.add(0, 1)
    hand_builder = HandBuilder(spans, People(bytes(32)), "Room", GAME, 0)
    for seat in (1, 2, 3):
        hand_builder.seat_player(seat, f"P{seat}", 100)
    hand_builder.post_blind(1, "small", 1)
    hand_builder.post_blind(2, "big", 2)
    return hand_builder


@pytest.mark.parametrize(("method", "number"), [("raise_to", 8), ("raise_by", 7), ("raise_over", 6)])
def test_three_ways_to_write_a_raise_are_one_fact(method: str, number: int) -> None:
    hand_builder = new_builder()
    getattr(hand_builder, method)(1, number)
    assert hand_builder.events[-1] == Raised(1, 7, 8)


def test_how_much_alone_tells_what_act_it_was() -> None:
    hand_builder = new_builder()
    hand_builder.wager(3, 2)
    hand_builder.wager(1, 10)
    hand_builder.wager(2, 10)
    hand_builder.deal_board("flop", "2c3c4c")
    hand_builder.wager(1, 5)
    assert [event for event in hand_builder.events if type(event) in (Called, Raised, Bet)] == [
        Called(3, 2, 2),
        Raised(1, 9, 10),
        Called(2, 8, 10),
        Bet(1, 5, 5),
    ]


def test_dead_chips_go_into_the_pot_and_not_toward_calling() -> None:
    hand_builder = new_builder()
    hand_builder.post_both_blinds(3, 3)
    assert hand_builder.events[-2:] == [BlindPosted(3, "makeup-small", 0, 1), BlindPosted(3, "makeup-big", 2)]
    hand_builder.raise_to(3, 6)
    assert hand_builder.events[-1] == Raised(3, 4, 6)
    assert hand_builder.betting.chips.put_in[3] == 7


@pytest.mark.parametrize(
    "tell", [acts.post_big_blind, acts.post_big_blind_once, acts.post_to_enter, acts.post_small_or_big_to_enter]
)
def test_a_post_of_both_blinds_in_one_amount_is_live_up_to_the_big_one(tell: acts.ActionHandler) -> None:
    hand_builder = new_builder()
    tell(hand_builder, 3, 3, None)
    assert (hand_builder.betting.bets[3], hand_builder.betting.bet_to_call, hand_builder.betting.chips.put_in[3]) == (
        2,
        2,
        3,
    )
    second_builder = new_builder()
    tell(second_builder, 3, 4, None)  # of no other amount can this be said
    assert second_builder.events[-1] == BlindPosted(3, "entry", 4)


def test_a_bet_that_nobody_called_is_given_back_where_its_round_ended() -> None:
    hand_builder = new_builder()
    hand_builder.call(3, 2)
    hand_builder.call(1, 1)
    hand_builder.check(2)
    hand_builder.deal_board("flop", "2c3c4c")
    hand_builder.bet(1, 10)
    hand_builder.fold(2)
    hand_builder.fold(3)
    hand_builder.award(1, 6)
    hand_builder.infer_returns()
    assert hand_builder.events[-2] == BetReturned(1, 10)
    assert hand_builder.inferred == [len(hand_builder.events) - 2]
    assert sum(hand_builder.betting.chips.put_in.values()) == 6


def test_a_bet_may_go_back_behind_the_streets_that_were_run_out() -> None:
    spans = Spans()
    spans.add(0, 1)
    listed_hand = ListedHand(spans, People(bytes(32)), "Room", GAME, 0)
    listed_hand.deal_in(1, "P1", 100)
    listed_hand.deal_in(2, "P2", 40)
    listed_hand.post_ante(1, 5)
    listed_hand.post_ante(2, 3)
    listed_hand.bet(1, 50)
    listed_hand.call(2, 37, all_in=True)
    listed_hand.deal_board("flop", "2c3c4c")
    listed_hand.refund(1, 13)
    assert listed_hand.events[-1] == BetReturned(1, 13)
    listed_hand.refund(1, 2)
    assert listed_hand.events[-1] == PostReturned(1, 2, "ante", True)
    assert listed_hand.betting.chips.put_in[1] == listed_hand.betting.chips.put_in[2]


def test_a_bet_that_the_declared_pot_counts_stayed_in() -> None:
    hand_builder = new_builder()
    hand_builder.raise_to(3, 10)
    hand_builder.fold(1)
    hand_builder.fold(2)
    hand_builder.award(3, 13)
    hand_builder.infer_returns(13)
    assert not any(isinstance(event, BetReturned) for event in hand_builder.events)


def test_nobody_sits_on_another() -> None:
    hand_builder = new_builder()
    with pytest.raises(UnreadableHandError, match="seat 2"):
        hand_builder.seat_player(2, "P4", 50)
    with pytest.raises(UnreadableHandError, match="seat 24"):
        hand_builder.leave_seat_out(24, "P4", 50)


def test_parts_of_a_document_are_found_at_their_very_bytes() -> None:
    data = b'  {"a": [1, {"b": "x,y"}, 1],\n "n\\u00e4me": 3, "c": {"a": null}}'
    start = data.find(b"{")
    spans = find_members(data, start, len(data) - start)
    assert {name: data[offset : offset + size] for name, (offset, size) in spans.items()} == {
        "a": b'[1, {"b": "x,y"}, 1]',
        "näme": b"3",
        "c": b'{"a": null}',
    }
    offset, size = spans["a"]
    assert [
        data[element_start : element_start + many] for element_start, many in find_elements(data, offset, size)
    ] == [b"1", b'{"b": "x,y"}', b"1"]


@pytest.mark.parametrize("bad", [b"[" * 100_000, b"{}", b"[1,", b""])
def test_what_is_no_array_is_an_error_of_ours(bad: bytes) -> None:
    with pytest.raises(UnreadableHandError):
        find_elements(bad, 0, len(bad))
