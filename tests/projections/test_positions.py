"""Button and blinds over the hands of a table: what is said where the record lacks something."""

from __future__ import annotations

from projections.findings.finding import Finding
from tests.projections.pages import Case, column
from tests.projections.running import Ran, run

LIMIT = "game holdem limit cash blinds 5/10 bets 10/20\n"
NO_LIMIT = "game holdem no-limit cash blinds 5/10 bets 10\n"
SIX = (1, 2, 3, 4, 5, 6)


def hand(
    number: int,
    button: int | None,
    *posts: str,
    seats: tuple[int, ...] = SIX,
    opener: int = 0,
    extra_lines: tuple[str, ...] = (),
    raised_to: int = 20,
) -> str:
    """A hand in which everybody folds to the raise of the first to act."""
    lines_told = [f"hand {number}", *(f"seat {seat} P{seat} 1000" for seat in seats)]
    lines_told += [f"button {button}"] if button is not None else []
    lines_told += [*extra_lines, *posts, "deal done"]
    opener = opener or seats[0]
    order = [seat for seat in seats if seat > opener] + [seat for seat in seats if seat < opener]
    return "\n".join(
        [*lines_told, f"{opener} raises to {raised_to}", *(f"{seat} folds" for seat in order), "end", "", ""]
    )


def first(button: int | None = 1, **told: object) -> str:
    return hand(1, button, "2 posts small 5", "3 posts big 10", opener=4, **told)  # type: ignore[arg-type]  # passed on


def judged(book_name: str, *parts: str, game: str = LIMIT, head: str = "") -> Ran:
    return run(Case("worked", "", "", column(book_name), True, head + game + "\n" + "\n".join(parts)))


def of_hand(ran: Ran, number: int, book: str) -> list[Finding]:
    return [finding for hand_number, finding in ran.findings if hand_number == number and finding.book == book]


def clauses(ran: Ran, number: int = 2, book: str = "hilton") -> set[str]:
    return {name for finding in of_hand(ran, number, book) for name in (finding.clause, *finding.also)}


def missing(ran: Ran, clause: str, book: str = "hilton") -> set[str]:
    rows = (row for row in ran.result.coverage if row.book == book and row.clause == clause)
    return {missing_fact.fact for row in rows for missing_fact in row.missing}


WRONG = hand(2, 3, "5 posts small 5", "6 posts big 10", opener=1)


def test_positions_that_are_two_seats_off_are_found() -> None:
    assert "B11b.1" in clauses(judged("hilton", first(), WRONG))


def test_after_missing_hands_nobody_is_accused() -> None:
    ran = judged("hilton", first(), "missing after 1\n", WRONG)
    assert not clauses(ran)
    assert "the hands before it" in missing(ran, "B11b.1")
    assert "the hands before it" in missing(ran, "B12a.1")


def test_the_first_hand_on_record_accuses_nobody() -> None:
    ran = judged("hilton", WRONG.replace("hand 2", "hand 1"))
    assert not ran.findings


WITNESS = "witness posts acts presence seating blind-amounts missing-hands\n"


def test_without_a_button_on_record_the_blinds_are_judged_with_what_is_assumed() -> None:
    moved = hand(2, None, "4 posts small 5", "5 posts big 10", opener=6)
    ran = judged("hilton", first(None), moved, game=NO_LIMIT, head=WITNESS)
    (finding,) = of_hand(ran, 2, "hilton")
    assert (finding.clause, finding.certainty) == ("B11b.2", "likely")
    assert "Assumed" in finding.because


def test_without_a_button_on_record_right_blinds_leave_the_button_untold() -> None:
    moved = hand(2, None, "3 posts small 5", "4 posts big 10", opener=5)
    ran = judged("hilton", first(None), moved, game=LIMIT, head=WITNESS)
    assert not clauses(ran)
    assert "button" in missing(ran, "B11b.1")


def test_a_position_that_the_record_tells_counts_without_a_post() -> None:
    seats_left = tuple(seat for seat in SIX if seat != 3)
    right_hand = hand(2, 2, "4 posts big 10", seats=seats_left, opener=5, extra_lines=("position small 3",))
    wrong = hand(2, 2, "4 posts big 10", seats=seats_left, opener=5, extra_lines=("position small 1",))
    assert not clauses(judged("hilton", first(), "3 leaves P3\n", right_hand))
    ran = judged("hilton", first(), "3 leaves P3\n", wrong)
    assert clauses(ran) == {"B11b.1"}
    (finding,) = of_hand(ran, 2, "hilton")
    assert finding.version == 9
    assert finding.seat is None


