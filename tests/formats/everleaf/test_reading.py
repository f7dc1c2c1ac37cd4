"""Everleaf's and Partouche's text becomes the right events, whatever the bytes look like."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.everleaf import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ConnectionLost, WordsSaid
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread

sample = texts("everleaf")


def test_every_number_is_what_the_player_adds() -> None:
    account = read_hand(FORMAT, sample("side-pots-and-chat"))
    assert [(act.seat, act.added, act.to) for act in events_of(account, b.Raised)] == [(4, 18, 20), (1, 112, 114)]
    assert events_of(read_hand(FORMAT, sample("stud")), b.Completed) == [b.Completed(5, 5, 5)]


def test_the_rake_that_no_line_tells_is_inferred_in_cash_games() -> None:
    account = read_hand(FORMAT, sample("side-pots-and-chat"))
    index = account.events.index(e.DropTaken("rake", 8))
    assert index in account.inferred
    assert not events_of(read_hand(FORMAT, sample("tournament")), e.DropTaken)


def test_a_bet_that_nobody_called_goes_back() -> None:
    account = read_hand(FORMAT, sample("tournament"))
    (returned,) = events_of(account, b.BetReturned)
    assert (returned.seat, returned.amount) == (5, 300)
    assert account.events.index(returned) in account.inferred


def test_a_name_and_a_colon_without_a_bet_is_chat() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("side-pots-and-chat"), people=people)
    (event,) = events_of(account, WordsSaid)
    assert (event.seat, people.words(event.words)) == (1, "nice hand [ 5 ]")


def test_chat_in_the_words_of_an_act_is_chat() -> None:
    text = sample("side-pots-and-chat").replace(
        "Odile folds\n", "Odile folds\nzed: folds\nzed: sits out\nOdile mucks\nzed: mucks\n"
    )
    people = new_people()
    account = read_hand(FORMAT, text, people=people)
    assert [act.seat for act in events_of(account, b.Folded)] == [2, 3]
    assert [people.words(event.words) for event in events_of(account, WordsSaid)][:-1] == [
        "nice hand [ 5 ]",
        "folds",
        "sits out",
    ]
    assert len(events_of(account, e.CardsMucked)) == 1


def test_the_rest_of_a_broken_line_is_kept_with_it() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("side-pots-and-chat"), people=people)
    remarks = [people.words(remark.text) for remark in events_of(account, e.RemarkNoted)]
    assert remarks.count("sevens [ Qd, Qc, Th, 7s, 7d ]") == 2
    assert unread(account, people) == []


def test_a_new_player_is_left_out_and_a_stack_that_is_not_told_is_unknown() -> None:
    (out,) = events_of(read_hand(FORMAT, sample("side-pots-and-chat")), o.SeatLeftOut)
    assert (out.seat, out.stack) == (10, None)


def test_partouche_writes_some_lines_in_french() -> None:
    account = read_hand(FORMAT, sample("french"))
    assert account.opened.venue == "Partouche"
    assert [lost.seat for lost in events_of(account, ConnectionLost)] == [3]
    assert events_of(account, o.BlindPosted)[2] == o.BlindPosted(4, "entry", 2)


def test_stud_tells_others_cards_as_they_come() -> None:
    dealt = events_of(read_hand(FORMAT, sample("stud")), d.HoleCardsDealt)
    assert [(card.seat, card.cards, card.up) for card in dealt[:3]] == [
        (5, "????As", "ddu"),
        (8, "4hJc8c", "ddu"),
        (5, "5d", "u"),
    ]
    assert (dealt[-1].cards, dealt[-1].up, dealt[-1].how) == ("Qc", "d", "owner")


def test_the_name_of_the_file_tells_the_tournament() -> None:
    account = read_hand(FORMAT, sample("tournament"), name="TID_9000417-1.txt")
    assert (account.opened.tournament, account.opened.started) == ("9000417", None)
    (game,) = events_of(account, o.GameSet)
    assert (game.betting, game.bets, game.unit) == ("limit", (300, 600), "chips")
    changed_level = sample("tournament").replace("300/600", "150/300")
    (game,) = events_of(read_hand(FORMAT, changed_level), o.GameSet)
    assert (game.betting, game.blinds) == ("no-limit", (150, 300))


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("tournament").replace("Bo folds\n", "Bo folds\nThe lights went out\nBo sings\n")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["The lights went out", "Bo sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Hold'em", "Belote", "unknown-game"),
        ("300/600 Hold'em - 2011/10/05 - 22:14:37\n", "", "cut-off"),
        ("Seat 3: Bo (", "Seat 3: Bo ", "seat"),
        ("game #900000004 *****", "game #x *****", "header"),
        ("calls [ 300 Chips]", "calls [ 3e2 Chips]", "amount"),
        ("300/600 ", "300 ", "header"),
        ("calls [ 300 Chips]", "calls [ Chips]", "amount"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("tournament").replace(old, new, 1))
    assert isinstance(item, Reject)
    assert item.code == code


@pytest.mark.parametrize(
    "line",
    [
        "Ada " * 12000,
        "** Dealing Flop ** [" * 3000,
        "Dealt to Ada [" * 4000,
        "Ada wins 5 from " * 4000,
        "Seat 2: " * 8000,
        "Ada: " * 9000,
    ],
)
def test_a_very_long_line_is_one_line_or_one_reject(line: str) -> None:
    (item,) = read(FORMAT, sample("tournament").replace("** Dealing Flop", line + "\n** Dealing Flop"))
    assert isinstance(item, Account | Reject)


def test_a_street_of_which_no_cards_are_told_is_dealt_all_the_same() -> None:
    text = sample("stud").replace("** Dealing 4th Street **", "**** dealing 4th street ****")
    text = text.replace("** Dealing River **", "**** dealing river **** ")
    account = read_hand(FORMAT, text)
    assert account.events == read_hand(FORMAT, sample("stud")).events
    text_without_cards = "\n".join(line for line in text.split("\n") if not line.startswith("Dealt to "))
    bare_account = read_hand(FORMAT, text_without_cards)
    assert [street.street for street in events_of(bare_account, d.StreetDealt)] == [
        "fourth",
        "fifth",
        "sixth",
        "seventh",
    ]
    assert unread(bare_account, new_people()) == []


HALVES = """Everleaf Gaming Game #900000777
***** Hand history for game #900000777 *****
Blinds €0.10/€0.20 PL Omaha Hi/Lo - 2009/05/21 - 20:11:10
Table Own Hall
Seat 1 is the button
Total number of players: 2
Seat 1: Ada (  € 10.00 EUR )
Seat 2: Bo (  € 9.00 EUR )
Ada: posts small blind [€ 0.10 EUR]
Bo: posts big blind [€ 0.20 EUR]
** Dealing down cards **
Ada calls [€ 0.10 EUR]
Bo checks
** Dealing Flop ** [ 2h, 3c, 8d ]
Ada: bets [€ 0.40 EUR]
Bo calls [€ 0.40 EUR]
** Dealing Turn ** [ Kd ]
Ada checks
Bo checks
** Dealing River ** [ Ks ]
Ada checks
Bo checks
Ada shows [ 4d, 9h, 5c, 6s ]
Bo shows [ Kc, Kh, As, Qd ]
Bo wins high (€ 0.59 EUR) from main pot
Ada wins low (€ 0.58 EUR) from main pot
"""


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp1251"])
def test_halves_are_awarded_as_such_in_whatever_the_euro_sign_is_written(encoding: str) -> None:
    hand = read_hand(FORMAT, HALVES.encode(encoding))
    awards = [(event.seat, event.amount, event.half) for event in events_of(hand, e.PotAwarded)]
    assert awards == [(2, 59, "high"), (1, 58, "low")]
    assert not unbalanced(hand)
