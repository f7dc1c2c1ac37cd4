"""Random evenings, for tests of the money around the table: in them everything adds up."""

from __future__ import annotations

from hypothesis import strategies as st

from ledger.store.hands.hand_accounts import TableKey
from ledger.table.order import TableEntry
from projections.money.chips import ChipsInput
from tests.evenings.generate import PEOPLE, Evening, evening, hand_id
from tests.evenings.rooms import ROOMS


def input_of(night: Evening, entries: list[TableEntry]) -> ChipsInput:
    """The record of a random evening, with these events of its table."""
    replays = {hand_id(int(hand.number)): replay for hand, replay in zip(night.hands, night.played, strict=True)}
    return ChipsInput(
        TableKey("Evening", "", "1"), entries, PEOPLE, replays.__getitem__, lambda hand: f"1/{hand.number}"
    )


EVENINGS = st.builds(
    evening,
    st.sampled_from(sorted(ROOMS)),
    st.integers(0, 10_000),
    st.integers(2, 30),
    favour=st.sampled_from([(), ("move_away",), ("top_up",), ("leave", "join")]),
)