def test_what_a_book_does_not_say_of_a_redeal_is_named() -> None:
    misdealt = hand(2, 2, "3 posts small 5", "4 posts big 10", opener=5).replace(
        "end\n", "misdeal exposed-card by dealer\nvoided misdeal\nend\n"
    )
    second_hand = hand(3, 2, "3 posts small 5", "4 posts big 10", opener=5)
    ran = judged("hilton", first(), misdealt, second_hand)
    assert not clauses(ran, 3)
    assert any("didn't count" in fact for fact in missing(ran, "B11b.1"))


def test_two_players_are_beyond_the_book_that_is_silent_about_them() -> None:
    two = hand(2, 1, "1 posts small 5", "2 posts big 10", seats=(1, 2))
    ran = judged("hilton", first(), *(f"{seat} leaves P{seat}\n" for seat in (3, 4, 5, 6)), two)
    assert not clauses(ran)
    for clause in ("B11b.1", "B12a.1", "B12a.3"):
        assert "where the blinds go with two players: the book doesn't say" in missing(ran, clause)


def test_two_players_are_beyond_the_other_books_too() -> None:
    two = hand(2, 2, "2 posts small 5", "1 posts big 10", seats=(1, 2), opener=2)
    lines = [f"{seat} leaves P{seat}\n" for seat in (3, 4, 5, 6)]
    reason = "where the blinds go with two players: the book doesn't say"
    big_bet = judged("hilton", first(), *lines, two, game=NO_LIMIT)
    assert not clauses(big_bet)
    assert reason in missing(big_bet, "B11b.2")
    assert reason in missing(big_bet, "B12b.1")
    other_run = judged("bicycle", first(), *lines, two)
    assert reason in missing(other_run, "p24b", "bicycle")


def test_blinds_that_went_past_two_players_are_one_finding() -> None:
    far = hand(2, 2, "5 posts small 5", "6 posts big 10", opener=1)
    (finding,) = of_hand(judged("hilton", first(), far), 2, "hilton")
    assert {finding.clause, *finding.also} == {"B12a.1", "B11b.1"}
    assert finding.seat == 3


def test_the_third_blind_has_its_place_too() -> None:
    game = "game holdem limit cash blinds 5/10/20 bets 20/40\n"

    def three(number: int, button: int, *seats: int, opener: int) -> str:
        roles = zip(seats, ("small 5", "big 10", "extra 20"), strict=True)
        return hand(number, button, *(f"{seat} posts {role}" for seat, role in roles), opener=opener, raised_to=40)

    first_hand = three(1, 1, 2, 3, 4, opener=5)
    assert not clauses(judged("hilton", first_hand, three(2, 2, 3, 4, 5, opener=6), game=game))
    ran = judged("hilton", first_hand, three(2, 2, 3, 4, 6, opener=1), game=game)
    assert clauses(ran) == {"B12a.1", "B11b.1"}
    (finding,) = of_hand(ran, 2, "hilton")
    assert finding.saw == "The third blind skipped seat 5"
    assert "third blind in seat 6" in finding.because
    assert "third blind in seat 5" in finding.should
    assert finding.seat == 5


def test_a_missing_small_blind_is_made_good_by_who_won() -> None:
    short_hand = hand(2, 2, "4 posts big 10", opener=5).replace("end\n", "5 uncalled 10\n5 wins 20\nend\n")
    (finding,) = of_hand(judged("hilton", first(), short_hand), 2, "hilton")
    assert [(share.seat, share.amount) for share in finding.money] == [(3, 5), (5, -5)]


def test_how_seats_were_given_out_must_be_told_for_a_draw_to_be_missed() -> None:
    game = "game holdem no-limit tournament blinds 5/10 bets 10\n"
    silent = judged("hilton", "game-started\n", first(), game=game)
    assert "how the seats were given out" in missing(silent, "B4.3")
    unknown = judged("hilton", "seats-assigned unknown\ngame-started\n", first(), game=game)
    assert "how the seats were given out" in missing(unknown, "B4.3")
    assert not unknown.findings


def test_only_the_first_hand_of_a_tournament_is_asked_for_a_draw() -> None:
    game = "game holdem no-limit tournament blinds 5/10 bets 10\n"
    later = hand(2, 2, "3 posts small 5", "4 posts big 10", opener=5)
    opening_lines = "seats-assigned chosen\ngame-started\n"
    ran = judged("hilton", opening_lines, first(), "6 away\n", later, game=game)
    assert (clauses(ran, 1), clauses(ran, 2)) == ({"B4.3"}, set())
    ran = judged("hilton", opening_lines + "button-drawn 1,2,3,4,5,6\n", first(), game=game)
    assert not clauses(ran, 1)


