"""Each definition of docs/statistics.md, on a hand that shows it."""

from __future__ import annotations

import pytest

import handledger
from ledger.people import People
from ledger.replay import HandReplay
from projections.statistics.hand_statistics import HandStatistics, SeatStatistics, read_hand

HEADER = """\
hand 1 venue Case table 1 witness everything
game holdem no-limit cash blinds 1/2 unit USD 0
"""
SEATS = "".join(f'seat {seat} "Player {seat}" 200\n' for seat in range(1, 6))
POSTS = "button 5\n1 posts small 1\n2 posts big 2\ndeal done\n"
STREETS = ("flop Ah Kd 7s", "turn 2c", "river 9d")
BOARD = "; ".join(STREETS)


def count(acts: str, *, head: str = HEADER, seats: str = SEATS, posts: str = POSTS) -> HandStatistics:
    """Return the statistics of a hand. Lines may be separated by semicolons."""
    text = head + seats + posts + acts.replace("; ", "\n")
    account, _ = handledger.read_hand(text, People(b"a secret for this test only"))
    return read_hand(HandReplay(account.events))


def seats_that(hand: HandStatistics, *path: str) -> set[int]:
    """Return the seats whose line has a true value there: `seats_that(hand, "preflop", "paid")`."""

    def look(line: SeatStatistics) -> object:
        value: object = line
        for name in path:
            value = getattr(value, name)
        return value

    return {seat for seat, line in hand.seats.items() if look(line)}


def vpip(hand: HandStatistics) -> set[int]:
    return seats_that(hand, "preflop", "paid")


def pfr(hand: HandStatistics) -> set[int]:
    return seats_that(hand, "preflop", "raised")


def chances(hand: HandStatistics) -> set[int]:
    return seats_that(hand, "preflop", "had_choice")


def three_bet_chances(hand: HandStatistics) -> set[int]:
    return seats_that(hand, "preflop", "could_three_bet")


def three_bets(hand: HandStatistics) -> set[int]:
    return seats_that(hand, "preflop", "three_bet")


def test_a_limp_is_vpip_and_no_raise() -> None:
    hand = count(
        f"3 calls 2; 4 folds; 5 folds; 1 folds; 2 checks; {STREETS[0]}; 2 checks; 3 bets 4; 2 folds; 3 uncalled 4; 3 wins 5; end"
    )
    assert (hand.gap, vpip(hand), pfr(hand), chances(hand)) == ("", {3}, set(), {1, 2, 3, 4, 5})
    assert three_bet_chances(hand) == set()
    assert seats_that(hand, "saw_flop") == {2, 3}
    assert hand.seats[3].postflop == (1, 0, 0, 0, 0)
    assert hand.seats[2].postflop == (0, 0, 0, 1, 1)


def test_a_completed_small_blind_is_vpip() -> None:
    hand = count(
        f"3 folds; 4 folds; 5 folds; 1 calls 1; 2 checks; {STREETS[0]}; 1 bets 2; 2 folds; 1 uncalled 2; 1 wins 4; end"
    )
    assert vpip(hand) == {1}


def test_a_walk_is_no_chance_for_the_big_blind() -> None:
    hand = count("3 folds; 4 folds; 5 folds; 1 folds; 2 uncalled 1; 2 wins 2; end")
    assert (vpip(hand), chances(hand)) == (set(), {1, 3, 4, 5})


def test_whoever_faces_a_raise_may_three_bet() -> None:
    hand = count(
        "3 raises to 6; 4 calls 6; 5 raises to 24; 1 folds; 2 folds; 3 folds; 4 folds; 5 uncalled 18; 5 wins 21; end"
    )
    assert (vpip(hand), pfr(hand)) == ({3, 4, 5}, {3, 5})
    assert (three_bet_chances(hand), three_bets(hand)) == ({4, 5}, {5})  # 1, 2 and 3 face two raises


def test_a_caller_who_faces_a_squeeze_has_had_his_chance() -> None:
    hand = count(
        "3 raises to 6; 4 calls 6; 5 raises to 24; 1 folds; 2 folds; 3 folds; 4 raises to 80; 5 folds; "
        "4 uncalled 56; 4 wins 57; end"
    )
    assert three_bets(hand) == {5}  # what 4 makes is a 4-bet
    assert pfr(hand) == {3, 4, 5}


