"""The seat list: who is dealt in, with what, and who only sits there."""

from __future__ import annotations

from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, NotDealtIn, StraddlePosted
from ledger.presence import PlayerAway
from ledger.readers import amounts
from ledger.readers.hand import nobody
from ledger.readers.phrases import number
from ledger.readers.room import Room
from ledger.vocabulary import Seat

_ACTS: Final = (
    AntePosted,
    BlindPosted,
    BringInPosted,
    StraddlePosted,
    Bet,
    Called,
    Checked,
    Completed,
    Folded,
    HoleCardsDealt,
    Raised,
)
_IN_CHIPS: Final = (" in chips) ", " in chips)")
_KEPT: Final = 100_000


class Seated(Room):
    """A hand whose seats are known: the part of a line that names who sits where seldom changes."""

    __slots__ = ("early", "out")

    stops_at: ClassVar[staticmethod[[str], bool]]
    """Tells whether something else than a line of a hand begins with a line."""

    early: list[int]  # lines between the table and its seats
    out: dict[Seat, NotDealtIn]  # who is said to get no cards, and why

    def seats_from(self, k: int, after: int) -> int:
        """Read the seat list that begins at line `k`; return the line behind it."""
        text, rows, money, exponent = self.lines.text, self.rows_read, self.money, self.exponent
        while k < after:
            line = text[k]
            self.at = k
            head, _, tail = line.rpartition(" (")
            row, end = rows.get(head), tail.find(" ")
            if (
                row is not None  # a player seen before, dealt in
                and tail[end:] in _IN_CHIPS
                and (
                    (stack := money.get(tail[:end])) is not None
                    or (stack := amounts.quick(tail[:end], exponent)) is not None
                )
                and row[0] not in self.stacks
            ):
                self.take(row[0], row[1]["name"], stack)
            elif line[:5] == "Seat ":
                if not self.seat(line):
                    break
            elif line.strip():
                if self.stacks or line[:4] == "*** " or self.stops_at(line):
                    break
                self.early.append(k)  # who bought chips before the deal stands before the list
            k += 1
        if not self.stacks:
            raise nobody()
        return k

    def seat(self, line: str) -> bool:
        """Read `Seat 3: Name ($5 in chips) is sitting out`; False if it is no line of the list."""
        end, colon = line.rfind(" in chips"), line.find(": ")
        opening, close = line.rfind("(", 0, max(end, 0)), line.find(")", max(end, 0))
        digits = line[5:colon]
        if not 0 < colon < opening < close or not digits.isascii() or not digits.isdigit():
            return False
        seat, head = number(digits), line[:opening].removesuffix(" ")
        stack, name = self.chips(line[opening + 1 : end]), head[colon + 2 :]
        inner, tail = line[end + 9 : close].strip(" ,"), line[close + 1 :].strip()
        tail = tail.removesuffix("[hero]").rstrip()
        if inner and not inner.endswith("bounty"):
            return False
        reason: NotDealtIn = "sitting-out" if tail.startswith("is sitting out") else "unknown"
        if tail.startswith("out of hand"):
            reason = "moved" if "moved" in tail else "unknown"
        elif tail and reason == "unknown":
            raise UnreadableHandError(f"seat {seat} is followed by words nobody knows: {tail[:60]!r}", kind="seat")
        if seat in self.stacks:
            self.unread(line)  # one chair, two players: the first one stays
            return True
        self.take(seat, name, stack, amounts.maybe(inner[:-6].strip(), 2) or 0 if inner else 0)
        if len(self.rows_read) > _KEPT:
            self.rows_read.clear()
        self.rows_read[head] = seat, {"name": name}
        if reason == "sitting-out" and self.game.format == "tournament":
            # In a tournament who sits out is dealt in, pays and folds.
            self.put(PlayerAway(seat, self.player_in(seat), why="sits-out"))
        elif tail:
            self.out[seat] = reason
        return True

    def tell_early(self, first: int) -> None:
        """Read what stands before the seats, now that their names are known, and tell it from event `first` on."""
        seated = len(self.events)
        for k in self.early:
            self.at = k
            line = self.lines.text[k]
            if not self.line(line.strip()) and not self.spoken(line):
                self.unread(line)
        if len(self.events) > seated:
            self.move(seated, first)

    def move(self, start: int, to: int) -> None:
        """Put the events from `start` on before event `to`: their line stands before its line."""
        count = len(self.events) - start
        self.events[to:] = self.events[start:] + self.events[to:start]
        self.marks[to:] = self.marks[start:] + self.marks[to:start]
        self.index = {seat: at + count * (at >= to) for seat, at in self.index.items()}
        self.pending = [(seat, rest, at + count * (at >= to)) for seat, rest, at in self.pending]

    def leave_idle(self) -> None:
        """Leave out who was said to sit out; some of them play all the same."""
        if self.out:
            acted = {event.seat for event in self.events if isinstance(event, _ACTS)}
            for seat, reason in self.out.items():
                if seat not in acted:
                    self.left_out(seat, reason, told=True)
