"""What the seats of a hand are called by where they act from: BTN, SB, BB, UTG, ..., CO."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.vocabulary import Seat

_LATE_POSITIONS: Final = ("CO", "HJ", "LJ")


def position_names(
    dealt_seats: Iterable[Seat], button: Seat | None, small_seat: Seat | None, big_seat: Seat | None
) -> dict[Seat, str]:
    """Return each dealt-in seat with the name of its position, in the order of the seats.

    `small` and `big` hold these positions or posted these blinds; the button may lie at an empty seat.
    Where neither is told, they are the seats behind the button. Without a button no other position has
    a name ("" then). Between two, the button is BTN, whatever it posts.
    """
    names = dict.fromkeys(sorted(dealt_seats), "")
    if small_seat is None and big_seat is None and button is not None:
        seats_after_button = sorted(names, key=lambda seat: (seat <= button, seat))
        is_heads_up = len(seats_after_button) == 2 and button in names
        small_seat, big_seat, *_ = [None, seats_after_button[0]] if is_heads_up else [*seats_after_button, None, None]
    for seat, name in ((small_seat, "SB"), (big_seat, "BB")):
        if seat is not None and seat in names:
            names[seat] = name
    if button is None:
        return names
    if button in names:
        names[button] = "BTN"
    first_seat = next((seat for seat, name in names.items() if name == "BB"), button)
    unnamed_seats = sorted(
        (seat for seat, name in names.items() if not name), key=lambda seat: (seat <= first_seat, seat)
    )
    late_count = min(len(unnamed_seats) - 1, len(_LATE_POSITIONS)) if len(unnamed_seats) > 1 else len(unnamed_seats)
    for name, seat in zip(_LATE_POSITIONS, reversed(unnamed_seats[len(unnamed_seats) - late_count :]), strict=False):
        names[seat] = name
    for index, seat in enumerate(unnamed_seats[: len(unnamed_seats) - late_count]):
        names[seat] = f"UTG+{index}" if index else "UTG"
    return names
