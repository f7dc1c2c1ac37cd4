"""OnGame's text becomes the right events, each at its place, whatever the bytes look like."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.ongame import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unread

sample = texts("ongame")


def test_pots_have_their_winners_and_halves() -> None:
    awards = events_of(read_hand(FORMAT, sample("side-pots-and-halves")), e.PotAwarded)
    assert [(award.seat, award.amount, award.pot, award.half) for award in awards] == [
        (7, 210, 0, "high"),
        (5, 210, 0, "low"),
        (6, 443, 1, "high"),
        (5, 442, 1, "low"),
        (6, 1100, 2, "high"),
        (5, 1100, 2, "low"),
    ]


def test_a_big_blind_with_a_dead_one_is_made_up_and_the_next_one_is_the_big_blind() -> None:
    posts = events_of(read_hand(FORMAT, sample("dead-blind")), o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (10, "makeup-big", 10, 0),
        (10, "makeup-small", 0, 5),
        (1, "small", 5, 0),
        (4, "big", 10, 0),
    ]


def test_bets_that_nobody_called_are_no_part_of_the_pots_and_go_back() -> None:
    account = read_hand(FORMAT, sample("stud"))
    (index,) = account.inferred
    assert account.events[index] == b.BetReturned(2, 20)


def test_an_ante_that_nobody_matched_goes_back_as_the_end_stack_shows() -> None:
    account = read_hand(FORMAT, sample("uneven-antes-and-run-out"))
    (returned,) = events_of(account, o.PostReturned)
    assert (returned.seat, returned.amount, returned.role, returned.dead) == (5, 4, "ante", True)
    assert account.events.index(returned) in account.inferred


def test_a_flop_that_is_told_again_is_one_flop() -> None:
    account = read_hand(FORMAT, sample("uneven-antes-and-run-out"))
    assert [board.street for board in events_of(account, d.BoardDealt)] == ["flop", "turn", "river"]


def test_a_draw_tells_what_went_and_what_came() -> None:
    account = read_hand(FORMAT, sample("draw"))
    assert events_of(account, d.StoodPat) == [d.StoodPat(8)]
    assert events_of(account, d.CardsDiscarded) == [d.CardsDiscarded(10, 2, "Ts6c"), d.CardsDiscarded(1, 3)]
    assert events_of(account, d.CardsDrawn) == [d.CardsDrawn(10, "7d4s")]
    assert events_of(account, d.HoleCardsLearned) == []  # its owner's cards, which are known
    assert events_of(account, o.GameSet)[0].unit == "play"


def test_moments_are_known_where_the_zone_means_one() -> None:
    assert read_hand(FORMAT, sample("stud")).opened.started == 1290107112000
    assert read_hand(FORMAT, sample("dead-blind")).opened.started == 1286907645000
    assert read_hand(FORMAT, sample("draw")).opened.started is None  # Moscow changed its mind twice


def test_a_tournament_s_name_may_hold_anything() -> None:
    account = read_hand(FORMAT, sample("side-pots-and-halves"))
    (costs,) = events_of(account, o.TournamentSet)
    assert (costs.written, costs.buy_in, costs.currency) == ('PL "Omaha", R-1 HL', 120, "USD")
    assert (account.opened.tournament, account.opened.table) == ("R-186-9001", "Table #3")
    assert read_hand(FORMAT, sample("uneven-antes-and-run-out")).opened.tournament == ""


def test_end_stacks_are_witnessed_and_returned_bets_are_not() -> None:
    witnesses = read_hand(FORMAT, sample("stud")).opened.witnesses
    assert witnesses & Witness.STACKS_AFTER
    assert not witnesses & (Witness.RETURNED_BETS | Witness.CLOCKS)


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("stud").replace("the tAAp checks\n", "the tAAp checks\nthe tAAp sings\n", 1)
    assert unread(read_hand(FORMAT, text, people=people), people) == ["the tAAp sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("SEVEN_CARD_STUD", "BELOTE", "unknown-game"),
        ("Table: ", "Tabla: ", "cut-off"),
        ("Seat 2: Hero ($2)", "Seat 2: Hero", "seat"),
        ("calls $0.05", "calls $1_0", "amount"),
        ("hand R5-900004-607", "hand R5/607", "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("stud").replace(old, new, 1))
    assert isinstance(item, Reject)
    assert item.code == code


@pytest.mark.parametrize(
    "line",
    [
        "Hero " * 12000,
        "--- Dealing flop " + "[" * 60000,
        "Dealing to Hero: [" * 3000,
        "Main pot: 5 won by " + "Hero (1), " * 6000,
        "Seat 2: " * 8000,
        "Hero changed " * 5000,
    ],
)
def test_a_very_long_line_is_one_line_or_one_reject(line: str) -> None:
    text = sample("stud")
    for marker in ("Dealing 4th street", "Rake taken"):
        (item,) = read(FORMAT, text.replace(marker, line + "\n" + marker))
        assert isinstance(item, Account | Reject)


def test_a_summary_without_its_heading_is_one_and_its_rake_is_inferred() -> None:
    account = read_hand(FORMAT, sample("dead-blind"))
    lines = [line for line in sample("dead-blind").splitlines() if line not in ("---", "Summary:")]
    headless = read_hand(FORMAT, "\n".join(line for line in lines if not line.startswith("Rake taken")))
    for kind in (e.PotAwarded, e.DropTaken, e.ResultDeclared, e.HandCompleted):
        assert events_of(headless, kind) == events_of(account, kind)
    assert not events_of(headless, e.LineUnread)
    (drop,) = events_of(headless, e.DropTaken)
    assert headless.events.index(drop) in headless.inferred
    assert not headless.opened.witnesses & Witness.DROP
