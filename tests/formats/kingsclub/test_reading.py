"""KingsClub's text becomes the right events, each at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.kingsclub import FORMAT, GAMES
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.evaluate import shares
from ledger.hand.fold import fold
from ledger.readers import games
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, unbalanced, unread


def sample(name: str = "runs-and-boards") -> str:
    return (Path(__file__).parent / "samples" / f"{name}.txt").read_text(encoding="utf-8")


def hands(name: str = "runs-and-boards") -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def first(name: str = "runs-and-boards") -> str:
    return sample(name).split("\n\n")[0]


def test_a_call_tells_the_street_s_total_and_not_what_is_added() -> None:
    calls = events_of(hands()[0], b.Called)
    assert [(act.seat, act.added, act.to, act.all_in) for act in calls] == [
        (1, 12800, 13800, None),
        (2, 9800, 13800, None),
        (2, 36050, 36050, True),
        (4, 49950, 86000, True),
    ]


@pytest.mark.parametrize(
    ("name", "line", "damaged"),
    [
        ("unruled-games", "Bo shows [4c Ac 8c Qc 2h]", "Bo shows [4c Ac"),
        ("draws-and-stud", "Hero discards [6c Jd] draws [3c Ad]", "Hero discards [6c Jd] draw"),
        ("unruled-games", "*** FLOP *** [3c 5c 7s]\n", "*** FLOP *** [3c 5c 7s]"),  # the line end is lost
    ],
)
def test_what_a_damaged_line_shows_of_cards_is_not_taken_for_all(name: str, line: str, damaged: str) -> None:
    people = new_people()
    text = sample(name).replace(line, damaged, 1)
    items = [item for item in read(FORMAT, text, people=people) if isinstance(item, Account)]
    (damaged_line,) = (text_line for text_line in text.split("\n") if text_line.startswith(damaged))
    assert [words for account in items for words in unread(account, people)] == [damaged_line]


def test_a_second_board_with_shared_cards_is_a_second_run() -> None:
    account = hands()[0]
    assert events_of(account, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert [(dealt.street, dealt.cards, dealt.board, dealt.run) for dealt in events_of(account, d.BoardDealt)] == [
        ("flop", "Qc7h4s", 1, 1),
        ("turn", "9c", 1, 1),
        ("river", "2d", 1, 1),
        ("turn", "7s", 1, 2),
        ("river", "Ac", 1, 2),
    ]


def test_two_flops_are_two_boards() -> None:
    account = hands()[1]
    assert events_of(account, b.RunsAgreed) == []
    assert [(dealt.street, dealt.cards, dealt.board) for dealt in events_of(account, d.BoardDealt)] == [
        ("flop", "9hTs5c", 1),
        ("flop", "8d3sQc", 2),
        ("turn", "Kd", 1),
        ("turn", "4h", 2),
    ]


def test_the_board_of_two_runs_from_before_the_flop_is_dealt_whole_in_each() -> None:
    text = first().replace("*** FLOP *** [Qc 7h 4s]\n", "").replace("[- - - 7s]", "[Kd Ks 4d 7s]")
    runs = [(dealt.street, dealt.run) for dealt in events_of(read_hand(FORMAT, text), d.BoardDealt)]
    assert runs == [(street, run) for run in (1, 2) for street in ("flop", "turn", "river")]


def test_pots_have_their_winners() -> None:
    assert [(won.seat, won.amount, won.pot) for won in events_of(hands()[0], e.PotAwarded)] == [
        (1, 99900, 1),
        (1, 74675, None),
        (2, 74875, None),
    ]


def test_a_draw_tells_what_went_and_what_came() -> None:
    account = hands("draws-and-stud")[0]
    assert events_of(account, d.CardsDiscarded) == [d.CardsDiscarded(2, 1, "9s"), d.CardsDiscarded(3, 2)]
    assert events_of(account, d.CardsDrawn) == [d.CardsDrawn(2, "7c")]


def test_draws_without_headings_are_inferred_where_betting_lies_between() -> None:
    account = hands("draws-and-stud")[1]
    streets = events_of(account, d.StreetDealt)
    assert [event.street for event in streets] == ["first-draw", "second-draw", "third-draw"]
    assert all(account.events.index(street) in account.inferred for street in streets)


def test_the_draw_of_a_second_run_has_no_event_and_is_kept_as_it_is_written() -> None:
    people = new_people()
    text = first("draws-and-stud").replace("draws [7c]", "draws [7c] [Jd]")
    account = read_hand(FORMAT, text, people=people)
    assert events_of(account, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert unread(account, people) == []
    assert [people.texts[event.text] for event in events_of(account, e.RemarkNoted)] == ["draws [7c] [Jd]"]


def test_streets_of_stud_are_named_one_too_low() -> None:
    account = hands("draws-and-stud")[2]
    assert [event.street for event in events_of(account, d.StreetDealt)] == ["fourth", "fifth", "sixth", "seventh"]
    assert events_of(account, b.Completed) == [b.Completed(7, 5000, 5000)]
    assert [dealt.up for dealt in events_of(account, d.HoleCardsDealt) if dealt.seat == 7] == [
        "ddu",
        "u",
        "u",
        "u",
        "d",
    ]
    assert not account.opened.witnesses & Witness.BUTTON


def test_a_missed_blind_that_no_line_tells_is_inferred_from_pot_and_end_stacks() -> None:
    account = hands("draws-and-stud")[3]
    (missed,) = [post for post in events_of(account, o.BlindPosted) if post.role == "makeup-small"]
    assert (missed.seat, missed.live, missed.dead) == (1, 0, 15000)
    assert account.events.index(missed) in account.inferred


def test_bets_that_nobody_called_go_back() -> None:
    account = hands("draws-and-stud")[0]
    (returned,) = events_of(account, b.BetReturned)
    assert (returned, account.events.index(returned) in account.inferred) == (b.BetReturned(2, 24000), True)


@pytest.mark.parametrize(
    ("words", "variant"),
    [
        ("Omaha Hi-Lo", "omaha8"),
        ("Omaha 8 or Better", "omaha8"),
        ("Big O", "omaha5-8"),
        ("Seven Card Stud Hi/Lo 8 or Better", "stud8"),
        ("Stud 8", "stud8"),
        ("Razz", "razz"),
        ("2-7 Triple Draw Lowball", "triple-27"),
        ("Hold'em", "holdem"),
        ("2-7 Razz", "razz-27"),
        ("A-5 Single Draw", "single-a5"),
        ("2-7 Drawmaha", "drawmaha-27"),
        ("Badugi Drawmaha", None),
    ],
)
def test_games_have_several_names_and_unknown_ones_none(words: str, variant: str | None) -> None:
    assert games.find_variant(words, GAMES) == variant


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = first().replace("*** FLOP", "Hero sings\nSeat 9: Nobody (1) +1\n*** FLOP")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["Hero sings", "Seat 9: Nobody (1) +1"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Omaha 5 Card", "Badugi Drawmaha", "unknown-game"),
        ("Omaha 5 Card - 5/10", "", "unknown-game"),
        ("Seat ", "Chair ", "cut-off"),
        ("(500.50)", "(5_0)", "amount"),
        ("bets 360.50", "bets x", "amount"),
        ("Seat 2: Bo", "Seat 99: Bo", "seat"),
        ("#900000001", "#" + "9" * 30, "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, first().replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code


def test_a_blind_out_of_turn_is_an_entry_and_its_silent_small_one_is_inferred_from_the_end_stacks() -> None:
    text = """#90000031: Limit 2-7 Triple Draw - 44/88
