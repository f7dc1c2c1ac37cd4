"""What Global Poker's records say in their own way: totals, balances, transfers, time banks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.globalpoker import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import WaitDeclared
from ledger.vocabulary import Witness
from tests.formats.support import new_people, read, unread

SAMPLES = Path(__file__).parent / "samples"


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / f"{name}.json").read_bytes())
    return [item for item in items if isinstance(item, Account)]


def events_of(account: Account, *kinds: type) -> list:
    return [event for event in account.events if isinstance(event, kinds)]


def test_a_raise_is_the_streets_total_and_a_call_the_chips_added() -> None:
    (hand,) = hands("cash")
    assert events_of(hand, b.Raised)[:2] == [b.Raised(1, 300, 400), b.Raised(3, 1100, 1200)]
    assert b.Called(2, 350, 400) in hand.events


def test_a_balance_of_nothing_is_an_all_in() -> None:
    (hand,) = hands("cash")
    assert b.Raised(1, 8800, 8800, all_in=True) in hand.events
    assert b.Called(3, 2800, 4800, all_in=True) in hand.events


def test_dead_blinds_and_who_waits_are_told() -> None:
    (hand,) = hands("cash")
    assert events_of(hand, o.BlindPosted)[2:] == [
        o.BlindPosted(4, "makeup-small", 0, 50),
        o.BlindPosted(5, "makeup-small", 0, 50),
        o.BlindPosted(5, "makeup-big", 100),
        o.BlindPosted(1, "entry", 100),
    ]
    assert events_of(hand, WaitDeclared) == [WaitDeclared(6)]
    assert [event.reason for event in events_of(hand, o.SeatLeftOut)] == ["waiting-for-big-blind"]


def test_clocks_and_time_banks_are_told() -> None:
    (hand,) = hands("cash")
    assert events_of(hand, b.TimeBankUsed) == [b.TimeBankUsed(3, 29)]
    expired = hand.events.index(b.ClockExpired(5))
    assert hand.events[expired + 1] == b.Folded(5)


def test_every_event_of_play_has_its_time() -> None:
    (hand,) = hands("cash")
    timed = (b.Called, b.Raised, b.Folded, d.BoardDealt, e.CardsShown, b.BetReturned)
    assert all(index in hand.times for index, event in enumerate(hand.events) if isinstance(event, timed))
    assert hand.opened.witnesses & Witness.TIMES


def test_pots_are_paid_one_by_one() -> None:
    side, walk = hands("omaha-and-walk")
    assert events_of(side, e.PotAwarded) == [e.PotAwarded(3, 174600, 1), e.PotAwarded(3, 257300, 0)]
    assert events_of(walk, b.BetReturned) == [b.BetReturned(2, 100)]
    assert events_of(walk, e.PotAwarded) == []


def test_transactions_are_kept() -> None:
    people = new_people()
    (hand,) = [
        item for item in read(FORMAT, (SAMPLES / "cash.json").read_bytes(), people=people) if isinstance(item, Account)
    ]
    remarks = {people.words(event.text) for event in events_of(hand, e.RemarkNoted)}
    assert '{"transactionIds":["700000001"],"timeBank":25000}' in remarks


def test_another_board_or_run_is_not_guessed() -> None:
    people = new_people()
    (hand,) = [
        item
        for item in read(FORMAT, (SAMPLES / "strange.json").read_bytes(), people=people)
        if isinstance(item, Account)
    ]
    assert len(events_of(hand, d.BoardDealt)) == 1
    assert any('"stackId": 1' in line for line in unread(hand, people))


@pytest.mark.parametrize("frame", ["{0}", "[{0}]", "{0}\n{0}", "[{0},{0}]", " [ {0} , {0} ] \n"])
def test_records_stand_alone_one_after_the_other_or_in_an_array(frame: str) -> None:
    record = json.dumps(json.loads((SAMPLES / "cash.json").read_text(encoding="utf-8")))
    items = read(FORMAT, frame.replace("{0}", record))
    assert all(isinstance(item, Account) for item in items)
    assert len(items) == frame.count("{0}")


def test_an_array_that_breaks_off_gives_its_whole_records() -> None:
    record = json.dumps(json.loads((SAMPLES / "cash.json").read_text(encoding="utf-8")))
    first, second = read(FORMAT, f"[{record},{record[:500]}")
    assert isinstance(first, Account)
    assert isinstance(second, Reject)
    assert second.code == "cut-off"


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.json").read_bytes())
    codes = [getattr(item, "code", "hand") for item in items]
    assert codes == [
        "not-a-hand",
        "no-header",
        "unknown-game",
        "amount",
        "seat",
        "no-header",
        "not-a-hand",
        "hand",
        "cut-off",
    ]


def test_of_fixed_limit_no_bets_are_told() -> None:
    text = (SAMPLES / "cash.json").read_text().replace('"NO_LIMIT"', '"FIXED_LIMIT"')
    (hand,) = (item for item in read(FORMAT, text) if isinstance(item, Account))
    (game,) = events_of(hand, o.GameSet)
    assert (game.betting, game.blinds, game.bets) == ("limit", (50, 100), ())
