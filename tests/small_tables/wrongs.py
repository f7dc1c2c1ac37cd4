"""One wrong in a hand that was offered: a position or a blind in another seat, a post left out, or doubled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.small_tables.dealing import Plan, Post
from tests.small_tables.laws import ENTERING


def wrongs(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """Yield plans that differ from one in one thing, each with what it is."""
    for seat in plan.dealt if plan.button is not None else ():  # where it is open, nobody can say that it is wrong
        if seat != plan.button:
            yield "the button", replace(plan, button=seat)
    for index, post in enumerate(plan.posts):
        other_posts = plan.posts[:index] + plan.posts[index + 1 :]
        if post.role in ENTERING:
            yield f"no {post.role}", replace(plan, posts=other_posts)
            yield f"a double {post.role}", replace(plan, posts=(*other_posts, replace(post, live=2 * post.live)))
            continue
        yield f"no {post.role} blind", _remove_post(plan, post, other_posts)
        for seat in plan.dealt:
            if seat != post.seat and all(other_post.seat != seat for other_post in other_posts):
                moved = replace(plan, posts=(*plan.posts[:index], replace(post, seat=seat), *plan.posts[index + 1 :]))
                yield f"the {post.role} blind", _place_blind(moved, post.role, post.seat, seat)


def _remove_post(plan: Plan, post: Post, posts: tuple[Post, ...]) -> Plan:
    """Leave out a blind; who has its position is still told."""
    return replace(plan, posts=posts) if posts else replace(plan, posts=(), small=None, big=post.seat)


def _place_blind(plan: Plan, role: str, was: int, seat: int) -> Plan:
    """Let the record tell the position of a blind where it was posted."""
    if role == "small" and plan.small == was:
        return replace(plan, small=seat)
    if role == "big" and plan.big == was:
        return replace(plan, big=seat)
    return plan


def deals_same(plan: Plan, other_plan: Plan) -> bool:
    """Whether two plans deal the same hand."""
    return _comparable(plan) == _comparable(other_plan)


def _comparable(plan: Plan) -> object:
    return plan.button, plan.dealt, sorted((post.seat, post.role, post.live, post.dead) for post in plan.posts)
