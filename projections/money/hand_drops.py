"""Read what each hand dropped into each box at its table, as far as its record shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

from ledger.hand.ending import CorrectionMade
from ledger.hand.state import HandState
from ledger.store.requests.stored_hands import read_hands
from ledger.table.events import HandPlayed
from ledger.table.money_events import BoxKind
from ledger.vocabulary import Chips, PlayerId, Witness

if TYPE_CHECKING:
    from ledger.replay import HandReplay
    from ledger.store import Ledger
    from projections.money.shift import ShiftTable

BOXES: Final[tuple[BoxKind, ...]] = ("drop", "jackpot", "promotion")
_BOX_BY_DROP: Final[dict[str, BoxKind]] = {
    "rake": "drop",
    "jackpot": "jackpot",
    "bingo": "promotion",
    "fortune": "promotion",
}
"""Which box a drop goes into. Taxes, cash-out fees and other drops go into no known box."""
_DROP_WITNESS: Final = int(Witness.DROP)


class HandDrop(NamedTuple):
    """What a hand dropped, with other facts about the hand.

    `amounts` by box; None = the record doesn't show it.
    """

    hand: HandPlayed
    version: int  # of the hand in the table's stream
    dealer: PlayerId  # "" = nobody is on record
    amounts: dict[BoxKind, Chips | None]
    pot: Chips
    has_flop: bool
    unaccounted: Chips  # of the pot, neither paid to a player nor dropped
    is_void: bool
    is_finished: bool
    has_unread_lines: bool
    correction: CorrectionMade | None  # the last

    @property
    def unit(self) -> tuple[str, int]:
        """The unit of the amounts and its decimals."""
        return self.hand.unit, self.hand.exponent


def read_drops(ledger: Ledger, shift_table: ShiftTable, indexes: Sequence[int]) -> list[HandDrop]:
    """Return the drops of hands, by their indexes among a table's entries."""
    streams = [UUID(hex=_get_hand(shift_table, index).hand) for index in indexes]
    return list(_build_drops(shift_table, indexes, read_hands(ledger, streams)))


def _get_hand(shift_table: ShiftTable, index: int) -> HandPlayed:
    hand = shift_table.entries[index].event
    assert isinstance(hand, HandPlayed)  # noqa: S101 - the caller asks for indexes of hands
    return hand


def _build_drops(shift_table: ShiftTable, indexes: Sequence[int], replays: Iterator[HandReplay]) -> Iterator[HandDrop]:
    for index, replay in zip(indexes, replays, strict=True):
        state, hand = replay.final_state, _get_hand(shift_table, index)
        corrections = replay.corrections
        yield HandDrop(
            hand=hand,
            version=shift_table.entries[index].version,
            dealer=shift_table.dealers[index],
            amounts={box: _find_amount(state, box) for box in BOXES},
            pot=state.pot_size(),
            has_flop=any(state.boards),
            unaccounted=0 if _is_void(state) else state.conservation(),
            is_void=_is_void(state),
            is_finished=state.completed or _is_void(state),
            has_unread_lines=state.unread_lines > 0,
            correction=corrections[-1][1] if corrections else None,
        )


def _is_void(state: HandState) -> bool:
    """Whether all bets were returned, so that nothing can have been dropped."""
    return state.voided or state.is_spoiled


def _find_amount(state: HandState, box: BoxKind) -> Chips | None:
    """Return what a hand dropped into a box, None if its record doesn't show it.

    A record that always shows drops, or whose pot was paid to the last chip, shows that nothing was dropped.
    """
    drops = [drop.amount for drop in state.drops if _BOX_BY_DROP.get(drop.kind) == box]
    if drops:
        return sum(drops)
    if _is_void(state):
        return 0
    if not state.completed or state.opened is None:
        return None
    if state.opened.witnesses & _DROP_WITNESS:
        return 0
    return 0 if state.chips.awarded and not state.conservation() else None
