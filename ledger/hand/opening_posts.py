"""Find the posts of a hand that count, and those that open the betting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.returned_posts import convert_returned_chips, subtract_returned_posts
from ledger.vocabulary import Seat

RANK: Final = {"small": 1, "big": 2, "extra": 3, "straddle": 4}
"""Posts that move the opener, the last in order at the end."""

_AFTER_EVERYTHING: Final = 10**9
"""A version above that of any event."""

Posts: TypeAlias = list[tuple[int, o.Post]]
"""Posts with their versions."""


def sort_clockwise(seats: Sequence[Seat], start_seat: Seat) -> list[Seat]:
    """Return sorted seats from the first after `start_seat`, which itself is last."""
    return [seat for seat in seats if seat > start_seat] + [seat for seat in seats if seat <= start_seat]


def filter_standing_posts(
    posts: Posts,
    misdeals: Sequence[int],
    returns: Sequence[tuple[int, o.PostReturned | b.ChipsReturned]],
    dead_money_events: Sequence[tuple[int, o.DeadMoneyTaken]],
    first_act: int,
    *,
    in_order: bool,
) -> Posts:
    """Return the posts of the deal that was played: after a misdeal, those that were made again.

    A post that went back before the first act was corrected in time and doesn't count. Misdeals and acts are versions.
    """
    standing_posts = posts
    if misdeals:
        standing_posts = [pair for pair in posts if pair[0] > misdeals[-1]] or posts
    void_from = misdeals[0] if misdeals else None
    returned: list[tuple[int, o.PostReturned]] = []
    for version, event in returns:
        is_void = void_from is not None and version > void_from and standing_posts is posts and not returned
        returned_post = convert_returned_chips(event)
        if returned_post is not None and version < first_act and not is_void:
            returned.append((version, returned_post))
    taken_before_act = [(version, dead_money) for version, dead_money in dead_money_events if version < first_act]
    return subtract_returned_posts(standing_posts, returned, taken_before_act, in_order=in_order)


def sort_opening_posts(posts: Posts, button: Seat | None, seats: Sequence[Seat]) -> list[tuple[int, Seat, str]]:
    """Return version, seat and role of the posts that open the betting, the furthest last; `seats` are sorted.

    The furthest is the last clockwise from the button, whatever its name; a small blind on the button is the nearest.
    The larger blind is the furthest with two players, without a button, and if several seats post the same blind (as
    owed blinds).
    """
    openers = [
        (version, post.seat, post.role if isinstance(post, o.BlindPosted) else "straddle")
        for version, post in posts
        if isinstance(post, o.StraddlePosted) or (isinstance(post, o.BlindPosted) and post.role in RANK)
    ]
    roles: Counter[str] = Counter(role for _, _, role in openers)
    are_single = all(count == 1 for role, count in roles.items() if role != "straddle")
    is_by_seat = button is not None and len(seats) > 2 and are_single
    steps: dict[Seat, int] = {}
    if button is not None:
        steps = {seat: step for step, seat in enumerate(sort_clockwise(seats, button), 1)}

    def measure_distance(post: tuple[int, Seat, str]) -> tuple[int, int, int]:
        version, seat, role = post
        is_button_blind = seat == button and (role == "small" or roles[role] > 1)
        straddle = role == "straddle"
        rank = straddle if is_by_seat else RANK[role]
        return rank, 0 if is_button_blind else steps.get(seat, 0), version

    return sorted(openers, key=measure_distance)


def find_furthest_poster(posts: Posts, button: Seat | None, dealt_in: Collection[Seat]) -> Seat | None:
    """Return the last poster of `sort_opening_posts`, or None.

    With only a small and a big blind, nothing is sorted.
    """
    blinds = _find_plain_blinds(posts)
    if blinds is None:
        sorted_posts = sort_opening_posts(posts, button, sorted(dealt_in))
        return sorted_posts[-1][1] if sorted_posts else None
    if len(blinds) < 2:
        return next(iter(blinds.values()), None)
    small_seat, big_seat = blinds["small"], blinds["big"]
    if button is None or len(dealt_in) <= 2:
        return big_seat
    if not (small_seat in dealt_in and big_seat in dealt_in):
        sorted_posts = sort_opening_posts(posts, button, sorted(dealt_in))
        return sorted_posts[-1][1]
    is_small_further = small_seat != button and (small_seat <= button, small_seat) > (big_seat <= button, big_seat)
    return small_seat if is_small_further else big_seat


def _find_plain_blinds(posts: Posts) -> dict[str, Seat] | None:
    """Return the posters of the small and the big blind. None: one was posted twice, or other posts open too."""
    blinds: dict[str, Seat] = {}
    for _, post in posts:
        role = post.role if type(post) is o.BlindPosted else "straddle" if type(post) is o.StraddlePosted else ""
        if role in blinds or role in ("extra", "straddle"):
            return None
        if role in RANK:
            blinds[role] = post.seat
    return blinds


class PostCollector:
    """Collects the posts of a hand, and what takes them back."""

    def __init__(self) -> None:
        self.posts: Posts = []
        self.misdeals: list[int] = []  # versions
        self.returns: list[tuple[int, o.PostReturned | b.ChipsReturned]] = []
        self.dead_money: list[tuple[int, o.DeadMoneyTaken]] = []

    def list_standing_posts(self, first_act: int | None) -> Posts:
        """Return the posts that count so far. `first_act` is a version; None = nobody has acted."""
        if not (self.misdeals or self.returns or self.dead_money):
            return self.posts
        first = _AFTER_EVERYTHING if first_act is None else first_act
        return filter_standing_posts(self.posts, self.misdeals, self.returns, self.dead_money, first, in_order=False)

    def find_seat_before_opener(
        self, button: Seat | None, dealt_in: Collection[Seat], first_act: int | None, *, is_later: bool
    ) -> Seat | None:
        """Return the seat before the opener of the first round, or of a later one if the button is unknown."""
        posts = self.list_standing_posts(first_act)
        if not is_later:
            furthest = find_furthest_poster(posts, button, dealt_in)
            return button if furthest is None else furthest
        small_seats = [post.seat for _, post in posts if isinstance(post, o.BlindPosted) and post.role == "small"]
        if not small_seats:
            return None
        return min(small_seats) if len(dealt_in) == 2 else min(small_seats) - 1
