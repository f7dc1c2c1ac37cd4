"""Find the newcomers to a tournament table, whom some books keep out until the button has passed."""

from __future__ import annotations

from typing import Final

from ledger.table.state import TableState
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.dues import Ground
from projections.obligations.policy import Policy
from projections.obligations.ring import is_between
from projections.sentences.entry import waits_behind_button_in_tournament

_MIN_PLAYERS: Final = 3  # in the last hand: heads-up, the button isn't where this rule expects it


def is_newcomer(state: TableState, player: PlayerId) -> bool:
    """Whether a player came to the table since its last hand, or got no cards on that hand."""
    seat_state = state.seat_of(player)
    return bool(state.number) and (seat_state is None or seat_state.last_hand_dealt != state.number)


def waits_behind_button(policy: Policy, state: TableState, seat: Seat, player: PlayerId) -> Ground | None:
    """Return why a newcomer gets no cards on the coming hand, or None if the newcomer gets cards.

    With the dead button, the next button is the last small blind's seat, and the next small blind the last big blind's.
    """
    ruling = policy.get("entry.tournament")
    button, small = state.small.seat, state.big.seat
    if ruling is None or state.last_hand is None or state.open_gap is not None or not is_newcomer(state, player):
        return None
    if button is None or small is None or len(state.last_hand.dealt_in) < _MIN_PLAYERS or seat in (button, small):
        return None
    if not is_between(button, seat, small):
        return None
    return Ground(waits_behind_button_in_tournament(seat), ruling.clauses, hand=state.number)
