"""Seat changes: how far from the blinds a player moved, and whether the blinds may pass once."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, replace

from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Seat, Witness
from projections.obligations.missed_blinds import Spot
from projections.obligations.policy import FreePass, Policy
from projections.obligations.ring import is_between
from projections.sentences import unknowns

_PRESENCE = int(Witness.PRESENCE)


@dataclass(slots=True)
class Move:
    """A seat change of a player who hasn't been dealt in since."""

    old_seat: Seat
    new_seat: Seat
    hand: str  # number of the last hand before it
    version: int | None  # of the event in the table's stream; None = no event records it
    passed_count: int  # active players passed, moving away from the big blind; negative = towards it
    passed_beyond: int  # those past the next big blind, if the player had just had the big blind
    leaving: str  # the position left: "big", "small", "button" or ""
    offset: int | None  # chairs from the next big blind to the new seat; None = unknown
    margin: tuple[int, int] = (0, 0)  # how many players fewer, and how many more, the move may have passed
    waited: int = 0  # hands sat out since
    missing_fact: str = ""  # what isn't known about the move
    passes: set[str] = field(default_factory=set)  # blinds that may still pass free of charge
    granted: bool = False  # whether a free pass was used
    earlier_move: Move | None = None  # an earlier change; hands were sat out between the two

    @property
    def changes(self) -> list[Move]:
        """All changes since the player last had cards, in their order."""
        return [*(self.earlier_move.changes if self.earlier_move is not None else ()), self]

    @property
    def follows_big_blind(self) -> bool:
        """Whether the player had just had the big blind."""
        return self.changes[0].leaving == "big"

    @property
    def gained(self) -> int:
        """Positions gained by the move, plus the hands still to wait for an earlier one."""
        return self.passed_count + (self.earlier_move.hands_left if self.earlier_move is not None else 0)

    @property
    def readings(self) -> list[Move]:
        """The move past the fewest and past the most players who may have been there; one move if these are equal."""
        if not any(any(change.margin) for change in self.changes):
            return [self]
        return [self.with_margin(is_most=False), self.with_margin(is_most=True)]

    def with_margin(self, *, is_most: bool) -> Move:
        """Return the move past the most players who may have been there, or past the fewest."""
        passed = self.margin[1] if is_most else -self.margin[0]
        earlier_move = self.earlier_move.with_margin(is_most=is_most) if self.earlier_move is not None else None
        return replace(
            self,
            passed_count=self.passed_count + passed,
            passed_beyond=max(self.passed_beyond + passed, 0),
            margin=(0, 0),
            earlier_move=earlier_move,
        )

    def append_to_earlier(self, earlier_move: Move) -> None:
        """Note that the move is the second of two, and that the player got no cards in between."""
        self.earlier_move, self.leaving = earlier_move, ""
        self.missing_fact = earlier_move.missing_fact or self.missing_fact

    @property
    def hands_left(self) -> int:
        """Hands still to sit out until the player is as far from the blinds as before."""
        return max(self.gained - self.waited, 0)


def passes_nobody(state: TableState, old_seat: Seat, new_seat: Seat) -> bool:
    """Whether nobody who was, or may have been, in the last hand sits between two chairs, on one of the two ways around.

    A player who moves like that keeps the place in the order of players; only the chair has another number.
    """
    other_seats = [
        seat
        for seat, seat_state in state.seats.items()
        if seat not in (old_seat, new_seat)
        and (
            (seat_state.presence == "present" and seat_state.last_hand_dealt == state.number)
            or _is_absence_unexplained(state, seat_state)
        )
    ]
    return not any(is_between(old_seat, seat, new_seat) for seat in other_seats) or not any(
        is_between(new_seat, seat, old_seat) for seat in other_seats
    )


