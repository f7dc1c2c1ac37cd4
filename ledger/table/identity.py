"""Decide whether two accounts with one number at one table describe the same hand, since numbers restart.

Only `HandPlayed` events are needed. Accounts that contradict each other are of different hands. If both are possible,
the answer is "doubtful".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, PlayerId, Seat

Identity: TypeAlias = Literal["same", "other", "doubtful"]

MAX_ZONE_ERROR: Final = 12 * 60 * 60 * 1000
"""Milliseconds. A clock that is set to another zone is off by at most this much, and no night is longer."""

MAX_CLOCK_ERROR: Final = 20 * 60 * 60 * 1000
"""Milliseconds. Starts on clocks with an unknown zone differ by more if they are on different days."""

MAX_SAME_START: Final = 5 * 60 * 1000
"""Milliseconds. Two people who write down the start of one hand differ by at most this much."""


class AccountComparison(NamedTuple):
    """The number of agreements and differences between two accounts."""

    agreements: int
    differences: int
    same_players: int  # seats in which the same player sat
    strangers: int  # seats in which another player sat, or none
    stacks: int  # seats with the same stack before the hand
    other_stacks: int
    has_same_outcome: bool  # all stacks after the hand are known and the same


def compare_accounts(a: HandPlayed, b: HandPlayed) -> AccountComparison:
    """Count the agreements and differences of two accounts."""
    seats_a, seats_b = _list_seat_entries(a), _list_seat_entries(b)
    same_players = sum(seats_b.get(seat, ("",))[0] == seat_entry[0] for seat, seat_entry in seats_a.items())
    strangers = len(seats_a.keys() | seats_b.keys()) - same_players if seats_a and seats_b else 0
    stacks, outcomes = _NOTHING_COMPARED, _NOTHING_COMPARED
    if (a.unit, a.exponent) == (b.unit, b.exponent):
        shared_entries = [(seats_a[seat], seats_b[seat]) for seat in seats_a.keys() & seats_b.keys()]
        stacks = _compare_values((entry_a[1], entry_b[1]) for entry_a, entry_b in shared_entries)
        outcomes = _compare_values((entry_a[2], entry_b[2]) for entry_a, entry_b in shared_entries)
    game = _compare_values(
        (
            (a.button, b.button),
            (a.blinds or None, b.blinds or None),
            ((a.variant, a.betting) if a.variant else None, (b.variant, b.betting) if b.variant else None),
        )
    )
    return AccountComparison(
        agreements=same_players + stacks.same + game.same,
        differences=strangers + stacks.other + game.other,
        same_players=same_players,
        strangers=strangers,
        stacks=stacks.same,
        other_stacks=stacks.other,
        has_same_outcome=outcomes.same > 0 and not outcomes.other and outcomes.same == len(a.dealt_in),
    )


class _ValueCounts(NamedTuple):
    """The number of equal and of different values in two accounts."""

    same: int
    other: int


_NOTHING_COMPARED: Final = _ValueCounts(0, 0)


def _compare_values(pairs: Iterable[tuple[object, object]]) -> _ValueCounts:
    """Compare the values that both accounts know; None is unknown."""
    are_same = [value_a == value_b for value_a, value_b in pairs if value_a is not None and value_b is not None]
    return _ValueCounts(are_same.count(True), are_same.count(False))


def decide_identity(a: HandPlayed, b: HandPlayed) -> Identity:
    """Return whether `a` and `b`, with one number at one table, are accounts of one hand.

    A void deal and its redeal in one source must be checked first (`is_redeal`).
    """
    comparison = compare_accounts(a, b)
    start_distance = _compute_start_distance(a, b)
    if are_days_apart(a, b):
        is_complete_match = not comparison.differences and comparison.has_same_outcome
        return "doubtful" if is_complete_match else "other"  # only the date may be wrong
    if not (a.dealt_in and b.dealt_in):
        return "same"  # too little is recorded to contradict it
    if start_distance is not None and start_distance <= MAX_SAME_START:
        return "same" if comparison.same_players or comparison.stacks else "doubtful"
    if a.voided != b.voided and "" in (a.voided, b.voided) and not comparison.strangers:
        return "same"
    return _decide_by_players(comparison)


def is_redeal(a: HandPlayed, b: HandPlayed) -> bool:
    """Return whether `b` is the deal after `a`, which was voided and had the same number.

    Both must come from one source, `a` first: another source may record a deal differently.
    """
    if not a.voided or b.voided:
        return False
    return a.started is None or b.started is None or a.started < b.started


def _decide_by_players(comparison: AccountComparison) -> Identity:
    """Decide by players, seats and stacks, where times don't help."""
    if not comparison.same_players:  # a source may use other names, but hardly other stacks
        are_players_renamed = comparison.stacks >= 2 and not comparison.other_stacks
        return "same" if are_players_renamed else "other"
    if comparison.differences <= 1:
        return "same"  # one slip of the pen
    are_stacks_changed = comparison.other_stacks >= 3 and comparison.stacks * 4 <= comparison.other_stacks
    if are_stacks_changed or comparison.differences >= comparison.agreements:
        return "other"
    return "doubtful"


