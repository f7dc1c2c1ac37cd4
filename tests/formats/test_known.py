"""Real hands beside the checkout: of every room they are read, add up, and are claimed, but for what is known of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account
from ledger.hand.ending import HandCompleted, HandVoided
from ledger.hand.fold import fold
from tests.formats.fpdb import against_fpdb
from tests.formats.known import ROOMS, form_of, load_known, name_hands, read_heads, read_real_hands
from tests.formats.support import Read, unbalanced, unread

pytestmark = [pytest.mark.data, pytest.mark.parametrize("room", ROOMS)]


def test_every_hand_is_read_every_byte_accounted_for_and_every_reject_has_its_reason(room: str, data_dir: Path) -> None:
    _, files = read_real_hands(room, data_dir)
    rejects = [(file.path.name, reject.code) for file in files for reject in file.rejects]
    assert rejects == load_known(room).rejects
    assert sum(len(file.accounts) for file in files) == load_known(room).hands
    assert {file.bytes.not_read for file in files} == {0}


def test_there_is_no_line_that_nobody_knows_but_those_that_are_listed(room: str, data_dir: Path) -> None:
    people, files = read_real_hands(room, data_dir)
    unread_by_hand = {name: lines for name, account in name_hands(files) if (lines := unread(account, people))}
    expected = load_known(room).strange
    assert set(unread_by_hand) == set(expected)
    for name, lines in unread_by_hand.items():
        expected_lines = expected[name]
        if isinstance(expected_lines, int):
            assert len(lines) == expected_lines
            continue
        for line, expected_line in zip(lines, expected_lines, strict=True):
            assert (
                line.startswith(expected_line.removesuffix("..."))
                if expected_line.endswith("...")
                else line == expected_line
            )


def test_chips_add_up_but_in_the_hands_that_are_listed(room: str, data_dir: Path) -> None:
    _, files = read_real_hands(room, data_dir)
    wrong = {name: mismatches for name, account in name_hands(files) if (mismatches := unbalanced(account))}
    expected = load_known(room).uneven
    whole_files = _of_whole_files(files, set(expected))
    assert {name: mismatches for name, mismatches in wrong.items() if name not in whole_files} == {
        name: mismatches for name, mismatches in expected.items() if not name.endswith("#*")
    }


def test_every_hand_is_over_and_nothing_in_it_is_odd(room: str, data_dir: Path) -> None:
    _, files = read_real_hands(room, data_dir)
    assert [name for name, account in name_hands(files) if fold(account.events).oddities] == []
    open_hands = load_known(room).open
    whole_files = _of_whole_files(files, set(open_hands))
    names = [name for name, account in name_hands(files) if not _is_over(account)]
    assert whole_files <= set(names)
    assert [name for name in names if name not in whole_files] == [
        name for name in open_hands if not name.endswith("#*")
    ]


def _is_over(account: Account) -> bool:
    return any(isinstance(event, HandCompleted | HandVoided) for event in account.events)


def _of_whole_files(files: list[Read], hand_names: set[str]) -> set[str]:
    """Return the names of the hands of files that are listed as a whole."""
    whole_files = [file for file in files if f"{file.path.name}#*" in hand_names]
    members = {id(account) for file in whole_files for account in file.accounts}
    return {name for name, account in name_hands(files) if id(account) in members}


def test_files_are_claimed_by_their_own_reader_alone(room: str, data_dir: Path) -> None:
    form, expectations = form_of(room), load_known(room)
    claimed = {path for path, head in read_heads(data_dir).items() if form.sniff(head)}
    paths = {path for path in read_heads(data_dir) if {*Path(path).parent.parts} & {*expectations.own}}
    assert {*expectations.claimed} == claimed - paths
    assert {*expectations.unclaimed} == paths - claimed
    for path in claimed:
        assert formats.recognise(read_heads(data_dir)[path]) is form, path


def test_fpdb_has_the_same_players_stacks_and_winnings(room: str, data_dir: Path) -> None:
    expectations = load_known(room)
    if expectations.fpdb:
        assert against_fpdb(form_of(room), data_dir, expectations.folder) == (
            expectations.fpdb,
            expectations.fpdb_differs,
        )
