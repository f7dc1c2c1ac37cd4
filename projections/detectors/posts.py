"""Posts other than regular blinds (make-up, entry, dead), and looking at cards before posting.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ledger.hand.betting import Folded, HandKilled
from ledger.hand.dealing import CardsViewed, ErrorNoticed
from ledger.hand.opening import BlindPosted, OptionSet
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.awards import compute_dead_hand_money
from projections.detectors.shared.makeup_posts import MAKEUP_ROLES, explain_all_blinds_option, has_acted, list_makeups
from projections.detectors.shared.seat_due_wording import format_labeled_sum
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import posts as say
from projections.timeline.chip_flows import build_post_flow
from projections.timeline.hand_timeline import Timeline

LiveRule = Literal["bring-in", "minimum-open", "big", "all"]
"""The part of a make-up post that must be live. `all`: the whole post. The others: this amount of the game."""

DeadRule = Literal["", "small"]
"""The part that must be dead. `small`: the small blind, if all blinds are made up. Empty: the book names no part."""


@hand_detector(
    events=(BlindPosted,), needs=Witness.POSTS | Witness.POST_LIVENESS, signs=Symptom.ODD_POSTS, deadline="mendable"
)
def liveness(hand: Timeline, *, entry: bool = True) -> Iterator[Answer]:
    """The live part of a blind was not counted toward the bet, or a dead part was."""
    roles = ("small", "big", "extra", "entry") if entry else ("small", "big", "extra")
    dead_role = hand.options.get("blind-dead")
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.dead and post.role in roles and post.role != dead_role:
            yield Breach(
                version,
                say.live_part_dead(post.seat, post.role, hand.format_chips(post.dead)),
                seat=post.seat,
                should=say.all_live(),
            )
    for act in hand.acts:
        counted_chips = act.bet_after - act.amount_added
        if act.street == "preflop" and act.is_first_on_street and counted_chips != act.bet_before:
            yield Breach(
                act.version,
                say.wrong_part_counted(act.seat, hand.format_chips(counted_chips), hand.format_chips(act.bet_before)),
                seat=act.seat,
                should=say.live_part(hand.format_chips(act.bet_before)),
            )


@hand_detector(events=(OptionSet,), needs=Witness.POSTS | Witness.POST_LIVENESS | Witness.HOUSE_OPTIONS)
def structure_dead_blind(hand: Timeline) -> Iterator[Answer]:
    """A blind that is dead by the structure was counted as live."""
    role = hand.options.get("blind-dead")
    if role is None:
        yield NO_OCCASION
        return
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == role and post.live:
            yield Breach(
                version,
                say.dead_blind_live(post.seat, post.role, hand.format_chips(post.live)),
                seat=post.seat,
                should=say.dead_in_structure(post.role),
            )


@hand_detector(
    events=(BlindPosted,), needs=Witness.POSTS | Witness.POST_LIVENESS, signs=Symptom.MAKEUP_POSTS, occasion=SIGNS_ONLY
)
def makeup_split(
    hand: Timeline, *, live: LiveRule, dead: DeadRule = "", all_blinds_option: bool | None = None
) -> Iterator[Answer]:
    """A make-up post was split into the wrong parts of live and dead money."""
    makeups = list_makeups(hand)
    option_answer = explain_all_blinds_option(hand, all_blinds_option) if makeups else None
    if not makeups or option_answer is not None:
        yield option_answer or NO_OCCASION
        return
    if hand.big_blind is None:
        yield CannotTell("blind-amounts")
        return
    regular_seats = hand.find_posters("small", "big", "extra", "button", "straddle")
    for seat, posts in makeups.items():
        if seat in regular_seats:
            yield CannotTell(say.split_beside_blind())
        else:
            last_version, _ = posts[-1]
            yield from _judge_split(hand, seat, last_version, live, dead)


def _judge_split(
    hand: Timeline, seat: Seat, version: int, live_rule: LiveRule, dead_rule: DeadRule
) -> Iterator[Answer]:
    """Judge how a seat split its make-up posts. `version`: of the last of them."""
    posts = _list_entry_posts(hand, seat)
    live_chips, dead_chips = sum(post.live for post in posts), sum(post.dead for post in posts)
    paid = live_chips + dead_chips
    live_due = _compute_live_part(hand, live_rule, paid)
    if dead_rule and (paid != sum(hand.blinds) or hand.has_third_blind):
        yield NO_OCCASION  # another clause judges the sum; the book is silent on a third blind
    elif live_rule == "bring-in" and paid < sum(hand.blinds):
        yield NO_OCCASION  # the book splits a post only if it makes up all the blinds
    elif live_chips != live_due:
        is_ambiguous = _may_mean_total(hand, live_chips, dead_chips)
        due_parts = format_labeled_sum(hand, live_due, paid - live_due)
        yield Breach(
            version,
            say.wrong_split(seat, format_labeled_sum(hand, live_chips, dead_chips)),
            seat=seat,
            should=say.split_if_allowed(due_parts) if _is_before_big_blind(hand, seat) else due_parts,
            because=say.may_mean_total(hand.format_chips(live_chips)) if is_ambiguous else "",
            certainty="likely" if is_ambiguous else "certain",
            money=build_post_flow(hand, {seat: (live_due, paid - live_due)}),
        )


def _list_entry_posts(hand: Timeline, seat: Seat) -> list[BlindPosted]:
    """Return a seat's make-up posts and entry posts: some rooms record a part of the same sum as an entry post."""
    return [
        post
        for _, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.seat == seat and post.role in (*MAKEUP_ROLES, "entry")
    ]


