"""Real hands beside the checkout: all are read, and chips add up to what the files say was won."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.ipoker import FORMAT
from ledger.hand.ending import DropTaken, HandCompleted
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

POSTS_ONLY = "PLO-USD-5-10-201631.partial.format.xml"
"""Its 31 games hold players and blinds and nothing else: told as far as they go, not completed."""


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "ipoker", who=who))


def test_every_file_is_claimed_by_this_reader_and_by_no_other(data_dir: Path) -> None:
    for path in sorted((data_dir / "ipoker").rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found = formats.recognise(as_utf8(data[: 64 * 1024], encoding_of(data)))
            assert found is FORMAT, path.name


def test_no_file_of_another_room_is_claimed(data_dir: Path) -> None:
    claimed = {read.path.relative_to(data_dir).parts[0] for read in folder(FORMAT, data_dir)}
    assert claimed == {"ipoker"}


def test_every_game_is_read_and_nothing_in_it_is_unknown(files: list[Read], who: People) -> None:
    assert sum(len(read.accounts) for read in files) == 321
    assert [(read.path.name, one.code) for read in files for one in read.rejects] == [
        ("IdTest1.txt", "not-a-hand")  # a session's beginning, and no game
    ]
    assert [words for read in files for one in read.accounts for words in unread(one, who)] == []
    assert [read.bytes.not_read for read in files] == [0] * len(files)


def test_every_game_that_says_who_won_balances(files: list[Read]) -> None:
    open_ones = set()
    for read in files:
        for account in read.accounts:
            state = fold(account.events)
            assert not state.oddities, account.opened.number
            assert all((state.stack(seat) or 0) >= 0 for seat in state.seats), account.opened.number
            if not any(isinstance(event, HandCompleted) for event in account.events):
                open_ones.add(read.path.name)
                continue
            assert not unbalanced(account), account.opened.number
    assert open_ones == {POSTS_ONLY}


def test_a_rake_is_never_more_than_a_fifteenth_and_none_is_taken_in_tournaments(files: list[Read]) -> None:
    for read in files:
        for account in read.accounts:
            pot = fold(account.events).total_put()
            game = next(event for event in account.events if isinstance(event, GameSet))
            drop = sum(one.amount for one in account.events if isinstance(one, DropTaken))
            assert drop * 15 <= pot + 15, account.opened.number
            assert not drop or game.format == "cash"


def test_what_fpdb_stores_of_a_hand_agrees(data_dir: Path, files: list[Read], who: People) -> None:
    """Players, seats, stacks, winnings and rake of the one file with stored results.

    FPDB counts a returned bet as neither put in nor won, as we do; its rake is of the winner's.
    """
    stored = data_dir / "expected-by-fpdb"
    compared = 0
    for read in files:
        path = stored / read.path.relative_to(data_dir)
        results = path.with_name(path.name + ".hp")
        if not results.exists():
            continue
        theirs = ast.literal_eval(results.read_text(encoding="utf-8"))
        state = fold(read.accounts[0].events)
        names = {who.name(player): seat for seat, player in state.players.items()}
        assert set(names) == set(theirs)
        for name, seat in names.items():
            assert theirs[name]["seatNo"] == seat
            assert theirs[name]["startCash"] == state.start[seat]
            assert theirs[name]["winnings"] == state.awarded.get(seat, 0)
        assert sum(one["rake"] for one in theirs.values()) == state.drop
        compared += 1
    assert compared == 1
