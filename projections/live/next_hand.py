"""Propose the likely next hand of a table: who is dealt in with which stack, and who posts what.

The person who records the game confirms the proposal as a whole, or types the hand line by line. Confirmed events are
marked as inferred, because nobody typed them one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ledger.errors import UsageError
from ledger.hand.opening import BlindPosted, ButtonPlaced, SeatDealtIn, SeatLeftOut
from ledger.text.language import phrase
from projections.obligations.dues import Due, DuePost

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.hand.events import HandEvent
    from ledger.hand.opening import BlindRole, NotDealtIn
    from ledger.table.state import SeatState, TableState
    from ledger.vocabulary import Chips, Seat
    from projections.obligations.dues import Placement, SeatDue

_TRAILING_DIGITS: Final = re.compile(r"[0-9]+(?=[^0-9]*$)")
_MIN_PLAYERS: Final = 2
_WAITING_REASONS: Final[dict[str, NotDealtIn]] = {
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

_NOTHING_DUE: Final = Due("", "", (), ())


class DealPlan(NamedTuple):
    """Who is dealt in on the next hand, where button and blinds are, and what is posted besides the blinds."""

    dealt: frozenset[Seat]
    placement: Placement | None  # None = unknown
    entry_posts: tuple[DuePost, ...] = ()
    waiting: frozenset[Seat] = frozenset()  # chose to wait for the big blind


class Proposal(NamedTuple):
    """The proposed next hand."""

    number: str
    events: tuple[HandEvent, ...]  # without the opening
    missing: str = ""  # why it is incomplete; empty if it's complete


def propose_hand(state: TableState, due: Due) -> Proposal:
    """Return the next hand of a table. `due`: the dues of that hand under the table's book."""
    return propose_planned_hand(state, due, plan_hand(state, due))


def plan_hand(state: TableState, due: Due) -> DealPlan:
    """Return the hand as the dues show it first. If the dues are unknown, nobody who is away from a cash game gets cards."""
    dealt_seats = list_seats_to_deal_in(state) if due.unknown else frozenset(due.dealt)
    owing_seats = [seat_due for seat_due in due.seats if seat_due.seat in dealt_seats and seat_due.deal == "if-posts"]
    return DealPlan(dealt_seats, due.place, tuple(post for seat_due in owing_seats for post in seat_due.post))


def list_seats_to_deal_in(state: TableState) -> frozenset[Seat]:
    """Return the seats to deal in by presence alone.

    A cash game leaves absent players out. A tournament deals them in, and their blinds are posted for them.
    """
    is_tournament = state.format == "tournament"
    return frozenset(
        seat for seat, seat_state in state.seats.items() if is_tournament or seat_state.presence == "present"
    )


def propose_planned_hand(state: TableState, due: Due, plan: DealPlan) -> Proposal:
    """Return the next hand of a table as planned. Nobody without chips is dealt in."""
    number = make_next_number(state.number)
    events: list[HandEvent] = [*deal_seats(state, due, plan)]
    positions = plan.placement
    if due.unknown or positions is None:
        return Proposal(number, tuple(events), due.unknown or phrase("where button and blinds belong is not known"))
    events.append(ButtonPlaced(positions.button))
    chips = {event.seat: event.stack for event in events if isinstance(event, SeatDealtIn)}
    entry_posts = (post for post in plan.entry_posts if post.seat in chips)
    for post in (*positions.posts, *_iter_missing_posts(entry_posts, positions.posts)):
        posted = _make_post(post, chips)
        if posted is None:
            return Proposal(number, tuple(events), phrase("what seat {seat} posts is not known", seat=post.seat))
        events.append(posted)
    return Proposal(number, tuple(events))


def _iter_missing_posts(entry_posts: Iterable[DuePost], blinds: Sequence[DuePost]) -> Iterator[DuePost]:
    """Yield what is posted besides the blinds. To enter with a blind, only the difference: it may not raise the price."""
    blind_by_seat = {blind.seat: blind.live for blind in blinds}
    for post in entry_posts:
        blind = blind_by_seat.get(post.seat)
        if post.role != "entry" or blind is None or post.live is None:
            yield post
        elif post.live > blind or post.dead:
            yield msgspec.structs.replace(post, live=max(0, post.live - blind))


def deal_seats(state: TableState, due: Due, plan: DealPlan) -> Iterator[SeatDealtIn | SeatLeftOut]:
    """Yield each seat as dealt in or left out."""
    for seat, seat_state in sorted(state.seats.items()):
        if seat in plan.dealt and seat_state.stack != 0:
            yield SeatDealtIn(seat, seat_state.player, seat_state.stack)
        else:
            reason = _find_absence_reason(seat_state, due.seat(seat))
            if seat in plan.waiting and reason == "unknown":
                reason = "waiting-for-big-blind"
            yield SeatLeftOut(seat, seat_state.player, seat_state.stack, reason)


