"""Cake's text becomes the right events, each at its place."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.cake import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.presence import ChipsAdded, WordsSaid
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unread

sample = texts("cake")


def hands(name: str) -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def test_each_showdown_is_a_pot_and_the_last_is_the_main_one() -> None:
    tournament = hands("side-pot-by-showdowns")[0]
    assert [(won.pot, won.amount) for won in events_of(tournament, e.PotAwarded)] == [(1, 3300), (0, 3825)]
    assert events_of(tournament, e.PlayerFinished) == [e.PlayerFinished(8, 7)]
    (bought,) = events_of(tournament, ChipsAdded)
    assert (bought.seat, bought.amount, bought.kind) == (2, 4000, "rebuy")


def test_halves_are_told_and_a_high_pot_without_a_low_is_the_whole() -> None:
    _, split, alone = hands("side-pot-by-showdowns")
    assert [(won.seat, won.half) for won in events_of(split, e.PotAwarded)] == [(3, "high"), (8, "low")]
    assert [won.half for won in events_of(alone, e.PotAwarded)] == [""]


def test_what_is_all_in_is_the_chips_that_are_added() -> None:
    acts = events_of(hands("euros-dead-blind-and-muck")[1], b.Raised)
    assert [(act.seat, act.added, act.to, act.all_in) for act in acts] == [
        (3, 750, 1000, None),
        (8, 1000, 1500, None),
        (3, 1000, 2000, True),
    ]


def test_a_table_in_euros_is_played_in_its_stacks_dollars_and_tells_no_blinds() -> None:
    euros, dollars, play = hands("euros-dead-blind-and-muck")
    assert (events_of(euros, o.GameSet)[0].unit, events_of(euros, o.GameSet)[0].blinds) == ("USD", ())
    assert not euros.opened.witnesses & Witness.BLIND_AMOUNTS
    assert dollars.opened.witnesses & Witness.BLIND_AMOUNTS
    assert (events_of(dollars, o.GameSet)[0].bets, events_of(play, o.GameSet)[0].unit) == ((500, 1000), "play")


def test_a_dead_blind_above_the_big_one_is_both() -> None:
    posts = events_of(hands("euros-dead-blind-and-muck")[0], o.BlindPosted)
    assert [(post.role, post.live, post.dead) for post in posts] == [
        ("small", 50, 0),
        ("big", 100, 0),
        ("makeup-small", 0, 50),
        ("makeup-big", 100, 0),
    ]


def test_mucked_cards_that_are_told_later_are_learned() -> None:
    account = hands("euros-dead-blind-and-muck")[0]
    assert events_of(account, e.CardsMucked) == [e.CardsMucked(3)]
    assert events_of(account, d.HoleCardsLearned) == [d.HoleCardsLearned(3, "2s9cJd5h")]


def test_the_rake_is_inferred_for_no_line_tells_it() -> None:
    account = hands("euros-dead-blind-and-muck")[0]
    (rake,) = events_of(account, e.DropTaken)
    assert (rake.amount, account.events.index(rake) in account.inferred) == (35, True)
    assert events_of(hands("side-pot-by-showdowns")[1], e.DropTaken) == []


def test_who_is_listed_and_neither_posts_nor_acts_takes_no_part() -> None:
    (out,) = events_of(hands("euros-dead-blind-and-muck")[1], o.SeatLeftOut)
    assert out.seat == 9
    assert events_of(hands("euros-dead-blind-and-muck")[1], o.ButtonPlaced) == [o.ButtonPlaced(9)]


def test_a_byte_order_mark_that_was_read_as_text_is_none() -> None:
    text = "\ufeff\xef\xbb\xbf" + sample("side-pot-by-showdowns").split("\n\n\n")[2]
    account = read_hand(FORMAT, text)
    assert (account.opened.number, account.opened.tournament) == ("3A41D70B92000028", "17309264")
    costs = events_of(account, o.TournamentSet)[0]
    assert (costs.buy_in, costs.fee, costs.currency) == (800, 40, "USD")
    assert (account.opened.table, account.opened.seats) == ("1", 2)


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("euros-dead-blind-and-muck").split("\n\n\n")[2].replace("Ann: f", "Ann sings\nAnn: f")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["Ann sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("PL Omaha", "PL Belote", "unknown-game"),
        ("Seat ", "Chair ", "cut-off"),
        ("$47.15 in", "$4_7 in", "amount"),
        ("calls $2.25 (", "calls $x (", "amount"),
        ("Seat 2:", "Seat 99:", "seat"),
        ("Hand#3517", "Hand#3_17", "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("euros-dead-blind-and-muck").split("\n\n\n")[0].replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code


def test_a_dead_blind_below_nothing_is_none_and_the_big_blind_beside_it_is_live() -> None:
    text = sample("euros-dead-blind-and-muck").split("\n\n")[0]
    line = "Cy: posts dead blind $1.50 (EUR €1.19)"
    posts = {}
    for dead in ("$-0,10", "$0.50"):
        people = new_people()
        account = read_hand(FORMAT, text.replace(line, f"Cy:posts dead blind {dead} and big blind $1"), people=people)
        assert not unread(account, people)
        posts[dead] = [
            (post.role, post.live, post.dead) for post in events_of(account, o.BlindPosted) if post.seat == 4
        ]
    assert posts == {"$-0,10": [("makeup-big", 100, 0)], "$0.50": [("makeup-small", 0, 50), ("makeup-big", 100, 0)]}


def test_a_bounty_whose_worth_no_line_tells_is_a_remark() -> None:
    text = sample("side-pot-by-showdowns").split("\n\n")[0].rstrip() + "\nTournament: Bo (1 wins 1 bounty. (1)\n"
    people = new_people()
    assert not unread(read_hand(FORMAT, text, people=people), people)


def test_a_muck_that_names_somebody_with_underscores_for_blanks_is_read() -> None:
    text = """Hand#30B5C91E4D000388 - Own (6-Max) 21586 -- $0.50/$1 NL Hold'em -- 2012/10/03 - 18:14:27
