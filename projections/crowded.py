"""The pass over a hand with more players than any table has: its work grows with the hand, not with its square.

No rulebook is asked about such a hand. What `record` asks of an act is kept: whether its seat held a hand and chips and
had yet to act, and how many others did. Who the others were is not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, MutableSet
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import opening as o
from ledger.hand.seat_maps import CrowdedBets
from ledger.vocabulary import Chips, Seat, Street
from projections.acts import Act
from projections.following import HandPass

if TYPE_CHECKING:
    from projections.outline import Outline

_CLOSELY: Final = 8
"""Of so many streets it is looked at whether all bets were matched; no hand has more."""


class Crowd(AbstractSet[Seat]):
    """Very many seats of one hand, as the bits of a number."""

    __slots__ = ("_seats", "bits")

    def __init__(self, seats: _Ranks, bits: int = 0) -> None:
        """Take all seats of the hand, and a bit for each that belongs to the crowd."""
        self._seats, self.bits = seats, bits

    def __contains__(self, seat: object) -> bool:
        return bool(self.bits & self._seats.bit(seat))

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __iter__(self) -> Iterator[Seat]:
        """Yield the seats, the lowest first."""
        bits = bin(self.bits)
        return (self._seats.sorted[len(bits) - 1 - at] for at in range(len(bits) - 1, 1, -1) if bits[at] == "1")

    def __or__(self, other: Iterable[Seat]) -> Crowd:  # type: ignore[override] # seats of the same hand only
        return Crowd(self._seats, self.bits | self.bits_of(other))

    def __and__(self, other: Iterable[Seat]) -> Crowd:
        return Crowd(self._seats, self.bits & self.bits_of(other))

    def __sub__(self, other: Iterable[Seat]) -> Crowd:
        return Crowd(self._seats, self.bits & ~self.bits_of(other))

    def bits_of(self, other: Iterable[Seat]) -> int:
        """Return the bits of some seats of the hand."""
        if isinstance(other, Crowd):
            return other.bits
        bits = 0
        for seat in other:
            bits |= self._seats.bit(seat)
        return bits

    def next_after(self, seat: Seat) -> Seat | None:
        """Return the first seat clockwise after another; None = nobody is there."""
        beyond = self.bits & -(1 << self._seats.rank_after(seat))
        bits = beyond or self.bits
        return self._seats.sorted[(bits & -bits).bit_length() - 1] if bits else None


class _Spent(Crowd, MutableSet[Seat]):
    """Those of a crowd who have no chip left; it changes."""

    __slots__ = ()

    def add(self, seat: Seat) -> None:
        """Take a seat in."""
        self.bits |= self._seats.bit(seat)

    def discard(self, seat: Seat) -> None:
        """Take a seat out."""
        self.bits &= ~self._seats.bit(seat)


class _Ranks:
    """The seats of a hand that may hold cards, each with its place among them."""

    def __init__(self, seats: Iterable[Seat]) -> None:
        self.sorted = sorted(set(seats))
        self._rank = {seat: rank for rank, seat in enumerate(self.sorted)}

    def bit(self, seat: object) -> int:
        """Return the bit of a seat; 0 = it never holds cards."""
        rank = self._rank.get(seat)  # type: ignore[call-overload] # whatever is no seat has no rank
        return 0 if rank is None else 1 << rank

    def rank_after(self, seat: Seat) -> int:
        """Return the place of the first seat after another one."""
        return bisect_right(self.sorted, seat)


class Headcount(AbstractSet[Seat]):
    """How many seats there were when one of them acted, and whether that one was among them."""

    __slots__ = ("_count", "_seat")

    def __init__(self, crowd: AbstractSet[Seat], seat: Seat) -> None:
        """Take the crowd and the seat that acts."""
        self._count = len(crowd)
        self._seat = seat if seat in crowd else None

    def __len__(self) -> int:
        return self._count

    def __contains__(self, seat: object) -> bool:
        return seat is not None and seat == self._seat

    def __iter__(self) -> Iterator[Seat]:
        """Fail: nobody wrote down who the others were."""
        raise TypeError("the players of a crowded hand are only counted")


class _CrowdedPass(HandPass):
    """The books of the pass, kept in numbers."""

    def __init__(self, course: Outline) -> None:
        super().__init__(course)
        told = (event.seat for _, event in course.line if isinstance(event, o.SeatDealtIn | b.HandRetrieved))
        self._seats = _Ranks(told)
        self._dealt_in = Crowd(self._seats)
        self.live = self.pending = self._dealt_in
        self.spent = _Spent(self._seats)
        self.bets = CrowdedBets()
        self._streets = 0  # that came while somebody had to act

    def dealt_in(self, version: int, event: o.SeatDealtIn) -> None:
        super().dealt_in(version, event)
        self._dealt_in |= {event.seat}

    def turn(self) -> tuple[Seat, ...]:
        """Return the seat that is due, alone."""
        due = self.due(self.waiting(self.able()))
        return () if due is None else (due,)

    def due(self, waiting: AbstractSet[Seat]) -> Seat | None:
        if not waiting or not isinstance(waiting, Crowd):
            return None
        if self.last is None:
            self.last = self.opener()
        return waiting.next_after(self.last) if self.last is not None and self.blinds else None

    def matched(self, waiting: tuple[Seat, ...]) -> bool:
        """Whether all who wait had put in what they had to; of very many streets only the first are looked at."""
        if not waiting or self.level <= 0:
            return True
        self._streets += 1
        return self._streets <= _CLOSELY and super().matched(tuple(self.waiting(self.able())))

    def first_after_button(self) -> Seat | None:
        able, button = self.able(), self.course.button
        return able.next_after(button) if isinstance(able, Crowd) and button is not None else None

    def entered(self, act: Act) -> Act:
        counts = (Headcount(seats, act.seat) for seats in (act.waiting, act.live, act.able))
        waiting, live, able = counts
        return replace(act, waiting=waiting, live=live, able=able)

    def unbet(self, seat: Seat, chips: Chips) -> None:
        self.bets[seat] = max(0, self.bets.get(seat, 0) - chips)
        if isinstance(self.bets, CrowdedBets):
            self.level = max(0, self.bets.highest(len(self.course.start)))
        self.wagers = self.wagers.up_to(self.level)

    def begin(self, street: Street) -> None:
        super().begin(street)
        self.bets = CrowdedBets()

    def misdealt(self, _version: int, _event: d.MisdealDeclared) -> None:
        self.deal_again(self._dealt_in)


_CrowdedPass.steps = {kind: getattr(_CrowdedPass, step.__name__) for kind, step in HandPass.steps.items()}


def follow_crowd(course: Outline) -> None:
    """Make the pass over a hand of very many players and enter what it finds into `course`."""
    _CrowdedPass(course).run()
