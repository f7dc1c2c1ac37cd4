"""Posts that are told to be made up, where the record alone tells them: by what they are called."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Chips, Seat, Witness
from projections.findings.finding import NO_OCCASION, Answer, CannotTell
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money, posted
from projections.timeline.hand_timeline import Timeline

MAKEUP: Final = ("makeup", "makeup-small", "makeup-big")


def made_up(hand: Timeline) -> dict[Seat, list[tuple[int, BlindPosted]]]:
    """Return the posts that are told to be made up, by seat."""
    seats: dict[Seat, list[tuple[int, BlindPosted]]] = {}
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role in MAKEUP:
            seats.setdefault(post.seat, []).append((version, post))
    return seats


def debts_known(hand: Timeline, context: TableContext) -> bool:
    """Whether it is told what everybody who makes up had missed, though nothing before is: by markers."""
    dues = [context.seat(seat) for seat in made_up(hand)]
    return bool(dues) and all(
        due is not None and due.missed and not due.either and due.standing == "owing" for due in dues
    )


def option_differs(hand: Timeline, wanted: bool | None) -> Answer | None:
    """Return why a clause that hangs on the all-blinds option does not judge this hand."""
    if wanted is None:
        return None
    option = hand.option("makeup-option")
    if option is None and not hand.witnessed(Witness.HOUSE_OPTIONS):
        return CannotTell("house-option makeup-option")
    return NO_OCCASION if bool(option) != wanted else None


def differing(hand: Timeline, seat: Seat, paid: Chips, due: Chips) -> Money:
    """Return what it moved that a sum was made up and not the one that was due: the dead part differs."""
    alive = sum(post.live for _, post in made_up(hand)[seat])
    minimum = min(alive, due)
    return posted(hand, {seat: (minimum, due - minimum)}) if paid != due else ()


def acted(hand: Timeline, seat: Seat, acted_with: str, before: int) -> bool:
    """Whether a seat acted before an event: at all, or (`chips`) by putting chips in."""
    return any(
        act.seat == seat and act.version < before and (act.added > 0 or acted_with == "anything") for act in hand.acts
    )
