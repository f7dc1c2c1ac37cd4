"""Hands of a pool (Zoom, Zone Poker) do not follow each other: nothing of one binds the next."""

from __future__ import annotations

import pytest

from ledger.formats.bovada import FORMAT
from ledger.formats.pokerstars import FORMAT as STARS_FORMAT
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet, HouseOption, OptionSet
from ledger.table.breaks import find_breaks
from ledger.table.carry import fit_hand
from ledger.table.fold import apply, begin
from ledger.table.order import number_table_events
from ledger.table.played import build_hand_played
from ledger.table.pools import POOLS
from tests.formats.support import read_hand

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


def gaps(room: str, pool: str) -> list[str]:
    state = begin()
    entries = []
    for number in ("9000000101", "9000000102"):
        text = HAND.format(number=number, where=room, pool=pool)
        hand = build_hand_played(fold(read_hand(FORMAT, text).events), number.rjust(64, "0"))
        gap = fit_hand(state, hand).gap
        entries.append(gap.how if gap else "")
        apply(state, hand)
    return entries


def test_a_hand_of_a_pool_follows_nobody_elses_hand() -> None:
    assert gaps("Zone Poker ID#1365", "ZonePoker") == ["", "players"]


def test_hands_of_a_table_are_compared_by_their_stacks() -> None:
    assert gaps("TBL#77", "") == ["", "stacks"]


STARS = """PokerStars Hand #{number}:  Hold'em No Limit ($1/$2 USD) - 2026/02/03 10:0{number}:00 ET
Table 'Aludra' 6-max Seat #1 is the button
Seat 1: Ada ($200 in chips)
Seat 2: Bo (${stack} in chips)
Ada: posts small blind $1
Bo: posts big blind $2
*** HOLE CARDS ***
Ada: folds
Uncalled bet ($1) returned to Bo
Bo collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
"""


@pytest.mark.parametrize("option", sorted(POOLS))
def test_each_rooms_name_for_a_pool_breaks_no_chain(option: tuple[HouseOption, str]) -> None:
    def broken(*options: OptionSet) -> list[str]:
        hands = []
        for number, stack in ((1, 200), (2, 350)):
            account = read_hand(STARS_FORMAT, STARS.format(number=number, stack=stack))
            game = next(index for index, event in enumerate(account.events) if isinstance(event, GameSet))
            events = [*account.events[: game + 1], *options, *account.events[game + 1 :]]
            hands.append(build_hand_played(fold(events), str(number).rjust(64, "0")))
        return [table_break.how for table_break in find_breaks(number_table_events(hands))]

    assert broken() == ["stacks"]
    assert broken(OptionSet(*option)) == []
