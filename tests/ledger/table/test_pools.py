"""Hands of a pool (Zoom, Zone Poker) do not follow each other: nothing of one binds the next."""

from __future__ import annotations

from ledger.formats.bovada import FORMAT
from ledger.hand.fold import fold
from ledger.table.carry import fitted
from ledger.table.fold import apply, begin
from ledger.table.played import played
from tests.formats.support import one

HAND = """Bovada Hand #{number}  {where} HOLDEM{pool} No Limit - 2019-04-01 13:22:34
Seat 1: Dealer ($25 in chips)
Seat 2: Small Blind ($25 in chips)
Seat 3: Big Blind ($25 in chips)
Dealer : Set dealer [1]
Small Blind : Small Blind $0.10
Big Blind : Big blind $0.25
*** HOLE CARDS ***
Dealer : Folds
Small Blind : Folds
Big Blind : Hand result $0.35
*** SUMMARY ***
Total Pot($0.35)
"""


def gaps(where: str, pool: str) -> list[str]:
    state = begin()
    told = []
    for number in ("9000000101", "9000000102"):
        text = HAND.format(number=number, where=where, pool=pool)
        hand = played(fold(one(FORMAT, text).events), number.rjust(64, "0"))
        gap = fitted(state, hand).gap
        told.append(gap.how if gap else "")
        apply(state, hand)
    return told


def test_a_hand_of_a_pool_follows_nobody_elses_hand() -> None:
    assert gaps("Zone Poker ID#1365", "ZonePoker") == ["", "players"]


def test_hands_of_a_table_are_compared_by_their_stacks() -> None:
    assert gaps("TBL#77", "") == ["", "stacks"]
