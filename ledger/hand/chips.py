"""Count the chips of a hand: what each seat put into the pot and took out, over all streets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ledger.hand.seat_maps import FEW_SEATS, NO_ENTRIES, return_all_chips, set_entry
from ledger.vocabulary import Chips, Seat

NO_SEATS: Final[dict[Seat, Chips]] = {}
"""Never changed."""


class UncalledBet(NamedTuple):
    """The part of the highest bet that nobody matched."""

    seat: Seat
    amount: Chips


def find_unmatched_chips(chips: Mapping[Seat, Chips]) -> UncalledBet | None:
    """Return the seat with the most chips and the part that nobody matched. None: another seat has as much."""
    amounts = sorted(chips.values())
    highest = amounts[-1] if amounts else 0
    matched = amounts[-2] if len(amounts) > 1 else 0
    if highest <= 0 or matched == highest:
        return None
    return UncalledBet(max(chips, key=chips.__getitem__), highest - max(matched, 0))


class HandChips:
    """What each seat put into the pot and took out of it."""

    put_in: dict[Seat, Chips]  # all chips of a seat, including dead money, less returned ones
    dead: Mapping[Seat, Chips]  # the part of `put_in` that nobody has to match
    antes: dict[Seat, Chips]  # the part of `put_in` that is a seat's own ante
    returned: dict[Seat, Chips]  # bets that went back
    awarded: dict[Seat, Chips]
    drop: Chips
    seeded: Chips  # chips in the pot that no seat put there
    impounded: Chips
    no_bets: dict[Seat, Chips]  # the start of each street; built when a second one begins

    __slots__ = tuple(__annotations__)

    def __init__(self) -> None:
        self.put_in = {}
        self.dead = NO_ENTRIES
        self.antes = {}
        self.returned = {}
        self.awarded = {}
        self.no_bets = NO_SEATS
        self.drop = self.seeded = self.impounded = 0

    @classmethod
    def from_totals(
        cls, put_in: dict[Seat, Chips], *, dead: Mapping[Seat, Chips], antes: dict[Seat, Chips]
    ) -> HandChips:
        """Return chips with these totals of each seat, some of them dead and some antes."""
        chips = cls()
        chips.put_in, chips.dead, chips.antes = put_in, dead, antes
        return chips

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandChips):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__ if name != "no_bets")

    __hash__ = None  # type: ignore[assignment] # it changes

    def copy(self) -> HandChips:
        """Return equal chips that change independently."""
        twin = HandChips.__new__(HandChips)
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, dict) else value)
        return twin

    def add_dead(self, seat: Seat, chips: Chips) -> None:
        """Count chips that a seat put in as dead money."""
        self.dead = set_entry(self.dead, seat, self.dead.get(seat, 0) + chips)

    def add_ante(self, seat: Seat, chips: Chips) -> None:
        """Count chips that a seat put in as its own ante."""
        self.antes[seat] = self.antes.get(seat, 0) + chips

    def note_return(self, seat: Seat, chips: Chips) -> None:
        """Note a bet that went back to its seat."""
        self.returned[seat] = self.returned.get(seat, 0) + chips

    def seed(self, chips: Chips) -> None:
        """Add chips to the pot that no seat put in."""
        self.seeded += chips

    def award(self, seat: Seat, chips: Chips) -> None:
        """Pay a seat from the pot. A negative amount takes an award back."""
        self.awarded[seat] = self.awarded.get(seat, 0) + chips

    def take_drop(self, chips: Chips) -> None:
        """Let the house take its drop."""
        self.drop += chips

    def impound(self, chips: Chips | None) -> None:
        """Take chips out of the pot, which the house keeps. None = all that are left."""
        self.impounded += self.unaccounted() if chips is None else chips

    def void(self) -> None:
        """Return every chip, as if nobody had put in or won anything."""
        put_in = self.put_in
        self.put_in = dict.fromkeys(put_in, 0) if len(put_in) <= FEW_SEATS else return_all_chips(put_in)
        self.dead = NO_ENTRIES
        self.antes, self.awarded, self.returned = {}, {}, {}
        self.drop = self.seeded = self.impounded = 0

    def find_unmatched_bet(self) -> UncalledBet | None:
        """Return the part of the most that a seat put in that no other seat matched, without dead money and antes."""
        return find_unmatched_chips(
            {seat: chips - self.dead.get(seat, 0) - self.antes.get(seat, 0) for seat, chips in self.put_in.items()}
        )

    def pot(self) -> Chips:
        """Return the chips that are or were in the pot, without returned bets."""
        return sum(self.put_in.values()) + self.seeded

    def unaccounted(self) -> Chips:
        """Return the chips put in less those taken out; 0 = all accounted for."""
        return self.pot() - sum(self.awarded.values()) - self.drop - self.impounded
