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
from ledger.hand.opening import SeatDealtIn
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.support import read_folder, unbalanced

pytestmark = pytest.mark.data
pokerkit = pytest.importorskip("pokerkit")

NOT_IN_PHH = {"InsuranceBought", "InsurancePaid", "RunsAgreed", "CashOutTaken", "HandVoided", "LineUnread"}
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
    final_stacks = [Decimal(stack) * scale for stack in end.stacks]
    if ours == final_stacks:
        return "same"
    return "rake" if state.chips.drop and sum(ours) + state.chips.drop == sum(final_stacks) else "other"


def test_hands_of_pokerstars_survive_phh_and_replay_in_pokerkit(data_dir: Path, people: People) -> None:
    count: Counter[str] = Counter()
    for events in foreign_hands(data_dir, people, 12):
        export = FORMAT.write(events, people)
        if not export.text:
            assert len(export.losses) == 1
            continue
        assert export.losses == []
        (round_trip,) = FORMAT.read(Chunk(export.text.encode()), people)
        assert isinstance(round_trip, Account), round_trip
        assert round_trip.events == events
        if NOT_IN_PHH.isdisjoint(type(event).__name__ for event in events):
            count[outcome(events, export.text)] += 1
    assert count.total() > 80
    assert count["same"] + count["rake"] >= 0.95 * count.total(), count


NOT_PLAYED = {
    "9485557849",  # the loser says what he had, not with which cards
    "16194828757579au6ou93d1",
    "1618961225358jrdwo4ad458",  # the room rounds: two chips, ten chips too many
    "OM181427818",  # the room rounds half a cent
    "161938625156465v9fyd47bg",
    "15755902748513x9bwt8w5zk",  # the loser's cards are not told: PokerKit splits
}
"""Hands whose end does not follow from what their text tells; ours is the text's."""


@pytest.mark.parametrize(
    ("name", "room"),
    [
        ("ggpoker", "ggpoker"),
        ("winamax", "winamax"),
        ("wpn", "wpn"),
        ("888poker", "888"),
        ("fulltilt", "fulltilt"),
        ("partypoker", "partypoker"),
        ("pokernow", "pokernow"),
        ("ohh", "ohh"),
    ],
)
def test_hands_of_other_rooms_end_in_pokerkit_as_they_do_here(
    data_dir: Path, people: People, name: str, room: str
) -> None:
    """PokerKit refuses some (a bet that its rules do not know); what it plays ends with the same stacks."""
    count: Counter[str] = Counter()
    hands = [
        account.events
        for sample_file in read_folder(formats.get(name), data_dir / room, people=people)
        for account in sample_file.accounts
        if account.opened.number not in NOT_PLAYED
        and not unbalanced(account)
        and all(event.stack is not None for event in account.events if isinstance(event, SeatDealtIn))
    ]
    for events in hands[:: max(1, len(hands) // 30)]:
        export = FORMAT.write(events, people)
        if export.text and NOT_IN_PHH.isdisjoint(type(event).__name__ for event in events):
            count[outcome(events, export.text)] += 1
    assert count["other"] == 0, count
    assert count["same"] + count["rake"] >= 0.7 * count.total() > 5, count
