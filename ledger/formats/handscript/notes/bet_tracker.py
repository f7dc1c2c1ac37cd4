"""The chips and turns of one hand while its notes are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

STREETS = ("preflop", "flop", "turn", "river")


@dataclass(slots=True)
class Betting:
    """Tracks bets, folds and turns of a hand. Amounts are in the smallest unit."""

    seats: tuple[int, ...]  # dealt in, by number
    stacks: dict[int, int | None]
    button: int = 0
    contributions: dict[int, int] = field(default_factory=dict)
    dead: dict[int, int] = field(default_factory=dict)  # antes and dead blinds, also in `contributions`
    bets: dict[int, int] = field(default_factory=dict)  # live bets on this street
    folded: set[int] = field(default_factory=set)
    all_in: set[int] = field(default_factory=set)
    street: str = "preflop"
    current: int = 0
    least_raise: int = 0
    raises: int = 0
    pending: list[int] = field(default_factory=list)
    acted: bool = False  # a player acted on this street
    acted_seats: set[int] = field(default_factory=set)  # on this street
    last: int = 0  # the seat that acted last
    is_over: bool = False

    def seats_after(self, seat: int, candidate_seats: Iterable[int] | None = None) -> list[int]:
        """Return the seats clockwise, starting after a seat."""
        ordered_seats = sorted(self.seats if candidate_seats is None else candidate_seats)
        return [table_seat for table_seat in ordered_seats if table_seat > seat] + [
            table_seat for table_seat in ordered_seats if table_seat <= seat
        ]

    @property
    def live(self) -> list[int]:
        """Return the seats that haven't folded."""
        return [seat for seat in self.seats if seat not in self.folded]

    @property
    def pot(self) -> int:
        """Return all chips in the pot."""
        return sum(self.contributions.values())

    def chips_left(self, seat: int) -> int | None:
        """Return a seat's remaining stack; None if unknown."""
        stack = self.stacks.get(seat)
        return None if stack is None else stack - self.contributions.get(seat, 0)

    def owes(self, seat: int) -> int:
        """Return what a seat must add to call, regardless of its stack."""
        return max(0, self.current - self.bets.get(seat, 0))

    def add(self, seat: int, chips: int, *, live_seats: bool = True) -> None:
        """Move chips into the pot."""
        self.contributions[seat] = self.contributions.get(seat, 0) + chips
        if live_seats:
            self.bets[seat] = self.bets.get(seat, 0) + chips
        else:
            self.dead[seat] = self.dead.get(seat, 0) + chips
        if self.chips_left(seat) == 0:
            self.all_in.add(seat)

    def post(self, seat: int, chips: int) -> None:
        """Take a live post."""
        self.add(seat, chips)
        self.current = max(self.current, self.bets[seat])

    def open_round(self, start_seat: int) -> None:
        """Start a betting round after a seat."""
        self.pending = [seat for seat in self.seats_after(start_seat) if self._can_act(seat)]
        if len(self.pending) == 1 and not self.owes(self.pending[0]):
            self.pending = []  # no opponent left to bet against

    def _can_act(self, seat: int) -> bool:
        return seat not in self.folded and seat not in self.all_in

    def new_street(self, street: str) -> None:
        """Start a street."""
        self.street, self.current, self.raises, self.acted = street, 0, 0, False
        self.bets = {}
        self.acted_seats = set()
        self.open_round(self.button)

    def took_turn(self, seat: int) -> None:
        """Note that a seat acted."""
        self.acted, self.last = True, seat
        self.acted_seats.add(seat)
        if seat in self.pending:
            self.pending.remove(seat)

    def raised(self, seat: int, total_bet: int) -> None:
        """Note a bet or a raise: the other players act again."""
        self.least_raise = max(self.least_raise, total_bet - self.current)
        self.current = total_bet
        self.raises += 1
        self.took_turn(seat)
        self.pending = [
            later_seat for later_seat in self.seats_after(seat) if later_seat != seat and self._can_act(later_seat)
        ]

    def fold(self, seat: int) -> None:
        """Take a seat out of the hand."""
        self.folded.add(seat)
        self.took_turn(seat)
        if len(self.live) == 1:
            self.pending = []
            self.is_over = True

    def uncalled(self) -> tuple[int, int]:
        """Return the seat and size of an uncalled bet; zeros if there is none."""
        bets = sorted(((chips, seat) for seat, chips in self.bets.items()), reverse=True)
        if not bets:
            return 0, 0
        second_bet = bets[1][0] if len(bets) > 1 else 0
        chips, seat = bets[0]
        return (seat, chips - second_bet) if chips > second_bet and seat not in self.folded else (0, 0)

    def take_back(self, seat: int, chips: int) -> None:
        """Return uncalled chips to a seat."""
        self.contributions[seat] -= chips
        self.bets[seat] -= chips

    def pots(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return main pot and side pots, each with its eligible seats. What only some paid dead is in the main pot."""
        live_seats = self.live
        is_for_table = not all(seat in self.dead for seat in live_seats)
        staked = {
            seat: chips - (self.dead.get(seat, 0) if is_for_table else 0) for seat, chips in self.contributions.items()
        }
        levels = sorted({staked.get(seat, 0) for seat in live_seats})
        side_pots: list[tuple[int, tuple[int, ...]]] = []
        lower_level = 0
        for level in levels:
            chips = sum(min(seat_chips, level) - min(seat_chips, lower_level) for seat_chips in staked.values())
            if not side_pots:
                chips += self.pot - sum(staked.values())
            if level == levels[-1]:
                chips = self.pot - sum(amount for amount, _ in side_pots)
            eligible_seats = tuple(seat for seat in live_seats if staked.get(seat, 0) >= level)
            if chips:
                side_pots.append((chips, eligible_seats))
            lower_level = level
        return side_pots
