"""What is left of a hand's posts once some of them went back, and once the dealer took dead money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.vocabulary import Chips, Seat

_MANY: Final = 64
"""Returned posts from which on the posts are not read through for each."""


def posts_left(
    posts: list[tuple[int, o.Post]],
    returned: Sequence[tuple[int, o.PostReturned]],
    taken: Sequence[tuple[int, o.DeadMoneyTaken]],
    *,
    in_order: bool,
) -> list[tuple[int, o.Post]]:
    """Return the posts without what went back, with the dead money that was taken. `in_order`: by their versions."""
    if in_order and len(returned) > _MANY:
        posts = _Stacks(posts).without(returned)
    else:
        for version, back in returned:
            posts = without(posts, version, back)
    if in_order and len(taken) > _MANY:
        return _with_dead_in_order(posts, taken)
    for version, dead in taken:
        posts = _with_dead(posts, version, dead)
    return posts


class _Stacks:
    """Posts that are still there, by seat and by the word with which they go back, the latest on top."""

    def __init__(self, posts: Sequence[tuple[int, o.Post]]) -> None:
        self._coming = iter(enumerate(posts))
        self._next: tuple[int, tuple[int, o.Post]] | None = next(self._coming, None)
        self._left: list[tuple[int, o.Post | None]] = list(posts)
        self._stacks: dict[tuple[Seat, str, bool], list[int]] = {}

    def without(self, returned: Sequence[tuple[int, o.PostReturned]]) -> list[tuple[int, o.Post]]:
        """Return the posts without what went back."""
        for version, back in returned:
            self._push_before(version)
            self._take(back)
        return [(version, post) for version, post in self._left if post is not None]

    def _push_before(self, version: int) -> None:
        while self._next is not None and self._next[1][0] < version:
            index, (_, post) = self._next
            for word in ("unknown", *_returned_as(post)):
                for dead in (False, True):
                    if _part(post, dead=dead):
                        self._stacks.setdefault((post.seat, word, dead), []).append(index)
            self._next = next(self._coming, None)

    def _take(self, back: o.PostReturned) -> None:
        left = back.amount
        stack = self._stacks.get((back.seat, back.role, back.dead), [])
        while stack and left > 0:
            version, post = self._left[stack[-1]]
            if post is None or not _part(post, dead=back.dead):
                stack.pop()
                continue
            self._left[stack[-1]], left = (version, (rest := _rest(post, left, dead=back.dead))[0]), rest[1]


def _part(post: o.Post, *, dead: bool) -> Chips:
    """Return how much of a post may go back: of its dead part, or of all of it."""
    if isinstance(post, o.BlindPosted):
        return post.dead if dead else post.live + post.dead
    return post.amount if isinstance(post, o.StraddlePosted) else 0


def _with_dead_in_order(
    posts: list[tuple[int, o.Post]], taken: Sequence[tuple[int, o.DeadMoneyTaken]]
) -> list[tuple[int, o.Post]]:
    """Return the posts with dead money that was taken, each of a make-up post that came before it."""
    found = posts.copy()
    last: dict[Seat, int] = {}
    coming: Iterator[tuple[int, tuple[int, o.Post]]] = iter(enumerate(posts))
    index, pair = next(coming, (-1, None))
    for version, dead in taken:
        while pair is not None and pair[0] <= version:
            if isinstance(pair[1], o.BlindPosted) and pair[1].role.startswith("makeup"):
                last[pair[1].seat] = index
            index, pair = next(coming, (-1, None))
        if dead.seat in last:
            at, post = found[last[dead.seat]]
            assert isinstance(post, o.BlindPosted)  # noqa: S101 - only such are in `last`
            found[last[dead.seat]] = at, msgspec.structs.replace(post, dead=post.dead + dead.amount)
    return found


def as_post(event: o.PostReturned | b.ChipsReturned) -> o.PostReturned | None:
    """Return what goes back before the first act as a post; None: it is change, which never was one."""
    if isinstance(event, o.PostReturned):
        return event
    if event.reason == "change":
        return None
    return o.PostReturned(event.seat, event.amount, "straddle" if event.reason == "straddle" else "unknown")


def without(posts: list[tuple[int, o.Post]], before: int, back: o.PostReturned) -> list[tuple[int, o.Post]]:
    """Return the posts without what went back: of the seat's last post of that role, or of any if none is told."""
    left, kept = back.amount, []
    for version, post in reversed(posts):
        one: o.Post | None = post
        if left > 0 and version < before and post.seat == back.seat and back.role in ("unknown", *_returned_as(post)):
            one, left = _rest(post, left, dead=back.dead)
        if one is not None:
            kept.append((version, one))
    return kept[::-1]


def _rest(post: o.Post, amount: Chips, *, dead: bool) -> tuple[o.Post | None, Chips]:
    """Return what is left of a post once an amount went back, and what of the amount is left then. `dead`: dead chips."""
    if isinstance(post, o.BlindPosted):
        from_live = 0 if dead else min(amount, post.live)
        from_dead = min(amount - from_live, post.dead)
        rest = msgspec.structs.replace(post, live=post.live - from_live, dead=post.dead - from_dead, all_in=None)
        return (rest if rest.live or rest.dead else None), amount - from_live - from_dead
    if isinstance(post, o.StraddlePosted):
        kept = max(post.amount - amount, 0)
        left = amount - (post.amount - kept)
        return (msgspec.structs.replace(post, amount=kept, all_in=None) if kept else None), left
    return post, amount


def _with_dead(posts: list[tuple[int, o.Post]], before: int, taken: o.DeadMoneyTaken) -> list[tuple[int, o.Post]]:
    """Return the posts with dead money that the dealer took as the dead part of what its seat makes up."""
    for at in range(len(posts) - 1, -1, -1):
        version, post = posts[at]
        if version > before or post.seat != taken.seat or not isinstance(post, o.BlindPosted):
            continue
        if post.role.startswith("makeup"):
            whole = msgspec.structs.replace(post, dead=post.dead + taken.amount)
            return [*posts[:at], (version, whole), *posts[at + 1 :]]
    return posts


def _returned_as(post: o.Post) -> tuple[str, ...]:
    """Return the words by which a post goes back."""
    if isinstance(post, o.BlindPosted):
        return (post.role, "makeup") if post.role.startswith("makeup") else (post.role,)
    return ("straddle",) if isinstance(post, o.StraddlePosted) else ()
