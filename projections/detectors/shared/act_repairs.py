"""Which acts of a hand were put right, and which change nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.acts import Act
from ledger.hand.dealing import ErrorNoticed
from ledger.vocabulary import Seat
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


def changes_nothing(act: Act) -> bool:
    """Whether nobody else holds a hand, or an act is a check where nobody can bet: rooms write some for all-in players."""
    return act.hands < 2 or (act.kind == "check" and act.before >= act.level and act.count_able < 2)


def has_board(hand: Timeline) -> bool:
    """Whether board cards show where each street begins."""
    return hand.variant is not None and any(plan.board for plan in hand.variant.streets)


def is_live_post(post: o.Post) -> bool:
    """Whether others have to call a post."""
    if isinstance(post, o.BlindPosted):
        return post.live > 0
    return isinstance(post, o.BringInPosted) or (isinstance(post, o.StraddlePosted) and post.live)


def find_returns(hand: Timeline, event_order: Mapping[int, int]) -> dict[Seat, list[int]]:
    """Return at what places chips or a hand went back to each seat, by ruling or as a correction."""
    returns: dict[Seat, list[int]] = {}
    for version, event in hand.of(b.ChipsReturned, b.HandRetrieved):
        if isinstance(event, b.HandRetrieved) or hand.returned_chips(version, event):
            returns.setdefault(event.seat, []).append(event_order[version])
    return returns


def find_repairs(
    hand: Timeline, event_order: Mapping[int, int], returns: Mapping[Seat, list[int]]
) -> tuple[set[int], set[int]]:
    """Return the acts that were put right before anybody else acted, and the acts that did it."""
    repaired, mending = set(hand.undone_versions), set()
    notices = [
        event_order[version] for version, event in hand.of(ErrorNoticed) if event.kind in ("out-of-turn", "other")
    ]
    next_actor_place = AFTER_ALL_EVENTS
    next_act: Act | None = None
    for act in reversed(hand.acts):
        place = event_order[act.version]
        if next_act is not None and (next_act.seat, next_act.street) != (act.seat, act.street):
            next_actor_place = event_order[next_act.version]
        if _has_place_between(returns.get(act.seat, []), place, next_actor_place) or _has_place_between(
            notices, place, next_actor_place
        ):
            repaired.add(act.version)
        if next_act is not None and _tops_up(act, next_act):
            repaired.add(act.version)
            mending.add(next_act.version)
        next_act = act
    return repaired, mending


def _has_place_between(places: list[int], first: int, last: int) -> bool:
    """Whether one of some ascending places lies between two."""
    index = bisect_right(places, first)
    return index < len(places) and places[index] < last


def _tops_up(act: Act, next_act: Act) -> bool:
    """Whether a seat put in the rest of what it bet before anybody else acted."""
    if (next_act.seat, next_act.street) != (act.seat, act.street) or not next_act.added:
        return False
    return act.kind in ("bet", "raise") or (act.kind == "call" and act.to < act.level)


def straddle_doubt(hand: Timeline) -> str:
    """Say what a straddle leaves open about the first round; "" = nothing.

    A straddle that isn't live may be dead money, or a bet that all must call and whose poster has no option. A sleeper
    out of its place that nobody allowed may have the last word, or act in its turn like a call.
    """
    straddles = hand.straddles()
    if any(not post.live for _, post in straddles):
        return "whether a straddle that isn't live must be called"
    if any(post.kind == "sleeper" and not _is_allowed(hand, post.seat) for _, post in straddles):
        return "when a sleeper that nobody allowed acts"
    return ""


def _is_allowed(hand: Timeline, seat: Seat) -> bool:
    return any(granted.seat in (None, seat) for _, granted in hand.permissions("sleeper"))