def place_button(
    state: TableState, plan: DealPlan, button: Seat, blinds: Sequence[Chips], due: Due | None = None
) -> Proposal:
    """Return the next hand with the button where somebody placed it. The blinds go to the next seats dealt in.

    `button` may be an empty chair. `due`: why other seats get no cards, if that is known. The plan's entry posts are
    kept for seats without a blind.
    """
    events = [*deal_seats(state, due or _NOTHING_DUE, plan)]
    stacks = {event.seat: event.stack for event in events if isinstance(event, SeatDealtIn)}
    posts = _post_blinds(stacks, button, blinds)
    blind_seats = {post.seat for post in posts}
    entry_posts = [
        _make_post(post, stacks) for post in plan.entry_posts if post.seat in stacks and post.seat not in blind_seats
    ]
    all_posts = [*posts, *(post for post in entry_posts if post is not None)]
    return Proposal(make_next_number(state.number), (*events, ButtonPlaced(button), *all_posts))


def _post_blinds(stacks: dict[Seat, Chips | None], button: Seat, blinds: Sequence[Chips]) -> list[BlindPosted]:
    """Return the blinds of the seats after a button. With two players, a dealt-in button posts the small blind."""
    seats = sorted(stacks)
    order = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
    if len(seats) == _MIN_PLAYERS and button in stacks:
        order.reverse()
    posts = []
    for role, seat, blind in zip(("small", "big", "extra"), order, blinds, strict=False):
        posted = _make_post(DuePost(seat, role, blind), stacks)  # type: ignore[arg-type]  # one of the roles above
        if posted is not None:
            posts.append(posted)
    return posts


def propose_by_button(state: TableState, button: Seat, blinds: Sequence[Chips], *, has_book: bool) -> Proposal:
    """Return the hand that starts with the button in a given seat. Blinds go to the next seats.

    This is for the first hand of a table and, without a book, for later hands of the same players. `UsageError` if
    the positions follow from the last hand, or if who posts what depends on a rulebook.
    """
    if state.number and not has_book:
        _require_same_players(state)
    elif state.number:
        raise UsageError(
            phrase("the button moves by the rulebook"),
            phrase(
                "Enter takes the proposed hand. If the button was put elsewhere, type: {first_line}, then {next_line}",
                first_line="hand NUMBER",
                next_line="button " + str(button),
            ),
        )
    events = [
        SeatDealtIn(seat, seat_state.player, seat_state.stack)
        for seat, seat_state in sorted(state.seats.items())
        if seat_state.stack != 0
    ]
    seats = [event.seat for event in events]
    if button not in seats or len(seats) < _MIN_PLAYERS:
        raise UsageError(
            phrase("nobody with chips sits in seat {seat}", seat=button)
            if button not in seats
            else phrase("only one player sits here"),
            phrase("Seat the players first: {line}", line="1 Ana 500"),
        )
    posts = _post_blinds({event.seat: event.stack for event in events}, button, blinds)
    return Proposal(make_next_number(state.number), (*events, ButtonPlaced(button), *posts))


def _require_same_players(state: TableState) -> None:
    """Raise `UsageError` if players changed since the last hand, because then a rulebook decides who posts."""
    dealt_seats = {player.seat for player in state.last_hand.dealt_in} if state.last_hand is not None else set()
    ready_seats = {
        seat
        for seat in list_seats_to_deal_in(state)
        if state.seats[seat].stack != 0 and not state.seats[seat].awaited_position
    }
    if dealt_seats != ready_seats or len(state.seats) != len(ready_seats):
        raise UsageError(
            phrase("somebody came, left or sat out since the last hand: who posts what depends on the rulebook"),
            phrase('Leave with q and choose one: -r hilton. Or write the hand line by line: "{line}".', line="hand 2"),
        )


def make_next_number(number: str) -> str:
    """Return the number of the next hand, in which the last digits go up by one.

    >>> make_next_number("412"), make_next_number("H-0099"), make_next_number("")
    ('413', 'H-0100', '1')
    """
    digits_match = _TRAILING_DIGITS.search(number)
    if digits_match is None:
        return f"{number}-2" if number else "1"
    digits = digits_match[0]
    next_digits = str(int(digits) + 1).rjust(len(digits), "0")
    return number[: digits_match.start()] + next_digits + number[digits_match.end() :]


def _make_post(post: DuePost, chips: dict[int, int | None]) -> BlindPosted | None:
    """Return a due post, at most the seat's stack in `chips`, and take it off that stack.

    Return None if the post isn't a blind, or its amount or seat is unknown.
    """
    role = _ROLES.get(post.role)
    if role is None or post.live is None or post.dead is None or post.seat not in chips:
        return None
    stack = chips[post.seat]
    live = post.live if stack is None else min(post.live, stack)
    dead = post.dead if stack is None else min(post.dead, stack - live)
    is_all_in = None
    if stack is not None:
        chips[post.seat] = stack - live - dead
        is_all_in = True if live + dead == stack else None
    return BlindPosted(post.seat, role, live, dead, is_all_in)


def _find_absence_reason(seat_state: SeatState, due: SeatDue | None) -> NotDealtIn:
    """Return why a seat gets no cards."""
    if seat_state.stack == 0:
        return "no-chips"
    if seat_state.presence == "away":
        return "away"
    if seat_state.awaited_position:
        return _WAITING_REASONS.get(seat_state.awaited_position, "unknown")
    return "waiting-for-big-blind" if due is not None and due.deal in ("no", "if-posts") else "unknown"
