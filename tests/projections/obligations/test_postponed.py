"""A hand after a gap is learned when something is asked: what is known then is as if it had been learned at once."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import pytest

from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken
from ledger.table.events import HandPlayed
from ledger.table.standing_accounts import TableEntry
from projections.books.rulebook import load
from projections.obligations.obligations import Obligations
from projections.obligations.player_tabs import PlayerTabs
from projections.table_walk.checkpoint import save_walk
from projections.table_walk.table_context import TableWalk
from tests.engine.hands import evenings
from tests.laws import size


class _Walk:
    """A table walked with questions after some of its hands."""

    def __init__(self, book: str) -> None:
        self._table, self._book = TableWalk([load(book)]), book
        self.memories: dict[int, bytes | None] = {}  # by how many hands were played
        self.postponed = 0

    def run(self, entries: Sequence[TableEntry], streams: set[int]) -> None:
        keeper = self._table.keepers[self._book][1]
        assert isinstance(keeper, Obligations)
        count = 0
        for count, _ in enumerate(self._table.contexts(entries)):
            self.postponed += keeper._postponed is not None
            if count in streams:
                self.memories[count] = save_walk(self._table, self._book, None)
        self.memories[count + 1] = save_walk(self._table, self._book, None)


def _lose_hands(entries: Sequence[TableEntry], rng: random.Random, share: float) -> list[TableEntry]:
    """Return a table's events without some of its hands, and with players who come and go during others."""
    entries_left = []
    for entry in entries:
        hand = entry.event
        if not isinstance(hand, HandPlayed):
            entries_left.append(entry)
        elif rng.random() < share:
            dealt_in = rng.choice(hand.dealt_in)
            inner_entries = (
                PlayerAway(dealt_in.seat, dealt_in.player),
                PlayerBack(dealt_in.seat, dealt_in.player),
                SeatLeft(dealt_in.seat, dealt_in.player),
                SeatTaken(dealt_in.seat, f"guest {hand.number}", rng.choice(("walk-in", "playing-over", "returning"))),
            )
            events = (*hand.within, *rng.sample(inner_entries, rng.randint(0, 2)))
            entries_left.append(entry._replace(event=msgspec.structs.replace(hand, within=events)))
    return entries_left


@pytest.mark.law
def test_a_hand_learned_late_is_as_if_learned_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, postponed = random.Random(33), 0
    for table in evenings(size(8, 80)):
        for share in (0.3, 0.6):
            entries = _lose_hands(table.told, rng, share)
            late_walk, at_once = _Walk(table.books[0]), _Walk(table.books[0])
            late_walk.run(entries, {count for count in range(12) if rng.random() < 0.3})
            with monkeypatch.context() as patch:
                patch.setattr(PlayerTabs, "can_postpone", lambda *_: False)
                at_once.run(entries, set(range(12)))
            assert late_walk.memories == {count: at_once.memories[count] for count in late_walk.memories}
            postponed += late_walk.postponed
    assert postponed > 50
