"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: a session told twice is the same, pots follow from the acts."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.ending import HandVoided
from ledger.hand.fold import fold
from tests.formats.support import Read

pytestmark = pytest.mark.data


def test_every_hand_ends_and_one_was_aborted(files: list[Read]) -> None:
    voided = [
        (account.opened.table, account.opened.number)
        for file in files
        for account in file.accounts
        if any(isinstance(event, HandVoided) for event in account.events)
    ]
    assert voided == [("638961224831992165", "2")]


def test_the_same_session_exported_again_tells_the_same_hands(files: list[Read]) -> None:
    events_by_hand = defaultdict(list)
    for file in files:
        for account in file.accounts:
            events_by_hand[account.opened.table, account.opened.number, account.opened.started].append(account.events)
    assert sum(len(tellings) > 1 for tellings in events_by_hand.values()) == 51
    assert all(telling == tellings[0] for tellings in events_by_hand.values() for telling in tellings)


def test_the_pot_before_every_act_is_what_the_acts_before_it_put_in(files: list[Read]) -> None:
    checked = 0
    for file in files:
        data = file.chunk.data
        for account in file.accounts:
            for index, event in enumerate(account.events):
                if not isinstance(event, b.Checked | b.Called | b.Bet | b.Raised):
                    continue
                start, length = account.places[2 * index : 2 * index + 2]
                document = json.loads(data[account.start + start :][:length])
                acts_before = [e for e in account.events[:index] if not isinstance(e, b.BetReturned)]
                if document["Pot"]:
                    assert fold(acts_before).pot_size() == document["Pot"], (file.path, account.opened.number)
                    checked += 1
    assert checked == 2075


def test_the_button_lay_at_an_empty_seat_four_times(files: list[Read]) -> None:
    empty = {
        (account.opened.table, account.opened.number)
        for file in files
        for account in file.accounts
        for button in account.events
        if isinstance(button, o.ButtonPlaced)
        and not any(
            isinstance(event, o.SeatDealtIn | o.SeatLeftOut) and event.seat == button.seat for event in account.events
        )
    }
    assert len(empty) == 4
