"""Absolute Poker's text becomes the right events, each at its place, whatever the bytes look like."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.absolute import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import WaitDeclared
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread

sample = texts("absolute")


def test_a_dead_post_tells_its_sum_and_its_dead_part() -> None:
    posts = events_of(read_hand(FORMAT, sample("dead-post-and-timeout")), o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (3, "small", 1500, 0),
        (4, "big", 2500, 0),
        (5, "makeup-small", 0, 1500),
        (5, "makeup-big", 2500, 0),
    ]


def test_an_all_in_without_an_amount_stays_in_for_the_pot_so_far() -> None:
    account = read_hand(FORMAT, sample("dead-post-and-timeout"))
    assert b.Called(1, 0, 0, True) in account.events
    assert [clock.seat for clock in events_of(account, b.ClockExpired)] == [1, 1]


def test_who_waits_is_left_out_and_a_dead_button_lies_at_an_empty_seat() -> None:
    account = read_hand(FORMAT, sample("dead-post-and-timeout"))
    assert [(out.seat, out.reason) for out in events_of(account, o.SeatLeftOut)] == [(6, "waiting-for-big-blind")]
    assert events_of(account, WaitDeclared) == [WaitDeclared(6)]
    assert events_of(account, o.ButtonPlaced) == [o.ButtonPlaced(2)]
    assert events_of(account, b.Folded)[0] == b.Folded(4, "8d3h")


def test_the_blinds_are_the_header_s_big_and_the_posted_small_one() -> None:
    (game,) = events_of(read_hand(FORMAT, sample("tournament")), o.GameSet)
    assert (game.blinds, game.unit, game.betting) == ((50, 100), "chips", "no-limit")
    (game,) = events_of(read_hand(FORMAT, sample("walk-with-ante")), o.GameSet)
    assert (game.blinds, game.ante, game.unit, game.variant, game.betting) == (
        (200, 400),
        25,
        "play",
        "omaha8",
        "pot-limit",
    )


def test_an_all_in_bets_calls_or_raises_as_the_bet_before_shows() -> None:
    raises = events_of(read_hand(FORMAT, sample("tournament")), b.Raised)
    assert [(act.seat, act.added, act.to, act.all_in) for act in raises] == [(9, 530, 530, True), (1, 1510, 1560, True)]
    short_all_in = sample("tournament").replace("ADA - All-In(Raise) 1,510 to 1,560", "ADA - All-In 480")
    assert b.Called(1, 480, 530, True) in read_hand(FORMAT, short_all_in).events


def test_cards_that_were_mucked_are_learned() -> None:
    assert events_of(read_hand(FORMAT, sample("tournament")), d.HoleCardsLearned) == [d.HoleCardsLearned(1, "Kc7s")]


def test_stud_tells_whole_hands_and_the_new_card_is_the_last() -> None:
    dealt = events_of(read_hand(FORMAT, sample("stud-hi-lo")), d.HoleCardsDealt)
    assert [(card.seat, card.cards, card.up) for card in dealt[:5]] == [
        (1, "????3c", "ddu"),
        (3, "????6d", "ddu"),
        (5, "Ts8s9h", "ddu"),
        (1, "Th", "u"),
        (3, "Ac", "u"),
    ]
    assert [(card.cards, card.how) for card in dealt[-2:]] == [("??", "unknown")] * 2


def test_the_cards_of_the_first_street_are_known_as_such_without_its_heading() -> None:
    account = read_hand(FORMAT, sample("stud-hi-lo").replace("*** 3rd STREET ***", "*** 3rd STREE"))
    full_account = read_hand(FORMAT, sample("stud-hi-lo"))
    assert events_of(account, d.HoleCardsDealt)[:3] == events_of(full_account, d.HoleCardsDealt)[:3]


def test_the_bet_on_seven_and_deuce_is_no_part_of_the_pot() -> None:
    text = sample("posts-both").replace(
        "Ada Collects $8.55", "Ada Collects $10 from 72 proposition pot\nAda Collects $8.55"
    )
    text = text.replace("Jackpot Rake ($0.50)", "Jackpot Rake ($0.50) | 72 Proposition Pot ($10)")
    account = read_hand(FORMAT, text.replace("collected Total ($8.55)", "collected Total ($18.55)"))
    assert events_of(account, e.BountyWon) == [e.BountyWon(5, 1000, kind="seven-deuce")]
    assert (unread(account, new_people()), unbalanced(account)) == ([], [])


def test_an_ante_that_nobody_matched_goes_back() -> None:
    text = sample("walk-with-ante").replace("*** POCKET", "ADA - Folds - Ante returned $0.25\n*** POCKET", 1)
    (event,) = events_of(read_hand(FORMAT, text), o.PostReturned)
    assert (event.seat, event.amount, event.role, event.dead) == (1, 25, "ante", True)


def test_a_showdown_is_one_only_where_two_hands_are_left() -> None:
    assert not events_of(read_hand(FORMAT, sample("walk-with-ante")), e.ShowdownBegun)
    assert events_of(read_hand(FORMAT, sample("stud-hi-lo")), e.ShowdownBegun)


def test_times_are_eastern_with_or_without_a_fraction() -> None:
    assert read_hand(FORMAT, sample("dead-post-and-timeout")).opened.started == 1214073228000
    assert read_hand(FORMAT, sample("tournament")).opened.started == 1304387048000


def test_the_longest_name_that_fits_is_meant() -> None:
    account = read_hand(FORMAT, sample("walk-with-ante"))
    assert [event.seat for event in events_of(account, b.Folded)] == [1]
    assert events_of(account, e.PotAwarded)[0].seat == 2


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("tournament").replace("BO - Folds\n", "BO - Folds\nBO - Sings\nRain\n")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["BO - Sings", "Rain"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Holdem Multi", "Belote Multi", "unknown-game"),
        ("Seat 2 - BO (1,260 in", "Seat 2 BO", "seat"),
        ("#900000003 ", "#9-3 ", "header"),
        ("All-In 530", "All-In 4e5", "amount"),
        (" - 2011-05-02 21:44:08 (ET)", " (ET)", "header"),
        ("Seat 2 -", "Seat 91 -", "seat"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("tournament").replace(old, new, 1))
    assert isinstance(item, Reject)
    assert item.code == code


@pytest.mark.parametrize(
    "line",
    [
        "ADA - " * 12000,
        "*** FLOP *** " + "[2c]" * 16000,
        "ADA - Pocket [" * 4000,
        "ADA - Posts dead " * 4000,
        "Seat 2: " * 8000,
        "Total Pot(" * 6000,
    ],
)
def test_a_very_long_line_is_one_line_or_one_reject(line: str) -> None:
    for marker in ("*** FLOP", "Board ["):
        (item,) = read(FORMAT, sample("tournament").replace(marker, line + "\n" + marker))
        assert isinstance(item, Account | Reject)
