"""Make-up posts, as the roles of a hand's posts show them without the hands before."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Chips, Seat, Witness
from projections.findings.finding import NO_OCCASION, Answer, CannotTell
from projections.table_walk.table_context import TableContext
from projections.timeline.chip_flows import Money, build_post_flow
from projections.timeline.hand_timeline import Timeline

MAKEUP_ROLES: Final = ("makeup", "makeup-small", "makeup-big")


def list_makeups(hand: Timeline) -> dict[Seat, list[tuple[int, BlindPosted]]]:
    """Return the make-up posts of each seat, with their versions."""
    posts_by_seat: dict[Seat, list[tuple[int, BlindPosted]]] = {}
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role in MAKEUP_ROLES:
            posts_by_seat.setdefault(post.seat, []).append((version, post))
    return posts_by_seat


def has_known_debts(hand: Timeline, context: TableContext) -> bool:
    """Whether the record shows, by markers if not by hands, what every seat that makes up blinds had missed."""
    dues = [context.find_seat_due(seat) for seat in list_makeups(hand)]
    return bool(dues) and all(
        due is not None and due.missed and not due.possible_posts and due.status == "owing" for due in dues
    )


def explain_all_blinds_option(hand: Timeline, required: bool | None) -> Answer | None:
    """Return why a clause that depends on the all-blinds option doesn't judge this hand; None = it does."""
    if required is None:
        return None
    option = hand.option("makeup-option")
    if option is None and not hand.is_witnessed(Witness.HOUSE_OPTIONS):
        return CannotTell("house-option makeup-option")
    return NO_OCCASION if bool(option) != required else None


def compute_money_for_wrong_sum(hand: Timeline, seat: Seat, paid: Chips, due: Chips) -> Money:
    """Return the chips that a wrong make-up sum moved; the difference is in the dead part."""
    live_chips = sum(post.live for _, post in list_makeups(hand)[seat])
    live_due = min(live_chips, due)
    return build_post_flow(hand, {seat: (live_due, due - live_due)}) if paid != due else ()


def has_acted(hand: Timeline, seat: Seat, acted_with: str, end_version: int) -> bool:
    """Whether a seat acted before an event; with `acted_with="chips"`, only acts that put chips in count."""
    return any(
        act.seat == seat and act.version < end_version and (act.amount_added > 0 or acted_with == "anything")
        for act in hand.acts
    )
