"""A table of the evening that plays hand after hand, as lines of handscript whose chips add up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

BOARDS: Final = (("Kh 9s 4c", "3s", "Jd"), ("Qd 8c 5h", "2s", "Td"), ("9h 6c 3d", "Js", "4h"), ("Tc 7s 2h", "Kd", "5c"))
"""Boards on which aces are the best hand."""

CHAIRS: Final = 9
STREETS: Final = ("flop", "turn", "river")


class Stakes(NamedTuple):
    """The blinds of a table."""

    small: int
    big: int


@dataclass
class Player:
    """A player and the chips in front of them."""

    name: str
    stack: int


class PlayedTable(ABC):
    """Who sits where with how much, and where the button is. `lines` is the record."""

    def __init__(self, name: str, stakes: Stakes, seats: dict[int, Player], begins: datetime, seed: int) -> None:
        self.name, self.stakes, self.seats, self.now = name, stakes, seats, begins
        self.random = Random(seed)
        self.lines: list[str] = []
        self.hands = 0
        self.button, self.small, self.big = sorted(seats)[:3]

    @abstractmethod
    def number_hand(self) -> str:
        """Return the number of the hand that is being played."""

    @abstractmethod
    def pay_winner(self, winner: int, pot: int, *, has_flop: bool) -> list[str]:
        """Move the pot to the winner; return the lines."""

    def clockwise(self, seat: int) -> list[int]:
        """Return the occupied seats, beginning after `seat`."""
        return sorted(self.seats, key=lambda other: (other - seat - 1) % CHAIRS)

    def find_seat_of_next_big(self) -> int | None:
        """Return an empty seat that the big blind comes to before any player; None = there is none."""
        seat = self.big % CHAIRS + 1
        return None if seat in self.seats else seat

    def move_button(self) -> None:
        """Move the blinds to the next players. Nobody leaves in front of them, so no position is dead."""
        self.button, self.small = self.small, self.big
        self.big = self.clockwise(self.big)[0]
        if len(self.seats) == 2:
            self.button = self.small

    def add_lines(self, lines: list[str]) -> None:
        """Write lines, unless nobody keeps the record now."""
        self.lines += lines

    def pass_time(self, minutes: int) -> None:
        """Let time pass."""
        self.now += timedelta(minutes=minutes)

    def format_time(self) -> str:
        """Return the time as it ends a line."""
        return f" at {self.now.isoformat()}"


class PlayedHand:
    """A hand of a table: its lines, and the chips that each seat put in."""

    def __init__(self, table: PlayedTable) -> None:
        self.table = table
        self.put: dict[int, int] = {}
        self.turns = table.clockwise(table.big)  # before the flop
        self.later_turns = table.clockwise(table.button)
        self.lines = [f"hand {table.number_hand()}  {table.now.isoformat()}"]
        self.lines += [f"seat {seat} {player.name} {player.stack}" for seat, player in sorted(table.seats.items())]
        self.lines.append(f"button {table.button}")
        self._post(table.small, "small", table.stakes.small)
        self._post(table.big, "big", table.stakes.big)
        self.lines.append("deal done")

    def _post(self, seat: int, role: str, amount: int) -> None:
        self._pay(seat, amount)
        self.lines.append(f"{seat} posts {role} {amount}")

    def _pay(self, seat: int, amount: int) -> None:
        self.table.seats[seat].stack -= amount
        self.put[seat] = self.put.get(seat, 0) + amount

    def play_raise(self) -> None:
        """A raise that nobody calls."""
        raiser = self.table.random.choice(self.turns[:-2] or self.turns[:1])
        total = 3 * self.table.stakes.big
        for seat in self.turns:
            if seat == raiser:
                self._raise(seat, total)
            else:
                self.lines.append(f"{seat} folds")
        self._return(raiser, total - self.table.stakes.big)
        self._pay_winner(raiser, has_flop=False)

    def _raise(self, seat: int, total: int, suffix: str = "") -> None:
        self._pay(seat, total - self.put.get(seat, 0))
        self.lines.append(f"{seat} raises to {total}{suffix}")

    def _return(self, seat: int, amount: int) -> None:
        self._pay(seat, -amount)
        self.lines.append(f"{seat} uncalled {amount}")

    def _call_preflop(self) -> list[int]:
        """One or two call the big blind; return the players of the flop in their order."""
        random, big = self.table.random, self.table.stakes.big
        callers = set(random.sample(self.turns[:-1], min(2, len(self.turns) - 1))) | {self.table.big}
        for seat in self.turns:
            if seat == self.table.big:
                self.lines.append(f"{seat} checks")
            elif seat in callers:
                self._call(seat, big)
            else:
                self.lines.append(f"{seat} folds")
        return [seat for seat in self.later_turns if seat in callers]

    def _deal(self, street: str, board: tuple[str, str, str]) -> None:
        index = STREETS.index(street)
        self.lines += [f"burn {street}", f"{street} {board[index]}"]

    def play_flop(self) -> None:
        """A bet on the flop that nobody calls."""
        live = self._call_preflop()
        board = self.table.random.choice(BOARDS)
        self._deal("flop", board)
        first, *others = live
        bet = 2 * self.table.stakes.big
        self._pay(first, bet)
        self.lines.append(f"{first} bets {bet}")
        self.lines += [f"{seat} folds" for seat in others]
        self._return(first, bet)
        self._pay_winner(first, has_flop=True)

    def play_showdown(self) -> None:
        """A bet on each street, and two players show."""
        live = self._call_preflop()
        board = self.table.random.choice(BOARDS)
        bettor, caller = live[0], live[-1]
        for street, size in (("flop", 3), ("turn", 6), ("river", 6)):
            self._deal(street, board)
            bet = size * self.table.stakes.big
            self._pay(bettor, bet)
            self._pay(caller, bet)
            self.lines.append(f"{bettor} bets {bet}")
            if street == "flop":
                self.lines += [f"{seat} folds" for seat in live[1:-1]]
            self.lines.append(f"{caller} calls")
        self.lines += ["showdown", f"{bettor} shows As Ah", f"{caller} mucks"]
        self._pay_winner(bettor, has_flop=True)

    def play_all_in(self) -> None:
        """The shortest stack that isn't in the blinds goes all-in; the largest calls and wins, if it covers that."""
        able = self.turns[:-2] or self.turns
        loser = min(able, key=self._stack_order)
        hero = max((seat for seat in self.turns if seat != loser), key=self._stack_order)
        total = self.table.seats[loser].stack + self.put.get(loser, 0)
        if total > self.table.seats[hero].stack + self.put.get(hero, 0):
            self.play_flop()
            return
        index = self.turns.index(loser)
        for seat in self.turns[:index]:
            if seat == hero:
                self._call(seat, self.table.stakes.big)
            else:
                self.lines.append(f"{seat} folds")
        self._raise(loser, total, " all-in")
        for seat in [*self.turns[index + 1 :], *self.turns[:index]]:
            if seat == hero:
                self._call(seat, total)
            elif seat not in self.turns[:index]:
                self.lines.append(f"{seat} folds")
        board = self.table.random.choice(BOARDS)
        for street in STREETS:
            self._deal(street, board)
        self.lines += ["showdown", f"{loser} shows 7c 8d", f"{hero} shows As Ah"]
        self._pay_winner(hero, has_flop=True)

    def _stack_order(self, seat: int) -> tuple[int, int]:
        return self.table.seats[seat].stack, seat

    def _call(self, seat: int, total: int) -> None:
        self._pay(seat, total - self.put.get(seat, 0))
        self.lines.append(f"{seat} calls")

    def _pay_winner(self, winner: int, *, has_flop: bool) -> None:
        self.lines += [*self.table.pay_winner(winner, sum(self.put.values()), has_flop=has_flop), "end"]
