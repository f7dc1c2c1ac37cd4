"""The tournament of the evening: two tables that break to one, as lines of handscript whose chips and prizes add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tests.money.played_table import CHAIRS, PlayedHand, PlayedTable, Player, Stakes

NUMBER: Final = "88"
PRICE, FEE, STACK = 100, 20, 5000
SHARES: Final = (50, 30, 20)
"""The percentage of the pool that each place gets."""
FIRST_SEATS: Final = (1, 3, 4, 5, 7, 9)


@dataclass(frozen=True)
class TournamentErrors:
    """What goes wrong in the tournament."""

    wrong_prize: int = 0  # dollars that the second place gets too much
    skips_redraw: bool = False  # the players of the last table keep their seats, the others fill up


class TournamentTable(PlayedTable):
    """A table of the tournament."""

    def __init__(self, name: str, stakes: Stakes, seats: dict[int, Player], begins: datetime, seed: int) -> None:
        super().__init__(name, stakes, seats, begins, seed)
        self.is_button_drawn = True  # the next hand has the button where it was drawn
        self.last_seats: dict[str, int] = {}

    def number_hand(self) -> str:
        """Return the number of the hand: the table's, and a running one."""
        return f"{self.name}-{self.hands}"

    def pay_winner(self, winner: int, pot: int, *, has_flop: bool) -> list[str]:
        """Move the pot to the winner; return the line."""
        self.seats[winner].stack += pot
        return [f"{winner} wins {pot} from main"]

    def open(self, *seating: str) -> None:
        """Write the header, and who sits where."""
        self.lines += [
            "handscript 1",
            f'venue "Desert Palms"  tournament {NUMBER}  table {self.name}  seats 9',
            "witness live-table",
            f"game holdem no-limit tournament blinds {self.stakes.small}/{self.stakes.big} unit chips 0",
            "level 3",
            "",
            *seating,
        ]

    def write_seats(self, origin: str = "") -> list[str]:
        """Return a line for each seat."""
        return [
            f"{seat} sits {player.name}{origin} stack {player.stack}" for seat, player in sorted(self.seats.items())
        ]

    def dismiss(self, seat: int) -> Player:
        """Send a player to another seat or table."""
        player = self.seats.pop(seat)
        self.last_seats[player.name] = seat
        self.lines.append(f"{seat} leaves {player.name} moved stack {player.stack}")
        return player

    def play_until_big_blind_comes_to_empty_seat(self) -> None:
        """Play hands in which nobody goes broke."""
        while self.find_seat_of_next_big() is None:
            self.play()

    def seat_at_next_big(self, player: Player, origin: str) -> None:
        """Seat a player where the big blind comes next."""
        seat = self.find_seat_of_next_big()
        assert seat is not None
        self.seats[seat] = player
        self.lines.append(f"{seat} sits {player.name} {origin} stack {player.stack}")

    def draw_seats(self, players: list[Player]) -> None:
        """Let all players draw for seats and for the button."""
        seats = list(range(1, CHAIRS + 1))
        while any(self.last_seats.get(player.name) == seat for seat, player in zip(seats, players, strict=False)):
            self.random.shuffle(seats)
        self.seats = dict(zip(seats, players, strict=False))
        self.button = self.random.choice(sorted(self.seats))
        self.small, self.big = self.clockwise(self.button)[:2]
        self.is_button_drawn = True
        drawn = ",".join(map(str, sorted(self.seats)))
        self.lines += ["seats-assigned drawn", *self.write_seats(" table-balance")]
        self.lines += ["game-started", f"button-drawn {drawn} winner {self.button}"]

    def fill_seats(self, players: list[Player]) -> None:
        """Seat players in the empty seats."""
        empty_seats = [seat for seat in range(1, CHAIRS + 1) if seat not in self.seats]
        for seat, player in zip(empty_seats, players, strict=False):
            self.seats[seat] = player
            self.lines.append(f"{seat} sits {player.name} broken-game stack {player.stack}")

    def play(self, *, all_in: bool = False) -> dict[int, Player]:
        """Play a hand; return the players who lost all their chips in it, by seat. They are off the table."""
        self.hands += 1
        self.pass_time(3)
        if not self.is_button_drawn:
            self.move_button()
        self.is_button_drawn = False
        hand = PlayedHand(self)
        if all_in:
            hand.play_all_in()
        elif self.hands % 2:
            hand.play_raise()
        else:
            hand.play_flop()
        self.lines += ["", *hand.lines]
        busted_seats = [seat for seat, player in self.seats.items() if not player.stack]
        return {seat: self.seats.pop(seat) for seat in busted_seats}


