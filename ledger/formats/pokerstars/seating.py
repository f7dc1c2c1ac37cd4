"""The seat list: who is dealt in, with what, and who only sits there."""

from __future__ import annotations

from typing import Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokerstars.hand import Chair, Hand, too_many
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
from ledger.readers import amounts
from ledger.readers.hand import SEATS

_KEPT: Final = 20_000
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


SeatLine: TypeAlias = tuple[Chair, Event, Event | None, bool]
"""A line of the seat list: the chair, what to say of it, that its player is away, is left out."""


class Seating:
    """Reads seat lines for one ledger and remembers them: players seldom change between hands."""

    def __init__(self, people: People) -> None:
        self.people = people
        self._known: dict[tuple[str, int, bool], tuple[dict[str, SeatLine], dict[str, Chair]]] = {}

    def known(self, hand: Hand) -> tuple[dict[str, SeatLine], dict[str, Chair]]:
        """Return the rarer lines and the chairs read so far that mean the same in this hand."""
        key = (hand.venue, hand.exponent, hand.tournament)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = ({}, {})
        lines, chairs = found
        if len(lines) > _KEPT or len(chairs) > _KEPT:
            lines.clear()
            chairs.clear()
        return found

    def read(self, hand: Hand, k: int) -> int:
        """Read the seat list that begins at line `k`; return the line after it."""
        text = hand.lines.text
        known, chairs = self.known(hand)
        money, exponent = hand.money, hand.exponent
        put, mark = hand.events.append, hand.marks.append
        seats, by_seat = hand.seats, hand.chairs
        for k in range(k, len(text)):  # noqa: B020, PLR1704 - the same lines, from here on
            line = text[k]
            head, _, tail = line.rpartition(" (")
            chair = chairs.get(head)
            if (
                chair is not None  # a player seen before, dealt in
                and tail[-11:] == " in chips) "
                and (
                    (stack := money.get(tail[:-11])) is not None
                    or (stack := amounts.quick(tail[:-11], exponent)) is not None
                )
            ):
                seat, name, player, _ = chair
                if by_seat.setdefault(seat, chair) is chair:
                    seats[name] = seat
                    put(SeatDealtIn(seat, player, stack))
                    mark(k)
                    continue
            elif line[:5] != "Seat ":
                if not line.strip():
                    continue
                if by_seat or line.startswith(("*** ", *hand.dialect.breaks)):
                    break
                hand.early.append(k)  # who bought chips before the deal stands before the list
                continue
            found = known.get(line) or _seat_line(line, hand)
            if found is None:
                break
            self._rare(hand, found, line, k)
        else:
            k = len(text)
        if len(seats) < len(by_seat):
            _same_names(hand)
        return k

    def _rare(self, hand: Hand, found: SeatLine, line: str, k: int) -> None:
        """Take note of a line that is not of the commonest form, or of a chair not seen before."""
        known, chairs = self.known(hand)
        chair, event, away, left_out = found
        chair = chairs.setdefault(chair.head, chair)
        known[line] = found
        if hand.chairs.setdefault(chair.seat, chair) is not chair:
            hand.unread(line, k)  # one chair, two players: the first one stays
            return
        if left_out:
            hand.left_out[chair.seat] = len(hand.events)
        hand.seats[chair.name] = chair.seat
        hand.put(event, k)
        if away is not None:
            hand.put(away, k)


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
        raise UnreadableHandError(f"seat {seat} is followed by words nobody knows: {tail[:60]!r}", kind="seat")
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