def test_a_limper_who_raises_the_raise_has_three_bet() -> None:
    hand = count(
        "3 calls 2; 4 raises to 8; 5 folds; 1 folds; 2 folds; 3 raises to 30; 4 folds; 3 uncalled 22; 3 wins 19; end"
    )
    assert (three_bet_chances(hand), three_bets(hand)) == ({1, 2, 3, 5}, {3})


def test_an_all_in_call_is_vpip_and_no_chance_to_three_bet() -> None:
    short = SEATS.replace('"Player 4" 200', '"Player 4" 5')
    hand = count(
        f"3 raises to 6; 4 calls 5 all-in; 5 folds; 1 folds; 2 folds; 3 uncalled 1; {BOARD}; 3 wins 13; end",
        seats=short,
    )
    assert (vpip(hand), three_bet_chances(hand)) == ({3, 4}, {5, 1, 2})
    assert seats_that(hand, "reached_showdown") == seats_that(hand, "saw_flop") == {3, 4}
    assert seats_that(hand, "won_showdown") == {3}


def test_a_raise_of_an_all_in_needs_somebody_to_answer_it() -> None:
    short = SEATS.replace('"Player 3" 200', '"Player 3" 20')
    hand = count(f"3 raises to 20 all-in; 4 folds; 5 folds; 1 folds; 2 calls 18; {BOARD}; 2 wins 41; end", seats=short)
    assert three_bet_chances(hand) == {1, 4, 5}  # seat 2 was alone with an all-in player


def test_a_short_all_in_raise_does_not_let_a_limper_three_bet() -> None:
    short = SEATS.replace('"Player 4" 200', '"Player 4" 3')
    streets = "; ".join(f"{street}; 3 checks; 5 checks" for street in STREETS)
    hand = count(
        f"3 calls 2; 4 raises to 3 all-in; 5 calls 3; 1 folds; 2 folds; 3 calls 1; {streets}; 3 wins 12; end",
        seats=short,
    )
    assert 3 not in three_bet_chances(hand)
    assert {5, 1, 2} <= three_bet_chances(hand)


def test_a_blind_that_is_all_in_has_no_choice() -> None:
    short = SEATS.replace('"Player 2" 200', '"Player 2" 2')
    hand = count(
        f"3 raises to 6; 4 folds; 5 folds; 1 folds; 3 uncalled 4; {BOARD}; 2 wins 5; end",
        seats=short,
        posts=POSTS.replace("2 posts big 2", "2 posts big 2 all-in"),
    )
    assert 2 not in chances(hand)
    assert seats_that(hand, "reached_showdown") == {2, 3}
    assert seats_that(hand, "won_showdown") == {2}


def test_a_straddle_is_a_blind() -> None:
    posts = POSTS.replace("deal done", "3 straddles 4\ndeal done")
    hand = count(
        "4 raises to 12; 5 raises to 36; 1 folds; 2 folds; 3 folds; 4 folds; 5 uncalled 24; 5 wins 31; end", posts=posts
    )
    assert (vpip(hand), pfr(hand), three_bets(hand)) == ({4, 5}, {4, 5}, {5})
    assert 3 in chances(hand)


def test_a_straddler_who_checks_has_put_in_nothing_by_choice() -> None:
    posts = POSTS.replace("deal done", "3 straddles 4\ndeal done")
    hand = count(
        f"4 calls 4; 5 folds; 1 folds; 2 folds; 3 checks; {STREETS[0]}; 3 checks; 4 bets 5; 3 folds; 4 uncalled 5; 4 wins 11; end",
        posts=posts,
    )
    assert vpip(hand) == {4}


def test_posts_of_missed_blinds_are_no_vpip() -> None:
    posts = POSTS.replace("deal done", "4 posts makeup 2 dead 1\ndeal done")
    hand = count(
        f"3 folds; 4 checks; 5 folds; 1 folds; 2 checks; {STREETS[0]}; 2 bets 4; 4 folds; 2 uncalled 4; 2 wins 6; end",
        posts=posts,
    )
    assert (hand.gap, vpip(hand)) == ("", set())
    assert 4 in chances(hand)


