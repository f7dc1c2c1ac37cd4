"""The opening of a hand as the fields tell it: seats, button, antes, blinds, straddles."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.formats.phh.course import Course
from ledger.formats.phh.header import Header
from ledger.formats.phh.words import WITNESSES
from ledger.hand.events import HandEvent
from ledger.hand.opening import (
    AntePosted,
    BlindPosted,
    ButtonPlaced,
    GameSet,
    HandOpened,
    PostReturned,
    SeatDealtIn,
    StraddleKind,
    StraddlePosted,
    TournamentSet,
)
from ledger.people import People
from ledger.vocabulary import Chips


def opened_event(head: Header) -> HandEvent:
    """Return which hand it is."""
    return HandOpened(
        head.venue, head.table, head.number, WITNESSES, head.started, head.written, head.seat_count, head.event
    )


def game_events(head: Header) -> list[HandEvent]:
    """Return which game it is, its level first where the file tells one."""
    game = head.game
    first, second, *_ = head.blinds
    if second < first:
        first, second = second, first
    blinds = (first, second) if first > 0 else (second,) if second > 0 else ()
    setting = GameSet(
        game.variant,
        game.betting,
        "tournament" if head.level else "unknown",
        head.unit,
        head.exponent,
        blinds,
        usual(head.antes),
        head.bets,
        head.bring_in,
    )
    return [TournamentSet(head.level), setting] if head.level else [setting]


def seat_events(head: Header, people: People) -> list[HandEvent]:
    """Return who sits where, by seat; last the button where the game has one."""
    venue, player, seats = head.venue, people.player, head.seats
    order: Sequence[int] = range(len(seats))
    if seats != sorted(seats):
        order = sorted(order, key=seats.__getitem__)
    events: list[HandEvent] = [
        SeatDealtIn(seats[index], player(venue, head.names[index] or stranger(head, index)), head.stacks[index])
        for index in order
    ]
    if head.game.kind != "stud":
        events.append(ButtonPlaced(head.seats[-1]))
    return events


def stranger(head: Header, index: int) -> str:
    """Return a name for a player without one: two hands never share it."""
    return f"p{index + 1} of {head.event or head.table} {head.number}"


def ante_events(head: Header, course: Course) -> list[HandEvent]:
    """Return the antes, dead make-ups among them, and what uneven ones give back."""
    events: list[HandEvent] = []
    antes, blinds, seats = head.antes, head.blinds, head.seats
    common = usual(antes)
    paid = [index for index, chips in enumerate(antes) if chips]
    alone = paid[0] if len(paid) == 1 else -1
    big = 1 if len(seats) > 2 else 0
    table_pays = alone in (big, len(seats) - 1) and blinds[alone] >= 0
    for index in paid:
        chips, makeup = antes[index], 0
        if not table_pays and chips > common and _owes(head, index, chips - common):
            chips, makeup = common, chips - common
        left = course.stacks[index]
        if left is not None:
            chips = min(chips, left)
            makeup = min(makeup, left - chips)
        if chips:
            empty = course.post_dead(index, chips, layered=head.trimmed)
            events.append(AntePosted(seats[index], chips, table_pays, "ante", empty))
        if makeup:
            empty = course.post_dead(index, makeup, layered=False)
            events.append(BlindPosted(seats[index], "makeup-small", 0, makeup, empty))
    if head.trimmed:
        events += _trimmed(course)
    return events


def usual(antes: list[Chips]) -> Chips:
    """Return the ante that most players post, the lower of two."""
    first = antes[0]
    if antes.count(first) == len(antes):
        return first
    return min(set(antes), key=lambda chips: (-antes.count(chips), chips))


def _owes(head: Header, index: int, dead: Chips) -> bool:
    """Whether dead money beside the common ante is a missed small blind."""
    if head.blinds[index] < 0:
        return True
    small = head.blinds[0] if len(head.seats) > 2 else head.blinds[-1]
    return head.blinds[index] == 0 and dead == small


def _trimmed(course: Course) -> list[HandEvent]:
    """Give back what one seat put in above all others."""
    *_, second, top = sorted(course.layered)
    if top == second:
        return []
    who = course.layered.index(top)
    over = top - second
    course.layered[who] -= over
    course.put[who] -= over
    left = course.stacks[who]
    if left is not None:
        course.stacks[who] = left + over
    return [PostReturned(course.seats[who], over, "ante", True)]


def blind_events(head: Header, course: Course) -> list[HandEvent]:
    """Return blinds, straddles and live posts out of turn, by dealing order, small blind first."""
    blinds, seats = head.blinds, head.seats
    if not any(blinds):
        return []
    events: list[HandEvent] = []
    count = len(seats)
    order = (1, 0) if count == 2 else range(count)
    least = head.bets[0]
    high = max(blinds[:2])
    for place, index in enumerate(order):
        if not blinds[index]:
            continue
        chips = abs(blinds[index])
        left = course.stacks[index]
        if left is not None:
            chips = min(chips, left)
        if not chips:
            continue
        empty = course.post_live(index, chips)
        seat = seats[index]
        if blinds[index] < 0:
            dead = head.antes[index] > usual(head.antes)
            event: HandEvent = BlindPosted(seat, "makeup-big" if dead else "entry", chips, 0, empty)
        elif place == 0:
            big = not blinds[order[1]] and blinds[index] >= least > 0
            event = BlindPosted(seat, "big" if big else "small", chips, 0, empty)
        elif place == 1:
            event = BlindPosted(seat, "big", chips, 0, empty)
        elif not high and index == count - 1:
            event = BlindPosted(seat, "button", chips, 0, empty)
        elif blinds[index] <= high:
            event = BlindPosted(seat, "entry", chips, 0, empty)
        else:
            kind: StraddleKind = "button" if index == count - 1 else "straddle"
            event = StraddlePosted(seat, chips, kind, all_in=empty)
        events.append(event)
    return events
