"""888poker's text becomes the right events in every language of its client."""

# ruff: noqa: RUF001 - the Russian client names cards in its own letters

from __future__ import annotations

import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.formats.pacific import FORMAT
from ledger.formats.pacific.card_languages import LANGUAGES
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unread

BLANK = "blank-names"  # whose players cannot be told apart


sample = texts("888poker")


def test_the_format_bears_the_name_that_users_know() -> None:
    assert formats.get("888poker") is FORMAT
    assert formats.recognise(sample("spanish").encode()) is FORMAT
    assert read_hand(FORMAT, sample("hi-lo-limit")).opened.venue == "888poker"  # whatever the skin


def test_a_dead_blind_is_told_in_its_two_parts() -> None:
    posts = events_of(read_hand(FORMAT, sample("dead-blind")), o.BlindPosted)[2:]
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (4, "makeup-small", 0, 100),
        (4, "makeup-big", 200, 0),
    ]


def test_who_folds_before_the_deal_and_has_put_nothing_in_is_not_dealt_in() -> None:
    """So the room says that somebody leaves; as an act it would be out of turn."""
    text = sample("dead-blind").replace("** Dealing down", "Eve folds\n** Dealing down")
    account = read_hand(FORMAT, text)
    (out,) = events_of(account, o.SeatLeftOut)
    assert out.seat == 3
    assert account.events.index(out) not in account.inferred
    assert [event.seat for event in events_of(account, b.Folded)] == [1, 2]
    assert len(events_of(account, e.RemarkNoted)) == 1


def test_a_bet_nobody_called_is_given_back_whether_the_award_counts_it_or_not() -> None:
    counted, uncounted = (
        read_hand(FORMAT, text)
        for text in (sample("award-with-bet"), sample("award-with-bet").replace("$30,100", "$2,400"))
    )
    assert events_of(counted, b.BetReturned) == events_of(uncounted, b.BetReturned) == [b.BetReturned(6, 27700)]
    assert events_of(counted, e.PotAwarded) == events_of(uncounted, e.PotAwarded)


def test_the_rake_is_inferred_in_cash_games_only() -> None:
    assert events_of(read_hand(FORMAT, sample("dead-blind")), e.DropTaken) == [e.DropTaken("rake", 300)]
    assert not events_of(read_hand(FORMAT, sample("spanish")), e.DropTaken)
    assert not read_hand(FORMAT, sample("dead-blind")).opened.witnesses & Witness.DROP


def test_what_one_hand_tells_of_the_language_holds_for_the_others_too() -> None:
    """A 7c is the seven of hearts in Spanish: the hand alone cannot tell."""
    spanish = sample("spanish")
    doubtful = spanish.partition("** Dealing flop")[0] + "** Summary **\nBo collected [ 34.700 € ]\n"
    alone, both_hands = read(FORMAT, doubtful), read(FORMAT, doubtful + "\n\n" + spanish)
    cards = []
    for items in (alone, both_hands):
        assert isinstance(items[0], Account)
        cards += [event.cards for event in events_of(items[0], d.HoleCardsDealt)]
    assert cards == ["7c8d", "7h8d"]


def test_a_hand_in_a_third_language_is_read_in_its_own_and_changes_no_other() -> None:
    spanish, dealt = sample("spanish"), "cards **\nDealt to Bo [ Tc, Knh ]\n"
    swedish = sample("award-with-bet").replace("cards **\n", dealt)
    items = read(FORMAT, f"{spanish}\n\n{swedish}\n\n{spanish}")
    accounts = [item for item in items if isinstance(item, Account)]
    assert ["".join(event.cards for event in events_of(account, d.HoleCardsDealt)) for account in accounts] == [
        "7h8d",
        "TcJh",
        "7h8d",
    ]
    assert accounts[0].events == accounts[2].events


@pytest.mark.parametrize(
    ("hole", "board", "expected_cards"),
    [
        ("Tc, Knh", "Es, 9d, Ts", "TcJhAs9dTs"),
        ("8Pik, QPik", "7Karo, 2Trefl, AKier", "8sQs7d2cAh"),
        ("7p, 8t", "Kd, 2p, 5c", "7s8cKd2s5h"),
        ("Hs, Vr", "2k, 3h, Br", "KsQd2c3hJd"),
        ("Тп, 10б", "Кч, Дт, 2п", "AsTdKhQc2s"),
        ("7q, 8f", "Kp, 2c, 5q", "7d8cKs2h5d"),
        ("10h, 9♠", "A♥, 2♦, 5♣", "Th9sAh2d5c"),
        ("XX, XX", "2c, 3d, 4s", "????2c3d4s"),
    ],
)
def test_cards_are_read_in_many_languages(hole: str, board: str, expected_cards: str) -> None:
    text = sample("award-with-bet").replace("cards **\n", f"cards **\nDealt to Bo [ {hole} ]\n")
    text = text.replace("** Summary", f"** Dealing flop ** [ {board} ]\n** Summary")
    account = read_hand(FORMAT, text)
    (dealt,), (flop,) = events_of(account, d.HoleCardsDealt), events_of(account, d.BoardDealt)
    assert dealt.cards + flop.cards == expected_cards


def test_no_language_reads_one_text_as_two_cards() -> None:
    for language in LANGUAGES:
        suits = {card[-1] for card in language.card_by_name.values() if card != "??"}
        assert suits == set("cdhs"), language.language_name


def test_a_card_in_no_language_is_kept_unread() -> None:
    people = new_people()
    text = sample("dead-blind").replace("[ 9s ]", "[ 9zz ]")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["** Dealing turn ** [ 9zz ]"]