def measure_move(
    state: TableState,
    spot: Spot | None,
    old_seat: Seat,
    new_seat: Seat,
    version: int | None,
    active_seats: Container[Seat] = (),
) -> Move:
    """Return the move from one seat to another, measured from the big blind of the last hand.

    `active_seats`: players in the game who owe nothing; they count even if they weren't dealt in on the last hand.
    `version`: of the event in the table's stream.
    """
    hand = state.number
    big = spot.furthest if spot is not None else None
    if spot is None or big is None:
        return Move(old_seat, new_seat, hand, version, 0, 0, "", None, missing_fact=unknowns.blind_before_move())
    present_seats, doubtful_seats = _list_others(state, old_seat, new_seat, active_seats)
    seats_ahead = _list_passed(present_seats, big, new_seat)
    leaving = _find_position_left(spot, big, old_seat)
    if leaving == "big":
        passed_count, passed_beyond = len(seats_ahead), max(len(seats_ahead) - 1, 0)
    else:
        passed_count, passed_beyond = len(seats_ahead) - len(_list_passed(present_seats, big, old_seat)), 0
    maybe_ahead = set(_list_passed(doubtful_seats, big, new_seat))
    maybe_behind = set(_list_passed(doubtful_seats, big, old_seat))
    return Move(
        old_seat,
        new_seat,
        hand,
        version,
        passed_count,
        passed_beyond,
        leaving,
        _measure_offset(state, big, new_seat, old_seat),
        margin=(len(maybe_behind - maybe_ahead), len(maybe_ahead - maybe_behind)),
    )


def _list_others(
    state: TableState, old_seat: Seat, new_seat: Seat, active_seats: Container[Seat]
) -> tuple[list[Seat], list[Seat]]:
    """Return the other seats in the game, and those of which the record leaves open whether they are."""
    present_seats, doubtful_seats = [], []
    for seat, seat_state in state.seats.items():
        if seat in (old_seat, new_seat):
            continue
        is_unexplained = _is_absence_unexplained(state, seat_state)
        is_in_game = seat_state.last_hand_dealt == state.number or (seat in active_seats and not is_unexplained)
        if seat_state.presence == "present" and is_in_game:
            present_seats.append(seat)
        elif is_unexplained:
            doubtful_seats.append(seat)
    return present_seats, doubtful_seats


def _list_passed(seats: list[Seat], big: Seat, end: Seat) -> list[Seat]:
    """Return the seats clockwise from the big blind to `end`; none if that is the big blind's own seat."""
    return [] if end == big else [seat for seat in seats if is_between(big, seat, end)]


def _find_position_left(spot: Spot, big: Seat, old_seat: Seat) -> str:
    """Return the position that a player gave up with the old seat, or "" if it was none."""
    if old_seat == big:
        return "big"
    if old_seat == spot.button:
        return "button"
    return "small" if old_seat == spot.small else ""


def _is_absence_unexplained(state: TableState, seat_state: SeatState) -> bool:
    """Whether the record leaves open if a seat's player was there: no cards, and no reason recorded."""
    if seat_state.is_busted or seat_state.stack == 0 or seat_state.presence == "away" or seat_state.has_asked_out:
        return False
    got_none = bool(seat_state.absences) and seat_state.absences[-1].reason == "unknown"
    return seat_state.presence == "unknown" or (got_none and not state.witnesses & _PRESENCE)


def _measure_offset(state: TableState, big: Seat, new_seat: Seat, start: Seat) -> int | None:
    """Return how many chairs past the next big blind's seat the new seat is, or None if that's unknown."""
    other_seats = [seat for seat in state.seats if seat not in (start, new_seat)]
    seats_beyond = [seat for seat in other_seats if seat > big]
    nearest = min(seats_beyond) if seats_beyond else min(other_seats, default=None)
    if nearest is None:
        return None
    if is_between(big, new_seat, nearest):
        return 0
    if new_seat >= nearest:
        return new_seat - nearest
    return new_seat + state.chairs - nearest if state.chairs else None


def has_free_pass(policy: Policy, move: Move) -> bool:
    """Whether the book lets the blinds pass this player once."""
    rule: FreePass | None = policy.value("seat_change.free_pass")
    if rule is None or move.leaving not in rule.leaving:
        return False
    return not rule.to or move.offset in rule.to