def test_a_seat_that_missed_the_hand_has_no_line() -> None:
    seats = SEATS.replace('seat 4 "Player 4" 200', 'left-out 4 "Player 4" 200 away')
    hand = count("3 folds; 5 folds; 1 folds; 2 uncalled 1; 2 wins 2; end", seats=seats)
    assert set(hand.seats) == {1, 2, 3, 5}


@pytest.mark.parametrize(
    "chop",
    [
        "agreed chop-blinds 1,2; 1 takes-back 1; 2 takes-back 2; end",
        "1 takes-back 1; 2 takes-back 2; end",
        "1 wins 1; 2 wins 2; end",
        "agreed chop-blinds 1,2; 1 folds; 2 uncalled 1; 2 wins 2; end",
    ],
)
def test_chopped_blinds_are_no_choice_and_no_showdown(chop: str) -> None:
    hand = count(f"3 folds; 4 folds; 5 folds; {chop}")
    assert (hand.gap, hand.is_showdown_unknown) == ("", False)
    assert (vpip(hand), chances(hand)) == (set(), {3, 4, 5})
    assert seats_that(hand, "reached_showdown") == set()


def test_a_pot_split_by_agreement_is_no_showdown() -> None:
    hand = count(
        f"3 raises to 6; 4 folds; 5 folds; 1 folds; 2 calls 4; {STREETS[0]}; agreed split-pot 2,3; 2 wins 6; 3 wins 7; end"
    )
    assert seats_that(hand, "saw_flop") == {2, 3}
    assert seats_that(hand, "reached_showdown") == set()


def test_a_showdown_after_an_all_in_counts() -> None:
    hand = count(f"3 raises to 200 all-in; 4 folds; 5 folds; 1 folds; 2 calls 198 all-in; {BOARD}; 2 wins 401; end")
    assert seats_that(hand, "reached_showdown") == seats_that(hand, "saw_flop") == {2, 3}
    assert seats_that(hand, "won_showdown") == {2}
    assert hand.seats[3].can_tell_winner


def test_a_board_run_twice_is_won_by_whoever_wins_a_run() -> None:
    runs = (
        "runs 2; flop Ah Kd 7s run 1; turn 2c run 1; river 9d run 1; "
        "flop 3h 4d 5s run 2; turn 6c run 2; river Td run 2; 2 wins 201 run 1; 3 wins 200 run 2"
    )
    hand = count(f"3 raises to 200 all-in; 4 folds; 5 folds; 1 folds; 2 calls 198 all-in; {runs}; end")
    assert (hand.gap, hand.is_showdown_unknown) == ("", False)
    assert seats_that(hand, "reached_showdown") == seats_that(hand, "won_showdown") == {2, 3}


def test_chips_that_nobody_matched_are_no_win() -> None:
    short = SEATS.replace('"Player 2" 200', '"Player 2" 50')
    hand = count(
        f"3 raises to 80; 4 folds; 5 folds; 1 folds; 2 calls 48 all-in; {BOARD}; 2 wins 101; 3 wins 30; end",
        seats=short,
    )
    assert seats_that(hand, "won_showdown") == {2}


def test_a_split_pot_is_a_win_for_both() -> None:
    hand = count(
        f"3 raises to 200 all-in; 4 folds; 5 folds; 1 folds; 2 calls 198 all-in; {BOARD}; 2 wins 201; 3 wins 200; end"
    )
    assert seats_that(hand, "won_showdown") == {2, 3}


def test_folds_calls_and_raises_after_the_flop_are_counted() -> None:
    hand = count(
        f"3 calls 2; 4 folds; 5 folds; 1 folds; 2 checks; {STREETS[0]}; 2 checks; 3 bets 4; 2 raises to 12; 3 calls 8; "
        f"{STREETS[1]}; 2 bets 20; 3 calls 20; {STREETS[2]}; 2 checks; 3 bets 40; 2 folds; 3 uncalled 40; 3 wins 69; end"
    )
    assert hand.seats[2].postflop == (1, 1, 0, 2, 1)
    assert hand.seats[3].postflop == (2, 0, 2, 0, 0)
    assert seats_that(hand, "reached_showdown") == set()


def test_an_act_that_was_taken_back_does_not_count() -> None:
    hand = count(
        "4 calls 2; 4 given-back 2 correction; 3 folds; 4 folds; 5 folds; 1 folds; 2 uncalled 1; 2 wins 2; end"
    )
    assert (vpip(hand), chances(hand)) == (set(), {1, 3, 4, 5})