class Tournament:
    """A tournament of twelve players, one of whom buys in again."""

    def __init__(self, names: Sequence[str], begins: datetime) -> None:
        self.names, self.begins = names, begins
        self.tables = [
            TournamentTable(
                str(index + 1),
                Stakes(100, 200),
                {
                    seat: Player(name, STACK)
                    for seat, name in zip(FIRST_SEATS, names[6 * index : 6 * index + 6], strict=True)
                },
                begins,
                seed=40 + index,
            )
            for index in range(2)
        ]
        self.sales = [f"entry {name} {PRICE} fee {FEE} gets {STACK}" for name in names]
        self.finishers: list[str] = []  # the first one out comes first

    def write_evening(self, errors: TournamentErrors) -> dict[str, str]:
        """Return the record of each table, and that of the tournament's desk under ""."""
        first, second = self.tables
        for table in self.tables:
            table.open("seats-assigned drawn", *table.write_seats())
        self._play_out(first, 3)
        self._sell_reentry(first)
        for _ in range(2):
            self._play_out(second, 2)
        self._catch_up()
        self._balance(first, second)
        self._play_out(second, 2)
        self._catch_up()
        self._merge(first, second, redraws=not errors.skips_redraw)
        while len(first.seats) > 1:
            self._play_out(first, 2)
        (winner,) = first.seats.values()
        self.finishers.append(winner.name)
        return {"": self._write_desk(errors), **{table.name: "\n".join(table.lines) + "\n" for table in self.tables}}

    def _play_out(self, table: TournamentTable, hand_count: int) -> None:
        """Play hands; somebody is out after the last one."""
        for _ in range(hand_count - 1):
            table.play()
        while not (busted := table.play(all_in=True)):
            pass
        (player,) = busted.values()
        (seat,) = busted
        rank = sum(len(each.seats) for each in self.tables) + 1
        self.finishers.append(player.name)
        table.lines += [f"eliminated {player.name} rank {rank} seat {seat}", f"{seat} leaves {player.name} busted"]

    def _catch_up(self) -> None:
        """Let the tables that are behind play on to the same time."""
        for table in self.tables:
            while table.now < max(each.now for each in self.tables):
                table.play()

    def _sell_reentry(self, table: TournamentTable) -> None:
        """The first player who is out buys in again and takes the big blind's next seat."""
        name = self.finishers.pop()
        table.play_until_big_blind_comes_to_empty_seat()
        self.sales.append(f"re-entry {name} {PRICE} fee {FEE} gets {STACK}")
        table.seat_at_next_big(Player(name, STACK), "unknown")

    def _balance(self, larger: TournamentTable, smaller: TournamentTable) -> None:
        """The player who has the next big blind moves to the other table, and has it there."""
        smaller.play_until_big_blind_comes_to_empty_seat()
        self._catch_up()
        player = larger.dismiss(larger.clockwise(larger.big)[0])
        smaller.seat_at_next_big(player, "table-balance")

    def _merge(self, kept: TournamentTable, broken: TournamentTable, *, redraws: bool) -> None:
        """The second table breaks. All draw new seats at the last one, unless the redraw is skipped."""
        while (kept.big - kept.small) % CHAIRS != 1:  # a player between button and small blind would have to wait
            kept.play()
            broken.play()
        arriving = [broken.dismiss(seat) for seat in list(broken.seats)]
        broken.lines.append("game-broken")
        if redraws:
            staying = [kept.dismiss(seat) for seat in list(kept.seats)]
            kept.draw_seats([*staying, *arriving])
        else:
            kept.fill_seats(arriving)

    def _write_desk(self, errors: TournamentErrors) -> str:
        pool = len(self.sales) * PRICE
        prizes = [pool * percentage // 100 for percentage in SHARES]
        prizes[1] += errors.wrong_prize
        lines = ["handscript 1", f'venue "Desert Palms"  tournament {NUMBER}', "", *self.sales, f"prize-pool {pool}"]
        for place, (prize, name) in enumerate(zip(prizes, reversed(self.finishers), strict=False), 1):
            lines.append(f"prize {place} {name} {prize}")
        return "\n".join(lines) + "\n"