def test_players_of_one_visible_name_get_no_acts() -> None:
    account = read_hand(FORMAT, sample(BLANK))
    assert {event.seat for event in events_of(account, o.AntePosted)} == {10}
    assert not events_of(account, b.Folded)
    assert not events_of(account, o.SeatLeftOut)


@pytest.mark.parametrize(
    ("amount", "chips"),
    [
        ("$1,270.50", 127050),
        ("1 270,5 $", 127050),
        ("1.270 $", 127000),
        ("1Â 270,50 $", 127050),
        ("1\xa0270 $", 127000),
        ("0,35 €", 35),
        ("12.50 $", 1250),
        ("$1000", 100000),
    ],
)
def test_amounts_of_all_shapes(amount: str, chips: int) -> None:
    text = sample("dead-blind").replace("( $200 )", f"( {amount} )")
    assert [event.stack for event in events_of(read_hand(FORMAT, text), o.SeatDealtIn) if event.seat == 1] == [chips]


@pytest.mark.parametrize("amount", ["1e999999", "9" * 5000, "٣", "-5", "", "$", "NaN", "1_000"])
def test_what_is_no_amount_rejects_that_hand_alone(amount: str) -> None:
    bad = sample("dead-blind").replace("raises [$8]", f"raises [{amount}]")
    first, reject, last = read(FORMAT, "\n\n".join((sample("spanish"), bad, sample("spanish"))))
    assert isinstance(first, Account)
    assert isinstance(last, Account)
    assert isinstance(reject, Reject)
    assert reject.code == "amount"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Game 900000201 *", "Game ! *", "header"),
        ("No Limit Holdem", "No Limit Chess", "unknown-game"),
        ("Seat ", "Chair ", "cut-off"),
        ("Seat 1:", "Seat 2:", "seat"),
    ],
)
def test_a_head_that_cannot_be_read_is_a_reject_that_says_why(old: str, new: str, code: str) -> None:
    (reject,) = read(FORMAT, sample("dead-blind").replace(old, new))
    assert isinstance(reject, Reject)
    assert reject.code == code


def test_a_line_nobody_knows_is_kept() -> None:
    people = new_people()
    text = sample("dead-blind").replace("Ada folds\n", "Ada folds\nThe lights went out\n")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["The lights went out"]


def test_a_hand_that_ends_early_is_kept_without_its_end() -> None:
    account = read_hand(FORMAT, sample("dead-blind").partition("** Dealing turn")[0])
    assert not events_of(account, e.HandCompleted)
    assert fold(account.events).street == "flop"


@pytest.mark.parametrize(
    "name", ["a: b", "x [y]", "folds", "did not show his hand", "Ad, Kh", "** Dealing", "Bo posts"]
)
def test_any_name_is_a_name(name: str) -> None:
    text = sample("dead-blind")
    renamed = "\n".join(
        line if line.startswith("**") or "Table" in line else line.replace("Bo", name) for line in text.split("\n")
    )
    assert [type(event) for event in read_hand(FORMAT, renamed).events] == [
        type(event) for event in read_hand(FORMAT, text).events
    ]


@pytest.mark.parametrize(
    "line",
    ["Ada wins " * 8000, "Ada: " * 9000, "[" * 65536, "Ada shows [" * 6000, "** Dealing " * 6000, "Seat 1: " * 8000],
)
def test_a_very_long_line_is_one_line(line: str) -> None:
    text = sample("dead-blind")
    account = read_hand(FORMAT, text.replace("Ada folds\n", f"Ada folds\n{line}\n"))
    assert len(account.events) == len(read_hand(FORMAT, text).events) + 1


def test_a_point_before_three_digits_parts_thousands_behind_a_sign_too() -> None:
    text = sample("dead-blind")
    stack = next(line for line in text.split("\n") if line.startswith("Seat ") and " ( " in line)
    seat, _, _ = stack.partition(" ( ")
    account = read_hand(FORMAT, text.replace(stack, f"{seat} ( $ 3.243 )"))
    assert events_of(account, o.GameSet) == events_of(read_hand(FORMAT, text), o.GameSet)  # no finer unit
    assert events_of(account, o.SeatDealtIn)[0].stack == 324300


def test_betfairs_own_tables_are_read_and_are_no_players_of_the_network() -> None:
    account = read_hand(FORMAT, sample("betfair"))
    assert account.opened.venue == "Betfair"
    assert events_of(account, b.Raised) == [b.Raised(3, 35, 40), b.Raised(1, 90, 100)]
    assert [(won.amount, won.pot) for won in events_of(account, e.PotAwarded)] == [(420, 1), (273, 0)]


def test_the_stakes_of_a_fixed_limit_are_no_blinds_and_betfairs_hand_is_rejected_for_it() -> None:
    (item,) = read(FORMAT, sample("betfair").replace("PL $", "FL $"))
    assert isinstance(item, Reject)
    assert item.code == "unknown-game"


def test_what_nobody_matches_of_an_ante_all_in_goes_back_where_the_award_lacks_it() -> None:
    account = read_hand(FORMAT, sample("all-in-antes"))
    assert events_of(account, o.PostReturned) == [o.PostReturned(1, 800, "ante", dead=True)]
    assert events_of(account, o.GameSet)[0].blinds == ()  # `42.797,60 $/0 $` are none
    larger_award = read_hand(FORMAT, sample("all-in-antes").replace("5.200", "6.000"))
    assert not events_of(larger_award, o.PostReturned)