def test_stud_has_no_three_bet() -> None:
    head = HEADER.replace("holdem no-limit cash blinds 1/2", "stud limit cash ante 1 bets 4/8 bring-in 2")
    hand = count(
        "4 completes to 4; 5 raises to 8; 1 folds; 2 folds; 3 folds; 4 calls 4; street fourth; 5 bets 4; 4 folds; 5 uncalled 4; 5 wins 23; end",
        head=head,
        posts="".join(f"{seat} antes 1\n" for seat in range(1, 6)) + "deal done\n3 brings-in 2\n",
    )
    assert hand.gap == ""
    assert (vpip(hand), pfr(hand), three_bet_chances(hand)) == ({4, 5}, {4, 5}, set())
    assert seats_that(hand, "saw_flop") == {4, 5}


def test_a_bomb_pot_has_no_first_round() -> None:
    posts = "button 5\n" + "".join(f"{seat} antes 5 bomb-pot\n" for seat in range(1, 6)) + "deal done\n"
    hand = count(
        f"{STREETS[0]}; 1 bets 10; 2 folds; 3 folds; 4 folds; 5 folds; 1 uncalled 10; 1 wins 25; end", posts=posts
    )
    assert (hand.gap, chances(hand)) == ("", set())
    assert seats_that(hand, "saw_flop") == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("acts", "gap"),
    [
        ("3 folds; 4 folds", "cut-off"),
        ("3 folds; 4 folds; 5 folds; 1 folds; 2 wins 2; end", "unbalanced"),
        ("3 raises to 6; 4 folds; 5 folds; 2 folds; 3 uncalled 4; 3 wins 5; end", "acts-missing"),
        (
            f"3 raises to 6; 4 folds; 5 folds; 1 folds; {STREETS[0]}; 3 bets 9; 2 folds; 3 uncalled 13; 3 wins 5; end",
            "acts-missing",
        ),
        ("3 folds; voided cancelled; end", "voided"),
    ],
)
def test_what_the_record_cannot_show_is_left_out(acts: str, gap: str) -> None:
    hand = count(acts)
    assert (hand.gap, hand.seats) == (gap, {})


def test_a_source_that_need_not_record_acts_is_left_out() -> None:
    head = HEADER.replace("witness everything", "witness floor-form")
    assert count("3 folds; 4 folds; 5 folds; 1 folds; 2 uncalled 1; 2 wins 2; end", head=head).gap == "acts-missing"


def test_without_the_last_board_cards_a_showdown_is_not_assumed() -> None:
    hand = count(
        f"3 raises to 6; 4 folds; 5 folds; 1 folds; 2 calls 4; {STREETS[0]}; 2 checks; 3 checks; 2 wins 13; end"
    )
    assert hand.is_showdown_unknown
    assert seats_that(hand, "saw_flop") == seats_that(hand, "reached_showdown") == set()
    assert vpip(hand) == {2, 3}


def test_a_cashed_out_hand_is_neither_won_nor_lost() -> None:
    hand = count(
        f"3 raises to 200 all-in; 4 folds; 5 folds; 1 folds; 2 calls 198 all-in; 3 cashes-out 150; {BOARD}; 2 wins 401; end"
    )
    assert seats_that(hand, "reached_showdown") == {2, 3}
    assert seats_that(hand, "can_tell_winner") == {2}


@pytest.mark.parametrize(
    ("head", "stakes"),
    [
        (HEADER, ("1/2", "USD")),
        (HEADER.replace("1/2 unit USD 0", "0.25/0.5 unit EUR 2"), ("0.25/0.50", "EUR")),
        (HEADER.replace("no-limit cash blinds 1/2", "limit cash blinds 1/2 bets 2/4"), ("2/4", "USD")),
        (HEADER.replace("cash blinds 1/2 unit USD 0", "tournament blinds 1/2 unit chips 0") + "level 1 buy-in 5 fee 0.5 currency USD\n", ("5+0.50", "USD")),
        (HEADER.replace("cash blinds 1/2 unit USD 0", "tournament blinds 1/2 unit chips 0"), ("", "")),
    ],
)  # fmt: skip
def test_stakes_are_blinds_limit_bets_or_a_price(head: str, stakes: tuple[str, str]) -> None:
    assert count("3 folds", head=head).stakes == stakes
