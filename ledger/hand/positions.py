"""What the seats of a hand are called by where they act from: BTN, SB, BB, UTG, ..., CO."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.vocabulary import Seat

_LATE: Final = ("CO", "HJ", "LJ")


def position_names(dealt: Iterable[Seat], button: Seat | None, small: Seat | None, big: Seat | None) -> dict[Seat, str]:
    """Return each dealt-in seat with the name of its position, in the order of the seats.

    `small` and `big` hold these positions or posted these blinds; the button may lie at an empty seat.
    Where neither is told, they are the seats behind the button. Without a button no other position has
    a name ("" then). Between two, the button is BTN, whatever it posts.
    """
    names = dict.fromkeys(sorted(dealt), "")
    if small is None and big is None and button is not None:
        behind = sorted(names, key=lambda seat: (seat <= button, seat))
        alone = len(behind) == 2 and button in names
        small, big, *_ = [None, behind[0]] if alone else [*behind, None, None]
    for seat, name in ((small, "SB"), (big, "BB")):
        if seat is not None and seat in names:
            names[seat] = name
    if button is None:
        return names
    if button in names:
        names[button] = "BTN"
    first = next((seat for seat, name in names.items() if name == "BB"), button)
    others = sorted((seat for seat, name in names.items() if not name), key=lambda seat: (seat <= first, seat))
    late = min(len(others) - 1, len(_LATE)) if len(others) > 1 else len(others)
    for name, seat in zip(_LATE, reversed(others[len(others) - late :]), strict=False):
        names[seat] = name
    for at, seat in enumerate(others[: len(others) - late]):
        names[seat] = f"UTG+{at}" if at else "UTG"
    return names
