"""Compute the posts of a hand after some went back, and after the dealer took dead money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.vocabulary import Chips, Seat

_MANY_RETURNS: Final = 64
"""With more returned posts, the posts aren't searched for each of them."""


def subtract_returned_posts(
    posts: list[tuple[int, o.Post]],
    returned: Sequence[tuple[int, o.PostReturned]],
    dead_money_events: Sequence[tuple[int, o.DeadMoneyTaken]],
    *,
    in_order: bool,
) -> list[tuple[int, o.Post]]:
    """Return the posts without returned ones, and with the dead money that was taken. `in_order`: by version."""
    if in_order and len(returned) > _MANY_RETURNS:
        posts = _Stacks(posts).remove_returned(returned)
    else:
        for version, returned_post in returned:
            posts = remove_returned(posts, version, returned_post)
    if in_order and len(dead_money_events) > _MANY_RETURNS:
        return _add_dead_money_in_order(posts, dead_money_events)
    for version, dead_money in dead_money_events:
        posts = _add_dead_money(posts, version, dead_money)
    return posts


class _Stacks:
    """The remaining posts by seat and by the role that returns them, the latest on top."""

    def __init__(self, posts: Sequence[tuple[int, o.Post]]) -> None:
        self._later_posts = iter(enumerate(posts))
        self._next: tuple[int, tuple[int, o.Post]] | None = next(self._later_posts, None)
        self._remaining_posts: list[tuple[int, o.Post | None]] = list(posts)
        self._stacks: dict[tuple[Seat, str, bool], list[int]] = {}

    def remove_returned(self, returned: Sequence[tuple[int, o.PostReturned]]) -> list[tuple[int, o.Post]]:
        """Return the posts without what went back."""
        for version, returned_post in returned:
            self._push_before(version)
            self._take(returned_post)
        return [(version, post) for version, post in self._remaining_posts if post is not None]

    def _push_before(self, version: int) -> None:
        while self._next is not None and self._next[1][0] < version:
            index, (_, post) = self._next
            for role in ("unknown", *_list_return_roles(post)):
                for dead in (False, True):
                    if _count_returnable_chips(post, dead=dead):
                        self._stacks.setdefault((post.seat, role, dead), []).append(index)
            self._next = next(self._later_posts, None)

    def _take(self, returned_post: o.PostReturned) -> None:
        remaining = returned_post.amount
        stack = self._stacks.get((returned_post.seat, returned_post.role, returned_post.dead), [])
        while stack and remaining > 0:
            version, post = self._remaining_posts[stack[-1]]
            if post is None or not _count_returnable_chips(post, dead=returned_post.dead):
                stack.pop()
                continue
            self._remaining_posts[stack[-1]], remaining = (
                (version, (reduced := _reduce_post(post, remaining, dead=returned_post.dead))[0]),
                reduced[1],
            )


def _count_returnable_chips(post: o.Post, *, dead: bool) -> Chips:
    """Return how much of a post may go back: of its dead part, or of all of it."""
    if isinstance(post, o.BlindPosted):
        return post.dead if dead else post.live + post.dead
    return post.amount if isinstance(post, o.StraddlePosted) else 0


def _add_dead_money_in_order(
    posts: list[tuple[int, o.Post]], dead_money_events: Sequence[tuple[int, o.DeadMoneyTaken]]
) -> list[tuple[int, o.Post]]:
    """Return the posts with the dead money that was taken, each part of an earlier make-up post."""
    posts_with_dead = posts.copy()
    last_makeup_index: dict[Seat, int] = {}
    numbered_posts: Iterator[tuple[int, tuple[int, o.Post]]] = iter(enumerate(posts))
    index, pair = next(numbered_posts, (-1, None))
    for version, dead_money in dead_money_events:
        while pair is not None and pair[0] <= version:
            if isinstance(pair[1], o.BlindPosted) and pair[1].role.startswith("makeup"):
                last_makeup_index[pair[1].seat] = index
            index, pair = next(numbered_posts, (-1, None))
        if dead_money.seat in last_makeup_index:
            post_version, post = posts_with_dead[last_makeup_index[dead_money.seat]]
            assert isinstance(post, o.BlindPosted)  # noqa: S101 - only such are in `last`
            posts_with_dead[last_makeup_index[dead_money.seat]] = (
                post_version,
                msgspec.structs.replace(post, dead=post.dead + dead_money.amount),
            )
    return posts_with_dead


def convert_returned_chips(event: o.PostReturned | b.ChipsReturned) -> o.PostReturned | None:
    """Return chips that went back before the first act as a returned post, or None for change."""
    if isinstance(event, o.PostReturned):
        return event
    if event.reason == "change":
        return None
    return o.PostReturned(event.seat, event.amount, "straddle" if event.reason == "straddle" else "unknown")


def remove_returned(
    posts: list[tuple[int, o.Post]], return_version: int, returned_post: o.PostReturned
) -> list[tuple[int, o.Post]]:
    """Return the posts without what went back: from the seat's last post of that role, or of any if none is named."""
    remaining, kept_posts = returned_post.amount, []
    for version, post in reversed(posts):
        kept_post: o.Post | None = post
        if (
            remaining > 0
            and version < return_version
            and post.seat == returned_post.seat
            and returned_post.role in ("unknown", *_list_return_roles(post))
        ):
            kept_post, remaining = _reduce_post(post, remaining, dead=returned_post.dead)
        if kept_post is not None:
            kept_posts.append((version, kept_post))
    return kept_posts[::-1]


def _reduce_post(post: o.Post, amount: Chips, *, dead: bool) -> tuple[o.Post | None, Chips]:
    """Return the rest of a post after an amount went back, and the rest of the amount. `dead`: dead chips."""
    if isinstance(post, o.BlindPosted):
        from_live = 0 if dead else min(amount, post.live)
        from_dead = min(amount - from_live, post.dead)
        reduced_post = msgspec.structs.replace(
            post, live=post.live - from_live, dead=post.dead - from_dead, all_in=None
        )
        return (reduced_post if reduced_post.live or reduced_post.dead else None), amount - from_live - from_dead
    if isinstance(post, o.StraddlePosted):
        kept_amount = max(post.amount - amount, 0)
        remaining = amount - (post.amount - kept_amount)
        return (msgspec.structs.replace(post, amount=kept_amount, all_in=None) if kept_amount else None), remaining
    return post, amount


def _add_dead_money(
    posts: list[tuple[int, o.Post]], taken_version: int, dead_money: o.DeadMoneyTaken
) -> list[tuple[int, o.Post]]:
    """Return the posts with dead money added as the dead part of the seat's make-up post."""
    for index in range(len(posts) - 1, -1, -1):
        version, post = posts[index]
        if version > taken_version or post.seat != dead_money.seat or not isinstance(post, o.BlindPosted):
            continue
        if post.role.startswith("makeup"):
            increased_post = msgspec.structs.replace(post, dead=post.dead + dead_money.amount)
            return [*posts[:index], (version, increased_post), *posts[index + 1 :]]
    return posts


def _list_return_roles(post: o.Post) -> tuple[str, ...]:
    """Return the roles under which a post goes back."""
    if isinstance(post, o.BlindPosted):
        return (post.role, "makeup") if post.role.startswith("makeup") else (post.role,)
    return ("straddle",) if isinstance(post, o.StraddlePosted) else ()
