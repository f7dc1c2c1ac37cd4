"""How each seat stands: away, broke, unknown, called to the button, in tournaments and in stud."""

from __future__ import annotations

import pytest

from ledger.presence import ChipsAdded, DealOutRequested, EntryDeferred, PlayerAway, PlayerBack, PlayerBusted, SeatTaken
from ledger.table.events import HandsMissing
from projections.obligations import debts
from projections.obligations.dues import Ground, Missed
from projections.obligations.seat_standing import assess_standing
from projections.obligations.tab import Tab
from tests.projections.obligations.desk import Desk, due_at, lacking, terms, waits_by_way
from tests.projections.obligations.test_debts_absence import absent_at_the_button
from tests.projections.obligations.test_debts_memory import play_quiet_hands
from tests.projections.obligations.test_terms import SPOT, drop_points, make_inputs

MISSED = [Missed("big", "6", Ground("went by")), Missed("small", "7", Ground("went by"))]


def test_who_is_listed_in_the_seat_of_somebody_else_stands_on_his_own() -> None:
    desk = play_quiet_hands("rrop4")
    desk.tell(PlayerAway(5))
    desk.who[5] = "new"
    due = desk.play(2, 3, 4, [1, 2, 3, 4, 6], out={5: "waiting-for-big-blind"})
    assert (due_at(due, 5).player, due_at(due, 5).status, terms(due, 5)) == ("new", "new", "10+0")


def test_who_has_no_chips_is_told_no_terms_however_much_is_owed() -> None:
    desk = play_quiet_hands("rrop4")
    desk.play(2, 3, 4, range(1, 7), stacks={5: (80, 0)})
    for button, small, big in ((3, 4, 6), (4, 6, 1)):
        desk.play(button, small, big, [1, 2, 3, 4, 6], out={5: "no-chips"})
    due = desk.coming()
    assert (terms(due, 5), due_at(due, 5).post, waits_by_way(due, 5)) == ("no", (), {})
    assert [missed_blind.role for missed_blind in due_at(due, 5).missed] == ["big", "small"]
    desk.tell(PlayerBack(5), ChipsAdded(5, 500))
    assert terms(desk.coming(), 5) == "10+5"


def test_who_is_told_to_be_away_is_away_whatever_the_hand_says_he_waits_for() -> None:
    for table_event in (PlayerAway(5), DealOutRequested(5), EntryDeferred(5, "p5", "button-passed")):
        desk = play_quiet_hands("rrop4")
        desk.tell(table_event)
        due = desk.play(2, 3, 4, [1, 2, 3, 4, 6], out={5: "waiting-for-big-blind"})
        assert (due_at(due, 5).status, terms(due, 5)) == ("away", "no")
    desk = play_quiet_hands("rrop4")
    desk.tell(PlayerBusted(5, "p5"))
    due = desk.play(2, 3, 4, [1, 2, 3, 4, 6], out={5: "waiting-for-big-blind"})
    assert (due_at(due, 5).status, terms(due, 5)) == ("broke", "no")


def test_who_is_told_to_be_away_and_is_dealt_in_is_there() -> None:
    desk = play_quiet_hands("rrop4")
    desk.tell(PlayerAway(5))
    due = desk.play(2, 3, 4, range(1, 7))
    assert (due_at(due, 5).status, terms(due, 5)) == ("playing", "yes")


# Tournaments, and games without blinds


def test_in_a_tournament_who_is_not_listed_has_no_part_in_it() -> None:
    desk = play_quiet_hands(format="tournament")
    due = desk.play(2, 3, 4, [1, 2, 3, 4], out={5: "away"})
    assert [(terms(due, seat), due_at(due, seat).status) for seat in (4, 5, 6)] == [
        ("yes", "playing"),
        ("yes", "away"),
        ("no", "away"),
    ]
    broke = desk.play(3, 4, 1, [1, 2, 3, 4], out={5: "no-chips"})
    assert (terms(broke, 5), due_at(broke, 5).status) == ("no", "broke")
    assert {seat_due.post for seat_due in broke.seats} == {()}


def test_in_stud_only_who_is_not_there_gets_no_cards() -> None:
    desk = play_quiet_hands()
    due = desk.play(None, None, None, [1, 2, 3, 4], out={5: "away", 6: "unknown"}, variant="razz", blinds=())
    assert [terms(due, seat) for seat in (4, 5, 6)] == ["yes", "no", "yes"]
    assert due_at(due, 5).status == "away"


# Who may have the button


