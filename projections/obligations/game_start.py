"""A game from its first hand on record: whether the button has gone round, which seats a blind passed."""

from __future__ import annotations

from ledger.vocabulary import PlayerId, Seat
from projections.obligations.missed_blinds import Spot
from projections.obligations.ring import between


class NewGame:
    """From the first hand on. `drew`: players who drew for the button; `seats`: where they drew."""

    __slots__ = (
        "_button",
        "_furthest",
        "_lapped",
        "_start",
        "begun",
        "drew",
        "lost",
        "revolved",
        "sat",
        "seats",
        "told",
    )

    def __init__(self, *, told: bool) -> None:
        """Take whether the record tells that the game began; if not, it may be older."""
        self.told = told
        self.lost = False  # when it began is behind a hole in the record
        self.drew: set[PlayerId] = set()
        self.seats: set[Seat] = set()
        self.sat = False  # somebody was seen to sit down before its first hand on record
        self.begun = ""  # number of the first hand
        self.revolved = False  # the button has come round to where it began
        self._button: Seat | None = None  # where it began
        self._start: Seat | None = None  # where the small blind began
        self._furthest: Seat | None = None
        self._lapped = False

    @property
    def over(self) -> bool:
        """Whether nothing can be said of it any more: the button went round, and blinds everywhere."""
        return self.revolved and self._lapped

    def take(self, hand: str, was: Spot | None, now: Spot) -> None:
        """Follow the positions of one hand more."""
        if not self.begun or was is None:
            self.begun = hand
            self._button = now.button
            self._start = now.small if now.small is not None else now.furthest
            self._furthest = now.furthest
            return
        if _reaches(was.button, now.button, self._button):
            self.revolved = True
        if _reaches(was.furthest, now.furthest, self._start):
            self._lapped = True
        self._furthest = now.furthest if now.furthest is not None else self._furthest

    def passed(self, seat: Seat) -> bool | None:
        """Whether a blind has gone past a seat, or lain there; None = not known."""
        if self._lapped:
            return True
        if not self.begun:
            return False
        if self._start is None or self._furthest is None:
            return None
        if self._start == self._furthest:
            return seat == self._start
        return seat == self._start or between(self._start, seat, self._furthest)


def _reaches(last_position: Seat | None, position: Seat | None, goal: Seat | None) -> bool:
    if last_position is None or position is None or goal is None or last_position == position:
        return False
    return between(last_position, goal, position)
