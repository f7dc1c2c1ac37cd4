"""Known answers: every PHH hand among the sample hands ends with the stacks that it declares."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.account import Account
from ledger.formats.phh import FORMAT
from ledger.hand.ending import DropTaken, PotAwarded
from ledger.hand.fold import fold
from ledger.notation import Chunk
from ledger.people import People

pytestmark = pytest.mark.data

HALF_CHIPS = frozenset((("pluribus/91/43.phh", 1), ("pluribus/91/53.phh", 1)))
"""Hands whose declared stacks hold half chips; PokerKit keeps chips whole and differs by a half."""

NOT_IN_POKERKIT = frozenset((("wsop/2023/43/5/03-50-24.phh", 1),))
"""Razz: an all-in raise for less, written as `cbr`, is none that PokerKit allows."""


@pytest.fixture(scope="module")
def folder(data_dir: Path) -> Path:
    return data_dir / "phh"


def files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix in (".phh", ".phhs"))


def hands(folder: Path, people: People) -> Iterator[tuple[str, int, Account]]:
    for file in files(folder):
        for number, item in enumerate(FORMAT.read(Chunk(file.read_bytes()), people), start=1):
            name = str(file.relative_to(folder))
            assert isinstance(item, Account), f"{name}: {item}"
            yield name, number, item


def players(account: Account) -> list[int]:
    """Seats in dealing order, as the results are declared."""
    order = [x.seat for x in account.events if type(x).__name__ == "HoleCardsDealt"]
    return list(dict.fromkeys(order))


def test_every_file_is_read_and_every_hand_ends_as_declared(folder: Path, people: People) -> None:
    read = declared = 0
    fractions = set()
    for name, number, account in hands(folder, people):
        state = fold(account.events)
        read += 1
        assert state.unread_lines == 0, name
        assert not state.oddities, name
        ends = [x for x in state.declarations if x.what == "end-stack"]
        declared += bool(ends)
        assert all(state.stack(x.seat) == x.amount for x in ends), name
        if any(x.amount % 10**state.game.exponent for x in ends):
            fractions.add((name, number))
    assert (read, declared) == (2687, 2179)
    assert fractions == HALF_CHIPS


def test_every_byte_is_read_or_blank(folder: Path, people: People) -> None:
    for file in files(folder):
        data = bytearray(file.read_bytes())
        for item in FORMAT.read(Chunk(bytes(data)), people):
            data[item.start : item.start + item.length] = b" " * item.length
        assert not data.strip(), file


def round_trip(folder: Path, people: People, every: int) -> int:
    """Read, write and read every `every`th hand; return how many."""
    hand_count = 0
    for index, (name, _, account) in enumerate(hands(folder, people)):
        if index % every:
            continue
        export = FORMAT.write(account.events, people)
        assert not export.losses, name
        (account_again,) = FORMAT.read(Chunk(export.text.encode()), people)
        assert isinstance(account_again, Account), name
        assert account_again.events == account.events, name
        hand_count += 1
    return hand_count


def test_read_write_read_gives_the_same_events_in_a_sample(folder: Path, people: People) -> None:
    assert round_trip(folder, people, 7) > 380


@pytest.mark.slow
def test_read_write_read_gives_the_same_events_in_all_hands(folder: Path, people: People) -> None:
    assert round_trip(folder, people, 1) == 2687


def compare_with_pokerkit(folder: Path, people: People, every: int, *, ours: bool) -> int:
    """Replay every `every`th hand in PokerKit, as it stands or as we write it; return how many."""
    pokerkit = pytest.importorskip("pokerkit")
    compared = 0
    for index, (name, number, account) in enumerate(hands(folder, people)):
        if index % every or (name, number) in NOT_IN_POKERKIT:
            continue
        text = FORMAT.write(account.events, people).text
        if not ours:
            data = (folder / name).read_bytes()
            text = data[account.start : account.start + account.length].decode()
            text = text.partition("\n")[2] if text.startswith("[") else text
        state = fold(account.events)
        scale = 10**state.game.exponent
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, end = pokerkit.HandHistory.loads(text, divmod=to_the_unit(scale))
        expected = [Decimal(stack) * scale for stack in end.stacks]
        reached = [state.stack(seat) for seat in players(account)]
        if any(isinstance(x, DropTaken) for x in account.events):
            winners = {x.seat for x in account.events if isinstance(x, PotAwarded)}
            assert sum(expected) - state.chips.drop == sum(reached), name
            for seat, stack, expected_stack in zip(players(account), reached, expected, strict=True):
                assert seat in winners or stack == expected_stack, name
        else:
            assert reached == expected, (name, number)
        compared += 1
    return compared


def to_the_unit(scale: int) -> object:
    """A division for PokerKit that leaves no less than the smallest unit over."""

    def divide(amount: Decimal, count: int) -> tuple[Decimal, Decimal]:
        share = Decimal(int(Decimal(amount) * scale) // count) / scale
        return share, amount - share * count

    return divide


def test_stacks_equal_pokerkits_in_a_sample(folder: Path, people: People) -> None:
    assert compare_with_pokerkit(folder, people, 19, ours=False) > 130


def test_our_text_replays_in_pokerkit_to_the_same_stacks_in_a_sample(folder: Path, people: People) -> None:
    assert compare_with_pokerkit(folder, people, 23, ours=True) > 110


@pytest.mark.slow
@pytest.mark.parametrize("ours", [False, True], ids=["as it stands", "as we write it"])
def test_stacks_equal_pokerkits_in_all_hands(folder: Path, people: People, ours: bool) -> None:
    assert compare_with_pokerkit(folder, people, 1, ours=ours) == 2686