def test_whether_a_player_may_have_the_button_is_the_books_to_say() -> None:
    assert due_at(play_quiet_hands("hilton").coming(), 5).button is True
    assert due_at(play_quiet_hands("house-burn").coming(), 5).button is None
    for kind, tab in (
        ("made-up-between", Tab(7, made_up_in_zone=True)),
        ("short-blind", Tab(7, short_big=True)),
        ("missed-blind", Tab(7, missed=list(MISSED))),
        ("new", Tab(7, established=False)),
        ("no-big-blind", Tab(7, established=False)),
    ):
        bars = drop_points("hilton", **{"button.eligibility": [kind]})
        may, grounds, barred = debts._assess_button_right(make_inputs(bars, SPOT), tab)
        assert (may, barred, [ground.clauses for ground in grounds]) == (False, (kind,), [("own",)])
        assert debts._assess_button_right(make_inputs(bars, SPOT), Tab(7)) == (True, (), ())
        tab.missing_fact = "what is owed"
        assert debts._assess_button_right(make_inputs(bars, SPOT), tab) == (None, (), ())
    assert debts._assess_button_right(make_inputs(drop_points("hilton", "button.eligibility"), SPOT), Tab(7))[0] is None


def test_nobody_is_called_to_a_button_that_is_not_known() -> None:
    desk = absent_at_the_button()
    assert terms(desk.coming(), 2) == "yes"
    desk.tell(HandsMissing("9"))
    assert terms(desk.coming(), 2) == "no"
    for button, is_called in ((1, "yes"), (None, "no")):
        desk = Desk("hilton", "no-limit")
        desk.play(button, 2, 3, range(1, 7))
        desk.tell(PlayerAway(2, in_room=True))
        assert terms(desk.coming(), 2) == is_called


def test_after_a_misdeal_at_the_beginning_of_the_record_nobody_is_called() -> None:
    desk = Desk("hilton", "no-limit")
    desk.play(6, 1, 2, range(1, 7), completed=False, voided="misdeal")
    desk.tell(PlayerAway(2, in_room=True))
    assert terms(desk.play(2, 3, 4, [1, 3, 4, 5, 6], out={2: "away"}), 2) == "no"


def test_who_is_kept_out_or_has_no_chips_is_not_called_to_the_button() -> None:
    for table_event in (EntryDeferred(2, "p2"), EntryDeferred(2, "p2", "unknown"), PlayerBusted(2, "p2")):
        desk = play_quiet_hands("hilton", "no-limit")  # seat 2 is next to have the button
        desk.tell(table_event)
        assert terms(desk.coming(), 2) == "no"


def test_who_owes_nothing_but_is_new_or_was_moved_is_not_called_either() -> None:
    desk = Desk("hilton", "no-limit")
    desk.play(1, 3, 4, [1, 3, 4, 5, 6])
    desk.tell(SeatTaken(2, "p2", "walk-in", 1000), PlayerAway(2, in_room=True))
    assert terms(desk.coming(), 2) != "yes"


# Who went broke


@pytest.mark.parametrize(
    ("rule", "roles", "away", "expected"),
    [
        ("new-once-big-blind-missed", 2, None, ("new", "if-posts")),
        ("new-once-big-blind-missed", -1, None, ("owing", "if-posts")),
        ("as-absent", 2, None, ("unknown", "open")),
        ("as-absent", 2, False, ("playing", "yes")),
        ("as-absent", 2, True, ("owing", "if-posts")),
        (None, 2, True, ("owing", "open")),
    ],
)
def test_who_went_broke_comes_back_by_the_books_rule(
    rule: str | None, roles: int, away: bool | None, expected: tuple[str, str]
) -> None:
    book = drop_points("hilton", "entry.bust_reentry", **({"entry.bust_reentry": rule} if rule else {}))
    missed = MISSED[:2] if roles == 2 else MISSED[1:]
    tab = Tab(7, broke_hand="5", missed_while_away=away, missed=list(missed))
    seat_standing, standing_reasons = assess_standing(make_inputs(book, SPOT), 7, tab, is_first_hand=False)
    assert (seat_standing, standing_reasons.deal) == expected
    assert any("lost its last chip in hand 5" in reason.sentence for reason in standing_reasons.reasons) is (
        rule is not None
    )
    first_standing, free = assess_standing(make_inputs(book, SPOT), 7, tab, is_first_hand=True)
    assert (first_standing, free.deal) == ("playing", "yes")


def test_whoever_has_the_big_blind_is_dealt_in_though_it_is_not_known_what_he_owes() -> None:
    debt_inputs = make_inputs("hilton", SPOT)
    for seat, deal in ((5, "yes"), (7, "open")):
        seat_standing, standing_reasons = assess_standing(
            debt_inputs, seat, Tab(seat, missing_fact="what is owed"), is_first_hand=False
        )
        assert (seat_standing, standing_reasons.deal, standing_reasons.reasons[0].sentence) == (
            "unknown",
            deal,
            "what is owed",
        )


def test_a_game_that_may_be_a_tournament_leaves_open_only_what_would_be_asked() -> None:
    desk = play_quiet_hands("rrop4", format="unknown")
    assert terms(desk.coming(), 5) == "yes"
    desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
    assert "tournament" in lacking(desk.coming(), 7)
    assert due_at(desk.coming(), 7).status == "new"