def test_a_big_blind_that_stays_skips_nobody() -> None:
    stays = hand(2, 2, "1 posts small 5", "3 posts big 10", opener=4)
    assert "B12a.1" not in clauses(judged("hilton", first(), stays))
    assert "B11b.1" in clauses(judged("hilton", first(), stays))


def test_a_button_may_go_on_by_less_than_half_the_table_only() -> None:
    half = hand(2, 4, "5 posts small 5", "6 posts big 10", opener=1)
    back = hand(2, 5, "6 posts small 5", "1 posts big 10", opener=2)
    assert not clauses(judged("bicycle", first(), half), book="bicycle")
    assert clauses(judged("bicycle", first(), back), book="bicycle") == {"p24a"}
    assert "blinds.intro.4" not in clauses(judged("rrop4", first(), half), book="rrop4")
    assert "blinds.intro.4" in clauses(judged("rrop4", first(), back), book="rrop4")


def test_whether_an_unfinished_deal_counts_is_left_open() -> None:
    cut = hand(2, 2, "3 posts small 5", "4 posts big 10", opener=5).replace("end\n", "stop\n")
    far = hand(3, 5, "6 posts small 5", "1 posts big 10", opener=2)
    ran = judged("rrop4", first(), cut, far)
    assert "blinds.intro.4" not in clauses(ran, 3, "rrop4")
    assert any("completed deal" in fact for fact in missing(ran, "blinds.intro.4", "rrop4"))


def test_a_make_up_that_nothing_explains_is_likely_one_for_an_escaped_blind() -> None:
    seats_left = tuple(seat for seat in SIX if seat != 3)
    moved = hand(2, 2, "4 posts small 5", "5 posts big 10", seats=seats_left, opener=6)
    for seat, certainty in ((4, "certain"), (1, "likely"), (5, "likely")):
        charged = hand(
            3, 4, "5 posts small 5", "6 posts big 10", f"{seat} posts makeup-big 10", seats=seats_left, opener=1
        )
        ran = judged("hilton", first(), "3 leaves P3\n", moved, charged, game=NO_LIMIT)
        (finding,) = of_hand(ran, 3, "hilton")
        assert (finding.clause, finding.certainty) == ("B12b.3", certainty)
        assert ("from seat 3 to seat 5" in finding.because) == (certainty == "certain")


def verdicts(ran: Ran, clause: str, book: str) -> tuple[int, int, int, int]:
    """Clean, found, cannot tell, not applicable."""
    (row,) = (r for r in ran.result.coverage if r.book == book and r.clause == clause)
    return row.clean, row.found, row.cannot_tell, row.not_applicable


def test_the_clauses_of_another_method_have_no_occasion() -> None:
    dead, moving, untold_run = (judged(column, first(), WRONG) for column in ("rrop4/dead", "rrop4/moving", "rrop4"))
    for ran, speaks, silent in (
        (dead, "blinds.1b.1", ("blinds.1a.1", "blinds.1.1", "blinds.intro.8")),
        (moving, "blinds.1a.1", ("blinds.1b.1", "blinds.intro.8")),
        (untold_run, "blinds.intro.8", ("blinds.1a.1", "blinds.1.1", "blinds.1b.1")),
    ):
        assert speaks in clauses(ran, 2, "rrop4")
        for clause in silent:
            assert clause not in clauses(ran, 2, "rrop4")
            assert verdicts(ran, clause, "rrop4")[3] == 1, clause


def test_a_dead_blind_is_no_occasion_where_all_seats_are_taken() -> None:
    ran = judged("hilton", first(), WRONG)
    assert verdicts(ran, "B12a.3", "hilton")[3] == 1


def test_a_button_that_follows_a_small_blind_nobody_told_is_open() -> None:
    none = hand(1, 1, "3 posts big 10", opener=4)
    ran = judged("hilton", none, hand(2, 2, "3 posts small 5", "4 posts big 10", opener=5))
    assert not clauses(ran)
    assert verdicts(ran, "B11b.1", "hilton")[2] == 2
    assert any("small blind" in fact for fact in missing(ran, "B11b.1"))


