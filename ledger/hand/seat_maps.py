"""What a hand's state keeps of seats: changed in place, so that very many seats take work in proportion."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from collections.abc import Set as AbstractSet
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Any, Final, TypeVar

from ledger.vocabulary import Chips, Seat

FEW_SEATS: Final = 64
"""No table has more; up to here reading through all seats is the quickest."""

NO_SEATS: Final[frozenset[Seat]] = frozenset()
NO_ENTRIES: Final[Mapping[Any, Any]] = MappingProxyType({})
"""What few hands have, before the first of it: the functions below replace it by a dict, as they do `NO_SEATS` by a set."""

K = TypeVar("K")
V = TypeVar("V")


def with_entry(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """Set a key of a dict, or begin a dict with it where there was none yet."""
    if isinstance(mapping, dict):
        mapping[key] = value
        return mapping
    return {key: value}


def with_seat(seats: AbstractSet[Seat], seat: Seat) -> set[Seat]:
    """Add a seat to a set, or begin a set with it where there was none yet."""
    if isinstance(seats, set):
        seats.add(seat)
        return seats
    return {seat}


def without_seat(seats: AbstractSet[Seat], seat: Seat) -> AbstractSet[Seat]:
    """Take a seat out of a set."""
    if isinstance(seats, set):
        seats.discard(seat)
    return seats


class CrowdedBets(dict[Seat, Chips]):
    """The bets of a street where very many seats play: those that are not in it have bet nothing."""

    def __init__(self, bets: Mapping[Seat, Chips] | None = None) -> None:
        """Take the bets so far."""
        super().__init__(bets or {})
        self._heap = [(-bet, seat) for seat, bet in self.items()]  # also of bets that changed since
        heapify(self._heap)

    def __missing__(self, seat: Seat) -> Chips:
        return 0

    def __setitem__(self, seat: Seat, bet: Chips) -> None:
        super().__setitem__(seat, bet)
        heappush(self._heap, (-bet, seat))

    def setdefault(self, seat: Seat, default: Chips = 0) -> Chips:
        """Return a seat's bet, which is set where it has none."""
        if seat not in self:
            self[seat] = default
        return self[seat]

    def copy(self) -> CrowdedBets:
        """Return bets of their own."""
        return CrowdedBets(self)

    def highest(self, seats: int) -> Chips:
        """Return the highest bet of so many seats."""
        heap = self._heap
        while heap and self[heap[0][1]] != -heap[0][0]:
            heappop(heap)
        highest_bet = -heap[0][0] if heap else 0
        return highest_bet if len(self) >= seats else max(highest_bet, 0)


class _CrowdedPut(dict[Seat, Chips]):
    """What very many seats put in, and which of them put anything in since all was given back."""

    def __init__(self, put_in: Mapping[Seat, Chips], touched: Iterable[Seat] = ()) -> None:
        super().__init__(put_in)
        self.touched = set(touched)

    def __setitem__(self, seat: Seat, chips: Chips) -> None:
        super().__setitem__(seat, chips)
        self.touched.add(seat)

    def copy(self) -> _CrowdedPut:
        return _CrowdedPut(self, self.touched)


def give_all_back(put_in: dict[Seat, Chips]) -> dict[Seat, Chips]:
    """Give very many seats back what they put in, in place from the second time on."""
    if not isinstance(put_in, _CrowdedPut):
        return _CrowdedPut(dict.fromkeys(put_in, 0))
    while put_in.touched:
        dict.__setitem__(put_in, put_in.touched.pop(), 0)
    return put_in


class LiveSeats(set[Seat]):
    """Which of very many seats hold a hand, and which let it go since the deal."""

    def __init__(self, live: Iterable[Seat], folded_seats: Iterable[Seat] = ()) -> None:
        """Take who holds a hand, and who does no longer."""
        super().__init__(live)
        self.folded_seats = set(folded_seats)

    def remove(self, seat: Seat) -> None:
        """Take a seat's hand away."""
        super().remove(seat)
        self.folded_seats.add(seat)

    def discard(self, seat: object) -> None:
        """Take a seat's hand away, if it holds one."""
        if seat in self and isinstance(seat, int):
            self.remove(seat)

    def deal_again(self, dealt: Container[Seat]) -> None:
        """Give each dealt-in seat a hand again."""
        self.update(seat for seat in self.folded_seats if seat in dealt)
        self.folded_seats.clear()

    def copy(self) -> LiveSeats:
        """Return seats of their own."""
        return LiveSeats(self, self.folded_seats)
