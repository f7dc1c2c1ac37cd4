"""Counts and payouts between hands change nothing that is owed, and nothing of the order of hands."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.people import People
from ledger.table import money_events as m
from ledger.table.events import HandPlayed
from ledger.table.fold import fold_table_entries
from ledger.table.order import TableEntry, sort_entries
from projections.reports.event_text import EventDescriber
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.judging import judge
from tests.evenings.money import add_money


def evening_with_money(room: str, seed: int) -> tuple[Evening, Evening]:
    plain_evening = evening(room, seed, 20)
    return plain_evening, add_money(plain_evening, seed)


def without_versions(value: Any) -> Any:
    """Leave out places in the table's stream: more events stand there."""
    if isinstance(value, dict):
        return {name: without_versions(part) for name, part in value.items() if name != "version"}
    if isinstance(value, list | tuple):
        return [without_versions(part) for part in value]
    return value


def list_dues(evening: Evening) -> list[Any]:
    findings, dues, _ = judge(evening)
    return without_versions(
        msgspec.to_builtins([[index, finding.citation, finding.saw] for index, finding in findings])
    ) + [without_versions(msgspec.to_builtins(due, enc_hook=repr)) for due in dues]


def list_hands(entries: list[TableEntry]) -> list[str]:
    return [entry.event.number for entry in entries if isinstance(entry.event, HandPlayed)]


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_due_is_the_same_with_and_without_the_houses_money(room: str) -> None:
    plain_evening, counted_evening = evening_with_money(room, 3)
    added = len(counted_evening.told()) - len(plain_evening.told())
    assert added > 5
    assert list_dues(counted_evening) == list_dues(plain_evening)


@pytest.mark.parametrize("room", ROOMS)
def test_hands_and_seats_are_the_same_with_and_without_the_houses_money(room: str) -> None:
    plain_evening, counted_evening = evening_with_money(room, 4)
    assert list_hands(sort_entries(counted_evening.told())) == list_hands(sort_entries(plain_evening.told()))
    counted_table, plain_table = (fold_table_entries(each.told()) for each in (counted_evening, plain_evening))
    for seat_state in (*counted_table.seats.values(), *plain_table.seats.values()):
        seat_state.seated_at = None  # an evening's clock goes on with each fact
    assert counted_table.seats == plain_table.seats
    assert counted_table.moved_chips == plain_table.moved_chips


def test_a_count_has_a_sentence() -> None:
    people = People(b"k" * 32)
    bo = people.player("Riverside", "Bo")
    describer = EventDescriber(people)
    sentences = {
        m.BoxCounted("drop", 412): "drop box counted: 412",
        m.BoxCounted("jackpot", 95, "swing"): "jackpot box counted after shift swing: 95",
        m.BoxCounted("promotion", 0, "\x1b[2J"): "promotion box counted after shift \\x1b[2J: 0",
        m.ChipsFilled(500): "fill: the tray gets 500",
        m.ChipsCredited(300): "credit: the tray gives back 300",
        m.TrayCounted(10_000): "tray counted: 10000",
        m.FundPaid("jackpot", 500, bo): "the jackpot pays Bo 500",
        m.FundPaid("promotion", 50, bo): "the promotion pays Bo 50",
        m.EntrySold(bo, "entry", 10_000, 1_000, 20_000): "Bo buys an entry for 100+10 and gets 20000 in chips",
        m.EntrySold(bo, "re-entry", 10_050): "Bo buys a re-entry for 100.50",
        m.PrizePoolStated(100_000): "the prize pool is 1000",
        m.PrizePaid(1, bo, 50_000): "place 1: Bo gets 500",
    }
    assert {event: describer.describe(event) for event in sentences} == sentences
