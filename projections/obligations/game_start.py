"""A game from its first hand on record: whether the button has gone round, which seats a blind passed."""

from __future__ import annotations

from ledger.vocabulary import PlayerId, Seat
from projections.obligations.missed_blinds import Spot
from projections.obligations.ring import is_between


class NewGame:
    """A game from its first hand on. `drawers`: players who drew for the button; `drawn_seats`: where they sat."""

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
        """Take whether the record shows the game begin; if not, it may be older."""
        self.is_recorded = is_recorded
        self.is_start_lost = False  # its beginning is lost in a gap of the record
        self.drawers: set[PlayerId] = set()
        self.drawn_seats: set[Seat] = set()
        self.has_arrivals = False  # somebody was seen to sit down before its first hand on record
        self.first_hand = ""  # number of the first hand
        self.has_revolved = False  # the button has come round to where it began
        self._button: Seat | None = None  # where it began
        self._start: Seat | None = None  # where the small blind began
        self._furthest: Seat | None = None
        self._has_blinds_lapped = False

    @property
    def has_lapped(self) -> bool:
        """Whether the button and the blinds have gone all the way around: the game is no longer new."""
        return self.has_revolved and self._has_blinds_lapped

    def follow_hand(self, hand: str, last_spot: Spot | None, spot: Spot) -> None:
        """Note the positions of one more hand."""
        if not self.first_hand or last_spot is None:
            self.first_hand = hand
            self._button = spot.button
            self._start = spot.small if spot.small is not None else spot.furthest
            self._furthest = spot.furthest
            return
        if _reaches(last_spot.button, spot.button, self._button):
            self.has_revolved = True
        if _reaches(last_spot.furthest, spot.furthest, self._start):
            self._has_blinds_lapped = True
        self._furthest = spot.furthest if spot.furthest is not None else self._furthest

    def has_blind_passed(self, seat: Seat) -> bool | None:
        """Whether a blind has passed a seat or was posted there; None = not known."""
        if self._has_blinds_lapped:
            return True
        if not self.first_hand:
            return False
        if self._start is None or self._furthest is None:
            return None
        if self._start == self._furthest:
            return seat == self._start
        return seat == self._start or is_between(self._start, seat, self._furthest)


def _reaches(last_position: Seat | None, position: Seat | None, goal: Seat | None) -> bool:
    if last_position is None or position is None or goal is None or last_position == position:
        return False
    return is_between(last_position, goal, position)
