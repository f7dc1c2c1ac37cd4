"""The seat list: who is dealt in, with what, and who only sits there."""

from __future__ import annotations

from typing import Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokerstars import amounts
from ledger.formats.pokerstars.hand import Chair, Hand, too_many
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

_KEPT: Final = 20_000
_ACTS: Final = (
    AntePosted, BlindPosted, BringInPosted, StraddlePosted, Bet, Called, Checked, Completed,
    Folded, HoleCardsDealt, Raised,
)  # fmt: skip


SeatLine: TypeAlias = tuple[Chair, Event, Event | None, bool]
"""A line of the seat list: the chair, what to say of it, that its player is away, is left out."""


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
        text = hand.lines.text
        known, chairs = self.known(hand)
        money = hand.money
        event_put, mark = hand.events.append, hand.marks.append
        seats, chairs_by_seat = hand.seats, hand.chairs
        for k in range(k, len(text)):  # noqa: B020, PLR1704 - the same lines, from here on
            line = text[k]
            found = known.get(line)
            if found is None:
                # The common case: a player seen before with another stack.
                opening = line.rfind("(")
                chair = chairs.get(line[: opening - 1])
                if (
                    chair is not None
                    and line[-11:] == " in chips) "
                    and (stack := money.get(line[opening + 1 : -11])) is not None
                ):
                    found = chair, SeatDealtIn(chair.seat, chair.player, stack), None, False
                elif line[:5] == "Seat ":
                    found = _seat_line(line, hand)
                elif not line.strip():
                    continue
                if found is None:
                    if len(seats) < len(chairs_by_seat):
                        _same_names(hand)
                    return k
                known[line] = found
                if chair is None:
                    chairs[found[0].head] = found[0]
            chair, event, away, left_out = found
            seat = chair.seat
            if chairs_by_seat.setdefault(seat, chair) is not chair:
                hand.unread(line, k)  # one chair, two players: the first one stays
                continue
            if left_out:
                hand.left_out[seat] = len(hand.events)
            seats[chair.name] = seat
            event_put(event)
            mark(k)
            if away is not None:
                hand.put(away, k)
        if len(seats) < len(chairs_by_seat):
            _same_names(hand)
        return len(text)


def _same_names(hand: Hand) -> None:
    """Two seats with one visible name: no act can be told to belong to either."""
    names = [chair.name for chair in hand.chairs.values()]
    hand.dup = {name for name in names if names.count(name) > 1}
    for name in hand.dup:
        del hand.seats[name]


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
        return chair, SeatDealtIn(seat, player, stack, bounty), away, False
    return chair, SeatLeftOut(seat, player, stack, reason), None, True


def _reason(tail: str) -> NotDealtIn | None:
    if tail.startswith("is sitting out"):
        return "sitting-out"
    if tail.startswith("out of hand"):
        return "moved" if "moved" in tail else "unknown"
    return None


def settle(hand: Hand) -> None:
    """Deal in a seat that was said to sit out and played all the same."""
    for event in hand.events[:]:
        if isinstance(event, _ACTS) and event.seat in hand.left_out:
            index = hand.left_out.pop(event.seat)
            out = hand.events[index]
            if isinstance(out, SeatLeftOut):
                hand.events[index] = SeatDealtIn(out.seat, out.player, out.stack)
