"""The next hand of a table as it is likely to be: who is dealt in, with what, and who posts what, by what is due.

It is a proposal. Whoever records confirms it as a whole, or writes the hand line by line; its events are
marked as inferred, for nobody wrote them one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.hand.opening import BlindPosted, ButtonPlaced, SeatDealtIn, SeatLeftOut

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.hand.opening import BlindRole, NotDealtIn
    from ledger.table.state import SeatState, TableState
    from projections.obligations.dues import Due, DuePost, SeatDue

_LAST_NUMBER: Final = re.compile(r"[0-9]+(?=[^0-9]*$)")
_WAITING: Final[dict[str, NotDealtIn]] = {
    "big-blind": "waiting-for-big-blind",
    "button": "waiting-for-button",
    "position": "moved",
}
_ROLES: Final[dict[str, BlindRole]] = {
    "small": "small",
    "big": "big",
    "extra": "extra",
    "entry": "entry",
    "makeup": "makeup",
    "kill": "kill",
}


class Proposal(NamedTuple):
    """The next hand: its number, and its events behind the one that begins it. `lacks`: why it stops short."""

    number: str
    events: tuple[HandEvent, ...]
    lacks: str = ""


def proposal(state: TableState, due: Due) -> Proposal:
    """Return the next hand of a table under the book whose dues these are."""
    number = following(state.number)
    dealt = set(due.dealt) if not due.unknown else {s for s, one in state.seats.items() if one.presence == "present"}
    events: list[HandEvent] = []
    for seat, held in sorted(state.seats.items()):
        if seat in dealt and held.stack != 0:
            events.append(SeatDealtIn(seat, held.player, held.stack))
        else:
            events.append(SeatLeftOut(seat, held.player, held.stack, _why(held, due.seat(seat))))
    place = due.place
    if due.unknown or place is None:
        return Proposal(number, tuple(events), due.unknown or "where button and blinds belong is not known")
    events.append(ButtonPlaced(place.button))
    chips = {event.seat: event.stack for event in events if isinstance(event, SeatDealtIn)}
    owed = [post for seat in due.seats if seat.seat in chips for post in seat.post if seat.deal == "if-posts"]
    for post in (*place.posts, *owed):
        told = _post(post, chips)
        if told is None:
            return Proposal(number, tuple(events), f"what seat {post.seat} posts is not known")
        events.append(told)
    return Proposal(number, tuple(events))


def following(number: str) -> str:
    """Return the number of the hand behind one: its last figures count on.

    >>> following("412"), following("H-0099"), following("")
    ('413', 'H-0100', '1')
    """
    found = _LAST_NUMBER.search(number)
    if found is None:
        return f"{number}-2" if number else "1"
    figures = found[0]
    return number[: found.start()] + str(int(figures) + 1).rjust(len(figures), "0") + number[found.end() :]


def _post(post: DuePost, chips: dict[int, int | None]) -> BlindPosted | None:
    """Return a post that is due, no more than its seat has; None if it is no blind, or its amount is not known."""
    role = _ROLES.get(post.role)
    if role is None or post.live is None or post.dead is None or post.seat not in chips:
        return None
    stack = chips[post.seat]
    live = post.live if stack is None else min(post.live, stack)
    dead = post.dead if stack is None else min(post.dead, stack - live)
    if stack is not None:
        chips[post.seat] = stack - live - dead
    return BlindPosted(post.seat, role, live, dead, True if stack is not None and live + dead == stack else None)


def _why(held: SeatState, due: SeatDue | None) -> NotDealtIn:
    """Return why a seat gets no cards, as far as that is known."""
    if held.stack == 0:
        return "no-chips"
    if held.presence == "away":
        return "away"
    if held.wait:
        return _WAITING.get(held.wait, "unknown")
    return "waiting-for-big-blind" if due is not None and due.deal in ("no", "if-posts") else "unknown"
