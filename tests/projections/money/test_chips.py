"""Chips at a table: what should be in front of each seat, and the first place where a record doesn't add up."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.presence import ChipsAdded
from ledger.store.hands.hand_accounts import TableKey
from ledger.table.events import HandPlayed
from ledger.table.order import put_in_order
from projections.money.chips import ChipsCheck, check_chips, read_chips_input
from projections.money.funds import FundTable, HandFunds, check_funds
from projections.money.tray import check_tray
from tests.conftest import scale_examples
from tests.evenings.generate import PEOPLE, Evening
from tests.evenings.money import add_money
from tests.projections.money.cash_tables import ROOM, CashTable, Drop, chips_of, ledger_of
from tests.projections.money.random_evenings import EVENINGS, input_of

DROP = Drop(rake=4, jackpot=1)


def names(check: ChipsCheck) -> list[list[str]]:
    """What the differences rest on: hands and tables."""
    return [[event.name for event in difference.events] for difference in check.differences]


def sums(check: ChipsCheck) -> list[tuple[int | None, int | None, int | None]]:
    """The seat, the expected and the recorded sum of each difference."""
    return [(difference.seat, difference.expected, difference.recorded) for difference in check.differences]


def test_an_honest_evening_has_nothing_and_every_seat_its_chips(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(4, DROP).add(2, 100).play_several(3, DROP)
    table.write(f"2 leaves Bo stack {table.stacks[2]}")
    check = chips_of(tmp_path, table.text)
    assert check.differences == []
    assert check.gaps == []
    assert [hand.number for hand in check.hands] == ["1", "2", "3", "4", "5", "6", "7"]
    last_hand = check.hands[-1]
    assert {seat.seat: (seat.player, seat.chips) for seat in last_hand.seats} == {
        seat: (table.players[seat], 100 * stack) for seat, stack in table.stacks.items()
    }
    assert last_hand.total == 100 * sum(table.stacks.values())
    assert last_hand.hand.name == "T1/7"


def test_a_rebuy_that_nobody_wrote_is_one_difference(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(4, DROP).add(2, 100, "").play_several(6, DROP)
    check = chips_of(tmp_path, table.text)
    assert sums(check) == [(2, 39300, 49300)]
    (difference,) = check.differences
    assert difference.says == "Seat 2 begins hand 5 with $493; by the record it should have $393"
    assert difference.because == "After hand 4 seat 2 had $393."
    assert (difference.kind, difference.player, difference.unit, difference.exponent) == ("chips", "Bo", "USD", 2)
    assert names(check) == [["T1/5", "T1/4"]]
    assert check.gaps == []


def test_a_rebuy_written_to_another_seat_explains_it(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(4).write("3 adds 100 rebuy").add(2, 100, "").play_several(3)
    (difference,) = chips_of(tmp_path, table.text).differences
    assert difference.says == (
        "In hand 5 chips are in front of other seats than by the record: seat 2 has $100 more, seat 3 has $100 less"
    )
    assert (
        difference.because
        == "After hand 4 seat 2 had $398. After hand 4 seat 3 had $322. Since then, seat 3 added $100."
    )
    assert [event.note for event in difference.events] == ["", "", "3 Cy adds $100 (rebuy)"]


def test_a_rebuy_written_twice_explains_it(tmp_path: Path) -> None:
    table = CashTable().seat_all().play(DROP).add(2, 100).write("2 adds 100 rebuy").play_several(3)
    check = chips_of(tmp_path, table.text)
    assert sums(check) == [(2, 59800, 49800)]
    assert check.differences[0].because == ("After hand 1 seat 2 had $398. Since then, seat 2 added $100.")
    assert [event.note for event in check.differences[0].events] == ["", "", *2 * ["2 Bo adds $100 (rebuy)"]]


def test_a_jackpot_paid_in_chips_that_nobody_added_explains_it(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(2, DROP).write("jackpot-paid 250 to Bo").add(2, 250, "").play(DROP)
    (difference,) = chips_of(tmp_path, table.text).differences
    assert [cause.note for cause in difference.could_explain] == ["the jackpot pays Bo $250"]


def test_a_payout_that_is_short_is_one_difference_whether_the_chips_are_there_or_not(tmp_path: Path) -> None:
    lost = CashTable().seat_all().play(DROP).play(DROP, paid_short=10)
    lost.stacks[1] -= 10
    written_wrong = CashTable("T2").seat_all().play(DROP).play(DROP, paid_short=10)
    for table, hands in ((lost, ["T1/2"]), (written_wrong, ["T2/2", "T2/3"])):
        check = chips_of(tmp_path, table.play_several(3, DROP).text, table=table.name)
        assert sums(check) == [(None, 4200, 3200)]
        assert names(check) == [hands]
        assert check.differences[0].says == "The pot is short $10: $42 went in, $32 came out"


def test_a_stack_written_wrong_in_one_hand_is_one_difference(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(3)
    table.play(stacks={2: table.stacks[2] + 40}).play_several(3)
    check = chips_of(tmp_path, table.text)
    assert len(check.differences) == 1
    assert names(check) == [["T1/4", "T1/3", "T1/5"]]
    assert check.differences[0].because.endswith("In hand 5 the stack is back to what it should be.")


def test_who_leaves_with_what_the_last_hand_has_wrong_is_no_second_difference(tmp_path: Path) -> None:
    paid_short = CashTable().seat_all().play_several(2).play(paid_short=10)
    paid_short.write(f"2 leaves Bo stack {paid_short.stacks[2]}")
    stack_wrong = CashTable("T2").seat_all().play_several(2)
    stack_wrong.play(stacks={1: stack_wrong.stacks[1] + 40})
    stack_wrong.write(f"1 leaves Ann stack {stack_wrong.stacks[1]}")
    for table, note in (
        (paid_short, "2 Bo leaves the table with $400"),
        (stack_wrong, "1 Ann leaves the table with $500"),
    ):
        check = chips_of(tmp_path, table.text, table=table.name)
        assert len(check.differences) == 1
        assert check.differences[0].events[-1].note == note


def test_what_a_player_leaves_with_is_held_against_the_last_hand(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(2)
    check = chips_of(tmp_path, table.write("2 leaves Bo stack 300").text)
    assert sums(check) == [(2, 37800, 30000)]
    assert names(check) == [["T1@7", "T1/2"]]
    assert check.differences[0].events[0].note == "2 Bo leaves the table with $300"


def test_counts_busts_and_removals_are_held_against_the_stack(tmp_path: Path) -> None:
    table = CashTable().seat_all().play()
    table.write("2 counted 300", "2 removes 900 cash-out", "1 busts", "3 sits Cy stack 10")
    check = chips_of(tmp_path, table.text)
    assert [difference.says for difference in check.differences] == [
        "Seat 2's stack was counted at $300; by the record it should be $398",
        "$900 was taken off seat 2; by the record it had only $300",
        "Seat 1 is marked as out of chips; by the record it should have $480",
        "Seat 3 is seated again with $10; by the record it should have $322",
    ]


def test_a_buy_in_is_held_against_the_first_hand(tmp_path: Path) -> None:
    check = chips_of(tmp_path, CashTable().seat_all().play(stacks={1: 510}).text)
    assert sums(check) == [(1, 50000, 51000)]
    assert check.differences[0].because == "The player in seat 1 sat down with $500."


def test_hands_may_be_missing_before_the_first_one(tmp_path: Path) -> None:
    table = CashTable().seat_all().play(is_written=False).play()
    (difference,) = chips_of(tmp_path, table.text).differences
    assert [(cause.name, cause.note) for cause in difference.could_explain] == [
        ("T1/2", "Hands before this one may be missing.")
    ]


def test_hands_that_are_missing_leave_a_gap_and_no_difference(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(3, DROP).play(DROP, is_written=False)
    table.write(f"2 leaves Bo stack {table.stacks[2]}", "2 sits Bo stack 90")
    table.stacks[2] = 90
    check = chips_of(tmp_path, table.play_several(3, DROP).text)
    assert check.differences == []
    (gap,) = check.gaps
    assert gap.missing == (
        "1 hand between hand 3 and hand 5 isn't on record, so their stacks can't be compared. "
        "The stacks differ: seat 1 has $20 less, seat 3 has $2 less."
    ) or gap.missing.startswith("1 hand between hand 3 and hand 5 isn't on record")
    assert [event.name for event in gap.events] == ["T1/5", "T1/3", "T1@8"]


def test_a_record_that_does_not_note_rebuys_leaves_a_gap(tmp_path: Path) -> None:
    table = CashTable(witness="dealer-notes").play_several(3).add(2, 100, "").play_several(2)
    check = chips_of(tmp_path, table.text)
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        (
            "This record doesn't note all chips that players buy or take off, so nobody can tell why stacks changed "
            "before hand 4. The stacks differ: seat 2 has $100 more."
        )
    ]


def test_unknown_stacks_are_a_gap_and_never_guessed(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(2)
    for _ in range(2):
        table.play(stacks={2: "?"})
    check = chips_of(tmp_path, table.play().text)
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        "Hands 3 to 4 don't give the stack of seat 2, so those chips can't be followed."
    ]
    assert {seat.seat: seat.chips for seat in check.hands[2].seats}[2] is None
    assert check.hands[2].total is None


def test_a_hand_without_a_result_is_a_gap(tmp_path: Path) -> None:
    check = chips_of(tmp_path, CashTable().seat_all().play(end="stop").play().text)
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        "Hand 1 has no result on record, so nobody knows the stacks after it."
    ]


def test_a_new_game_with_other_stacks_is_a_gap_but_not_for_who_sat_down_in_it(tmp_path: Path) -> None:
    table = CashTable().seat_all().play()
    table.write("game-started", "3 leaves Cy", "3 sits Cy stack 900")
    table.stacks = {1: 700, 2: table.stacks[2], 3: 950}
    check = chips_of(tmp_path, table.play().text)
    assert [gap.missing for gap in check.gaps] == [
        (
            "A new game began before hand 2, and the record doesn't say what happened to the stacks of the last one. "
            "The stacks differ: seat 1 has $220 more."
        )
    ]
    assert sums(check) == [(3, 90000, 95000)]


def test_another_evening_whose_numbers_start_over_is_a_gap(tmp_path: Path) -> None:
    """Nobody wrote who left: the stacks of the next evening aren't those of the last one."""
    first, second = CashTable().seat_all().play_several(3, DROP), CashTable().play_several(2)
    text = second.text.replace("2026-11-20T", "2026-11-21T")
    check = chips_of(tmp_path, first.text, text)
    assert check.differences == []
    (gap,) = check.gaps
    assert gap.missing.startswith("Hands may be missing between hand 3 and hand 1, so their stacks can't be compared.")


