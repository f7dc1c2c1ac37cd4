"""Track a game since its first recorded hand: whether the button has come around, and which seats a blind has passed."""

from __future__ import annotations

from ledger.vocabulary import PlayerId, Seat
from projections.obligations.missed_blinds import Spot
from projections.obligations.ring import is_between


class NewGame:
    """A game since its first recorded hand."""

    __slots__ = (
        "_button",
        "_furthest",
        "_has_blinds_lapped",
        "_start",
        "drawers",
        "drawn_seats",
        "first_hand",
        "has_arrivals",
        "has_revolved",
        "is_recorded",
        "is_start_lost",
    )

    def __init__(self, *, is_recorded: bool) -> None:
        """Take whether the record shows how the game began. If not, the game may be older than the record."""
        self.is_recorded = is_recorded
        self.is_start_lost = False  # the beginning is lost in a gap of the record
        self.drawers: set[PlayerId] = set()  # who drew for the button
        self.drawn_seats: set[Seat] = set()  # where they sat
        self.has_arrivals = False  # the record shows somebody sitting down before the first recorded hand
        self.first_hand = ""  # number of the first hand
        self.has_revolved = False  # the button has come around to where it began
        self._button: Seat | None = None  # where it began
        self._start: Seat | None = None  # where the small blind began
        self._furthest: Seat | None = None  # where the last blind is now
        self._has_blinds_lapped = False

    @property
    def has_lapped(self) -> bool:
        """Whether the button and the blinds have gone all the way around: the game is no longer new."""
        return self.has_revolved and self._has_blinds_lapped

    def follow_hand(self, hand: str, last_spot: Spot | None, spot: Spot) -> None:
        """Follow button and blinds through one more hand."""
        if not self.first_hand or last_spot is None:
            self.first_hand = hand
            self._button = spot.button
            self._start = spot.small if spot.small is not None else spot.furthest
            self._furthest = spot.furthest
            return
        if _has_reached(last_spot.button, spot.button, self._button):
            self.has_revolved = True
        if _has_reached(last_spot.furthest, spot.furthest, self._start):
            self._has_blinds_lapped = True
        self._furthest = spot.furthest if spot.furthest is not None else self._furthest

    def has_blind_passed(self, seat: Seat) -> bool | None:
        """Whether a blind has passed a seat, or was posted there, since the game began, or None if that's unknown."""
        if self._has_blinds_lapped:
            return True
        if not self.first_hand:
            return False
        if self._start is None or self._furthest is None:
            return None
        if self._start == self._furthest:
            return seat == self._start
        return seat == self._start or is_between(self._start, seat, self._furthest)


def _has_reached(last_position: Seat | None, position: Seat | None, goal: Seat | None) -> bool:
    """Whether a position that moved reached or passed a seat; False if one of them is unknown."""
    if last_position is None or position is None or goal is None or last_position == position:
        return False
    return is_between(last_position, goal, position)
