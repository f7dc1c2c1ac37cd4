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
        others = plan.posts[:index] + plan.posts[index + 1 :]
        if post.role in ENTERING:
            yield f"no {post.role}", replace(plan, posts=others)
            yield f"a double {post.role}", replace(plan, posts=(*others, replace(post, live=2 * post.live)))
            continue
        yield f"no {post.role} blind", _without(plan, post, others)
        for seat in plan.dealt:
            if seat != post.seat and all(one.seat != seat for one in others):
                moved = replace(plan, posts=(*plan.posts[:index], replace(post, seat=seat), *plan.posts[index + 1 :]))
                yield f"the {post.role} blind", _placed(moved, post.role, post.seat, seat)


def _without(plan: Plan, post: Post, posts: tuple[Post, ...]) -> Plan:
    """Leave out a blind; who has its position is still told."""
    return replace(plan, posts=posts) if posts else replace(plan, posts=(), small=None, big=post.seat)


def _placed(plan: Plan, role: str, was: int, seat: int) -> Plan:
    """Let the record tell the position of a blind where it was posted."""
    if role == "small" and plan.small == was:
        return replace(plan, small=seat)
    if role == "big" and plan.big == was:
        return replace(plan, big=seat)
    return plan


def same(plan: Plan, other: Plan) -> bool:
    """Whether two plans deal the same hand."""
    return _shown(plan) == _shown(other)


def _shown(plan: Plan) -> object:
    return plan.button, plan.dealt, sorted((post.seat, post.role, post.live, post.dead) for post in plan.posts)
