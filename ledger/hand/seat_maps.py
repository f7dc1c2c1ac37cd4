"""Maps and sets of seats in a hand's state, which change in place so that very many seats stay quick."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from collections.abc import Set as AbstractSet
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Any, Final, TypeVar

from ledger.vocabulary import Chips, Seat

FEW_SEATS: Final = 64
"""No table has more seats. Up to this many, a scan of all seats is quickest."""

NO_SEATS: Final[frozenset[Seat]] = frozenset()
NO_ENTRIES: Final[Mapping[Any, Any]] = MappingProxyType({})
"""An empty map that most hands share. The functions below replace it by a dict, and `NO_SEATS` by a set."""

K = TypeVar("K")
V = TypeVar("V")


def set_entry(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """Set a key of the map, or start a new dict if it is the shared empty one."""
    if isinstance(mapping, dict):
        mapping[key] = value
        return mapping
    return {key: value}


def add_seat(seats: AbstractSet[Seat], seat: Seat) -> set[Seat]:
    """Add a seat to the set, or start a new set if it is the shared empty one."""
    if isinstance(seats, set):
        seats.add(seat)
        return seats
    return {seat}


def remove_seat(seats: AbstractSet[Seat], seat: Seat) -> AbstractSet[Seat]:
    """Remove a seat from a set."""
    if isinstance(seats, set):
        seats.discard(seat)
    return seats


class CrowdedBets(dict[Seat, Chips]):
    """The bets of a street with very many seats. A missing seat has bet nothing."""

    def __init__(self, bets: Mapping[Seat, Chips] | None = None) -> None:
        """Take the bets so far."""
        super().__init__(bets or {})
        self._heap = [(-bet, seat) for seat, bet in self.items()]  # may have outdated bets
        heapify(self._heap)

    def __missing__(self, seat: Seat) -> Chips:
        return 0

    def __setitem__(self, seat: Seat, bet: Chips) -> None:
        super().__setitem__(seat, bet)
        heappush(self._heap, (-bet, seat))

    def setdefault(self, seat: Seat, default: Chips = 0) -> Chips:
        """Return a seat's bet, and set it if it has none."""
        if seat not in self:
            self[seat] = default
        return self[seat]

    def copy(self) -> CrowdedBets:
        """Return an independent copy."""
        return CrowdedBets(self)

    def find_highest(self, seats: int) -> Chips:
        """Return the highest bet among these seats."""
        heap = self._heap
        while heap and self[heap[0][1]] != -heap[0][0]:
            heappop(heap)
        highest_bet = -heap[0][0] if heap else 0
        return highest_bet if len(self) >= seats else max(highest_bet, 0)


class _CrowdedPut(dict[Seat, Chips]):
    """The chips of very many seats, and which of them put in chips since all were returned."""

    def __init__(self, put_in: Mapping[Seat, Chips], touched: Iterable[Seat] = ()) -> None:
        super().__init__(put_in)
        self.touched = set(touched)

    def __setitem__(self, seat: Seat, chips: Chips) -> None:
        super().__setitem__(seat, chips)
        self.touched.add(seat)

    def copy(self) -> _CrowdedPut:
        return _CrowdedPut(self, self.touched)


def return_all_chips(put_in: dict[Seat, Chips]) -> dict[Seat, Chips]:
    """Return the chips of very many seats, in place from the second time on."""
    if not isinstance(put_in, _CrowdedPut):
        return _CrowdedPut(dict.fromkeys(put_in, 0))
    while put_in.touched:
        dict.__setitem__(put_in, put_in.touched.pop(), 0)
    return put_in


class LiveSeats(set[Seat]):
    """Which of very many seats hold a hand, and which folded since the deal."""

    def __init__(self, live: Iterable[Seat], folded_seats: Iterable[Seat] = ()) -> None:
        """Take the seats with a hand, and those without one."""
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
        """Return an independent copy."""
        return LiveSeats(self, self.folded_seats)
