"""Words for the button and blinds in the list of dues: their labels, and what each seat has."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from ledger.vocabulary import Seat
from projections.obligations.dues import Ground, Placement, blind_posters

BlindRole: TypeAlias = Literal["small", "big", "extra"]
BLIND_LABELS: Final[dict[str, str]] = {"small": "small blind", "big": "big blind", "extra": "third blind"}
_BLIND_ROLES: Final[tuple[BlindRole, ...]] = ("small", "big", "extra")


def count_ground_from_button(placement: Placement, ground: Ground) -> Ground:
    """Return the big blind's ground, counted from the button: used if the small blind's own seat doesn't post it."""
    return msgspec.structs.replace(
        ground, sentence=f"seat {placement.big} is second after the button at seat {placement.button}"
    )


def list_roles(placement: Placement, seat: Seat) -> list[str]:
    """Return what a seat has in a placement: "has the button", "has the big blind"."""
    roles = ["has the button"] if placement.button == seat else []
    blinds = [BLIND_LABELS[role] for role in _BLIND_ROLES if seat in blind_posters(placement, role)]
    return [*roles, *(f"has the {blind}" for blind in blinds)]
