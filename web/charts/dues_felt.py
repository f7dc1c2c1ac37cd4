"""Lay out what is due on the coming hand as a drawing of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ledger import safe
from projections.amount_text import amount
from web.pages.seat_layout import lay_out_tall, lay_out_wide

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.vocabulary import Chips, Seat
    from projections.obligations.dues import Due, DuePost, Placement, SeatDue
    from projections.reports.owed_report import OccupiedSeat, OwedDocument
    from web.pages.seat_layout import Drawing

_MAX_NAME: Final = 14
_MAX_SEATS: Final = 12
"""More seats than a real table has aren't drawn: the text lists them."""


class DueSeat(NamedTuple):
    """One chair of the drawing."""

    seat: Seat
    name: str  # escaped and shortened; "" = nobody sits there
    state: str  # "plays", "posts", "waits", "unknown" or "empty"
    note: str  # under the name: the stack, or why the seat gets no cards
    marks: list[str]  # D, SB, BB, XB
    post: str  # what it posts; "" = nothing


class DuesFelt(NamedTuple):
    """The table, as one drawing for screens and one for phones."""

    chairs: list[DueSeat]
    drawings: list[Drawing]
    has_other_ways: bool  # the book allows another placement, or a choice changes it


def draw_dues(document: OwedDocument) -> DuesFelt | None:
    """Return the drawing of the first book's dues, or None if the positions are unknown."""
    due = document.due[0] if document.due else None
    if due is None or due.place is None:
        return None
    occupied_seats = {occupied.seat: occupied for occupied in document.occupied}
    marks = _list_marks(due.place)
    seats = sorted({*occupied_seats, *marks})
    if not 2 <= len(seats) <= _MAX_SEATS:
        return None
    chairs = [
        _build_chair(seat, occupied_seats.get(seat), marks.get(seat, []), due, document.unit, document.exponent)
        for seat in seats
    ]
    return DuesFelt(
        chairs, [lay_out_wide(len(seats)), lay_out_tall(len(seats))], len(due.placements) > 1 or len(due.choices) > 1
    )


def _list_marks(place: Placement) -> dict[Seat, list[str]]:
    """Return the signs of button and blinds by seat. A dead blind isn't posted, so its seat has no sign."""
    marks: dict[Seat, list[str]] = {}
    positions = {
        "D": place.button,
        "SB": None if place.small_empty else place.small,
        "BB": place.big,
        "XB": place.extra,
    }
    for mark, seat in positions.items():
        if seat is not None:
            marks.setdefault(seat, []).append(mark)
    return marks


def _build_chair(
    seat: Seat, occupied: OccupiedSeat | None, marks: list[str], due: Due, unit: str, exponent: int
) -> DueSeat:
    if occupied is None:
        return DueSeat(seat, "", "empty", "empty", marks, "")
    seat_due = due.seat(seat)
    place_posts = due.place.posts if due.place is not None else ()
    posts = [post for post in place_posts if post.seat == seat]
    entry_posts = list(seat_due.post) if seat_due is not None else []
    state, note = _describe_state(seat_due)
    stack_text = "" if occupied.stack is None else amount(occupied.stack, unit, exponent)
    return DueSeat(
        seat,
        safe.terminal(occupied.player, _MAX_NAME),
        state,
        note or stack_text,
        marks,
        _format_posts([*posts, *entry_posts], unit, exponent),
    )


def _describe_state(seat_due: SeatDue | None) -> tuple[str, str]:
    """Return a seat's state, and the words that replace its stack."""
    if seat_due is None or seat_due.deal == "open":
        return "unknown", "can't tell"
    if seat_due.deal == "no":
        return "waits", {"away": "away", "broke": "no chips"}.get(seat_due.status, "waits")
    return ("posts", "posts to play") if seat_due.deal == "if-posts" else ("plays", "")


def _format_posts(posts: Iterable[DuePost], unit: str, exponent: int) -> str:
    """Return live and dead chips, as in `$5 + $2 dead`; "?" if an amount is unknown."""
    live_chips: Chips = 0
    dead_chips: Chips = 0
    for post in posts:
        if post.live is None or post.dead is None:
            return "?"
        live_chips += post.live
        dead_chips += post.dead
    live_text = amount(live_chips, unit, exponent) if live_chips else ""
    dead_text = f"{amount(dead_chips, unit, exponent)} dead" if dead_chips else ""
    return " + ".join(filter(None, (live_text, dead_text)))
