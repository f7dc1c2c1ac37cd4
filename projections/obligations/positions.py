"""Where button and blinds belong on the next hand, by the three methods of moving them.

Dead: the big blind goes to the next player; small blind and button go where the position ahead of them was, even to
an empty seat. Moving: the button goes to the next player, and the blinds to the players after it. Owed: as moving,
but players whom the big blind has reached this round post what they haven't paid yet, the largest blind first.
"""

from __future__ import annotations

from projections.obligations.dead_button import draft_dead_button
from projections.obligations.dues import Method
from projections.obligations.moving_button import draft_moving_button
from projections.obligations.owed_blinds import draft_owed_blinds
from projections.obligations.position_inputs import Citations, Draft, PositionInputs


def draft_positions(inputs: PositionInputs, method: Method, citations: Citations) -> list[Draft] | str:
    """Return the drafts by a method, the likeliest first; a sentence if there is none."""
    if method == "dead" and inputs.roles:
        return draft_dead_button(inputs, citations)
    moving_drafts = draft_moving_button(inputs, method, citations)
    if method != "owed" or isinstance(moving_drafts, str):
        return moving_drafts
    spares_button = citations.small_off_button and len(inputs.roles) > 2
    owed_drafts: list[Draft] = []
    for draft in moving_drafts:
        owed_drafts += draft_owed_blinds(inputs, draft, spares_button=spares_button)
    return owed_drafts
