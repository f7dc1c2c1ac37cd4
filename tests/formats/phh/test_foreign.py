"""Hands of another format, written as PHH: nothing is lost, and PokerKit plays them to the same end."""

from __future__ import annotations

import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account
from ledger.formats.phh import FORMAT
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.notation import Chunk
from ledger.people import People

pytestmark = pytest.mark.data
pokerkit = pytest.importorskip("pokerkit")

BEYOND = {"RunsAgreed", "CashOutTaken", "HandVoided", "LineUnread"}
"""With these, what the seats end with does not follow from the play that PHH can tell."""


def foreign_hands(folder: Path, people: People, every: int) -> Iterator[list[HandEvent]]:
    reader = formats.get("pokerstars")
    for file in sorted((folder / "pokerstars").rglob("*.txt"))[::3]:
        data = file.read_bytes()
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            continue
        for index, item in enumerate(reader.read(Chunk(data), people)):
            if isinstance(item, Account) and index % every == 0:
                yield item.events


def outcome(events: list[HandEvent], text: str) -> str:
    """How PokerKit's stacks at the end compare with the hand's own: "same", "rake", "other", "fails"."""
    state = fold(events)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            *_, end = pokerkit.HandHistory.loads(text)
        except (ValueError, KeyError):
            return "fails"
    scale = 10**state.game.exponent
    seats = tomllib.loads(text).get("seats", range(1, len(end.stacks) + 1))
    ours = [state.stack(seat) or 0 for seat in seats]
    theirs = [Decimal(stack) * scale for stack in end.stacks]
    if ours == theirs:
        return "same"
    return "rake" if state.drop and sum(ours) + state.drop == sum(theirs) else "other"


def test_hands_of_pokerstars_survive_phh_and_replay_in_pokerkit(
    data_dir: Path, people: People
) -> None:
    count: Counter[str] = Counter()
    for events in foreign_hands(data_dir, people, 12):
        written = FORMAT.write(events, people)
        if not written.text:
            assert len(written.losses) == 1
            continue
        assert written.losses == []
        (again,) = FORMAT.read(Chunk(written.text.encode()), people)
        assert isinstance(again, Account), again
        assert again.events == events
        if BEYOND.isdisjoint(type(event).__name__ for event in events):
            count[outcome(events, written.text)] += 1
    assert count.total() > 80
    assert count["same"] + count["rake"] >= 0.95 * count.total(), count