def test_a_hand_that_has_no_button_is_not_asked_about_it() -> None:
    none = hand(2, None, "3 posts small 5", "4 posts big 10", opener=5, extra_lines=("button none",))
    ran = judged("bicycle", first(), none)
    assert "p24a" not in clauses(ran, 2, "bicycle")
    assert verdicts(ran, "p24a", "bicycle")[3] == 1
    ran = judged("rrop4", first(), none)
    assert verdicts(ran, "blinds.intro.4", "rrop4")[3] == 1
    ran = judged("hilton", first(), none)
    assert verdicts(ran, "B5.2", "hilton")[3] >= 1
    ran = judged("hilton", "game-started\n", none.replace("hand 2", "hand 1"))
    assert "B4.1" not in clauses(ran, 1)


def test_a_barred_seat_beside_wrong_blinds_is_two_findings() -> None:
    """The method is not blamed for the button of a barred seat, but for blinds that fit nothing."""
    entered = hand(2, 2, "4 posts small 5", "5 posts big 10", "3 posts entry 10", opener=6)
    sits = "3 sits P3 walk-in stack 1000\n"
    first_hand = hand(1, 1, "2 posts small 5", "4 posts big 10", seats=(1, 2, 4, 5, 6), opener=5)
    for posts, findings_expected in (
        (("5 posts small 5", "6 posts big 10"), set()),
        (("4 posts small 5", "5 posts big 10"), set()),  # as the button that was placed
        (("6 posts small 5", "1 posts big 10"), {"B11b.2"}),
    ):
        given_hand = hand(3, 3, *posts, opener=2)
        ran = judged("hilton", first_hand, sits, entered, given_hand, game=NO_LIMIT)
        assert {"B5.2", "B10"} <= clauses(ran, 3)
        assert clauses(ran, 3) & {"B11b.2", "B12b.1"} == findings_expected


def saw(ran: Ran, number: int = 2, book: str = "hilton") -> str:
    (finding,) = of_hand(ran, number, book)
    return finding.saw


def test_a_button_is_told_with_what_is_odd_about_its_seat() -> None:
    past = hand(2, 3, "4 posts small 5", "5 posts big 10", opener=6)
    stays = hand(2, 1, "2 posts small 5", "3 posts big 10", opener=4)
    seats_left = tuple(seat for seat in SIX if seat != 3)
    undealt = hand(2, 3, "4 posts small 5", "5 posts big 10", seats=seats_left, opener=6)
    sentences_told = [
        saw(judged("hilton", first(), *departure, second, game=NO_LIMIT))
        for departure, second in (((), past), ((), stays), (("3 leaves P3\n",), undealt), (("3 away\n",), undealt))
    ]
    assert sentences_told == [
        "Button moved to the wrong seat: seat 3 instead of seat 2",
        "Button didn't move: still in seat 1 instead of seat 2",
        *["Button moved to seat 3, where nobody is dealt in, instead of seat 2"] * 2,
    ]


def test_a_wrong_button_is_nobodys_and_its_blinds_are_told_with_it() -> None:
    (finding,) = of_hand(judged("rrop4/dead", first(), WRONG), 2, "rrop4")
    assert (finding.clause, finding.seat) == ("blinds.1b.1", None)
    assert finding.saw == "Button moved to the wrong seat: seat 3 instead of seat 2"
    assert finding.because.startswith("As dealt: button in seat 3, small blind in seat 5, big blind in seat 6.")


def test_a_dead_button_that_should_have_moved_offends_the_method_alone() -> None:
    stays = hand(2, 1, "3 posts small 5", "4 posts big 10", opener=5)
    assert clauses(judged("rrop4/dead", first(), stays), 2, "rrop4") == {"blinds.1b.1"}


def test_nobody_is_skipped_while_the_big_blind_stays() -> None:
    alone = hand(2, 2, "3 posts big 10", opener=4)
    assert clauses(judged("hilton", first(), alone)) == {"B11b.1"}


def test_a_small_blind_from_behind_leaves_out_whose_turn_it_was() -> None:
    hand_behind = hand(2, 2, "1 posts small 5", "4 posts big 10", opener=5)
    assert {"B12a.1", "B11b.1"} <= clauses(judged("hilton", first(), hand_behind))


def test_a_blind_goes_past_somebody_by_half_the_table_at_most() -> None:
    half = hand(2, 2, "3 posts small 5", "1 posts big 10", opener=2)
    next_hand = hand(2, 2, "3 posts small 5", "2 posts big 10", opener=3)
    assert "B12a.1" in clauses(judged("hilton", first(), half))
    assert "B12a.1" not in clauses(judged("hilton", first(), next_hand))
    assert "B11b.1" in clauses(judged("hilton", first(), next_hand))


