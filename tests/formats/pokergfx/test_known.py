"""Real sessions of two live tables beside the checkout: all hands are read, and their chips add up."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.pokergfx import FORMAT
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.ending import HandVoided
from ledger.hand.fold import fold
from ledger.people import People
from tests.formats.support import Read, folder, people, unbalanced, unread

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "pokergfx", who=who))


def test_every_file_is_claimed_by_its_reader_and_no_other_rooms_file_is(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*")):
        if path.is_file() and path.suffix in (".txt", ".json", ".csv", ".ohh", ".xml", ".phh"):
            head = path.read_bytes()[: 64 * 1024]
            mine = path.is_relative_to(data_dir / "pokergfx")
            assert bool(FORMAT.sniff(head)) == mine, path
            if mine:
                assert formats.recognise(head) is FORMAT, path


def test_every_hand_is_read_and_only_side_files_are_rejected(files: list[Read]) -> None:
    assert sum(len(file.accounts) for file in files) == 492
    rejects = [(file.path.suffix, reject.code) for file in files for reject in file.rejects]
    assert rejects == [(".txt", "side-file")] * 5
    assert all(file.bytes.not_read == 0 for file in files)


def test_nothing_in_them_is_unknown(files: list[Read], who: People) -> None:
    assert not [words for file in files for one in file.accounts for words in unread(one, who)]


def test_stacks_come_to_what_the_export_declares_but_for_one_that_was_typed_in(files: list[Read]) -> None:
    """In a test session the operator typed other stacks during the hand: 444,558,179 chips appear."""
    wrong = [(one.opened.table, one.opened.number) for file in files for one in file.accounts if unbalanced(one)]
    assert wrong == [("638961224831992165", "1")]


def test_every_hand_ends_and_one_was_aborted(files: list[Read]) -> None:
    voided = [
        (one.opened.table, one.opened.number)
        for file in files
        for one in file.accounts
        if any(isinstance(event, HandVoided) for event in one.events)
    ]
    assert voided == [("638961224831992165", "2")]


def test_the_same_session_exported_again_tells_the_same_hands(files: list[Read]) -> None:
    told = defaultdict(list)
    for file in files:
        for one in file.accounts:
            told[one.opened.table, one.opened.number, one.opened.started].append(one.events)
    assert sum(len(tellings) > 1 for tellings in told.values()) == 51
    assert all(telling == tellings[0] for tellings in told.values() for telling in tellings)


def test_the_pot_before_every_act_is_what_the_acts_before_it_put_in(files: list[Read]) -> None:
    checked = 0
    for file in files:
        data = file.chunk.data
        for one in file.accounts:
            for index, event in enumerate(one.events):
                if not isinstance(event, b.Checked | b.Called | b.Bet | b.Raised):
                    continue
                start, length = one.places[2 * index : 2 * index + 2]
                told = json.loads(data[one.start + start :][:length])
                before = [e for e in one.events[:index] if not isinstance(e, b.BetReturned)]
                if told["Pot"]:
                    assert fold(before).total_put() == told["Pot"], (file.path, one.opened.number)
                    checked += 1
    assert checked == 2075


def test_the_button_lay_at_an_empty_seat_four_times(files: list[Read]) -> None:
    empty = {
        (one.opened.table, one.opened.number)
        for file in files
        for one in file.accounts
        for button in one.events
        if isinstance(button, o.ButtonPlaced)
        and not any(
            isinstance(event, o.SeatDealtIn | o.SeatLeftOut) and event.seat == button.seat for event in one.events
        )
    }
    assert len(empty) == 4
