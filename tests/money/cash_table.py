"""A cash table of the evening: its hands and what happens between them, as lines of handscript whose money adds up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from tests.money.played_table import PlayedHand, PlayedTable, Player, Stakes

MINUTES_PER_HAND: Final = 3
DEALER_HANDS: Final = 20
"""Hands that a dealer deals before the next one sits down."""
FILL: Final = 1500
CREDIT: Final = 200
PROMOTION: Final = 25
"""Dollars, for the high hand of the evening."""


class RakeSchedule(NamedTuple):
    """What the house takes from a pot with a flop, in dollars."""

    percent: int = 10
    cap: int = 5
    jackpot: int = 1
    jackpot_from: int = 20  # smallest pot of a jackpot drop


@dataclass(frozen=True)
class TableErrors:
    """What goes wrong at a table, or in its record. Hands are counted from 1; 0 and None mean nothing."""

    rake_over_cap: int = 0  # hand whose rake is above the cap
    short_payout: int = 0  # hand whose winner gets less than the pot
    appearing_chips: int = 0  # hand before which a stack grows without a reason
    lost_hands: range = range(0)  # hands that nobody wrote down
    misses_fill: bool = False  # the last fill isn't written down
    misses_count: bool = False  # nobody counts the box of the drop
    short_box: int = 0  # dollars that the box lacks
    miscounted_box: int = 0  # dollars by which the count is written down wrong


class CashTable(PlayedTable):
    """A cash table."""

    def __init__(
        self, name: str, stakes: Stakes, players: Sequence[str], dealers: Sequence[str], begins: datetime, seed: int
    ) -> None:
        stacks = (100 * stakes.big + 10 * index for index in range(7))
        seats = {
            seat: Player(name, stack) for seat, name, stack in zip((1, 2, 3, 4, 6, 7, 9), players, stacks, strict=False)
        }
        super().__init__(name, stakes, seats, begins, seed)
        self.errors = TableErrors()
        self.dealers, self.waiting_names = dealers, list(players[7:])
        self.rake = RakeSchedule()
        self.dropped = {"rake": 0, "jackpot": 0}
        self.tray = 2000

    def number_hand(self) -> str:
        """Return the number of the hand: the table's, and a running one."""
        return f"{self.name[1:]}{self.hands:03}"

    def write_evening(self, hand_count: int, errors: TableErrors) -> str:
        """Return the record of the table's evening."""
        self.errors = errors
        self._open()
        for self.hands in range(1, hand_count + 1):
            self.pass_time(MINUTES_PER_HAND)
            self._write_between_hands()
            self._write_hand()
        self._close()
        return "\n".join(self.lines) + "\n"

    def add_lines(self, lines: list[str]) -> None:
        """Write lines, unless nobody keeps the record now."""
        if self.hands not in self.errors.lost_hands:
            super().add_lines(lines)

    def _open(self) -> None:
        self.lines += [
            "handscript 1",
            f'venue "Desert Palms"  table {self.name}  seats 9',
            "witness live-table",
            f"game holdem no-limit cash blinds {self.stakes.small}/{self.stakes.big} unit USD 2",
            "option button-method dead",
            "",
            f"tray {self.tray}{self.format_time()}",
            f"dealer {self.dealers[0]}",
            *(f"{seat} sits {player.name} stack {player.stack}" for seat, player in self.seats.items()),
        ]

    def _close(self) -> None:
        self.lines += [
            "",
            *(f"{seat} leaves {player.name} stack {player.stack}" for seat, player in self.seats.items()),
        ]
        self.lines.append(f"tray {self.tray}{self.format_time()}")
        if not self.errors.misses_count:
            count = self.dropped["rake"] - self.errors.short_box + self.errors.miscounted_box
            self.lines.append(f"drop-box {count} shift swing{self.format_time()}")
        self.lines.append(f"jackpot-box {self.dropped['jackpot']} shift swing{self.format_time()}")

    # ---- between hands ----

    def _write_between_hands(self) -> None:
        lines: list[str] = []
        if self.hands % DEALER_HANDS == 0:
            lines.append(f"dealer {self.dealers[self.hands // DEALER_HANDS % len(self.dealers)]}")
        lines += self._sell_rebuys()
        if self.hands % 15 == 0:
            lines += [*self._let_player_leave(), *self._seat_newcomer()]
        lines += self._move_tray_chips()
        if self.hands > 1:
            self.move_button()
        if self.hands == self.errors.appearing_chips:
            self.seats[self.big].stack += 100
        self.add_lines(lines)

    def _sell_rebuys(self) -> list[str]:
        lines = []
        for seat, player in sorted(self.seats.items()):
            if player.stack < 20 * self.stakes.big:
                amount = 80 * self.stakes.big
                player.stack += amount
                self.tray -= amount
                lines.append(f"{seat} adds {amount} rebuy by dealer")
        return lines

    def _let_player_leave(self) -> list[str]:
        """Somebody leaves whom the blinds won't reach for a while."""
        order = self.clockwise(self.big)
        seat = order[3]
        if len(order) < 7 or seat in (self.button, self.small):
            return []
        player = self.seats.pop(seat)
        return [f"{seat} leaves {player.name} stack {player.stack}"]

    def _seat_newcomer(self) -> list[str]:
        """A newcomer takes a seat where the big blind comes next, so nobody owes a post."""
        seat = self.find_seat_of_next_big()
        if seat is None or not self.waiting_names:
            return []
        player = Player(self.waiting_names.pop(0), 80 * self.stakes.big)
        self.seats[seat] = player
        return [f"{seat} sits {player.name} walk-in stack {player.stack}"]

    def _move_tray_chips(self) -> list[str]:
        lines = []
        if self.tray < FILL:
            self.tray += FILL
            if not self.errors.misses_fill:
                lines.append(f"fill {FILL}{self.format_time()}")
        if self.hands == 40:
            self.tray -= CREDIT
            lines.append(f"credit {CREDIT}{self.format_time()}")
        return lines

    # ---- a hand ----

    def _write_hand(self) -> None:
        hand = PlayedHand(self)
        if self.hands % 20 == 10:
            hand.play_all_in()
        elif self.hands % 4 == 1:
            hand.play_showdown()
        else:
            self.random.choice([hand.play_raise, hand.play_flop, hand.play_showdown])()
        self.add_lines(["", *hand.lines])

    def pay_winner(self, winner: int, pot: int, *, has_flop: bool) -> list[str]:
        """Take the drop, and move the pot to the winner; return the lines."""
        rake = min(self.rake.cap, pot * self.rake.percent // 100) if has_flop else 0
        if self.hands == self.errors.rake_over_cap:
            rake = self.rake.cap + 3
        jackpot = self.rake.jackpot if has_flop and pot >= self.rake.jackpot_from else 0
        won = pot - rake - jackpot
        if self.hands == self.errors.short_payout:
            won -= 10
        self.seats[winner].stack += won
        self.dropped["rake"] += rake
        self.dropped["jackpot"] += jackpot
        taken = [f"{kind} {amount}" for kind, amount in (("rake", rake), ("jackpot", jackpot)) if amount]
        return [f"{winner} wins {won} from main", *taken]