def test_who_is_away_and_has_not_paid_is_not_called_to_the_button() -> None:
    """Seat 2 is due the button of the second hand; it went broke, or missed blinds before."""
    out = tuple(seat for seat in SIX if seat != 2)
    dealt = hand(2, 3, "4 posts small 5", "5 posts big 10", seats=out, opener=6)
    for lines_before, speaks in (
        ("2 away in-room\n", True),
        ("2 busts\n2 away in-room\n", False),
        ("2 leaves P2\n", False),
        ("2 away in-room\n2 deal-out\n", False),
        ("2 counted 0\n2 away in-room\n", False),
        ("", False),
    ):
        ran = judged("hilton", first(), lines_before, dealt, game=NO_LIMIT)
        assert ("B12b.4" in clauses(ran)) is speaks, lines_before
    out = tuple(seat for seat in SIX if seat != 4)
    hands = [
        hand(number, button, f"{small} posts small 5", f"{big} posts big 10", seats=out, opener=1)
        for number, button, small, big in ((2, 2, 3, 5), (3, 3, 5, 6), (4, 5, 6, 1))
    ]
    ran = judged("hilton", first(), "4 away in-room\n", *hands, game=NO_LIMIT)
    assert ran.dues[4].placements[0].button == 5
    assert "B12b.4" not in clauses(ran, 4)


def test_last_action_beside_a_dead_button_is_told_as_such() -> None:
    seats = (2, 3, 4, 5, 6)
    first_hand = hand(1, 6, "2 posts small 5", "3 posts big 10", seats=seats, opener=4)
    entered = hand(2, 2, "3 posts small 5", "4 posts big 10", "1 posts entry 10", seats=(1, 3, 4, 5, 6), opener=5)
    ran = judged("hilton", first_hand, "2 leaves P2\n1 sits P1 walk-in stack 1000\n", entered)
    (finding,) = of_hand(ran, 2, "hilton")
    assert finding.clause == "B5.2"
    assert finding.saw == "Seat 1 has last action at the dead button but can't have the button yet"
    assert finding.should == "another seat last to act"


def test_what_an_absent_hand_did_is_told() -> None:
    first_hand = (first(), hand(2, 2, "3 posts small 5", "4 posts big 10", opener=5))
    third = hand(3, 3, "4 posts small 5", "5 posts big 10", opener=6)
    acted = third.replace("3 folds", "3 calls 20")
    won = third.replace("3 folds\n", "").replace("end\n", "3 wins 35\nend\n")
    ran = judged("hilton", *first_hand, "3 away in-room\n", acted, game=NO_LIMIT)
    assert saw(ran, 3) == "Seat 3's hand was played while the player was away"
    ran = judged("hilton", *first_hand, "3 away in-room\n", won, game=NO_LIMIT)
    assert saw(ran, 3) == "Seat 3's hand won while the player was away"
    ran = judged("hilton", *first_hand, "2 away in-room\n", acted, game=NO_LIMIT)
    assert verdicts(ran, "B12b.5", "hilton")[1] == 0


def test_what_is_wrong_about_a_short_stack_is_told() -> None:
    chips = "option smallest-chip 5\n"
    first_hand = hand(1, 6, "1 posts small 5", "2 posts big 10", opener=3).replace("P3 1000", "P3 4")
    first_hand = first_hand.replace("3 raises to 20", "3 folds").replace("4 folds", "4 raises to 20")
    low = hand(2, 1, "2 posts small 5", "3 posts big 4 all-in", "4 posts big 10", opener=5)
    ran = judged("bicycle", first_hand, low.replace("P3 1000", "P3 4"), head=chips)
    (finding,) = of_hand(ran, 2, "bicycle")
    assert finding.saw == "Seat 3 was dealt in with only 4"
    deep = judged("bicycle", first_hand.replace("P3 4", "P3 900"), low.replace("P3 1000", "P3 4"), head=chips)
    assert [one.saw for one in of_hand(deep, 2, "bicycle")] == ["Seat 3 was dealt in with only 4"]
    assert finding.should == "no cards for a stack below the smallest chip, 5"
    hand_left = hand(2, 1, "2 posts small 5", "4 posts big 10", opener=5)
    hand_left = hand_left.replace("seat 3 P3 1000", "left-out 3 P3 4 no-chips").replace("3 folds\n", "")
    ran = judged("bicycle", first_hand, hand_left, head=chips.replace("5", "2"))
    (finding,) = of_hand(ran, 2, "bicycle")
    assert finding.saw == "Seat 3 was refused cards with 4 left"
    assert finding.because == "Seat 3 has at least the smallest chip, 2."
    unlisted = hand_left.replace("left-out 3 P3 4 no-chips\n", "")
    for lines_before, speaks in (
        ("", True),
        ("3 away\n", False),
        ("3 deal-out\n", False),
        ("3 waits for big-blind\n", False),
        ("3 adds 500\n", False),
    ):
        ran = judged("bicycle", first_hand, lines_before, unlisted, head=chips.replace("5", "2"))
        assert ("p04a" in clauses(ran, 2, "bicycle")) is speaks, lines_before


