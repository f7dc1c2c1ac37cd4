"""PKR's text becomes the right events, each at its place, whatever the bytes look like."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.pkr import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ChipsAdded, ConnectionLost, SeatTaken, StackCounted, WordsSaid
from tests.formats.support import events_of, new_people, read, read_hand, texts, unread

sample = texts("pkr")


def test_calls_name_the_total_of_the_street() -> None:
    account = read_hand(FORMAT, sample("posts-and-newcomers"))
    assert [(act.seat, act.added, act.to, act.all_in) for act in events_of(account, b.Called)] == [
        (5, 6, 8, None),
        (6, 1, 5, True),
        (2, 4, 8, None),
    ]


def test_posts_are_live_or_dead_as_their_words_say() -> None:
    posts = events_of(read_hand(FORMAT, sample("posts-and-newcomers")), o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (5, "small", 2, 0),
        (6, "big", 4, 0),
        (2, "entry", 4, 0),
        (2, "makeup-small", 0, 2),
    ]


def test_the_button_lies_where_it_was_moved_to() -> None:
    assert events_of(read_hand(FORMAT, sample("posts-and-newcomers")), o.ButtonPlaced) == [o.ButtonPlaced(4)]
    assert events_of(read_hand(FORMAT, sample("uneven-antes")), o.ButtonPlaced) == [o.ButtonPlaced(1)]


def test_who_buys_chips_has_a_counted_stack_and_no_result() -> None:
    account = read_hand(FORMAT, sample("posts-and-newcomers"))
    assert [(added.seat, added.amount, added.kind) for added in events_of(account, ChipsAdded)] == [(2, 200, "rebuy")]
    assert events_of(account, StackCounted) == [StackCounted(2, 504)]
    ends = [result.seat for result in events_of(account, e.ResultDeclared) if result.what == "end-stack"]
    assert ends == [1, 3, 4, 5, 6]
    assert [(event.seat, event.stack) for event in events_of(account, SeatTaken)] == [(7, 400)]


def test_the_pots_have_numbers_and_halves_where_the_room_tells_them() -> None:
    awards = events_of(read_hand(FORMAT, sample("posts-and-newcomers")), e.PotAwarded)
    assert [(award.seat, award.amount, award.pot) for award in awards] == [(3, 9, 1), (6, 20, None)]
    awards = events_of(read_hand(FORMAT, sample("tournament-hi-lo")), e.PotAwarded)
    assert [(award.seat, award.amount, award.half) for award in awards] == [
        (1, 1530, "high"),
        (1, 765, "low"),
        (2, 765, "low"),
    ]


def test_a_bet_that_nobody_called_goes_back_as_the_award_shows() -> None:
    account = read_hand(FORMAT, sample("walk"))
    (returned,) = events_of(account, b.BetReturned)
    assert returned == b.BetReturned(2, 1000)
    assert account.events.index(returned) in account.inferred


def test_the_part_of_an_ante_that_nobody_matched_goes_back() -> None:
    account = read_hand(FORMAT, sample("uneven-antes"))
    assert events_of(account, o.PostReturned) == [o.PostReturned(2, 25, "ante", True)]
    assert account.inferred == []


def test_cards_are_read_with_blanks_in_small_letters_and_hidden() -> None:
    account = read_hand(FORMAT, sample("uneven-antes"))
    assert events_of(account, d.HoleCardsDealt) == [d.HoleCardsDealt(2, "3d9c")]
    assert events_of(account, d.BoardDealt)[0].cards == "JcKcKd"
    assert b.Folded(5, "??Ac????") in read_hand(FORMAT, sample("posts-and-newcomers")).events


def test_time_connections_and_talk_are_told() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("posts-and-newcomers"), people=people)
    assert [(event.seat, people.words(event.words)) for event in events_of(account, WordsSaid)] == [
        (3, "yawns."),
        (2, "nh"),
        (3, "says Boom!"),
    ]
    assert events_of(account, b.ClockExpired) == [b.ClockExpired(4)]
    hi_lo_account = read_hand(FORMAT, sample("tournament-hi-lo"))
    assert events_of(hi_lo_account, b.TimeBankUsed) == [b.TimeBankUsed(5)]
    assert [lost.seat for lost in events_of(hi_lo_account, ConnectionLost)] == [2]


def test_who_is_away_and_puts_nothing_in_is_left_out() -> None:
    (out,) = events_of(read_hand(FORMAT, sample("posts-and-newcomers")), o.SeatLeftOut)
    assert (out.seat, out.reason) == (1, "sitting-out")


def test_tournaments_have_their_numbers_and_tables() -> None:
    opened = read_hand(FORMAT, sample("tournament-hi-lo")).opened
    assert (opened.tournament, opened.table, opened.number) == ("60000002", "13", "900000002")
    assert read_hand(FORMAT, sample("uneven-antes")).opened.tournament == "60000003"
    assert read_hand(FORMAT, sample("posts-and-newcomers")).opened.table == "Sam - plex"


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("walk").replace("Ada folds\n", "Ada folds\nThe lights went out\nAda sings\n")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["The lights went out", "Ada sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("HOLD'EM", "BELOTE", "unknown-game"),
        ("Game Type: HOLD'EM\n", "", "cut-off"),
        ("Seat 2: Hero - $640", "Seat 2: Hero", "seat"),
        ("raises to $20", "raises to $2e1", "amount"),
        ("Starting Hand #900000004", "Starting Hand #9x", "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("walk").replace(old, new, 1))
    assert isinstance(item, Reject)
    assert item.code == code


@pytest.mark.parametrize(
    "line",
    [
        "Hero " * 12000,
        "Dealing Flop [" * 4000,
        "Hero wins " * 6000,
        "Seat 2: Hero - " * 4000,
        "Dealing [A h] to " * 4000,
        "Returning 5 to " * 4000,
    ],
)
def test_a_very_long_line_is_one_line_or_one_reject(line: str) -> None:
    (item,) = read(FORMAT, sample("walk").replace("Ada folds", line + "\nAda folds"))
    assert isinstance(item, Account | Reject)


def test_a_tie_names_its_side_pot_before_the_chips_and_a_low_one_needs_no_and() -> None:
    text = sample("tournament-hi-lo")
    account = read_hand(FORMAT, text)
    changed_text = text.replace("Bo ties, and wins 765 with low", "Bo ties 765 with low")
    assert changed_text != text
    assert read_hand(FORMAT, changed_text).events == account.events
    side = text.replace("Bo ties, and wins 765 with low", "Bo ties side pot #1, and wins 765 with low")
    assert [(won.seat, won.pot, won.half) for won in events_of(read_hand(FORMAT, side), e.PotAwarded)][-1] == (
        events_of(account, e.PotAwarded)[-1].seat,
        1,
        "low",
    )
    for odd in ("Bo ties well", "Bo ties knots, and wins 765 with low hand: A2345"):
        people = new_people()
        assert unread(
            read_hand(FORMAT, changed_text.replace("Bo ties 765 with low hand: A2345", odd), people=people), people
        ) == [odd]


def test_a_bounty_beside_a_seat_is_no_part_of_the_name() -> None:
    text = sample("posts-and-newcomers")
    changed_text = text.replace("Seat 2: Ada - $3.14", "Seat 2: Ada (bounty value $0.40, bounty won $0) - $3.14")
    assert changed_text != text
    assert read_hand(FORMAT, changed_text).events == read_hand(FORMAT, text).events
