"""What both generations' readers know of a hand: who takes part, acts read before, the pot at the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from ledger.formats.wpn.words import STUD, VENUE
from ledger.hand.betting import Checked, Folded
from ledger.hand.ending import ResultDeclared
from ledger.hand.opening import GameSet, NotDealtIn, SeatDealtIn
from ledger.people import People
from ledger.readers.hand import SEATS
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.readers.names import Names
from ledger.vocabulary import Cards, Chips, Seat

Make: TypeAlias = "Callable[[Hand, Seat, Chips, bool | None], None] | partial[None]"
Told: TypeAlias = tuple[Make, Chips, bool | None]
"""An act that was read before: how it is told, its amount, whether it is all-in."""

FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
CHECKED: Final = [Checked(seat) for seat in range(SEATS)]

_known: Final[dict[tuple[str, int], dict[str, Told]]] = {}
_KEPT: Final = 100_000
_LONGEST: Final = 60
"""What follows a name is remembered if it has fewer characters: hostile texts have no end."""


class Hand(Listed):
    """The hand being read."""

    __slots__ = ("absent", "acts_read", "called", "hole", "lines", "own", "run", "shown", "summary")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int, generation: str) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.lines = lines
        self.acts_read = _known.setdefault((generation, game.exponent), {})
        if len(self.acts_read) > _KEPT:
            self.acts_read.clear()
        self.called = Names({})  # the names of the seats, when all are read
        self.absent: dict[Seat, NotDealtIn] = {}  # who is said to take no part
        self.hole: dict[Seat, int] = {}  # where the cards that a seat holds stand among the events
        self.own = False  # somebody's own cards are told
        self.run = 1
        self.shown: dict[Seat, Cards] = {}
        self.summary = -1  # the line of the summary's heading

    @property
    def stud(self) -> bool:
        """Whether cards come street by street."""
        return self.game.variant in STUD

    def keep_act(self, rest: str, make: Make, amount: Chips, all_in: bool | None) -> None:
        """Keep how an act is told."""
        if len(rest) < _LONGEST:
            self.acts_read[rest] = make, amount, all_in

    def count_pot(self, pot: Chips, drops: Chips) -> None:
        """Declare the pot: the network writes what is left of it after the rake and the jackpot's fee."""
        self.put(ResultDeclared("total-pot", None, pot + drops))

    def settle_bets(self, total: Chips | None) -> None:
        """Conclude a returned bet that no line tells, where the declared pot shows that it was one."""
        self.close_bets()
        put_in = sum(self.put_in)
        uncalled = sum(amount for _, amount, _ in self.pending)
        self.return_bets(total if total == put_in - uncalled else put_in)

    def leave_out_absent(self) -> None:
        """Leave out who is said to take no part and puts nothing in."""
        for seat, reason in self.absent.items():
            if not self.put_in[seat] and seat not in self.folded:
                self.left_out(seat, reason, told=True)

    def leave_out_silent(self) -> None:
        """Leave out who does nothing in a hand that ended, said or not."""
        self.leave_out_absent()
        for seat in self.index:
            if not self.put_in[seat] and seat not in self.folded and seat not in self.hole:
                self.left_out(seat, "unknown", told=False)

    def dealt_in(self) -> list[Seat]:
        """Return the seats that take part."""
        return [event.seat for event in self.events if isinstance(event, SeatDealtIn)]
