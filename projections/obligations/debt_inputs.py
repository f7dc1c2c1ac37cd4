"""What the rules about debts read of one hand, and where its seats lie relative to button and blinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from ledger.vocabulary import Seat, Witness
from projections.obligations.dues import Basis, Ground, Placement
from projections.obligations.missed_blinds import Spot, in_zone, spot_of
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.obligations.ring import is_between
from projections.obligations.stakes import Stakes

Zone: TypeAlias = Literal["in", "out", "either", "unknown"]
"""Whether a seat is on the button, or between it and the big blind. `either`: the placements differ."""


@dataclass(slots=True)
class DebtInputs:
    """What the rules about debts read of a recorded hand, or of the coming one (`hand` None)."""

    policy: Policy
    player_tabs: PlayerTabs
    state: TableState
    stakes: Stakes
    spots: list[Spot]  # where button and blinds are, by placement; [] = unknown
    dealt: frozenset[Seat]  # who is, or is assumed to be, dealt in
    hand: HandPlayed | None

    def book_reason(self, point: str, sentence: str, hand: str = "", version: int | None = None) -> Ground:
        """Return a reason with the clauses that decide a policy point; without clauses, its basis is a fallback."""
        clauses = self.policy.clauses(point)
        basis: Basis = "book" if clauses else "fallback"
        return Ground(sentence, clauses, basis, hand, version)

    def find_zone(self, seat: Seat) -> Zone:
        """Return whether a seat lies on the button, or between it and the big blind."""
        answers = {in_zone(spot, seat) for spot in self.spots}
        if not answers or None in answers:
            return "unknown"
        if len(answers) > 1:
            return "either"
        return "in" if answers == {True} else "out"

    @property
    def is_folded(self) -> bool:
        """Whether a placement puts button and big blind on one seat."""
        return any(spot.folded for spot in self.spots)

    def has_big_blind(self, seat: Seat) -> bool:
        """Whether a seat has the big blind, by a placement or by the record."""
        if any(spot.furthest == seat for spot in self.spots):
            return True
        hand = self.hand
        return hand is not None and spot_of(hand, None)[0].furthest == seat

    def hands_until_big(self, seat: Seat) -> int | None:
        """Return how many hands the seat waits for the big blind if nobody comes or goes; None = unknown."""
        big = self.spots[0].furthest if self.spots else None
        if big is None:
            return None
        if big == seat:
            return 0
        return 1 + sum(dealt_seat not in (seat, big) and is_between(big, dealt_seat, seat) for dealt_seat in self.dealt)

    def hands_until_passed(self, seat: Seat) -> int | None:
        """Return how many hands until the button has passed the seat, if nobody comes or goes; None = unknown."""
        spot = self.spots[0] if self.spots else None
        if spot is None or spot.button is None or spot.furthest is None or len(self.dealt) < 3:
            return None
        seat_line = [spot.button]
        seat_line += [dealt_seat for dealt_seat in (spot.small, spot.big, spot.extra) if dealt_seat is not None]
        blind_distance = len(seat_line) - 1
        last_blind = seat_line[-1]
        later_seats = self.dealt - {seat, last_blind}
        seat_line += sorted(later_seats, key=lambda dealt_seat: (dealt_seat < last_blind, dealt_seat))
        for hands in range(len(seat_line) - blind_distance):
            if not in_zone(Spot(seat_line[hands], big=seat_line[hands + blind_distance]), seat):
                return hands
        return None

    def can_straddle(self, seat: Seat) -> bool:
        """Whether a seat is the next after the last blind, so that it may straddle."""
        big = self.spots[0].furthest if self.spots else None
        if big is None or big == seat:
            return False
        return not any(is_between(big, dealt_seat, seat) for dealt_seat in self.dealt if dealt_seat not in (seat, big))

    def is_witnessed(self, kind: Witness) -> bool:
        """Whether the source records a kind of fact whenever it happens."""
        witnessed = self.hand.witnesses if self.hand is not None else self.state.witnesses
        return bool(witnessed & int(kind))


def list_spots(placements: tuple[Placement, ...], hand: HandPlayed | None) -> list[Spot]:
    """Return where button and blinds belong: by the placements that agree with the record, else by all, else as recorded."""
    spots = [
        Spot(placement.button, placement.small, placement.big, placement.extra, placement.folded)
        for placement in placements
        if placement.big is not None or placement.extra is not None
    ]
    if hand is None:
        return spots
    recorded_spot = spot_of(hand, None)[0]
    agreeing = [
        spot
        for spot in spots
        if recorded_spot.button in (None, spot.button) and recorded_spot.furthest in (None, spot.furthest)
    ]
    return agreeing or spots or ([recorded_spot] if recorded_spot.furthest is not None else [])
