"""A cash table that writes its evening in handscript, with its money right unless a test leaves a line out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from projections.money.chips import ChipsCheck, check_chips, read_chips_input

ROOM = "Riverside"
PLAYERS = {1: "Ann", 2: "Bo", 3: "Cy"}
STACKS = {1: 500, 2: 400, 3: 300}
BOARD = "flop Kh 9s 4c; {big} checks; {button} checks; turn 3s; {big} checks; {button} checks; river Jd; {big} checks; {button} checks"


class Drop(NamedTuple):
    """What the house takes from a pot, in dollars."""

    rake: int = 0
    jackpot: int = 0


NO_DROP = Drop()


@dataclass
class CashTable:
    """Three players in seats 1 to 3, and what is written about them. Amounts are dollars."""

    name: str = "T1"
    witness: str = "live-table"
    venue: str = ROOM
    stacks: dict[int, int] = field(default_factory=lambda: dict(STACKS))
    players: dict[int, str] = field(default_factory=lambda: dict(PLAYERS))
    has_clocks: bool = True
    hands: int = 0

    def __post_init__(self) -> None:
        self.lines = [
            f'handscript 1\nvenue "{self.venue}"  table {self.name}  seats 9\nwitness {self.witness}',
            "game holdem no-limit cash blinds 2/5 unit USD 2",
        ]

    @property
    def text(self) -> str:
        """The evening so far."""
        return "\n".join(self.lines) + "\n"

    def write(self, *lines: str) -> CashTable:
        """Write lines as they are."""
        self.lines += lines
        return self

    def seat_all(self) -> CashTable:
        """Seat the players with their stacks."""
        return self.write(*(f"{seat} sits {self.players[seat]} stack {stack}" for seat, stack in self.stacks.items()))

    def add(self, seat: int, amount: int, line: str = "{seat} adds {amount} rebuy") -> CashTable:
        """Put chips in front of a seat; an empty line leaves that out of the record."""
        self.stacks[seat] += amount
        return self.write(line.format(seat=seat, amount=abs(amount))) if line else self

    def play(
        self,
        drop: Drop = NO_DROP,
        *,
        paid_short: int = 0,
        is_written: bool = True,
        stacks: Mapping[int, int | str] | None = None,
        end: str = "end",
    ) -> CashTable:
        """Play a hand: the button raises to 20, the big blind calls and wins 42 less the drop.

        `stacks` replaces what is written of some stacks. `paid_short` is missing from the payout that is written.
        """
        self.hands += 1
        button = (self.hands - 1) % 3 + 1
        small, big = button % 3 + 1, (button + 1) % 3 + 1
        won = 42 - drop.rake - drop.jackpot
        written_stacks = {**self.stacks, **(stacks or {})}
        if is_written:
            self.write(
                f"hand {self.hands}{self._clock()}",
                *(f"seat {seat} {self.players[seat]} {stack}" for seat, stack in written_stacks.items()),
                f"button {button}",
                f"{small} posts small 2; {big} posts big 5; deal done",
                f"{button} raises to 20; {small} folds; {big} calls 15",
                BOARD.format(button=button, big=big),
                f"{big} wins {won - paid_short}",
                *([f"rake {drop.rake}"] if drop.rake else []),
                *([f"jackpot {drop.jackpot}"] if drop.jackpot else []),
                end,
            )
        self.stacks[button] -= 20
        self.stacks[small] -= 2
        self.stacks[big] += won - 20
        return self

    def _clock(self) -> str:
        return f" 2026-11-20T{20 + self.hands // 20}:{3 * (self.hands % 20):02}:00Z" if self.has_clocks else ""

    def play_several(self, count: int, drop: Drop = NO_DROP) -> CashTable:
        """Play hands one after another."""
        for _ in range(count):
            self.play(drop)
        return self


def ledger_of(folder: Path, *texts: str, is_readable: bool = True) -> Ledger:
    """Return a ledger in memory with these files, imported one after another. Every line must be readable, or not."""
    ledger = open_ledger(":memory:")
    for index, text in enumerate(texts):
        path = folder / f"{index}.hand"
        path.write_text(text, encoding="utf-8")
        summary = import_paths(ledger, [path])
        assert bool(summary.files[0].rejects) != is_readable, summary.files[0].rejects
    return ledger


def chips_of(folder: Path, *texts: str, table: str = "T1") -> ChipsCheck:
    """Return the chips at a table of these files."""
    with ledger_of(folder, *texts) as ledger:
        return check_chips(read_chips_input(ledger, TableKey(ROOM, "", table)))
