"""The seat list: who is dealt in, with what, and who only sits there."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokerstars import amounts
from ledger.formats.pokerstars.hand import Hand, too_many
from ledger.formats.pokerstars.words import SEATS
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.opening import (
    AntePosted,
    BlindPosted,
    BringInPosted,
    NotDealtIn,
    SeatDealtIn,
    SeatLeftOut,
    StraddlePosted,
)
from ledger.people import People
from ledger.presence import PlayerAway
from ledger.vocabulary import PlayerId, Seat

_KEPT: Final = 20_000
_ACTS: Final = (
    AntePosted, BlindPosted, BringInPosted, StraddlePosted, Bet, Called, Checked, Completed,
    Folded, HoleCardsDealt, Raised,
)  # fmt: skip


class Chair(NamedTuple):
    """Who sits where: the part of a seat line that seldom changes from hand to hand."""

    seat: Seat
    name: str
    player: PlayerId
    head: str  # "Seat 3: Name", as the summary begins too


class SeatLine(NamedTuple):
    """A line of the seat list, read: the same line is read once in a chunk."""

    chair: Chair
    event: Event
    away: Event | None = None
    left_out: bool = False


class Seating:
    """Reads seat lines for one ledger and remembers them: players seldom change between hands."""

    def __init__(self, people: People) -> None:
        self.people = people
        self._known: dict[tuple[str, int, bool], tuple[dict[str, SeatLine], dict[str, Chair]]] = {}

    def known(self, hand: Hand) -> tuple[dict[str, SeatLine], dict[str, Chair]]:
        """Return the lines and chairs read so far that mean the same in this hand."""
        key = (hand.venue, hand.exponent, hand.tournament)
        lines, chairs = self._known.setdefault(key, ({}, {}))
        if len(lines) > _KEPT or len(chairs) > _KEPT:
            lines.clear()
            chairs.clear()
        return lines, chairs

    def read(self, hand: Hand, k: int) -> int:
        """Read the seat list that begins at line `k`; return the line after it."""
        text, starts, lengths = hand.lines.text, hand.lines.starts, hand.lines.lengths
        known, chairs = self.known(hand)
        money, base = hand.money, hand.base
        event_put, places = hand.events.append, hand.places
        seats, heads, numbers = hand.seats, hand.heads, hand.numbers
        for k in range(k, len(text)):  # noqa: B020, PLR1704 - the same lines, from here on
            line = text[k]
            found = known.get(line)
            if found is None:
                # The common case: a player seen before with another stack.
                opening = line.rfind("(")
                chair = chairs.get(line[: opening - 1])
                stack = money.get(line[opening + 1 : -11]) if line[-11:] == " in chips) " else None
                if chair is not None and stack is not None:
                    found = SeatLine(chair, SeatDealtIn(chair.seat, chair.player, stack))
                elif line.startswith("Seat "):
                    found = _seat_line(line, hand)
                elif not line.strip():
                    continue
                if found is None:
                    return k
                known[line] = found
                chairs[found.chair.head] = found.chair
            (seat, name, player, head), event, away, left_out = found
            if seat in heads:
                hand.unread(line, k)  # one chair, two players: the first one stays
                continue
            if left_out:
                hand.left_out[seat] = len(hand.events)
            heads[seat] = head
            numbers[seat] = player
            if name in seats or name in hand.dup:
                hand.dup.add(name)
                seats.pop(name, None)
            else:
                seats[name] = seat
            event_put(event)
            places += (starts[k] - base, lengths[k])
            if away is not None:
                hand.put(away, k)
        return len(text)


def _seat_line(line: str, hand: Hand) -> SeatLine | None:
    """Read `Seat 3: Name ($5 in chips) is sitting out`; None if it is no line of the list."""
    end = line.rfind(" in chips")
    colon = line.find(": ")
    if end < 0 or colon < 0:
        return None
    digits = line[5:colon]
    if not digits.isascii() or not digits.isdigit():
        return None
    if len(digits) > 3 or not 0 < int(digits) < SEATS:
        raise too_many(int(digits[:9]))
    seat = int(digits)
    opening = line.rfind("(", 0, end)
    close = line.find(")", end)
    if opening < colon or close < 0:
        return None
    stack = amounts.read(line[opening + 1 : end], hand.exponent)
    head = line[:opening].removesuffix(" ")
    name = head[colon + 2 :]
    inner, tail = line[end + 9 : close].strip(" ,"), line[close + 1 :].strip()
    tail = tail.removesuffix("[hero]").rstrip()
    bounty = 0
    if inner.endswith("bounty"):
        bounty = amounts.maybe(inner[:-6].strip(), 2) or 0
    elif inner:
        return None
    player = hand.people.player(hand.venue, name)
    chair = Chair(seat, name, player, head)
    reason = _reason(tail)
    if reason is None and tail:
        raise UnreadableHandError(
            f"seat {seat} is followed by words nobody knows: {tail[:60]!r}", kind="seat"
        )
    if reason is None or (reason == "sitting-out" and hand.tournament):
        # In a tournament who sits out is dealt in, pays and folds.
        away = PlayerAway(seat, player, why="sits-out") if reason else None
        return SeatLine(chair, SeatDealtIn(seat, player, stack, bounty), away)
    return SeatLine(chair, SeatLeftOut(seat, player, stack, reason), left_out=True)


def _reason(tail: str) -> NotDealtIn | None:
    if tail.startswith("is sitting out"):
        return "sitting-out"
    if tail.startswith("out of hand"):
        return "moved" if "moved" in tail else "unknown"
    return None


def settle(hand: Hand) -> None:
    """A seat said to sit out that played all the same was dealt in."""
    for event in hand.events[:]:
        if isinstance(event, _ACTS) and event.seat in hand.left_out:
            index = hand.left_out.pop(event.seat)
            out = hand.events[index]
            if isinstance(out, SeatLeftOut):
                hand.events[index] = SeatDealtIn(out.seat, out.player, out.stack)
