"""Acts that were corrected before anybody else acted, and acts that change nothing.

An index is the place of an event among the events of the hand as corrected.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from ledger.hand import betting, opening
from ledger.hand.acts import Act
from ledger.hand.dealing import ErrorNoticed
from ledger.text.language import translatable
from ledger.vocabulary import Seat
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


def changes_nothing(act: Act) -> bool:
    """Whether an act has no effect: no other seat holds a hand, or it is a check while nobody can bet.

    Some rooms write such checks for all-in players.
    """
    return act.live_count < 2 or (act.kind == "check" and act.bet_before >= act.bet_to_call and act.able_count < 2)


def has_board(hand: Timeline) -> bool:
    """Whether board cards show where each street begins."""
    return hand.variant is not None and any(plan.board for plan in hand.variant.streets)


def is_live_post(post: opening.Post) -> bool:
    """Whether others have to call a post."""
    if isinstance(post, opening.BlindPosted):
        return post.live > 0
    return isinstance(post, opening.BringInPosted) or (isinstance(post, opening.StraddlePosted) and post.live)


def find_returns(hand: Timeline, event_indexes: Mapping[int, int]) -> dict[Seat, list[int]]:
    """Return the indexes, ascending, at which each seat got back chips or its hand."""
    return_indexes: dict[Seat, list[int]] = {}
    for version, event in hand.of(betting.ChipsReturned, betting.HandRetrieved):
        if isinstance(event, betting.HandRetrieved) or hand.returned_chips(version, event):
            return_indexes.setdefault(event.seat, []).append(event_indexes[version])
    return return_indexes


class Repairs(NamedTuple):
    """Versions of the acts that were corrected before anybody else acted, and of the acts that corrected them."""

    repaired_versions: set[int]
    mending_versions: set[int]


def find_repairs(hand: Timeline, event_indexes: Mapping[int, int], return_indexes: Mapping[Seat, list[int]]) -> Repairs:
    """Find the acts that were corrected before anybody else acted; `return_indexes` as in `find_returns`."""
    repairs = Repairs(set(hand.undone_versions), set())
    notice_indexes = [
        event_indexes[version] for version, event in hand.of(ErrorNoticed) if event.kind in ("out-of-turn", "other")
    ]
    next_actor_index = AFTER_ALL_EVENTS
    next_act: Act | None = None
    for act in reversed(hand.acts):
        act_index = event_indexes[act.version]
        if next_act is not None and (next_act.seat, next_act.street) != (act.seat, act.street):
            next_actor_index = event_indexes[next_act.version]
        is_returned = _has_index_between(return_indexes.get(act.seat, []), act_index, next_actor_index)
        if is_returned or _has_index_between(notice_indexes, act_index, next_actor_index):
            repairs.repaired_versions.add(act.version)
        if next_act is not None and _tops_up(act, next_act):
            repairs.repaired_versions.add(act.version)
            repairs.mending_versions.add(next_act.version)
        next_act = act
    return repairs


def _has_index_between(indexes: list[int], first: int, last: int) -> bool:
    """Whether one of the ascending indexes lies between two others."""
    next_position = bisect_right(indexes, first)
    return next_position < len(indexes) and indexes[next_position] < last


def _tops_up(act: Act, next_act: Act) -> bool:
    """Whether a seat completed its own bet, raise or short call before anybody else acted."""
    if (next_act.seat, next_act.street) != (act.seat, act.street) or not next_act.amount_added:
        return False
    return act.kind in ("bet", "raise") or (act.kind == "call" and act.bet_after < act.bet_to_call)


def describe_straddle_doubt(hand: Timeline) -> str:
    """Return what a straddle leaves open about the first round; "" = nothing.

    A straddle that isn't live may be dead money, or a bet to call without an option for its poster. A sleeper that
    nobody permitted may have the option, or may act in turn as if it had called.
    """
    straddles = hand.straddles()
    if any(not post.live for _, post in straddles):
        return translatable("whether a straddle that isn't live must be called")
    if any(post.kind == "sleeper" and not _is_allowed(hand, post.seat) for _, post in straddles):
        return translatable("when a sleeper that nobody allowed acts")
    return ""


def _is_allowed(hand: Timeline, seat: Seat) -> bool:
    """Whether a seat, or everybody, was permitted a sleeper."""
    return any(granted.seat in (None, seat) for _, granted in hand.permissions("sleeper"))