def test_a_hand_that_was_called_off_leaves_every_stack(tmp_path: Path) -> None:
    table = CashTable().seat_all().play()
    stacks = dict(table.stacks)
    table.play()
    table.lines[-2:] = ["voided cancelled", "end"]
    table.stacks = stacks
    check = chips_of(tmp_path, table.play().text)
    assert (check.differences, check.gaps) == ([], [])


def test_who_plays_without_having_sat_down_is_a_gap(tmp_path: Path) -> None:
    table = CashTable().seat_all().play().write("3 leaves Cy stack 322")
    table.players[3], table.stacks[3] = "Dan", 250
    check = chips_of(tmp_path, table.play().text)
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        "Seat 3 plays hand 2 with $250, and the record doesn't show that player sitting down or buying chips."
    ]


def test_only_what_shows_in_the_shift_is_reported(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(2).add(1, 50, "").play_several(2).add(2, 100, "").play_several(2)
    with ledger_of(tmp_path, table.text) as ledger:
        record = read_chips_input(ledger, TableKey(ROOM, "", "T1"))
        later_hands = {"4", "5", "6"}
        check = check_chips(
            record, lambda entry: isinstance(entry.event, HandPlayed) and entry.event.number in later_hands
        )
    assert [hand.number for hand in check.hands] == ["4", "5", "6"]
    assert [difference.seat for difference in check.differences] == [2]


def test_stacks_that_change_where_lines_could_not_be_read_are_a_gap(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(2).add(1, 50, "one-eyed jack bought something").play()
    path = tmp_path / "unread"
    path.mkdir()
    with ledger_of(path, table.text, is_readable=False) as ledger:
        check = check_chips(read_chips_input(ledger, TableKey(ROOM, "", "T1")))
    assert check.differences == []
    (gap,) = check.gaps
    assert gap.missing.startswith("Lines before hand 3 couldn't be read, so nobody can tell why stacks changed.")
    assert [event.name for event in gap.events] == ["T1/3", "T1/2"]


def test_a_first_hand_that_could_not_be_read_makes_no_difference_of_the_second(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(3)
    path = tmp_path / "unread"
    path.mkdir()
    first_hand, later_hands = table.text.split("hand 2", 1)
    text = f"{first_hand.replace('deal done', 'the deal is done at last')}hand 2{later_hands}"
    with ledger_of(path, text, is_readable=False) as ledger:
        check = check_chips(read_chips_input(ledger, TableKey(ROOM, "", "T1")))
    assert check.differences == []
    assert any(gap.missing.startswith("Lines before hand 2 couldn't be read") for gap in check.gaps)


# --- random evenings


@settings(max_examples=scale_examples(40), deadline=None)
@given(night=EVENINGS)
def test_a_random_evening_adds_up(night: Evening) -> None:
    check = check_chips(input_of(night, night.told()))
    assert check.differences == []
    assert check.gaps == []
    assert len(check.hands) == len(night.hands)
    assert all(hand.total is not None for hand in check.hands)


@settings(max_examples=scale_examples(40), deadline=None)
@given(night=EVENINGS, data=st.data())
def test_a_random_evening_without_one_of_its_rebuys_has_that_difference(night: Evening, data: st.DataObject) -> None:
    entries = night.told()
    last_hand = max(index for index, entry in enumerate(entries) if isinstance(entry.event, HandPlayed))
    rebuys = [index for index, entry in enumerate(entries[:last_hand]) if isinstance(entry.event, ChipsAdded)]
    if not rebuys:
        return
    index = data.draw(st.sampled_from(rebuys))
    rebuy = entries[index].event
    assert isinstance(rebuy, ChipsAdded)
    check = check_chips(input_of(night, entries[:index] + entries[index + 1 :]))
    assert [(found.recorded or 0) - (found.expected or 0) for found in check.differences] == [rebuy.amount]
    assert check.differences[0].player == PEOPLE.name(rebuy.player)
    assert check.gaps == []


@settings(max_examples=scale_examples(40), deadline=None)
@given(night=EVENINGS, data=st.data())
def test_a_random_evening_without_one_of_its_hands_has_no_difference(night: Evening, data: st.DataObject) -> None:
    entries = night.told()
    hands = [index for index, entry in enumerate(entries) if isinstance(entry.event, HandPlayed)]
    if len(hands) < 3:
        return
    index = data.draw(st.sampled_from(hands[1:-1]))
    check = check_chips(input_of(night, entries[:index] + entries[index + 1 :]))
    assert check.differences == []


@settings(max_examples=scale_examples(40), deadline=None)
@given(night=EVENINGS, seed=st.integers(0, 10_000))
def test_the_money_of_the_house_changes_no_stack(night: Evening, seed: int) -> None:
    """Boxes, fills, counts and payments at random places leave the chips in front of players alone."""
    richer_night = add_money(night, seed)
    check = check_chips(input_of(richer_night, richer_night.told()))
    assert (check.differences, check.gaps) == ([], [])


@settings(max_examples=scale_examples(60), deadline=None)
@given(night=EVENINGS, seed=st.integers(0, 10_000), data=st.data())
def test_whatever_a_record_lacks_each_answer_says_what_it_rests_on(
    night: Evening, seed: int, data: st.DataObject
) -> None:
    """Events are missing at random: stacks, trays and funds are still answered, and no difference is of nothing."""
    richer_night = add_money(night, seed)
    entries = [entry for entry in richer_night.told() if data.draw(st.integers(0, 9))]
    chips_input = input_of(richer_night, entries)
    check = check_chips(chips_input)
    tray = check_tray(chips_input, check)
    funds = check_funds([FundTable(chips_input, lambda _: True, lambda _: HandFunds({}, 0, is_drop_unknown=False))])
    assert len(check.hands) == sum(isinstance(entry.event, HandPlayed) for entry in put_in_order(entries))
    for difference in [*check.differences, *tray.differences, *funds.differences]:
        assert difference.events
        assert difference.expected != difference.recorded
        assert len(set(difference.events)) == len(difference.events)
    for gap in [*check.gaps, *tray.gaps]:
        assert gap.events
