"""From positions to what follows from them: who posts what, who acts first, who last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, Seat
from projections.obligations.dues import PASSED_OVER, DuePost, Ground, Placement
from projections.obligations.game import BlindName, Structure
from projections.obligations.position_inputs import Draft
from projections.obligations.ring import after, before

_RANK: Final = ("small", "big", "extra")
_STRADDLES: Final = frozenset({"straddle", "sleeper", "mississippi", "restraddle"})


class Setting(NamedTuple):
    """What placements of one hand share."""

    structure: Structure
    stacks: Mapping[Seat, Chips | None]
    newcomers: frozenset[Seat]  # dealt in for a first time, or back: what they post is another matter
    straddler: Seat | None  # who straddled highest on the recorded hand
    half: tuple[str, ...] | None  # clauses by which the next player posts for a blind short of half
    half_sure: bool  # the rule is stated for this kind of game


def straddler(hand: HandPlayed | None) -> Seat | None:
    """Return who made the highest straddle of a recorded hand, not counting one from the button."""
    posts = [post for post in hand.posts if post.role in _STRADDLES] if hand is not None else []
    return max(posts, key=lambda post: post.live + post.dead).seat if posts else None


def place(draft: Draft, setting: Setting) -> list[Placement]:
    """Return the placements of a draft: one, or more where the half-blind rule holds or may hold.

    Who has less than half of the big blind puts in what there is, or nothing: the text says only
    that the next player takes the blind.
    """
    structure = setting.structure
    posts = _posts(draft, setting)
    roles = structure.roles
    spot: dict[BlindName, Seat | None] = dict(zip(roles, draft.blinds, strict=True))
    why = dict(zip(roles, draft.blinds_why, strict=True))
    furthest = draft.furthest if roles else draft.button
    stood = _stands_in(draft, setting, posts)
    plain = _placement(draft, setting, posts, spot, why, furthest)
    if stood is None:
        return [plain]
    helped = _placement(draft, setting, [*posts, stood], spot, why, stood.seat)
    others = [post for post in posts if post.role != "big"]
    passed = _placement(
        draft._replace(reading=PASSED_OVER),
        setting,
        [*others, stood],
        {**spot, "big": stood.seat},
        {**why, "big": stood.why},
        stood.seat,
    )
    return [helped, passed] if setting.half_sure else [helped, passed, plain]


def _placement(
    draft: Draft,
    setting: Setting,
    posts: list[DuePost],
    spot: dict[BlindName, Seat | None],
    why: dict[BlindName, tuple[Ground, ...]],
    furthest: Seat | None,
) -> Placement:
    dealt, button = draft.dealt, draft.button
    small = spot.get("small")
    opens = setting.straddler if setting.straddler in dealt else _opened_by(draft, posts) or furthest
    return Placement(
        method=draft.method,
        button=button,
        small=small,
        big=spot.get("big"),
        extra=spot.get("extra"),
        button_empty=button is not None and button not in dealt,
        small_empty=small is not None and small not in dealt,
        heads_up=draft.heads_up,
        reading=draft.reading,
        opener=None if opens is None else after(opens, dealt),
        first=None if button is None else after(button, dealt),
        last=None if button is None else before(button, dealt),
        posts=tuple(posts),
        button_why=draft.button_why,
        small_why=why.get("small", ()),
        big_why=why.get("big", ()),
        judged=draft.judged,
        doubtful=draft.doubtful,
        folded=draft.folded,
        dealt=dealt,
    )


def _opened_by(draft: Draft, posts: list[DuePost]) -> Seat | None:
    """Return the seat after which the betting opens where blinds are owed: the furthest, as the record is read.

    The last clockwise from the button; where several post the same blind, of those with the largest, the
    button only if it alone has it. A small blind on the button is the nearest.
    """
    button = draft.button
    if draft.owes is None or button is None or not posts or draft.heads_up:
        return None
    roles = [post.role for post in posts]
    single = len(set(roles)) == len(roles)

    def far(post: DuePost) -> tuple[int, int, bool, Seat]:
        near = post.seat == button and (post.role == "small" or roles.count(post.role) > 1)
        rank = 0 if single else _RANK.index(post.role)
        return rank, not near, post.seat <= button, post.seat

    return max(posts, key=far).seat


def _posts(draft: Draft, setting: Setting) -> list[DuePost]:
    roles = setting.structure.roles
    why = dict(zip(roles, draft.blinds_why, strict=True))
    if draft.owes is not None:
        posts = []
        for seat, role in draft.owes:
            own = dict(zip(draft.blinds, roles, strict=True)).get(seat) == role
            ground = why[role] if own else (_debt(seat, role, roles[-1]),)
            posts.append(_post(setting, seat, role, ground))
        return posts
    return [
        _post(setting, seat, role, why[role])
        for role, seat in zip(roles, draft.blinds, strict=True)
        if seat is not None
        and seat in draft.dealt
        and (role == roles[-1] or seat not in setting.newcomers or draft.heads_up)
    ]


def _debt(seat: Seat, role: BlindName, largest: BlindName) -> Ground:
    if role == largest:
        return Ground(f"the big blind has reached or gone past seat {seat}, which has not paid it")
    return Ground(f"seat {seat} paid the larger blind of this round, and owes the {role} one")


def _post(setting: Setting, seat: Seat, role: BlindName, why: tuple[Ground, ...]) -> DuePost:
    structure = setting.structure
    amount = structure.amounts.get(role)
    stack = setting.stacks.get(seat)
    if amount is not None and stack is not None and stack < amount + structure.ante:
        # All-in; which of ante and blind comes first is the room's affair.
        amount = stack if not structure.ante else None
    if role == structure.dead:
        return DuePost(seat, role, 0, amount, why)
    return DuePost(seat, role, amount, 0, why)


def _stands_in(draft: Draft, setting: Setting, posts: list[DuePost]) -> DuePost | None:
    """Return the post of the player after one whose stack is less than half of the big blind."""
    amount = setting.structure.amounts.get("big")
    bigs = [post.seat for post in posts if post.role == "big"]
    if setting.half is None or draft.heads_up or amount is None or not bigs:
        return None
    stack = setting.stacks.get(bigs[0])
    seat = after(bigs[0], draft.dealt)
    if stack is None or 2 * stack >= amount or seat is None or seat in bigs:
        return None
    says = f"seat {bigs[0]} has less than half of the big blind: seat {seat}, the next player, posts it"
    return _post(setting, seat, "big", (Ground(says, setting.half),))