def rests_on_stacks_alone(a: HandPlayed, b: HandPlayed) -> bool:
    """Return whether only numbers, players and stacks make them one hand. Another night may begin the same way."""
    start_distance = _compute_start_distance(a, b)
    return (start_distance is None or start_distance > MAX_SAME_START) and not compare_accounts(a, b).has_same_outcome


def do_positions_differ(a: HandPlayed, b: HandPlayed) -> bool | None:
    """Return whether button, players or blinds differ, or None if none of them can be compared."""
    players_a, players_b = ({dealt_in.seat: dealt_in.player for dealt_in in hand.dealt_in} for hand in (a, b))
    known_by_name = any(players_b.get(seat) == player for seat, player in players_a.items())
    seating: tuple[object, object] = (players_a or None, players_b or None)
    if not known_by_name:
        seating = sorted(players_a) or None, sorted(players_b) or None
    counts = _compare_values(
        (
            (a.button, b.button),
            (_list_posted_blinds(a) or None, _list_posted_blinds(b) or None),
            (a.blinds or None, b.blinds or None),
            seating,
        )
    )
    return counts.other > 0 if sum(counts) else None


def has_own_stacks(a: HandPlayed, b: HandPlayed) -> bool:
    """Return whether all stacks before the hand agree, and aren't the same for all players."""
    comparison = compare_accounts(a, b)
    stacks = {dealt_in.before for dealt_in in a.dealt_in if dealt_in.before is not None}
    return comparison.stacks > 1 and not comparison.other_stacks and len(stacks) > 1


def _list_posted_blinds(hand: HandPlayed) -> set[tuple[str, Seat]]:
    return {(post.role, post.seat) for post in hand.posts if post.role in ("small", "big")}


def _compute_start_distance(a: HandPlayed, b: HandPlayed) -> int | None:
    """Return the time between two starts, or None. Two clocks of unknown zones are comparable."""
    if a.started is not None and b.started is not None:
        return abs(a.started - b.started)
    if a.started is None and b.started is None and a.clock is not None and b.clock is not None:
        return abs(a.clock - b.clock)
    return None


def are_days_apart(a: HandPlayed, b: HandPlayed) -> bool:
    """Return whether two starts are too far apart for a wrong time zone."""
    if a.started is not None and b.started is not None:
        return abs(a.started - b.started) > MAX_ZONE_ERROR
    moments = [hand.clock if hand.started is None else hand.started for hand in (a, b)]
    moment_a, moment_b = moments
    return moment_a is not None and moment_b is not None and abs(moment_a - moment_b) > MAX_CLOCK_ERROR


def _list_seat_entries(hand: HandPlayed) -> dict[Seat, tuple[PlayerId, Chips | None, Chips | None]]:
    """Return the player of each seat, with the stack before and after the hand."""
    left_out_entries = {seat_entry.seat: (seat_entry.player, seat_entry.stack, None) for seat_entry in hand.left_out}
    return left_out_entries | {
        seat_entry.seat: (seat_entry.player, seat_entry.before, seat_entry.after) for seat_entry in hand.dealt_in
    }
