"""Entraction's text becomes the right events, each at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.entraction import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, unread


def hands(name: str) -> list[Account]:
    path = Path(__file__).parent / "samples" / f"{name}.txt"
    return [item for item in read(FORMAT, path.read_bytes()) if isinstance(item, Account)]


def sample(name: str = "out-of-turn-and-side-pot") -> str:
    return (Path(__file__).parent / "samples" / f"{name}.txt").read_text(encoding="utf-8")


def test_a_blind_out_of_turn_is_live_up_to_the_big_blind_and_dead_above() -> None:
    posts = events_of(hands("out-of-turn-and-side-pot")[0], o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (2, "small", 100, 0),
        (3, "big", 200, 0),
        (6, "makeup-small", 0, 100),
        (6, "makeup-big", 200, 0),
    ]


def test_less_than_a_big_blind_out_of_turn_is_a_dead_small_one() -> None:
    text = sample().split("\n\n\n")[0].replace("Late        (3.00)", "Late        (1.00)")
    posts = events_of(read_hand(FORMAT, text), o.BlindPosted)
    assert (posts[2].seat, posts[2].role, posts[2].live, posts[2].dead) == (6, "makeup-small", 0, 100)


def test_amounts_of_acts_are_the_chips_that_are_added() -> None:
    account = hands("out-of-turn-and-side-pot")[0]
    assert [(act.seat, act.added, act.to) for act in events_of(account, b.Raised)] == [
        (5, 600, 600),
        (3, 1900, 2100),
        (5, 10900, 11500),
    ]
    assert [act.to for act in events_of(account, b.Called)] == [600, 600, 11500]


def test_names_that_look_like_words_of_the_notation_are_names() -> None:
    assert [event.seat for event in events_of(hands("out-of-turn-and-side-pot")[0], e.CardsShown)] == [2, 3, 5]
    assert [won.seat for won in events_of(hands("out-of-turn-and-side-pot")[0], e.PotAwarded)] == [5]


def test_the_table_of_a_tournament_ends_with_its_number_and_the_tables() -> None:
    tournament, cash = hands("tournament-antes-and-payback")
    assert (tournament.opened.tournament, tournament.opened.table) == ("13804519", "7")
    assert events_of(tournament, o.TournamentSet)[0].written == '€25+2 - Table "Cup" #4'
    assert (events_of(tournament, o.GameSet)[0].unit, events_of(cash, o.GameSet)[0].unit) == ("chips", "SEK")
    assert events_of(cash, o.GameSet)[0].variant == "omaha5"


def test_the_moment_is_the_end_s_and_needs_a_zone_that_means_one() -> None:
    first, second = hands("out-of-turn-and-side-pot")
    assert first.opened.started == 1360859886000
    assert first.opened.written == "Game ended 2013-02-14 17:38:06 GMT+01:00"
    assert second.opened.started == 1386564087000
    assert hands("tournament-antes-and-payback")[1].opened.started is None  # MSK changed


def test_a_hand_that_was_not_shown_may_be_known_all_the_same() -> None:
    mucked = events_of(hands("tournament-antes-and-payback")[0], e.CardsMucked)
    assert mucked == [e.CardsMucked(2, "Jd9c", declined=True)]


def test_returned_bets_are_witnessed_and_what_of_a_post_is_live_is_not() -> None:
    witnesses = hands("out-of-turn-and-side-pot")[0].opened.witnesses
    assert witnesses & Witness.RETURNED_BETS
    assert not witnesses & (Witness.POST_LIVENESS | Witness.PRESENCE | Witness.POTS)


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    (first, _) = read(FORMAT, sample().replace("Flop  ", "Bo   sings\nFlop  ", 1), people=people)
    assert isinstance(first, Account)
    assert unread(first, people) == ["Bo   sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Texas Hold'em No Limit", "Belote No Limit", "unknown-game"),
        (" in seat ", " by seat ", "cut-off"),
        ("(EUR 90.00 in", "(EUR 9_0 in", "amount"),
        ("Raise       (6.00)", "Raise       (x)", "amount"),
        ("in seat 2", "in seat 77", "seat"),
        ("# 900000001", "# 9x", "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    text = sample().split("\n\n\n")[0]
    (item,) = read(FORMAT, text.replace(old, new) if code == "cut-off" else text.replace(old, new, 1))
    assert isinstance(item, Reject)
    assert item.code == code


def test_small_and_big_blind_in_one_amount_are_dead_and_live() -> None:
    text = sample().replace("Blind out of turn:", "Small + Big Blind:")
    account = next(item for item in read(FORMAT, text) if isinstance(item, Account))
    posts = events_of(account, o.BlindPosted)
    assert [(post.role, post.live, post.dead) for post in posts if post.seat == 6] == [
        ("makeup-small", 0, 100),
        ("makeup-big", 200, 0),
    ]


def test_a_hero_in_small_letters_is_the_one_seat_of_that_name() -> None:
    people = new_people()
    text = sample().replace("Hero: wins was dealt:", "hero: WINS was dealt:")
    account = next(item for item in read(FORMAT, text, people=people) if isinstance(item, Account))
    assert not unread(account, people)
    assert [deal.seat for deal in events_of(account, d.HoleCardsDealt)] == [5]
    two = text.replace("Late  ", "hero: wins  ")
    assert any(unread(item, people) for item in read(FORMAT, two, people=people) if isinstance(item, Account))
