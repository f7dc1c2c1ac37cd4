"""What debts need of one hand, and what follows from where its positions are."""

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
"""Between button and big blind, or on the button. `either`: the readings of the book differ."""


@dataclass(slots=True)
class DebtInputs:
    """The hand in question: as recorded, or (without `hand`) the coming one."""

    policy: Policy
    memory: PlayerTabs
    state: TableState
    stakes: Stakes
    spots: list[Spot]  # one for each reading; empty: not known
    dealt: frozenset[Seat]
    hand: HandPlayed | None

    def book_reason(self, point: str, sentence: str, hand: str = "", version: int | None = None) -> Ground:
        """Return a reason that cites what the book decides on a point."""
        clauses = self.policy.clauses(point)
        basis: Basis = "book" if clauses else "fallback"
        return Ground(sentence, clauses, basis, hand, version)

    def find_zone(self, seat: Seat) -> Zone:
        """Say whether a seat lies on the button, or between it and the big blind."""
        in_zone_answers = {in_zone(spot, seat) for spot in self.spots}
        if not in_zone_answers or None in in_zone_answers:
            return "unknown"
        return "either" if len(in_zone_answers) > 1 else "in" if in_zone_answers.pop() else "out"

    @property
    def folded(self) -> bool:
        """Whether by the method button and big blind fall on one seat."""
        return any(spot.folded for spot in self.spots)

    def has_big_blind(self, seat: Seat) -> bool:
        """Whether a seat has the big blind: in turn, or by the record."""
        if any(spot.furthest == seat for spot in self.spots):
            return True
        hand = self.hand
        return hand is not None and spot_of(hand, None)[0].furthest == seat

    def hands_until_big(self, seat: Seat) -> int | None:
        """Return how many hands the seat waits for the big blind if nobody comes or goes."""
        big = self.spots[0].furthest if self.spots else None
        if big is None:
            return None
        if big == seat:
            return 0
        return 1 + sum(
            1 for dealt_seat in self.dealt if dealt_seat not in (seat, big) and is_between(big, dealt_seat, seat)
        )

    def hands_until_passed(self, seat: Seat) -> int | None:
        """Return how many hands until the button has passed the seat, if nobody comes or goes."""
        spot = self.spots[0] if self.spots else None
        if spot is None or spot.button is None or spot.furthest is None or len(self.dealt) < 3:
            return None
        seat_line = [spot.button]
        seat_line += [dealt_seat for dealt_seat in (spot.small, spot.big, spot.extra) if dealt_seat is not None]
        blind_distance = len(seat_line) - 1
        ring = sorted(self.dealt - {seat})
        last = seat_line[-1]
        seat_line += [dealt_seat for dealt_seat in ring if dealt_seat > last] + [
            dealt_seat for dealt_seat in ring if dealt_seat < last
        ]
        for hands in range(len(seat_line) - blind_distance):
            if not in_zone(Spot(seat_line[hands], big=seat_line[hands + blind_distance]), seat):
                return hands
        return None

    def can_straddle(self, seat: Seat) -> bool:
        """Whether a seat is next to the last blind, so that it may straddle."""
        big = self.spots[0].furthest if self.spots else None
        if big is None or big == seat:
            return False
        return not any(is_between(big, dealt_seat, seat) for dealt_seat in self.dealt if dealt_seat not in (seat, big))

    def is_witnessed(self, kind: Witness) -> bool:
        """Whether the source records a kind of fact whenever it happens."""
        witnessed = self.hand.witnesses if self.hand is not None else self.state.witnesses
        return bool(witnessed & int(kind))


def spots_of(placements: tuple[Placement, ...], hand: HandPlayed | None) -> list[Spot]:
    """Return where the positions belong, by the readings that agree with the record, if there are any."""
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