def _is_before_big_blind(hand: Timeline, seat: Seat) -> bool:
    """Whether a seat is on the button, or between it and the big blind: there, a make-up post may be barred."""
    big_blind_seats = hand.find_posters("big")
    if hand.button is None or not big_blind_seats:
        return False
    furthest_steps = max(hand.steps_from_button(big_blind_seat) for big_blind_seat in big_blind_seats)
    return seat == hand.button or hand.steps_from_button(seat) < furthest_steps


def _may_mean_total(hand: Timeline, live: Chips, dead: Chips) -> bool:
    """Whether the recorded live part may mean the whole post: all blinds, of which the small one is dead."""
    return len(hand.blinds) == 2 and (live, dead) == (sum(hand.blinds), hand.blinds[0])


def _compute_live_part(hand: Timeline, live_rule: LiveRule, paid: Chips) -> Chips:
    """Return the part of a make-up post of `paid` chips that must be live."""
    big_blind = max(hand.blinds, default=0)
    if live_rule == "all":
        return paid
    if live_rule == "big":
        return big_blind
    minimum = hand.option("bring-in") if live_rule == "bring-in" else hand.option("minimum-open")
    return min(paid, minimum or hand.option("bring-in") or big_blind)


@hand_detector(events=(BlindPosted,), needs=Witness.POSTS | Witness.ACTS, signs=Symptom.ODD_POSTS, occasion=SIGNS_ONLY)
def collection_option(hand: Timeline) -> Iterator[Answer]:
    """A seat whose only post was the dead collection blind acted as if it had a live blind."""
    live_posters = hand.find_posters("small", "big", "extra", "entry", "straddle", *MAKEUP_ROLES)
    seats = hand.find_posters("collection") - live_posters
    if not seats:
        yield NO_OCCASION
    for act in hand.acts:
        if act.seat in seats and act.street == "preflop" and act.kind == "check" and act.bet_to_call:
            yield Breach(
                act.version,
                say.checked_without_option(act.seat, hand.format_chips(act.bet_to_call)),
                seat=act.seat,
                should=say.fold_call_or_raise(hand.format_chips(act.call_amount)),
                because=say.collection_is_dead(act.seat),
            )


@hand_detector(events=(CardsViewed,), needs=Witness.POSTS, partial=Witness.POSTS)
def viewed_first(hand: Timeline) -> Iterator[Answer]:
    """A seat looked at its cards before it posted its blind."""
    look_versions = _find_first_looks(hand)
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and look_versions.get(post.seat, version) < version:
            yield Breach(
                version,
                say.looked_before_blind(post.seat),
                seat=post.seat,
                should=say.post_first(),
                other_events=((look_versions[post.seat], say.note_looked()),),
                wrong_event=look_versions[post.seat],
            )


@hand_detector(
    events=(CardsViewed, HandKilled),
    needs=Witness.POSTS | Witness.ERRORS_NOTICED | Witness.HAND_KILLS,
    deadline="mendable",
    subject="seats",
)
def looked_first(hand: Timeline, *, acted_with: Literal["anything", "chips"]) -> Iterator[Answer]:
    """A player who owed a blind looked before posting, it was noticed in time, and the hand stayed live."""
    look_versions = _find_first_looks(hand)
    noticed_looks = list(_iter_noticed_looks(hand, look_versions))
    kills = [(version, kill) for version, kill in hand.of(HandKilled) if kill.reason == "looked-before-post"]
    if not noticed_looks and not kills:
        yield NO_OCCASION
    for look in noticed_looks:
        has_played_on = has_acted(hand, look.seat, acted_with, look.notice_version)
        if not has_played_on and hand.find_kill(look.seat, look.notice_version) is None:
            yield Breach(
                look.notice_version,
                say.looked_and_stayed_live(look.seat),
                seat=look.seat,
                should=say.dead_hand(),
                money=compute_dead_hand_money(hand, look.seat),
                remedy="not-followed",
                other_events=((look.version, say.note_looked()),),
                wrong_event=look.version,
            )
    for version, kill in kills:
        if look_versions.get(kill.seat, version) >= version:
            yield Breach(
                version, say.killed_without_look(kill.seat), seat=kill.seat, should=say.live_hand_once_posted()
            )


def _find_first_looks(hand: Timeline) -> dict[Seat, int]:
    """Return the version at which each seat first looked at its cards."""
    return {event.seat: version for version, event in reversed(hand.of(CardsViewed))}


class _NoticedLook(NamedTuple):
    """A look before the post that somebody noticed while the hand could still be killed."""

    seat: Seat
    version: int
    notice_version: int


def _iter_noticed_looks(hand: Timeline, look_versions: dict[Seat, int]) -> Iterator[_NoticedLook]:
    """Yield the looks before a post that were noticed before the player folded."""
    makeups = list_makeups(hand)
    for notice_version, error in hand.of(ErrorNoticed):
        if error.kind not in ("looked-before-post", "missing-post"):
            continue
        for seat, look_version in look_versions.items():
            has_posted_before_look = any(version < look_version for version, _ in makeups.get(seat, []))
            was_noticed_late = look_version > notice_version or hand.events_before(notice_version, Folded, seat=seat)
            if error.seat in (None, seat) and not was_noticed_late and not has_posted_before_look:
                yield _NoticedLook(seat, look_version, notice_version)