def of_two(number: int, button: int, small: int = 1, extra_lines: tuple[str, ...] = ()) -> str:
    """A hand of seats 1 and 2."""
    posts = f"{small} posts small 5", f"{3 - small} posts big 10"
    return hand(number, button, *posts, seats=(1, 2), opener=small, extra_lines=extra_lines)


def test_an_empty_button_of_two_players_is_certain_unless_the_room_plays_a_dead_button() -> None:
    def certainties(*buttons: int, more: tuple[str, ...] = ()) -> list[tuple[str, str]]:
        told = [of_two(number, button, extra_lines=more) for number, button in enumerate(buttons, 1)]
        return [
            (finding.clause, finding.certainty)
            for finding in of_hand(judged("hilton", *told, game=NO_LIMIT), 2, "hilton")
        ]

    dead = ("option button-method dead",)
    assert certainties(3, 3) == [("B12b.1", "certain")]
    assert certainties(3, 3, more=dead) == [("B12b.1", "likely")]
    assert certainties(3, 4) == [("B12b.1", "certain")]
    assert not certainties(3, 4, more=dead)
    assert not certainties(3, 2)


def test_the_big_blind_of_two_players_again_is_likely_where_the_button_moved() -> None:
    (finding,) = of_hand(judged("hilton", of_two(1, 1), of_two(2, 2), game=NO_LIMIT), 2, "hilton")
    assert (finding.clause, finding.certainty, finding.seat) == ("B12b.1", "likely", 2)
    assert finding.saw == "Seat 2 has the big blind twice in a row"
    assert not clauses(judged("hilton", of_two(1, 1), of_two(2, 2, small=2), game=NO_LIMIT))


def test_a_button_belongs_in_every_seat_that_is_offered() -> None:
    first_hand = hand(1, 1, "1 posts small 5", "3 posts big 10", seats=(1, 3), opener=1)
    stays = hand(2, 1, "2 posts small 5", "3 posts big 10", seats=(1, 2, 3), opener=1)
    (finding,) = of_hand(
        judged("bicycle", first_hand, "2 sits P2 walk-in stack 1000\n", stays, game=NO_LIMIT), 2, "bicycle"
    )
    assert (finding.clause, finding.should) == ("p24a", "button in seat 3 or seat 2")


def across_a_hole(witness: str, *numbers: int, stack: str = "?") -> Ran:
    """Hands whose button goes on by a seat each, and by two before the last."""
    hand_texts = []
    for index, number in enumerate(numbers, 1):
        button = index + (index == len(numbers))
        posts = f"{button % 6 + 1} posts small 5", f"{(button + 1) % 6 + 1} posts big 10"
        hand_texts.append(hand(number, button, *posts, opener=(button + 2) % 6 + 1).replace(" 1000\n", f" {stack}\n"))
    return judged("hilton", *hand_texts, game=NO_LIMIT, head=f"witness {witness}\n")


def test_a_number_that_is_left_out_at_a_table_that_counts_its_hands_is_a_missing_hand() -> None:
    for witness in ("floor-form", "dealer-notes", "live-table"):
        for numbers in ((1, 2, 4), (1, 2, 3, 7), (2, 3, 5), (1, 2, 4, 6), (701, 702, 703, 705)):
            ran = across_a_hole(witness, *numbers)
            assert not ran.findings, (witness, numbers)
            assert "missing between" in ran.dues[len(numbers)].unknown


def test_a_number_that_is_left_out_by_a_room_that_counts_all_its_tables_leaves_it_likely() -> None:
    for numbers in ((163920, 163921, 163923), (1, 3), (1, 3, 5)):
        ran = across_a_hole("floor-form", *numbers)
        assert [finding.certainty for finding in of_hand(ran, len(numbers), "hilton")] == ["likely"], numbers