Dealer: Seat 1
Seat 1: Ann ($100 in chips)
Seat 2: Bo Lee ($90 in chips)
Ann: posts small blind $0.50
Bo Lee: posts big blind $1
Dealt to Ann [Th,6h]
Ann: calls $0.50
Bo Lee: checks
*** FLOP *** [Kd,8s,4c]
Ann: checks
Bo Lee: checks
*** TURN *** [2s]
Ann: checks
Bo Lee: checks
*** RIVER *** [9h]
Ann: checks
Bo Lee: checks
***SHOW DOWN***
Ann: shows [Th 6h] (Ten High)
Bo Lee: mucks
Ann wins $2 with Ten High
Bo_Lee: mucks [7h,5d] (High Card) .
"""
    people = new_people()
    hand = read_hand(FORMAT, text, people=people)
    assert not unread(hand, people)
    assert [(event.seat, event.cards) for event in events_of(hand, d.HoleCardsLearned)] == [(2, "7h5d")]


def test_what_is_said_stands_behind_two_blanks() -> None:
    people = new_people()
    hand = read_hand(FORMAT, sample("chat"), people=people)
    assert not unread(hand, people)
    messages = [(event.seat, people.texts[event.words]) for event in events_of(hand, WordsSaid)]
    assert messages == [(2, "back in five: dinner"), (5, "gg")]


def test_the_list_of_seats_behind_a_hand_declares_its_end_stacks() -> None:
    people = new_people()
    moved, first = (item for item in read(FORMAT, sample("moved-table"), people=people) if isinstance(item, Account))
    assert not unread(moved, people)
    declared = {event.seat: event.amount for event in events_of(moved, e.ResultDeclared)}
    assert declared == {2: 1490, 3: 1470, 4: 1480}
    state = fold(moved.events)
    assert {seat: state.stack(seat) for seat in declared} == declared
    assert any("Cleo" in people.texts[note.text] for note in events_of(moved, e.RemarkNoted))
    assert not unread(first, people)


def test_the_first_hand_at_a_table_may_not_know_its_blinds() -> None:
    first = hands("moved-table")[1]
    assert events_of(first, o.GameSet)[0].blinds == ()
    assert not first.opened.witnesses & Witness.BLIND_AMOUNTS


def test_a_list_of_seats_within_a_hand_is_not_understood() -> None:
    people = new_people()
    text = sample("moved-table").replace(
        "Bo Li: folds", "Dealer: Seat 0\nSeat 2: Ann (1 460 in chips)\nBo Li: folds", 1
    )
    moved = next(item for item in read(FORMAT, text, people=people) if isinstance(item, Account))
    assert unread(moved, people) == ["Dealer: Seat 0", "Seat 2: Ann (1 460 in chips)"]
