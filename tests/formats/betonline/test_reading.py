"""BetOnline's text becomes the right events, each at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.betonline import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.presence import SeatLeft, SeatTaken, WordsSaid
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, unread


def sample(name: str = "dead-post-side-pot-and-talk") -> str:
    return (Path(__file__).parent / "samples" / f"{name}.txt").read_text(encoding="utf-8")


def hands(name: str = "dead-post-side-pot-and-talk") -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def test_the_dead_small_blind_that_is_not_printed_is_inferred_from_the_pot() -> None:
    account = hands()[0]
    posts = events_of(account, o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (9, "small", 25, 0),
        (10, "big", 50, 0),
        (4, "makeup-small", 0, 25),
        (4, "makeup-big", 50, 0),
    ]
    assert account.events.index(posts[2]) in account.inferred


def test_seat_0_sits_behind_seat_9() -> None:
    assert [seat.seat for seat in events_of(hands()[0], o.SeatDealtIn)] == [4, 5, 9, 10]


def test_who_alone_is_named_a_winner_has_won_the_side_pots_too() -> None:
    account = hands()[0]
    awards = events_of(account, e.PotAwarded)
    assert [(won.seat, won.amount, won.pot) for won in awards] == [(4, 1700, 0), (4, 2800, 1)]
    assert account.events.index(awards[1]) in account.inferred


def test_side_pots_of_two_winners_stay_unpaid_for_the_text_does_not_say_whose_they_are() -> None:
    text = (
        sample()
        .split("\n\n\n")[0]
        .replace("showed [10h 10c] but did not win", "showed [10h 10c] and won (8.50)")
        .replace("and won (17.00)", "and won (8.50)")
    )
    awards = events_of(read_hand(FORMAT, text), e.PotAwarded)
    assert [(won.seat, won.amount, won.pot) for won in awards] == [(4, 850, 0), (5, 850, 0)]


def test_a_board_that_is_run_out_in_silence_is_read_from_the_summary() -> None:
    account = hands()[0]
    dealt = events_of(account, d.BoardDealt)
    assert [(board.street, board.cards) for board in dealt] == [("flop", "6hTd4h"), ("turn", "5s"), ("river", "Ks")]
    assert account.events.index(dealt[2]) < account.events.index(events_of(account, e.ShowdownBegun)[0])


def test_the_second_number_of_a_raise_is_the_street_s_total() -> None:
    raises = events_of(hands()[0], b.Raised)
    assert [(act.seat, act.added, act.to, act.all_in) for act in raises] == [
        (4, 150, 200, None),
        (10, 475, 525, True),
        (4, 1800, 2000, True),
    ]


def test_people_come_speak_and_go() -> None:
    people = new_people()
    first = next(item for item in read(FORMAT, sample(), people=people) if isinstance(item, Account))
    assert [event.seat for event in events_of(first, SeatTaken)] == [1]
    assert [people.texts[chat.words] for chat in events_of(first, WordsSaid)] == ["KQ? *** FLOP ***"]
    assert [event.seat for event in events_of(first, SeatLeft)] == [10]


def test_a_button_at_no_seat_is_none_and_is_not_witnessed() -> None:
    tournament = hands()[1]
    assert events_of(tournament, o.ButtonPlaced) == []
    assert not tournament.opened.witnesses & (Witness.BUTTON | Witness.BLIND_AMOUNTS)
    assert hands()[0].opened.witnesses & Witness.BUTTON


def test_who_looks_on_took_no_part_and_a_hand_shown_in_the_summary_is_shown() -> None:
    tournament = hands()[1]
    assert [seat.seat for seat in events_of(tournament, o.SeatLeftOut)] == [3]
    assert events_of(tournament, e.CardsShown) == [e.CardsShown(1, "5s5h", after=True)]
    assert (tournament.opened.tournament, events_of(tournament, o.GameSet)[0].exponent) == ("3500001", 1)


def test_moments_are_known_by_the_names_that_windows_gives_zones() -> None:
    assert [hand.opened.started for hand in hands()] == [1336549633000, 1316373960000, 1342089180000]
    assert hands("title-case")[0].opened.started is None


def test_the_network_s_rooms_are_venues_of_their_own() -> None:
    assert [hand.opened.venue for hand in hands()] == ["BetOnline", "BetOnline", "PayNoRake"]


def test_another_room_s_capitals_and_full_stops_say_the_same() -> None:
    account = hands("title-case")[0]
    assert [post.role for post in events_of(account, o.BlindPosted)] == ["small", "big", "entry"]
    assert events_of(account, d.HoleCardsDealt)[0].cards == "Ts6d"


def test_rooms_that_number_chairs_against_the_order_of_play_are_seated_in_it() -> None:
    account = hands("title-case")[0]
    assert [(seat.seat, seat.stack) for seat in events_of(account, o.SeatDealtIn)] == [(3, 1000), (2, 1250), (1, 1000)]
    assert events_of(account, o.ButtonPlaced)[0].seat == 1
    acts = [act.seat for act in account.events if isinstance(act, b.Checked | b.Called)][:3]
    assert acts == [1, 2, 3], "button, small and big blind of three: each acts in its turn"


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("title-case").replace("Bo: Calls", "Bo: Sings.\nBo: Calls")
    text = text.replace("Seat 9: Ann folded", "Seat 2: Nobody folded\nSeat 9: Ann folded")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["Bo: Sings.", "Seat 2: Nobody folded"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Hold'em No", "Belote No", "unknown-game"),
        ("Seat 9: Ann (", "Seat 9: Ann [", "seat"),
        ("Bo (12.50", "Bo (1_0", "amount"),
        ("Bets 3.00", "Bets x", "amount"),
        ("Seat 8: Bo", "Seat 9: Bo", "seat"),
        ("Game #9", "Game #x9", "header"),
        ("Seat ", "Chair ", "cut-off"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("title-case").replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code


def test_a_hand_that_is_called_holdem_and_dealt_four_cards_is_omaha() -> None:
    text = sample()
    dealt = next(line for line in text.splitlines() if line.startswith("Dealt to "))
    name = dealt.rpartition(" [")[0]
    four = text.replace(dealt, f"{name} [2c 3c 4c 5c]")
    games = {
        event.variant
        for item in read(FORMAT, four)
        if isinstance(item, Account)
        for event in item.events
        if isinstance(event, o.GameSet)
    }
    assert "omaha" in games


HAND_WITHOUT_STAKES = """ActionPoker.com Game #900000051: Hold'em - 2012-04-09 12:14:36
Table Own (Real Money) Seat #1 is the button
Seat 9: Ann (100.00 in Chips)
Seat 1: Bo (90.00 in Chips)
Seat 0: Hero (50.00 in Chips)
Hero: Posts small blind 1.00.
Ann: Posts big blind 2.00.
*** HOLE CARDS ***
Dealt To Hero [4D 2S]
Bo: Folds.
Hero: Raises 49.00 and is All In.
Ann: Calls 48.00.
*** FLOP *** [10S 6D 7S]
*** TURN *** [10S 6D 7S] [6C]
*** RIVER *** [10S 6D 7S 6C] [10C]
*** SUMMARY ***
Total Pot 98.00 | Rake 2.00
Seat 9: Ann (Big Blind)  showed [10S 6D 6C 10C KC ] and won (98.00)
Seat 1: Bo Folded before Flop
Seat 0: Hero showed [4D 2S ] and lost.
"""


def test_a_hand_without_stakes_tells_none_and_the_usual_betting_is_inferred() -> None:
    people = new_people()
    account = read_hand(FORMAT, HAND_WITHOUT_STAKES, people=people)
    assert not unread(account, people)
    (game,) = events_of(account, o.GameSet)
    assert (game.blinds, game.bets, game.unit, game.betting) == ((), (), "chips", "no-limit")
    assert account.events.index(game) in account.inferred
    assert not account.opened.witnesses & Witness.BLIND_AMOUNTS
    play = read_hand(FORMAT, HAND_WITHOUT_STAKES.replace("Real Money", "Play Money"))
    assert events_of(play, o.GameSet)[0].unit == "play"


def test_the_best_five_cards_of_a_summary_are_not_those_that_were_dealt() -> None:
    account = read_hand(FORMAT, HAND_WITHOUT_STAKES)
    assert [(event.seat, event.cards) for event in events_of(account, e.CardsShown)] == [(1, "????"), (10, "4d2s")]
    assert [(won.seat, won.amount) for won in events_of(account, e.PotAwarded)] == [(1, 9800)]


def test_a_raise_of_one_number_is_read_where_stack_or_first_chips_show_what_it_is() -> None:
    (raised,) = events_of(read_hand(FORMAT, HAND_WITHOUT_STAKES), b.Raised)
    assert (raised.added, raised.to, raised.all_in) == (4900, 5000, True)
    people = new_people()
    assert unread(
        read_hand(FORMAT, HAND_WITHOUT_STAKES.replace("Raises 49.00 and is All In", "Raises 20.00"), people=people),
        people,
    )


ALL_IN = """BetOnline Poker Game #88000001: Hold'em No Limit ($0.50/1.00) - 2012/09/30 21:28:52 EDT
Table 'Made Up' 6-Max, Seat #1 is the button
Seat 1: Ada (10.00 in chips)
Seat 2: Bo (20.00 in chips)
Seat 3: Cy (40.00 in chips)
Bo: posts small blind 0.50
Cy: posts big blind 1.00
*** HOLE CARDS ***
Dealt to Ada [Kd Kc]
Ada: raises 10.00 to 10.00 and is all in
Bo: raises 19.50 to 20.00 and is all in
Cy: calls 19.00
*** FLOP *** [2h 7c 8d]
*** TURN *** [2h 7c 8d][3s]
*** RIVER *** [2h 7c 8d 3s][Jh]
*** SHOW DOWN ***
Ada shows Kd Kc
Bo shows Qd Qc
Cy shows Ad Ac
*** SUMMARY ***
Total pot 19.00 | Rake 1.50
Total pot 28.50 | Rake 1.50
Board [2h 7c 8d 3s Jh]
Seat 1: Ada showed [Kd Kc] but did not win
Seat 2: Bo showed [Qd Qc] but did not win
Seat 3: Cy showed [Ad Ac] and won (28.50)
"""


def test_pots_of_the_summary_before_the_main_one_are_side_pots_and_their_rake_is_inferred() -> None:
    account = read_hand(FORMAT, ALL_IN)
    assert [(won.seat, won.amount, won.pot) for won in events_of(account, e.PotAwarded)] == [(3, 2850, 0), (3, 1900, 1)]
    declared, inferred = events_of(account, e.DropTaken)
    assert (declared.amount, inferred.amount) == (150, 100)
    assert account.events.index(inferred) in account.inferred
    assert not account.opened.witnesses & Witness.DROP
    assert fold(account.events).conservation() == 0


def test_a_side_pot_goes_to_the_winner_of_that_amount() -> None:
    text = ALL_IN.replace("showed [Kd Kc] but did not win", "showed [Kd Kc] and won (28.50)")
    text = text.replace("[Ad Ac] and won (28.50)", "[Ad Ac] and won (19.00)")
    awards = events_of(read_hand(FORMAT, text), e.PotAwarded)
    assert [(won.seat, won.amount, won.pot) for won in awards] == [(1, 2850, 0), (3, 1900, 1)]


def test_more_than_a_tenth_of_the_pot_is_no_rake() -> None:
    account = read_hand(FORMAT, ALL_IN.replace("28.50", "20.50"))
    assert [drop.amount for drop in events_of(account, e.DropTaken)] == [150]
    assert account.opened.witnesses & Witness.DROP


def test_a_side_pot_that_no_line_pays_is_the_only_winner_s_who_can_have_won_it() -> None:
    (account,) = hands("untold-side-pot")
    (side,) = [won for won in events_of(account, e.PotAwarded) if won.pot == 1]
    assert (side.seat, side.amount) == (7, 2040)  # seat 2 was all-in for less, and seat 6 "did not win"
    assert account.events.index(side) in account.inferred
    assert fold(account.events).conservation() == 0


def test_a_side_pot_that_two_of_the_winners_can_have_won_stays_unpaid() -> None:
    text = (
        sample("untold-side-pot")
        .replace("[2c Ah] but did not win", "[2c Ah] and won (4.30)")
        .replace("(4.30)", "(2.87)")
    )
    assert [won.pot for won in events_of(read_hand(FORMAT, text), e.PotAwarded)] == [0, 0, 0]


def test_acts_are_not_witnessed_where_a_street_goes_past_a_seat_that_was_due() -> None:
    text = ALL_IN.replace("raises 10.00 to 10.00 and is all in", "calls 1.00").replace(
        "Bo: raises 19.50 to 20.00 and is all in\nCy: calls 19.00\n", "Bo: calls 0.50\nCy: checks\n"
    )
    changed_text = text.replace("8d]\n***", "8d]\nBo: checks\nCy: bets 2.00\nAda: folds\nBo: folds\n***", 1)
    lacking = changed_text.replace("8d]\nBo: checks\n", "8d]\n")
    for version, is_witnessed in ((changed_text, True), (lacking, False), (text, False)):
        assert bool(read_hand(FORMAT, version).opened.witnesses & Witness.ACTS) is is_witnessed
