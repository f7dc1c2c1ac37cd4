"""Labels for the button and the blinds in the list of dues."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from ledger.vocabulary import Seat
from projections.obligations.dues import Ground, Placement, list_blind_posters
from projections.sentences.due_list import has_blind, has_button
from projections.sentences.positions import second_after_button

BlindRole: TypeAlias = Literal["small", "big", "extra"]
BLIND_ROLES: Final[tuple[BlindRole, ...]] = ("small", "big", "extra")


def count_ground_from_button(placement: Placement, ground: Ground) -> Ground:
    """Return the big blind's ground, counted from the button, for hands whose small blind another seat posts."""
    if placement.big is None or placement.button is None:
        return ground
    return msgspec.structs.replace(ground, sentence=second_after_button(placement.big, placement.button))


def list_roles(placement: Placement, seat: Seat) -> list[str]:
    """Return what a seat has in a placement: "has the button", "has the big blind"."""
    roles = [has_button()] if placement.button == seat else []
    return [*roles, *(has_blind(role) for role in BLIND_ROLES if seat in list_blind_posters(placement, role))]
