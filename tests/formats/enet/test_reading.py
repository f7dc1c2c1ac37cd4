"""Enet's text becomes the right events, each at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.enet import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, unread


def sample() -> str:
    path = Path(__file__).parent / "samples" / "silent-posts-and-raises.txt"
    return path.read_text(encoding="utf-8")


def hands() -> list[Account]:
    return [item for item in read(FORMAT, sample()) if isinstance(item, Account)]


def test_raises_and_all_ins_tell_the_chips_that_are_added() -> None:
    assert [(act.seat, act.added, act.to, act.all_in) for act in events_of(hands()[0], b.Raised)] == [
        (2, 300, 300, None),
        (3, 600, 600, True),
        (1, 750, 750, None),
    ]


def test_a_small_blind_without_an_amount_is_a_dead_one() -> None:
    account = hands()[0]
    posts = events_of(account, o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (6, "small", 50, 0),
        (1, "big", 100, 0),
        (4, "makeup-small", 0, 50),
    ]
    assert account.events.index(posts[2]) in account.inferred


def test_who_checks_with_nothing_in_has_posted_what_no_line_tells() -> None:
    account = hands()[1]
    posts = events_of(account, o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (2, "small", 20, 0),
        (3, "big", 50, 0),
        (9, "makeup-small", 0, 20),
        (9, "makeup-big", 50, 0),
    ]
    assert {account.events.index(post) for post in posts[2:]} == set(account.inferred)


def test_the_summary_says_what_was_won_where_the_line_before_tells_a_returned_bet() -> None:
    people = new_people()
    second = [item for item in read(FORMAT, sample(), people=people) if isinstance(item, Account)][1]
    assert [(won.seat, won.amount) for won in events_of(second, e.PotAwarded)] == [(2, 160)]
    (remark,) = events_of(second, e.RemarkNoted)
    assert people.texts[remark.text] == "Ann collected (€1,64) from pot"


def test_the_rake_of_each_street_is_dropped_there_and_their_sum_is_declared() -> None:
    account = hands()[0]
    assert [drop.amount for drop in events_of(account, e.DropTaken)] == [147, 30]
    assert e.ResultDeclared("rake", None, 177) in account.events


def test_cards_have_no_blanks_and_boards_are_told_whole() -> None:
    assert [dealt.cards for dealt in events_of(hands()[0], d.BoardDealt)] == ["7s4hKc", "Jd", "9d"]
    assert events_of(hands()[0], d.HoleCardsDealt)[0].cards == "8h8d5cAs"


def test_the_limit_stands_in_the_table_s_name_and_seat_0_is_nobody_s_button() -> None:
    first, second = hands()
    assert (first.opened.table, events_of(first, o.GameSet)[0].betting) == ("Porto - Alto 3", "pot-limit")
    assert (first.opened.seats, events_of(first, o.ButtonPlaced)) == (6, [o.ButtonPlaced(4)])
    assert events_of(second, o.ButtonPlaced) == []
    assert not second.opened.witnesses & Witness.BUTTON
    assert not first.opened.witnesses & Witness.POSTS


def test_one_muck_told_twice_is_one_and_who_plays_no_part_is_left_out() -> None:
    account = hands()[0]
    assert events_of(account, e.CardsMucked) == [e.CardsMucked(3)]
    assert [seat.seat for seat in events_of(account, o.SeatLeftOut)] == [5]


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample().split("\n\n\n")[1].replace("Bo: folds", "Bo: raises the roof\nBo: sings\nBo: folds")
    text = text.replace("Bo: raises the roof\n", "")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["Bo: sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Omaha (", "Omaha Belote (", "unknown-game"),
        ("Seat ", "Chair ", "cut-off"),
        ("(€38,46", "(€3_8", "amount"),
        ("bets €1,64", "bets x", "amount"),
        ("Seat 9: Late (", "Seat 99: Late (", "seat"),
        ("#13590428", "#" + "9" * 30, "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample().split("\n\n\n")[1].replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code


def test_a_rake_below_nothing_is_kept_as_a_remark() -> None:
    people = new_people()
    account = read(FORMAT, sample().replace("Rake: €0,30", "Rake: €-2,22", 1), people=people)[0]
    assert isinstance(account, Account)
    assert "Rake: €-2,22" in [people.words(remark.text) for remark in events_of(account, e.RemarkNoted)]


def test_a_big_blind_without_an_amount_is_no_post() -> None:
    text = sample().replace("Cy: posts small blind \n", "Cy: posts big blind \n", 1)
    people = new_people()
    account = next(item for item in read(FORMAT, text, people=people) if isinstance(item, Account))
    assert not unread(account, people)
    assert [post.seat for post in events_of(account, o.BlindPosted)] == [6, 1]


def test_a_board_that_is_told_to_be_empty_is_no_unread_line() -> None:
    people = new_people()
    account = next(i for i in read(FORMAT, sample().replace("Board [7s4hKcJd9d]", "Board []"), people=people))
    assert isinstance(account, Account)
    assert not unread(account, people)


def test_chips_that_go_back_where_the_bet_is_missing_are_no_ante() -> None:
    text = sample().replace("Ann: bets €1,64\n", "")
    (hand,) = [item for item in read(FORMAT, text) if isinstance(item, Account) and item.opened.number == "13590428"]
    assert not events_of(hand, o.PostReturned)
    assert events_of(hand, b.BetReturned) == [b.BetReturned(2, 164)]
