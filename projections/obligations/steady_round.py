"""A shortcut to the positions of a hand: if nobody came or went, they move on by one player.

The answer is the same as that of `positions`; a test compares them. The shortcut saves a fifth of the time for
complete evenings, and none for samples with missing hands (`benchmarks/judging.py`).
"""

from __future__ import annotations

from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from projections.obligations.button_round import ButtonRound
from projections.obligations.dues import DuePost, Method, Placement
from projections.obligations.game import BlindName, BlindStructure
from projections.obligations.position_inputs import Citations
from projections.obligations.position_reasons import (
    explain_dead_position,
    explain_last_blind,
    explain_moved_blind,
    explain_moved_button,
)

_TWO_BLINDS: tuple[BlindName, ...] = ("small", "big")


def place_steady_hand(
    button_round: ButtonRound,
    state: TableState,
    hand: HandPlayed,
    structure: BlindStructure,
    method: Method,
    citations: Citations,
    equal_methods: tuple[Method, ...] = (),
) -> Placement | None:
    """Return the only placement of a hand that follows the plan in `button_round`, or None if it doesn't follow it."""
    turn, positions = button_round.turn, button_round.positions
    if turn is None or structure.roles != _TWO_BLINDS or state.button_buyer is not None or hand.late:
        return None
    assert positions is not None  # noqa: S101 - a turn is planned from them
    small_amount, big_amount = structure.amounts["small"], structure.amounts["big"]
    if small_amount is None or big_amount is None or structure.dead is not None:
        return None
    if not positions.has_same_players(hand):
        return None
    dealt = hand.dealt_in
    for index, amount in ((turn.small, small_amount), (turn.big, big_amount)):
        stack = dealt[index].before
        if stack is not None and stack < amount + structure.ante:
            return None
    seats, number = positions.dealt, positions.hand
    button, small, big = seats[turn.button], seats[turn.small], seats[turn.big]
    if method == "dead":
        big_grounds = (explain_last_blind(number, "big", small, big, citations),)
        small_grounds = (explain_dead_position(number, small, "small blind", "big blind", citations),)
        button_grounds = (explain_dead_position(number, button, "button", "small blind", citations),)
    else:
        button_grounds = (explain_moved_button(positions, seats[turn.button - 1], button, citations),)
        small_grounds = (explain_moved_blind(small, "button", button, citations),)
        big_grounds = (explain_moved_blind(big, "small blind", small, citations),)
    return Placement(
        method,
        button,
        small,
        big,
        opener=seats[turn.opener],
        first=small,
        last=button,
        posts=(
            DuePost(small, "small", small_amount, 0, small_grounds),
            DuePost(big, "big", big_amount, 0, big_grounds),
        ),
        button_grounds=button_grounds,
        small_grounds=small_grounds,
        big_grounds=big_grounds,
        equal_methods=equal_methods,
        dealt=seats,
    )
