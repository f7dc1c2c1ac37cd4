"""What `due` offers on the coming hand: each way to deal it that some reading of it allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from ledger.hand.opening import NotDealtIn
from projections.obligations.dues import Choice, Due, DuePost, Placement, SeatDue
from tests.evenings.ring import clockwise, next_seat, strictly
from tests.small_tables.dealing import Plan, Post


def offers(due: Due, away: Mapping[int, NotDealtIn]) -> list[Plan]:
    """Return the plans of a hand, the simplest first; `away` are the seats that get no cards whatever is offered."""
    plans: dict[Plan, None] = {}
    choices = list(due.choices or _free_choices(due, away))
    judged_choices = {
        (option.posting, option.playing) for option in choices if any(place.judged for place in option.placements)
    }
    for choice in choices:  # readings may differ in who is dealt in: those of one entry are settled together
        is_judged = (choice.posting, choice.playing) in judged_choices
        for place in choice.placements:
            posts = [_post(post) for post in (*place.posts, *choice.post)]
            if (is_judged and not place.judged) or place.opener is None or None in posts or len(place.dealt) < 2:
                continue
            dealt = tuple(sorted({*place.dealt, *choice.posting}))
            plan = _plan(due, place, dealt, tuple(post for post in posts if post is not None), away)
            plans.setdefault(replace(plan, choices=len(choice.posting) + len(choice.waiting)))
    return sorted(plans, key=lambda plan: plan.choices)


def _free_choices(due: Due, away: Mapping[int, NotDealtIn]) -> Iterator[Choice]:
    """Yield who may post, where that changes no position."""
    if not due.placements:
        return
    joiners = [joiner for joiner in due.seats if joiner.deal == "if-posts" and joiner.post]
    joiners = [joiner for joiner in joiners if joiner.seat not in due.dealt and joiner.seat not in away]
    for index in range(len(joiners) + 1):
        for chosen in combinations(joiners, index):
            posting = tuple(joiner.seat for joiner in chosen)
            posts = tuple(post for joiner in chosen for post in joiner.post)
            dealt = tuple(sorted({*due.dealt, *posting}))
            yield Choice(posting, (), (), dealt, due.placements, posts)


def _plan(
    due: Due, place: Placement, dealt: tuple[int, ...], posts: tuple[Post, ...], away: Mapping[int, NotDealtIn]
) -> Plan:
    assert place.opener is not None
    out = {seat.seat: _reason(seat, place, away) for seat in due.seats if seat.seat not in dealt}
    furthest = clockwise(place.opener, place.dealt)[-2]  # who sits before who opens
    opener = place.opener if len(dealt) == 2 else next_seat(furthest, dealt)
    return Plan(
        place.button,
        place.small,
        place.big,
        dealt,
        posts,
        opener,
        tuple(sorted(out.items())),
        place.judged and not place.doubtful,
        method=place.method,
        extra=place.extra,
    )


def _post(post: DuePost) -> Post | None:
    if post.live is None or post.dead is None:
        return None
    return Post(post.seat, post.role, post.live, post.dead)


def _reason(seat_due: SeatDue, place: Placement, away: Mapping[int, NotDealtIn]) -> NotDealtIn:
    if seat_due.seat in away:
        return away[seat_due.seat]
    button, big = place.button, place.big
    is_ahead = (
        button is not None
        and big not in (None, button)
        and (seat_due.seat == button or strictly(button, seat_due.seat, big or 0))
    )
    return "between-button-and-blinds" if is_ahead else "waiting-for-big-blind"
