"""A night of notes with the house's money between its hands."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject, TableAccount
from ledger.formats.handscript import FORMAT
from ledger.hand.ending import DropTaken, PotAwarded
from ledger.notation import Chunk
from ledger.people import People
from ledger.table import money_events as m
from ledger.table.events import DealerChanged

NIGHT = """no-limit holdem 1/2
seat 1 Ana 100
seat 2 Bo 100
seat 3 Cy 100
{above}
hand 1
button 1
Ana raises to 6, Bo folds, Cy calls
flop Ah 7d 2c
Cy checks, Ana bets 10, Cy folds
{between}
hand 2
button 2
Bo folds, Cy folds
"""


def read_night(between: str, above: str = "") -> list[object]:
    text = NIGHT.format(between=between, above=above)
    return list(FORMAT.read(Chunk(text.encode()), People(b"p" * 32)))


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("drop-box 412", m.BoxCounted("drop", 412)),
        ("drop box 412 swing shift", m.BoxCounted("drop", 412, "swing")),
        ("Box drop: 412.", m.BoxCounted("drop", 412)),
        ("fill 500", m.ChipsFilled(500)),
        ("credit of 300", m.ChipsCredited(300)),
        ("the tray holds 10000", m.TrayCounted(10_000)),
    ],
)
def test_counts_between_hands_of_a_night_are_read(line: str, event: m.MoneyEvent) -> None:
    first_hand, facts, second_hand = read_night(line)
    assert isinstance(first_hand, Account)
    assert isinstance(second_hand, Account)
    assert isinstance(facts, TableAccount)
    assert facts.events == [event]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("dealer Maria", "Maria"),
        ("Dealer: Maria", "Maria"),
        ("New dealer Maria Lopez.", "Maria Lopez"),
        ("dealer change: Maria", "Maria"),
        ("dealer Maria in", "Maria"),
        ("dealer O'Neill", "O'Neill"),
    ],
)
def test_who_deals_is_kept_between_hands_and_above_the_first(line: str, name: str) -> None:
    dealer = People(b"p" * 32).player("", name)
    _, facts, second_hand = read_night(line)
    assert isinstance(facts, TableAccount)
    assert facts.events == [DealerChanged(dealer)]
    assert isinstance(second_hand, Account)
    facts, *hands = read_night("", above=line)
    assert isinstance(facts, TableAccount)
    assert facts.events == [DealerChanged(dealer)]
    assert [type(hand) for hand in hands] == [Account, Account]


@pytest.mark.parametrize(
    "line",
    [
        "dealer Bo",
        "dealer 2",
        "dealer button on 2",
        "dealer calls misdeal",
        "dealer change",
        "dealer push",
        "dealer Bo Lee",
        "Dealer Change",
        "DEALER PUSH",
        "New Dealer In",
        "Dealer Mistake",
        "Dealer Small Blind",
    ],
)
def test_a_dealer_who_plays_or_has_no_name_is_no_dealer_of_the_house(line: str) -> None:
    events = [event for item in read_night(line) if isinstance(item, TableAccount) for event in item.events]
    assert not [event for event in events if isinstance(event, DealerChanged)]


@pytest.mark.parametrize("line", ["dealer Maria", "New dealer: Maria Lopez"])
def test_a_line_about_the_dealer_within_a_hand_does_not_end_it(line: str) -> None:
    text = NIGHT.replace("flop Ah 7d 2c", f"{line}\nflop Ah 7d 2c").format(above="", between="")
    hands = list(FORMAT.read(Chunk(text.encode()), People(b"p" * 32)))
    assert [type(hand) for hand in hands] == [Account, Account]


@pytest.mark.parametrize("heading", ["hand 2", "--- Hand 2 ---", "22:10 hand 2", "2nd hand"])
def test_who_deals_is_kept_before_every_form_of_a_hands_heading(heading: str) -> None:
    text = NIGHT.replace("hand 2", f"dealer Maria\nKim sits in seat 4 with 100\n{heading}").format(above="", between="")
    items = list(FORMAT.read(Chunk(text.encode()), People(b"p" * 32)))
    events = [event for item in items if isinstance(item, TableAccount) for event in item.events]
    assert any(isinstance(event, DealerChanged) for event in events)


def test_dealers_relieve_each_other_and_come_back() -> None:
    items = read_night("dealer Lee\ndealer Maria", above="dealer Maria")
    dealers = [event.dealer for item in items if isinstance(item, TableAccount) for event in item.events]
    people = People(b"p" * 32)
    assert dealers == [people.player("", name) for name in ("Maria", "Lee", "Maria")]


def test_amounts_are_in_the_nights_unit() -> None:
    _, facts, _ = read_night("drop box $412.50")
    assert isinstance(facts, TableAccount)
    assert facts.events == [m.BoxCounted("drop", 41_250)]


@pytest.mark.parametrize("line", ["drop box -4", "drop box four hundred and something", "jackpot paid Bo 500"])
def test_what_is_not_read_is_asked_about(line: str) -> None:
    rejects = [item for item in read_night(line) if isinstance(item, Reject)]
    assert len(rejects) == 1
    assert line in rejects[0].reason


@pytest.mark.parametrize(
    "line", ["jackpot-paid Bo 500 hand 1041", "jackpot-paid Zed 500 hand 1041", "promotion pays Zed 50"]
)
@pytest.mark.parametrize("place", ["above", "between"])
def test_a_payout_is_asked_about_whoever_got_it_and_holds_back_no_hand(line: str, place: str) -> None:
    items = read_night(line) if place == "between" else read_night("", above=line)
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert line in reject.reason
    assert "notes can't record payouts" in reject.reason
    assert sum(isinstance(item, Account) for item in items) == 2


def test_a_payout_within_a_hand_is_asked_about_and_does_not_end_it() -> None:
    text = NIGHT.replace("flop Ah 7d 2c", "jackpot paid Bo 500\nflop Ah 7d 2c").format(above="", between="")
    first, second = FORMAT.read(Chunk(text.encode()), People(b"p" * 32))
    assert isinstance(first, Reject)
    assert "notes can't record payouts" in first.reason
    assert isinstance(second, Account)


@pytest.mark.parametrize(
    "lines", ["Ana wins\nrake 2\njackpot 1", "Ana wins 10, rake 2, jackpot 1", "jackpot drop: 1; rake 2"]
)
def test_what_a_hand_drops_for_the_jackpot_leaves_its_pot(lines: str) -> None:
    hand, _ = read_night(lines)
    assert isinstance(hand, Account)
    assert [event for event in hand.events if isinstance(event, DropTaken)] == [
        DropTaken("rake", 2),
        DropTaken("jackpot", 1),
    ]
    assert [event.amount for event in hand.events if isinstance(event, PotAwarded)] == [10]


def test_a_hand_cannot_drop_more_than_its_pot() -> None:
    reject, *_ = read_night("rake 2\njackpot 12000")
    assert isinstance(reject, Reject)
    assert reject.reason == "line 12: By the lines above the pot is 13, but the house takes 12002"
