"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: the declared payoffs follow from the betting, two logs of a match agree."""

from __future__ import annotations

import pytest

from ledger.hand.fold import fold
from tests.formats.support import Read

pytestmark = pytest.mark.data

CUT_OFF = {"147"}  # the log of messages ends within it


def test_declared_payoffs_follow_from_the_betting_and_the_blinds_that_are_assumed(files: list[Read]) -> None:
    count = 0
    for read in files:
        for account in read.accounts:
            state = fold(account.events)
            nets = {
                declaration.seat or 0: declaration.amount
                for declaration in state.declarations
                if declaration.what == "net"
            }
            for seat, net in nets.items():
                assert state.chips.awarded.get(seat, 0) - state.chips.put_in[seat] == net, account.opened.number
                count += 1
    assert count == 500 * (2 + 2 + 3 + 3)


def test_messages_and_lines_of_one_match_tell_the_same_hands(files: list[Read]) -> None:
    """The messages hold no payoffs: who won is inferred from the cards, and agrees with them."""
    events_by_number: dict[str, list[tuple[object, ...]]] = {}
    for read in files:
        for account in read.accounts:
            if account.opened.table == "2p.nolimit.h1000.r0":
                state = fold(account.events)
                events_by_number.setdefault(account.opened.number, []).append(
                    (state.chips.awarded, state.chips.put_in, state.boards, state.hole_cards(1), state.hole_cards(2))
                )
    pairs = {number: versions for number, versions in events_by_number.items() if len(versions) == 2}
    assert len(pairs) == 148
    assert {
        number for number, (first_version, second_version) in pairs.items() if first_version != second_version
    } == CUT_OFF
