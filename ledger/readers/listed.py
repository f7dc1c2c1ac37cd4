"""Hands whose seat list also names players who take no part: who they are, only the whole hand tells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.opening import AntePosted, GameSet, NotDealtIn, PostReturned, SeatDealtIn, SeatLeftOut
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import SEATS, HandBuilder, Places
from ledger.vocabulary import Chips, PlayerId, Seat

_LONGEST: Final = 60
_BEHIND: Final = frozenset(" :")
_SHORT: Final = 12
_GLUED: Final = re.compile(
    r".(?:Seat|seat|Lugar|Asiento|Место|Siège|Place)[ +]{0,2}\d{1,2} ?[:-]"
    r"| \([^()]{0,20}\d[^()]{0,20}\)[.:]?\w| sitting in seat \d|\(max \d{1,2}\):",
    re.DOTALL,
)
"""In what is taken for a name: the row of another seat, or what stands behind a stack in brackets."""


class Listed(HandBuilder):
    """The hand being told; `clean` takes from an amount what its room puts around it."""

    __slots__ = ("away", "index", "is_plain", "looked_at", "order", "read_chips", "same", "sits")

    def __init__(self, places: Places, people: People, venue: str, game: GameSet, at: int) -> None:
        super().__init__(places, people, venue, game, at)
        self.read_chips: dict[str, Chips] = people.read_before.results_of(venue, "chips", game.exponent)
        self.index: dict[Seat, int] = {}  # where a seat's SeatDealtIn or SeatLeftOut stands
        self.sits: dict[Seat, str] = {}  # who is listed where
        self.order: list[str] = []
        self.is_plain = False  # no name has a blank in it, as far as `looked_at` seats
        self.looked_at = -1
        self.same: set[str] = set()  # names that several seats share
        self.away: dict[Seat, NotDealtIn] = {}  # who is said to take no part, and why

    def clean(self, text: str) -> str:
        """Return an amount as `amounts.read` can read it."""
        return "".join(text.split())

    def stripped(self, text: str) -> str:
        """Return an amount without brackets and blanks around it."""
        return text.strip("() ")

    def amount(self, text: str) -> Chips:
        """Read an amount as the room writes it, and remember it."""
        found = self.read_chips.get(text)
        if found is None:
            if len(text) > _LONGEST:
                raise UnreadableHandError(f"{text[:40]!r} is no amount", kind="amount")
            found = amounts.read(self.clean(text), self.exponent)
            self.read_chips[text] = found
        return found

    def maybe(self, text: str) -> Chips | None:
        """Return an amount, None for what is none."""
        try:
            return self.amount(text)
        except UnreadableHandError:
            return None

    def take(self, seat: Seat, name: str, stack: Chips | None, bounty: Chips = 0) -> None:
        """Deal a listed seat in; who turns out not to play is left out in the end.

        What two players of one visible name do cannot be told apart: neither is found by the name.
        """
        if seat in self.stacks or not 0 < seat < SEATS:
            if self.sits.get(seat) == name and self.stacks[seat] == stack:
                return  # the row is written twice
            self._chair(seat)  # raises
        if len(name) > _SHORT and not name.isalnum() and _GLUED.search(name):
            raise UnreadableHandError(
                f"another line begins within the row of seat {seat}: {name[:60]!r}",
                kind="seat",
                hint="Were line ends lost? Each player stands in a line of their own.",
            )
        self.take_again(seat, name, stack, bounty)

    def take_again(self, seat: Seat, name: str, stack: Chips | None, bounty: Chips = 0) -> None:
        """Deal a listed seat in whose row, but for the stack, an earlier hand had too; the seat is free."""
        seats, same, events = self.seats, self.same, self.events
        self.index[seat] = len(events)
        self.sits[seat] = name
        self.stacks[seat] = stack
        if name in seats or name in same:
            same.add(name)
            seats.pop(name, None)
        else:
            seats[name] = seat
        events.append(SeatDealtIn(seat, self.player(name), stack, bounty))
        self.marks.append(self.at)

    def take_unlisted(self, seat: Seat, name: str) -> None:
        """Deal somebody in who acts without a row in the list of seats: behind its last row, with a stack that is not told."""
        self.seats[name], self.sits[seat], self.stacks[seat] = seat, name, None
        at = max(self.index.values(), default=0) + 1
        self.place(at, SeatDealtIn(seat, self.player(name), None))
        self.index[seat] = at

    def by_length(self) -> list[str]:
        """Return the names of the seats, longest first."""
        if len(self.order) != len(self.seats):
            self.order = self.names()
        return self.order

    def plain(self) -> bool:
        """Tell whether no seated name has a blank in it: then a line's first word is the name."""
        if self.looked_at != len(self.seats):
            self.looked_at = len(self.seats)
            self.is_plain = " " not in "".join(self.seats)
        return self.is_plain

    def named(self, line: str) -> list[str]:
        """Return the seated names with which a line begins, longest first.

        Behind a name there is a blank or a colon.
        """
        if self.plain():
            word = line.partition(" ")[0]
            both = (word, word.partition(":")[0]) if ":" in word else (word,)
            return [name for name in both if name in self.seats]
        return [name for name in self.by_length() if line.startswith(name) and line[len(name) :][:1] in _BEHIND]

    def player_in(self, seat: Seat) -> PlayerId:
        """Return who sits in a listed seat."""
        event = self.events[self.index[seat]]
        player: PlayerId = event.player  # type: ignore[attr-defined]  # a seat's event names its player
        return player

    def place(self, index: int, event: Event) -> None:
        """Insert a inferred event; what stands behind it moves on."""
        self.insert(index, event)
        self.index = {seat: at + (at >= index) for seat, at in self.index.items()}

    def move(self, start: int, to: int) -> None:
        """Put the events from `start` on before event `to`: their line stands before its line."""
        count = len(self.events) - start

        def moved(at: int) -> int:
            return at - start + to if at >= start else at + count * (at >= to)

        self.events[to:] = self.events[start:] + self.events[to:start]
        self.marks[to:] = self.marks[start:] + self.marks[to:start]
        self.index = {seat: moved(at) for seat, at in self.index.items()}
        self.uncalled_bets = [(seat, rest, moved(at)) for seat, rest, at in self.uncalled_bets]
        self.inferred = [moved(at) for at in self.inferred]
        self.times = {moved(at): time for at, time in self.times.items()}

    def dealt(self, event: HoleCardsDealt) -> None:
        """Put dealt cards before the deal's end, whose heading stands before them in the source."""
        if isinstance(self.events[-1], DealCompleted):
            self.events.insert(-1, event)
            self.marks.insert(-1, self.at)
        else:
            self.put(event)

    def left_out(self, seat: Seat, reason: NotDealtIn, *, told: bool) -> None:
        """Say that a listed seat plays no part in this hand."""
        index = self.index.get(seat, -1)
        event = self.events[index] if index >= 0 else None
        if isinstance(event, SeatDealtIn):
            self.events[index] = SeatLeftOut(seat, event.player, event.stack, reason)
            if not told and index not in self.inferred:
                self.inferred.append(index)

    def silent(self) -> None:
        """Leave out those who put nothing in and do not fold."""
        if self.same:
            return
        self.leave_out_idle(self.index)

    def leave_out_idle(self, seats: Iterable[Seat]) -> None:
        """Leave out those of these seats who put nothing in and do not fold."""
        put_in, folded = self.betting.chips.put_in, self.folded
        for seat in seats:
            if not put_in.get(seat) and seat not in folded:
                self.leave_out_as_said(seat)

    def leave_out_as_said(self, seat: Seat) -> None:
        """Leave a seat out, for the reason that is told if one is."""
        self.left_out(seat, self.away.get(seat, "unknown"), told=seat in self.away)

    def return_ante(self, seat: Seat, amount: Chips) -> None:
        """Give the part of an ante back that nobody matched."""
        self.betting.put(seat, -amount)
        self.put(PostReturned(seat, amount, "ante", True))

    def refund(self, seat: Seat, amount: Chips) -> None:
        """Give chips back: a bet that nobody called, or the part of an ante that nobody matched."""
        ante = sum(event.amount for event in self.events if isinstance(event, AntePosted) and event.seat == seat)
        if self.bet_of(seat) < amount <= ante and seat not in [one for one, _, _ in self.uncalled_bets]:
            self.returned = True
            self.return_ante(seat, amount)
        else:
            self.give_back(seat, amount)
