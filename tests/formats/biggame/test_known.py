"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: each next hand's stacks are what this one leads to, runs and winners are those of the cards."""

from __future__ import annotations

import pytest

from ledger.account import Account
from ledger.hand.dealing import BoardDealt, RabbitShown
from ledger.hand.evaluate import shares
from ledger.hand.fold import fold
from ledger.hand.opening import AntePosted, SeatDealtIn
from tests.formats.support import Read, events_of

pytestmark = pytest.mark.data


DOES_NOT_ADD_UP = {
    # The button's ante was not paid: the pot that was won and the next hand's stacks are without it.
    ("Season 1, week 11", "57"): ["600 more went in than came out"],
    # The small blind made up the big blind that he missed the hand before: no play tells it, the pot
    # that was won and the next hand's stacks count it.
    ("Season 1, week 11", "104"): ["-400 more went in than came out"],
}

ANOTHER_HAND_WON = {
    # The stacks of the next hand have the pot split, too: the cards of one of the two are wrong.
    ("Season 1, week 10", "35"),
    *DOES_NOT_ADD_UP,
}

CHIPS_BOUGHT = {
    ("Season 1, week 10", "21"): {2: 50000},
    ("Season 1, week 10", "43"): {5: 50000},
    ("Season 1, week 10", "52"): {5: 50000},
    ("Season 1, week 11", "57"): {4: 600},
    ("Season 1, week 11", "104"): {4: -400},
    ("Season 1, week 12", "144"): {5: 50000},
}
"""What a seat has more before the next hand than after this one: chips bought, and the two above."""


def hands(files: list[Read]) -> list[Account]:
    return [account for file in files for account in file.accounts]


def key(account: Account) -> tuple[str, str]:
    return account.opened.table, account.opened.number


def test_the_next_hand_s_stacks_are_what_this_hand_leads_to(files: list[Read]) -> None:
    """That the button alone pays the ante, and who posts, is proven by this."""
    compared, changed = 0, {}
    for file in files:
        for hand, account in zip(file.accounts, file.accounts[1:], strict=False):
            state = fold(hand.events)
            stacks = {event.player: event.stack for event in events_of(account, SeatDealtIn)}
            rebuys = {
                event.seat: stacks[event.player] - (state.stack(event.seat) or 0)
                for event in events_of(hand, SeatDealtIn)
                if event.player in stacks
            }
            compared += len(rebuys)
            if any(rebuys.values()):
                changed[key(hand)] = {seat: chips for seat, chips in rebuys.items() if chips}
    assert changed == CHIPS_BOUGHT
    assert compared > 2600


def test_one_seat_pays_the_ante_for_all(files: list[Read]) -> None:
    for hand in hands(files):
        (ante,) = events_of(hand, AntePosted)
        assert (ante.seat, ante.for_table) == (fold(hand.events).button, True)


def test_who_won_is_who_holds_the_best_hand_in_every_run(files: list[Read]) -> None:
    wrong, compared = set(), 0
    for hand in hands(files):
        state = fold(hand.events)
        pot_shares = shares(state)
        if pot_shares.reason:
            continue
        compared += 1
        due: dict[int, int] = {}
        for part in pot_shares.parts:
            for seat in part.winners:
                due[seat] = due.get(seat, 0) + part.amount // len(part.winners)
        differences = {
            seat: due.get(seat, 0) - state.chips.awarded.get(seat, 0) for seat in {*due, *state.chips.awarded}
        }
        if any(abs(chips) > 100 for chips in differences.values()):  # the least chip of the table
            wrong.add(key(hand))
    assert compared > 440
    assert wrong == ANOTHER_HAND_WON


def test_runs_and_cards_behind_the_pot_are_told(files: list[Read]) -> None:
    runs = {key(hand): fold(hand.events).runs for hand in hands(files) if fold(hand.events).runs > 1}
    assert sorted(runs.values()) == [2, 2, 3, 3, 4, 5]
    assert sum(bool(events_of(hand, RabbitShown)) for hand in hands(files)) == 9
    for hand in hands(files):
        boards = [event for event in events_of(hand, BoardDealt) if event.run == 1]
        assert "".join(event.street[0] for event in boards) in ("", "f", "ft", "ftr"), key(hand)
