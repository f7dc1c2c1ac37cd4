"""Whether two accounts with one number at one table are of one hand: numbers restart.

Decided from what a table remembers of each, so that it can be asked wherever a `HandPlayed` is.
Nothing is one hand that something in it excludes, and what can be read both ways is doubtful.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, PlayerId, Seat

Identity: TypeAlias = Literal["same", "other", "doubtful"]

MAX_ZONE_ERROR: Final = 12 * 60 * 60 * 1000
"""Milliseconds: no clock that is merely set to another zone is wrong by more, and no night is longer."""

MAX_CLOCK_ERROR: Final = 20 * 60 * 60 * 1000
"""Milliseconds by which clocks differ on two days, where the zone of one is not known: two rooms' clocks differ less."""

MAX_SAME_START: Final = 5 * 60 * 1000
"""Milliseconds by which two people who write down the start of one hand may differ."""


class AccountComparison(NamedTuple):
    """What two accounts have in common and what not, counted."""

    agree: int
    differ: int
    people: int  # seats in which the same player sat
    strangers: int  # seats in which another player sat, or none
    stacks: int  # seats with the same stack before the hand
    other_stacks: int
    outcome: bool  # all stacks after the hand are known and the same


def compare_accounts(a: HandPlayed, b: HandPlayed) -> AccountComparison:
    """Count what agrees and what differs in the accounts `a` and `b`."""
    mine, theirs = _seats(a), _seats(b)
    people = sum(theirs.get(seat, ("",))[0] == held[0] for seat, held in mine.items())
    strangers = len(mine.keys() | theirs.keys()) - people if mine and theirs else 0
    stacks = other_stacks = outcome = compared_outcomes = 0
    if (a.unit, a.exponent) == (b.unit, b.exponent):
        both = [(mine[seat], theirs[seat]) for seat in mine.keys() & theirs.keys()]
        known = [(x[1], y[1]) for x, y in both if None not in (x[1], y[1])]
        stacks = sum(x == y for x, y in known)
        other_stacks = len(known) - stacks
        ends = [(x[2], y[2]) for x, y in both if None not in (x[2], y[2])]
        compared_outcomes, outcome = len(ends), sum(x == y for x, y in ends)
    agree, differ = people + stacks, strangers + other_stacks
    for one, other in (
        (a.button, b.button),
        (a.blinds or None, b.blinds or None),
        ((a.variant, a.betting) if a.variant else None, (b.variant, b.betting) if b.variant else None),
    ):
        if one is not None and other is not None:
            agree += one == other
            differ += one != other
    ended = compared_outcomes > 0 and outcome == compared_outcomes == len(a.dealt_in)
    return AccountComparison(agree, differ, people, strangers, stacks, other_stacks, ended)


def decide_identity(a: HandPlayed, b: HandPlayed) -> Identity:
    """Tell whether `a` and `b`, which have one number at one table, are accounts of one hand.

    What one source tells of a void deal and of the deal after it is another thing (`is_redeal`).
    """
    found = compare_accounts(a, b)
    apart = _apart(a, b)
    if are_days_apart(a, b):
        whole = not found.differ and found.outcome
        return "doubtful" if whole else "other"  # only the date may be wrong
    if not (a.dealt_in and b.dealt_in):
        return "same"  # it says so little that nothing is excluded
    if apart is not None and apart <= MAX_SAME_START:
        return "same" if found.people or found.stacks else "doubtful"
    if a.voided != b.voided and "" in (a.voided, b.voided) and not found.strangers:
        return "same"
    return _by_people(found)


def is_redeal(a: HandPlayed, b: HandPlayed) -> bool:
    """Tell whether `b` is the deal that was made after `a`, of the same number, had been voided.

    To be asked of what one source tells, `a` first: another source may tell one deal otherwise.
    """
    if not a.voided or b.voided:
        return False
    return a.started is None or b.started is None or a.started < b.started


def _by_people(found: AccountComparison) -> Identity:
    """Decide by who sat where with how much, where no clock helps."""
    if not found.people:  # a source may know people under other names, hardly with other stacks
        renamed = found.stacks >= 2 and not found.other_stacks
        return "same" if renamed else "other"
    if found.differ <= 1:
        return "same"  # one slip of a pen
    changed = found.other_stacks >= 3 and found.stacks * 4 <= found.other_stacks
    if changed or found.differ >= found.agree:
        return "other"
    return "doubtful"


def rests_on_stacks_alone(a: HandPlayed, b: HandPlayed) -> bool:
    """Tell whether only the numbers, players and stacks make them one hand: another night may begin so."""
    apart = _apart(a, b)
    return (apart is None or apart > MAX_SAME_START) and not compare_accounts(a, b).outcome


def do_positions_differ(a: HandPlayed, b: HandPlayed) -> bool | None:
    """Tell whether button, players or blinds of two accounts differ; None where none of them can be compared."""
    mine, theirs = ({one.seat: one.player for one in hand.dealt_in} for hand in (a, b))
    known_by_name = any(theirs.get(seat) == player for seat, player in mine.items())
    compared_pairs: tuple[tuple[object, object], ...] = (
        (a.button, b.button),
        (_blinds_posted(a) or None, _blinds_posted(b) or None),
        (a.blinds or None, b.blinds or None),
        (mine or None, theirs or None) if known_by_name else (sorted(mine) or None, sorted(theirs) or None),
    )
    found = [one != other for one, other in compared_pairs if one is not None and other is not None]
    return any(found) if found else None


def has_own_stacks(a: HandPlayed, b: HandPlayed) -> bool:
    """Tell whether all stacks before the hand are the same in both accounts, and not the same for all players."""
    found = compare_accounts(a, b)
    stacks = {one.before for one in a.dealt_in if one.before is not None}
    return found.stacks > 1 and not found.other_stacks and len(stacks) > 1


def _blinds_posted(hand: HandPlayed) -> set[tuple[str, Seat]]:
    return {(post.role, post.seat) for post in hand.posts if post.role in ("small", "big")}


def _apart(a: HandPlayed, b: HandPlayed) -> int | None:
    """Return how far apart two hands began; of hands on clocks of unknown zones, if both are."""
    if a.started is not None and b.started is not None:
        return abs(a.started - b.started)
    if a.started is None and b.started is None and a.clock is not None and b.clock is not None:
        return abs(a.clock - b.clock)
    return None


def are_days_apart(a: HandPlayed, b: HandPlayed) -> bool:
    """Tell whether two hands began so far apart that no wrong zone explains it."""
    if a.started is not None and b.started is not None:
        return abs(a.started - b.started) > MAX_ZONE_ERROR
    moments = [hand.clock if hand.started is None else hand.started for hand in (a, b)]
    one, other = moments
    return one is not None and other is not None and abs(one - other) > MAX_CLOCK_ERROR


def _seats(hand: HandPlayed) -> dict[Seat, tuple[PlayerId, Chips | None, Chips | None]]:
    """Return who sat where, with the stack before the hand and after it."""
    left = {one.seat: (one.player, one.stack, None) for one in hand.left_out}
    return left | {one.seat: (one.player, one.before, one.after) for one in hand.dealt_in}
