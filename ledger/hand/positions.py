"""Name the positions of a hand's seats: BTN, SB, BB, UTG, ..., CO."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ledger.vocabulary import Seat

_LATE_POSITIONS: Final = ("CO", "HJ", "LJ")


def name_seat_positions(
    dealt_seats: Iterable[Seat], button: Seat | None, small_seat: Seat | None, big_seat: Seat | None
) -> dict[Seat, str]:
    """Return each dealt-in seat with the name of its position, in the order of the seats.

    `small_seat` and `big_seat` have these positions or posted these blinds; the button may be at an empty seat. If
    neither is known, they are the seats after the button. Without a button, other positions have no name (""). With two
    players, the button is BTN, whatever it posts.
    """
    names = dict.fromkeys(sorted(dealt_seats), "")
    if small_seat is None and big_seat is None and button is not None:
        small_seat, big_seat = _find_blind_seats(names, button)
    for seat, name in ((small_seat, "SB"), (big_seat, "BB")):
        if seat in names:
            names[seat] = name
    if button is None:
        return names
    if button in names:
        names[button] = "BTN"
    first_seat = next((seat for seat, name in names.items() if name == "BB"), button)
    unnamed_seats = _sort_clockwise((seat for seat, name in names.items() if not name), first_seat)
    names.update(zip(unnamed_seats, _name_later_seats(len(unnamed_seats)), strict=True))
    return names


def _sort_clockwise(seats: Iterable[Seat], start_seat: Seat) -> list[Seat]:
    """Return the seats clockwise after `start_seat`, itself last."""
    return sorted(seats, key=lambda seat: (seat <= start_seat, seat))


def _find_blind_seats(seats: Collection[Seat], button: Seat) -> tuple[Seat | None, Seat | None]:
    """Return the seats of the small and the big blind after the button. With two players, the button is no blind."""
    seats_after_button = _sort_clockwise(seats, button)
    if len(seats_after_button) == 2 and button in seats:
        return None, seats_after_button[0]
    small_seat, big_seat, *_ = [*seats_after_button, None, None]
    return small_seat, big_seat


def _name_later_seats(count: int) -> list[str]:
    """Return the names of this many seats between big blind and button: UTG first, CO last. A single one is CO."""
    late_count = min(max(count - 1, 1), len(_LATE_POSITIONS), count)
    early_names = [f"UTG+{index}" if index else "UTG" for index in range(count - late_count)]
    return [*early_names, *reversed(_LATE_POSITIONS[:late_count])]
