"""Poker Mavens' text becomes the right events, each at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.mavens import FORMAT
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ChipsAdded
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, unread


def sample(name: str = "side-pots-and-timeouts") -> str:
    return (Path(__file__).parent / "samples" / f"{name}.txt").read_text(encoding="utf-8")


def hands(name: str) -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def test_every_pot_has_its_winners() -> None:
    awards = events_of(read_hand(FORMAT, sample()), e.PotAwarded)
    assert [(won.seat, won.amount, won.pot) for won in awards] == [(6, 1200, 2), (1, 612, 1), (1, 372, 0), (3, 371, 0)]


def test_halves_of_a_pot_are_told() -> None:
    split = hands("omaha-halves-and-refund")[0]
    assert [(won.seat, won.half) for won in events_of(split, e.PotAwarded)] == [(1, "high"), (2, "low")]


def test_a_seat_that_waits_plays_if_it_posts_and_is_left_out_if_not() -> None:
    account = read_hand(FORMAT, sample())
    assert [seat.seat for seat in events_of(account, o.SeatDealtIn)] == [1, 2, 3, 6]
    (event,) = events_of(account, o.SeatLeftOut)
    assert (event.seat, event.reason) == (4, "sitting-out")
    assert account.events.index(event) not in account.inferred


def test_both_blinds_in_one_amount_are_a_live_big_and_a_dead_small_one() -> None:
    posts = events_of(read_hand(FORMAT, sample()), o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts][2:] == [
        (3, "makeup-small", 0, 5),
        (3, "makeup-big", 10, 0),
    ]


def test_a_clock_that_ran_out_and_chips_that_are_bought_are_told() -> None:
    account = read_hand(FORMAT, sample())
    assert events_of(account, b.ClockExpired) == [b.ClockExpired(6)]
    (bought,) = events_of(account, ChipsAdded)
    assert (bought.seat, bought.amount) == (2, 1000)


def test_the_site_is_the_venue_and_its_name_may_hold_anything() -> None:
    assert read_hand(FORMAT, sample()).opened.venue == "Own Room: Friends"


def test_a_price_with_a_plus_is_a_tournament() -> None:
    _, limit, tournament = hands("omaha-halves-and-refund")
    assert (limit.opened.tournament, events_of(limit, o.GameSet)[0].bets) == ("", (300, 600))
    assert (tournament.opened.tournament, tournament.opened.table) == ("Own Cup", "3")
    assert events_of(tournament, o.GameSet)[0].exponent == 0
    assert events_of(tournament, b.BetReturned) == [b.BetReturned(3, 1400)]


def test_pots_and_the_rake_are_witnessed_and_what_of_a_post_is_live_is_not() -> None:
    witnesses = read_hand(FORMAT, sample()).opened.witnesses
    assert witnesses & Witness.POTS
    assert witnesses & Witness.DROP
    assert not witnesses & (Witness.POST_LIVENESS | Witness.PRESENCE)


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample().replace("** Flop **", "Bo posts an owl\nBo sings\n** Flop **")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["Bo posts an owl", "Bo sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("NL Hold'em", "NL Belote", "unknown-game"),
        ("Seat ", "Chair ", "cut-off"),
        ("Game: ", "Gama: ", "cut-off"),
        ("Bo (10)", "Bo (1_0)", "amount"),
        ("to 9.99", "to x", "amount"),
        ("Seat 2:", "Seat 99:", "seat"),
        ("NL Hold'em", "Limit Stud", "unknown-game"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample().replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code