2020-12-30 18:54:12
Table 'Own' Seat 1 is the button
Seat 1: Ann (1,000)
Seat 2: Bo (1,000)
Seat 3: Cy (1,000)
Seat 4: Di (1,000)
*** 1ST BETTING ROUND ***
Bo: posts the small blind 22
Cy: posts the big blind 44
Di: posts blind 44
Dealt to Ann: [X X X X X]
Dealt to Bo: [X X X X X]
Dealt to Cy: [X X X X X]
Dealt to Di: [X X X X X]
Di checks
Ann folds
Bo folds
Cy raises to 88
Di folds
*** SUMMARY ***
Seat 1: Ann (1,000)
Seat 2: Bo (978) -22
Seat 3: Cy (1,088) +88
Seat 4: Di (934) -66
Cy wins pot (132)
"""
    people = new_people()
    account = read_hand(FORMAT, text, people=people)
    assert not unread(account, people)
    posts = events_of(account, o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (2, "small", 2200, 0),
        (3, "big", 4400, 0),
        (4, "entry", 4400, 0),
        (4, "makeup-small", 0, 2200),
    ]
    assert account.events.index(posts[-1]) in account.inferred


def test_who_won_a_pot_of_which_no_line_tells_shows_in_the_end_stacks() -> None:
    text = """#90000777: No Limit Holdem - 100/200
2021-08-04 06:55:50
Table 'Own Side' Seat 1 is the button
Seat 1: Ann (300)
Seat 2: Hero (5,000)
Seat 3: Bo (5,000)
Hero: posts the small blind 100
Bo: posts the big blind 200
Dealt to Hero: [Qc Ks]
Ann raises to 300, and is all in
Hero calls 300
Bo calls 300
*** FLOP *** [8d 4d 3c]
Hero bets 700
Bo calls 700
*** TURN *** [8d 4d 3c] [5c]
*** RIVER *** [8d 4d 3c 5c] [7s]
Hero checks
Bo bets 1,000
Hero folds
Ann shows [Ah Ad]
Bo shows [Kd 6d]
*** SUMMARY ***
Seat 1: Ann (0) -300
Seat 2: Hero (4,000) -1,000
Seat 3: Bo (6,300) +1,300
Bo wins pot (900)
"""
    hand = read_hand(FORMAT, text)
    won = [event for event in hand.events if isinstance(event, e.PotAwarded)]
    assert [(event.seat, event.amount) for event in won] == [(3, 90_000), (3, 140_000)]
    assert hand.events.index(won[1]) in hand.inferred
    assert not unbalanced(hand)
    # Where the end stacks do not show it to the chip, nobody is said to have won it.
    account = read_hand(FORMAT, text.replace("Bo (6,300)", "Bo (6,200)"))
    assert len(events_of(account, e.PotAwarded)) == 1


def test_a_draw_that_is_run_twice_judges_nobody_as_no_event_holds_the_second_hand() -> None:
    separate_draws, shared_draws = (fold(account.events) for account in hands("second-draws"))
    assert (separate_draws.runs, shared_draws.runs) == (2, 2)
    assert shares(separate_draws).reason == "cards-unknown"  # the cards of the first run alone would give one seat all
    assert separate_draws.conservation() == shared_draws.conservation() == 0


def test_a_game_without_rules_here_is_told_whole_and_nothing_follows_from_it() -> None:
    for account in hands("unruled-games"):
        state = fold(account.events)
        assert state.conservation() == 0
        assert shares(state).reason == "game-unknown"
    drawmaha = hands("unruled-games")[0]
    changed = [
        type(event) for event in drawmaha.events if isinstance(event, d.BoardDealt | d.CardsDiscarded | d.CardsDrawn)
    ]
    assert changed[:4] == [d.BoardDealt, d.CardsDiscarded, d.CardsDiscarded, d.CardsDrawn]
