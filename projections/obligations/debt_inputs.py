"""What the rules about debts need to know of one hand, such as which seats lie between its button and big blind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from ledger.vocabulary import Seat, Witness
from projections.obligations.dues import Basis, Ground, Placement
from projections.obligations.missed_blinds import Spot, in_zone, locate_positions
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.obligations.ring import is_between
from projections.obligations.stakes import Stakes

Zone: TypeAlias = Literal["in", "out", "either", "unknown"]
"""Whether a seat is in the zone: on the button, or between the button and the big blind.

`in` and `out`: all placements agree. `either`: some put it in, some out. `unknown`: there is no placement, or one
lacks the button or the big blind.
"""


@dataclass(slots=True)
class DebtInputs:
    """What the rules about debts need to know of a recorded hand, or of the coming one, whose `hand` is None."""

    policy: Policy
    player_tabs: PlayerTabs
    state: TableState
    stakes: Stakes
    spots: list[Spot]  # where button and blinds are, one spot for each placement; [] = unknown
    dealt: frozenset[Seat]  # who is, or is assumed to be, dealt in
    hand: HandPlayed | None

    def build_book_reason(self, point: str, sentence: str, hand: str = "", version: int | None = None) -> Ground:
        """Return a reason with the clauses that decide a policy point.

        If the book has no clause for it, the reason's basis is `fallback` instead of `book`.
        """
        clauses = self.policy.clauses(point)
        basis: Basis = "book" if clauses else "fallback"
        return Ground(sentence, clauses, basis, hand, version)

    def find_zone(self, seat: Seat) -> Zone:
        """Return whether a seat is in the zone of button and big blind."""
        answers = {in_zone(spot, seat) for spot in self.spots}
        if not answers or None in answers:
            return "unknown"
        if len(answers) > 1:
            return "either"
        return "in" if answers == {True} else "out"

    @property
    def first_spot(self) -> Spot | None:
        """The spot of the placement that is shown, by which waits are counted; None if there is no spot."""
        return self.spots[0] if self.spots else None

    @property
    def has_collision(self) -> bool:
        """Whether positions collide in a placement, as in `Placement.has_collision`."""
        return any(spot.has_collision for spot in self.spots)

    def has_big_blind(self, seat: Seat) -> bool:
        """Whether a seat has the last blind, by any placement or by the record."""
        if any(spot.furthest == seat for spot in self.spots):
            return True
        hand = self.hand
        return hand is not None and locate_positions(hand, None)[0].furthest == seat

    def count_hands_until_big(self, seat: Seat) -> int | None:
        """Return how many hands the seat waits for the last blind if nobody comes or goes, or None if that's unknown."""
        spot = self.first_spot
        big = spot.furthest if spot is not None else None
        if spot is None or big is None:
            return None
        if big == seat:
            return 0
        if spot.method in ("positional", "owed") and len(self.dealt - {seat}) == 2:
            return 1  # the button moves to the big blind, the other player gets the small blind, and the seat is next
        return 1 + sum(dealt_seat not in (seat, big) and is_between(big, dealt_seat, seat) for dealt_seat in self.dealt)

    def count_hands_until_passed(self, seat: Seat) -> int | None:
        """Return how many hands the button takes to pass the seat if nobody comes or goes, or None if that's unknown."""
        spot = self.first_spot
        if spot is None or spot.button is None or spot.furthest is None or len(self.dealt) < 3:
            return None
        rotation = [spot.button]
        rotation += [dealt_seat for dealt_seat in (spot.small, spot.big, spot.extra) if dealt_seat is not None]
        blind_distance = len(rotation) - 1
        last_blind = rotation[-1]
        later_seats = self.dealt - {seat, last_blind}
        rotation += sorted(later_seats, key=lambda dealt_seat: (dealt_seat < last_blind, dealt_seat))
        # With each hand, button and last blind move one step along the rotation and keep their distance.
        for hands in range(len(rotation) - blind_distance):
            if not in_zone(Spot(rotation[hands], big=rotation[hands + blind_distance]), seat):
                return hands
        return None

    def can_straddle(self, seat: Seat) -> bool:
        """Whether a seat is the next after the last blind, so that it may straddle."""
        big = self.first_spot.furthest if self.first_spot is not None else None
        if big is None or big == seat:
            return False
        return not any(is_between(big, dealt_seat, seat) for dealt_seat in self.dealt if dealt_seat not in (seat, big))

    def is_witnessed(self, kind: Witness) -> bool:
        """Whether the source records a kind of fact whenever it happens."""
        witnessed = self.hand.witnesses if self.hand is not None else self.state.witnesses
        return bool(witnessed & int(kind))


def list_spots(placements: tuple[Placement, ...], hand: HandPlayed | None) -> list[Spot]:
    """Return where button and blinds belong.

    By the first of these that exists:

    - each placement that agrees with the record
    - each placement
    - the record
    """
    spots = [
        Spot(
            placement.button, placement.small, placement.big, placement.extra, placement.has_collision, placement.method
        )
        for placement in placements
        if placement.big is not None or placement.extra is not None
    ]
    if hand is None:
        return spots
    recorded_spot = locate_positions(hand, None)[0]
    agreeing_spots = [
        spot
        for spot in spots
        if recorded_spot.button in (None, spot.button) and recorded_spot.furthest in (None, spot.furthest)
    ]
    if agreeing_spots:
        return agreeing_spots
    if spots:
        return spots
    return [recorded_spot] if recorded_spot.furthest is not None else []
