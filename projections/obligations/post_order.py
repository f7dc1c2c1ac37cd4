"""Turn a draft into placements: who posts what, who acts first and who acts last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, Seat
from projections.obligations.dues import DuePost, Ground, Placement
from projections.obligations.game import BlindName, BlindStructure
from projections.obligations.position_inputs import Draft
from projections.obligations.ring import find_seat_after, find_seat_before
from projections.sentences import positions as position_sentences
from projections.sentences import readings

_BLIND_ORDER: Final = ("small", "big", "extra")
_STRADDLE_ROLES: Final = frozenset({"straddle", "sleeper", "mississippi", "restraddle"})


class Setting(NamedTuple):
    """What all placements of one hand have in common."""

    structure: BlindStructure
    stacks: Mapping[Seat, Chips | None]
    newcomers: frozenset[Seat]  # new or coming back: they post the largest blind only
    straddler: Seat | None  # who straddled highest on the recorded hand
    # The rule that the next player posts for one with less than half a big blind:
    half_blind_clauses: tuple[str, ...] | None  # None = the book has no such rule
    is_half_blind_rule_sure: bool  # the book states it for this kind of game


def find_straddler(hand: HandPlayed | None) -> Seat | None:
    """Return who made the highest straddle of a recorded hand; button straddles don't count. None = nobody."""
    posts = [post for post in hand.posts if post.role in _STRADDLE_ROLES] if hand is not None else []
    return max(posts, key=lambda post: post.live + post.dead).seat if posts else None


def build_placements(draft: Draft, setting: Setting) -> list[Placement]:
    """Return the placements of a draft: one, or several if the rule on half a blind applies or may apply.

    A player with less than half of the big blind may post it all, or nothing: the book only says that the next
    player takes the blind.
    """
    structure = setting.structure
    posts = _list_posts(draft, setting)
    roles = structure.roles
    spot: dict[BlindName, Seat | None] = dict(zip(roles, draft.blinds, strict=True))
    reasons = dict(zip(roles, draft.blind_grounds, strict=True))
    furthest = draft.furthest if roles else draft.button
    stand_in = _find_stand_in(draft, setting, posts)
    plain_placement = _build_placement(draft, setting, posts, spot, reasons, furthest)
    if stand_in is None:
        return [plain_placement]
    helped_placement = _build_placement(draft, setting, [*posts, stand_in], spot, reasons, stand_in.seat)
    posts_but_big = [post for post in posts if post.role != "big"]
    passed_over = _build_placement(
        draft._replace(reading=readings.short_stack_passed_over()),
        setting,
        [*posts_but_big, stand_in],
        {**spot, "big": stand_in.seat},
        {**reasons, "big": stand_in.grounds},
        stand_in.seat,
    )
    placements = [helped_placement, passed_over]
    if not setting.is_half_blind_rule_sure:
        placements.append(plain_placement)
    return placements


def _build_placement(
    draft: Draft,
    setting: Setting,
    posts: list[DuePost],
    spot: dict[BlindName, Seat | None],
    reasons: dict[BlindName, tuple[Ground, ...]],
    furthest: Seat | None,
) -> Placement:
    dealt, button = draft.dealt, draft.button
    small = spot.get("small")
    seat_before_opener = setting.straddler if setting.straddler in dealt else _find_opener(draft, posts) or furthest
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
        opener=None if seat_before_opener is None else find_seat_after(seat_before_opener, dealt),
        first=None if button is None else find_seat_after(button, dealt),
        last=None if button is None else find_seat_before(button, dealt),
        posts=tuple(posts),
        button_grounds=draft.button_grounds,
        small_grounds=reasons.get("small", ()),
        big_grounds=reasons.get("big", ()),
        judged=draft.judged,
        doubtful=draft.doubtful,
        has_collision=draft.has_collision,
        dealt=dealt,
    )


def _find_opener(draft: Draft, posts: list[DuePost]) -> Seat | None:
    """Return the seat after which the betting opens if blinds are owed: the last poster clockwise; None otherwise.

    If several post the same blind, only posters of the largest blind count, and the button comes first among them. A
    small blind on the button comes first as well.
    """
    button = draft.button
    if draft.owed_posts is None or button is None or not posts or draft.heads_up:
        return None
    roles = [post.role for post in posts]
    all_differ = len(set(roles)) == len(roles)

    def rank_post(post: DuePost) -> tuple[int, int, bool, Seat]:
        is_nearest = post.seat == button and (post.role == "small" or roles.count(post.role) > 1)
        rank = 0 if all_differ else _BLIND_ORDER.index(post.role)
        return rank, not is_nearest, post.seat <= button, post.seat

    return max(posts, key=rank_post).seat


def _list_posts(draft: Draft, setting: Setting) -> list[DuePost]:
    roles = setting.structure.roles
    reasons = dict(zip(roles, draft.blind_grounds, strict=True))
    if draft.owed_posts is not None:
        posts = []
        for seat, role in draft.owed_posts:
            is_own_blind = dict(zip(draft.blinds, roles, strict=True)).get(seat) == role
            ground = reasons[role] if is_own_blind else (_explain_debt(seat, role, roles[-1]),)
            posts.append(_build_post(setting, seat, role, ground))
        return posts
    return [
        _build_post(setting, seat, role, reasons[role])
        for role, seat in zip(roles, draft.blinds, strict=True)
        if seat is not None
        and seat in draft.dealt
        and (role == roles[-1] or seat not in setting.newcomers or draft.heads_up)
    ]


def _explain_debt(seat: Seat, role: BlindName, largest: BlindName) -> Ground:
    if role == largest:
        return Ground(position_sentences.big_blind_unpaid(seat))
    return Ground(position_sentences.smaller_blind_unpaid(seat, role))


def _build_post(setting: Setting, seat: Seat, role: BlindName, reasons: tuple[Ground, ...]) -> DuePost:
    structure = setting.structure
    amount = structure.amounts.get(role)
    stack = setting.stacks.get(seat)
    is_all_in = amount is not None and stack is not None and stack < amount + structure.ante
    if is_all_in:
        # With an ante the amount is unknown: rooms differ in which of the two is paid first.
        amount = None if structure.ante else stack
    if role == structure.dead:
        return DuePost(seat, role, 0, amount, reasons)
    return DuePost(seat, role, amount, 0, reasons)


def _find_stand_in(draft: Draft, setting: Setting, posts: list[DuePost]) -> DuePost | None:
    """Return the post of the player after the big blind, if the big blind has less than half of it; None otherwise."""
    amount = setting.structure.amounts.get("big")
    big_blind_seats = [post.seat for post in posts if post.role == "big"]
    if setting.half_blind_clauses is None or draft.heads_up or amount is None or not big_blind_seats:
        return None
    stack = setting.stacks.get(big_blind_seats[0])
    seat = find_seat_after(big_blind_seats[0], draft.dealt)
    if stack is None or 2 * stack >= amount or seat is None or seat in big_blind_seats:
        return None
    sentence = position_sentences.posts_for_short_stack(seat, big_blind_seats[0])
    return _build_post(setting, seat, "big", (Ground(sentence, setting.half_blind_clauses),))
