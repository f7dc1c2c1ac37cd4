"""Jackpot and promotion funds: what hands took, what boxes held, what was paid, and never a guessed balance."""

from __future__ import annotations

from pathlib import Path

from ledger.store.hands.hand_accounts import TableKey
from ledger.table.events import HandPlayed
from projections.money.chips import read_chips_input
from projections.money.funds import FundCheck, FundTable, HandFunds, check_funds, read_hand_funds
from tests.projections.money.cash_tables import ROOM, CashTable, Drop, ledger_of

DROP = Drop(rake=4, jackpot=1)


def funds_of(folder: Path, *tables: CashTable) -> FundCheck:
    """The funds of some tables."""
    with ledger_of(folder, *(table.text for table in tables)) as ledger:

        def build(table: CashTable) -> FundTable:
            chips_input = read_chips_input(ledger, TableKey(table.venue, "", table.name))

            def read_funds(hand: HandPlayed) -> HandFunds:
                return read_hand_funds(chips_input.read_hand(hand.hand), hand)

            return FundTable(chips_input, lambda _: True, read_funds)

        return check_funds(map(build, tables))


def test_what_came_in_and_was_paid_is_summed_over_the_tables_of_a_room(tmp_path: Path) -> None:
    first = CashTable().seat_all().play_several(5, DROP).write("jackpot-box 5", "jackpot-paid 4 to Bo")
    second = CashTable("T2").seat_all().play_several(3, DROP).write("jackpot-box 3")
    elsewhere = CashTable("T9", venue="Lakeside").seat_all().play_several(2, DROP)
    check = funds_of(tmp_path, first, second, elsewhere)
    assert (check.differences, check.gaps) == ([], [])
    lakeside, riverside = check.sums
    assert (lakeside.venue, lakeside.fund, lakeside.dropped, lakeside.counted) == ("Lakeside", "jackpot", 200, None)
    assert (riverside.venue, riverside.dropped, riverside.counted, riverside.paid) == (ROOM, 800, 800, 400)
    assert (riverside.unit, riverside.exponent, riverside.hands_without_drop) == ("USD", 2, 0)
    assert [payment.note for payment in riverside.payments] == ["the jackpot pays Bo $4"]


def test_a_fund_that_paid_more_than_it_took_has_an_unknown_balance(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(5, DROP).write("jackpot-paid 500 to Bo")
    check = funds_of(tmp_path, table)
    assert check.differences == []
    (gap,) = check.gaps
    assert (gap.kind, gap.venue, gap.table) == ("fund", ROOM, "")
    assert gap.missing == (
        "The jackpot fund paid $500, and the hands took $5 for it. What it held before isn't on record, so nobody can "
        "say what is left."
    )


def test_a_prize_that_is_not_what_the_fund_paid_is_a_difference(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(3, DROP).write("jackpot-paid 2 to Bo")
    table.add(2, 1, "{seat} adds {amount} prize").play(DROP)
    check = funds_of(tmp_path, table)
    (difference,) = check.differences
    assert (difference.kind, difference.expected, difference.recorded, difference.player) == ("fund", 200, 100, "Bo")
    assert difference.says == "The jackpot fund paid Bo $2, but $1 in prizes was added to the stack"
    assert [event.note for event in difference.events] == ["the jackpot pays Bo $2", "2 Bo adds $1 (prize)"]


def test_a_prize_that_the_fund_paid_is_none(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(3, DROP).write("jackpot-paid 2 to Bo")
    table.add(2, 2, "{seat} adds {amount} prize").play(DROP)
    check = funds_of(tmp_path, table)
    assert (check.differences, check.gaps) == ([], [])


def test_a_prize_that_no_fund_paid_is_a_gap(tmp_path: Path) -> None:
    table = CashTable().seat_all().play(DROP).add(2, 20, "{seat} adds {amount} prize").play(DROP)
    assert [gap.missing for gap in funds_of(tmp_path, table).gaps] == [
        "Bo got $20 in prizes, and no payment from a fund is on record."
    ]


def test_payments_to_strangers_and_payments_written_twice_are_gaps(tmp_path: Path) -> None:
    table = CashTable().seat_all().play_several(4, DROP)
    table.write("promotion-paid 0 to Zoe", "jackpot-paid 1 to Bo", "jackpot-paid 1 to Bo").play(DROP)
    check = funds_of(tmp_path, table.write("jackpot-paid 1 to Bo"))
    assert [gap.missing for gap in check.gaps] == [
        "The promotion fund paid Zoe $0, and the record doesn't show that player at the table.",
        "The jackpot fund paid Bo $1 twice with no hand in between: one payment may be written twice.",
    ]


def test_hands_whose_drop_is_not_on_record_are_counted(tmp_path: Path) -> None:
    table = CashTable(witness="posts,acts,awards").play_several(2).play(DROP)
    (sums,) = funds_of(tmp_path, table).sums
    assert (sums.dropped, sums.hands_without_drop) == (100, 2)


def test_a_promotion_takes_bingo_and_fortune_and_seeds_pots(tmp_path: Path) -> None:
    table = CashTable().seat_all().play(DROP)
    table.lines[-1:] = ["drop bingo 1", "drop fortune 2", "end"]
    table.lines[table.lines.index("button 1") : table.lines.index("button 1")] = ["seeded promotion 3"]
    sums = {fund.fund: fund for fund in funds_of(tmp_path, table).sums}
    assert (sums["promotion"].dropped, sums["promotion"].seeded) == (300, 300)
    assert sums["jackpot"].dropped == 100


def test_a_room_without_funds_has_none(tmp_path: Path) -> None:
    assert funds_of(tmp_path, CashTable().seat_all().play_several(2, Drop(rake=4))) == FundCheck([], [], [])
