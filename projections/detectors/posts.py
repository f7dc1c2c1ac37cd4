"""Posts that are no regular blind: made up, on entry, dead or live, and looking before posting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ledger.hand.betting import Folded, HandKilled
from ledger.hand.dealing import CardsViewed, ErrorNoticed
from ledger.hand.opening import BlindPosted, OptionSet
from ledger.vocabulary import Chips, Witness
from projections.detectors.shared.makeup_posts import MAKEUP, acted, made_up, option_differs
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.timeline.chip_flows import posted
from projections.timeline.hand_timeline import Timeline


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
                f"{hand.say(post.dead)} of the {post.role} post of seat {post.seat} is dead",
                seat=post.seat,
                should="a live post: it counts toward the bet",
            )
    for act in hand.acts:
        counted = act.to - act.added
        if act.street == "preflop" and act.first and counted != act.before:
            yield Breach(
                act.version,
                f"{hand.say(counted)} of what seat {act.seat} had posted counted toward its bet",
                seat=act.seat,
                should=f"{hand.say(act.before)}, the live part",
            )


@hand_detector(events=(OptionSet,), needs=Witness.POSTS | Witness.POST_LIVENESS | Witness.HOUSE_OPTIONS)
def structure_dead_blind(hand: Timeline) -> Iterator[Answer]:
    """A blind that is dead by the structure was counted as live, or the reverse."""
    role = hand.options.get("blind-dead")
    if role is None:
        yield NO_OCCASION
        return
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == role and post.live:
            yield Breach(
                version,
                f"{hand.say(post.live)} of the {role} blind of seat {post.seat} is live",
                seat=post.seat,
                should=f"a dead {role} blind by the structure",
            )


@hand_detector(
    events=(BlindPosted,), needs=Witness.POSTS | Witness.POST_LIVENESS, signs=Symptom.MAKEUP_POSTS, occasion=SIGNS_ONLY
)
def makeup_split(
    hand: Timeline,
    *,
    live: Literal["bring-in", "minimum-open", "big", "all"],
    dead: Literal["", "small"] = "",
    all_blinds_option: bool | None = None,
) -> Iterator[Answer]:
    """A made-up blind was divided into live and dead money in another way than the book asks."""
    makeups = made_up(hand)
    option_answer = option_differs(hand, all_blinds_option) if makeups else None
    if not makeups or option_answer is not None:
        yield option_answer or NO_OCCASION
        return
    if hand.big is None:
        yield CannotTell("blind-amounts")
        return
    regular_seats = hand.poster("small", "big", "extra", "button", "straddle")
    for seat, posts in makeups.items():
        if seat in regular_seats:
            yield CannotTell("how a make-up is divided beside a blind in turn")
            continue
        # What rooms call a post to enter is of the same sum.
        sums = [
            (post.live, post.dead)
            for _, post in hand.standing_posts()
            if isinstance(post, BlindPosted) and post.seat == seat and post.role in (*MAKEUP, "entry")
        ]
        alive = sum(live for live, _ in sums)
        paid = alive + sum(dead for _, dead in sums)
        due = _live_part(hand, live, paid)
        if dead and (paid != sum(hand.blinds) or len(hand.blinds) > 2):
            yield NO_OCCASION  # the sum is another clause's; of a third blind the book does not speak
        elif live == "bring-in" and paid < sum(hand.blinds):
            yield NO_OCCASION  # the book divides what is made up for all the blinds, and nothing less
        elif alive != due:
            yield Breach(
                posts[-1][0],
                f"seat {seat} made up {hand.say(alive)} live and {hand.say(paid - alive)} dead",
                seat=seat,
                should=f"{hand.say(due)} live and {hand.say(paid - due)} dead",
                money=posted(hand, {seat: (due, paid - due)}),
            )


def _live_part(hand: Timeline, live: str, paid: Chips) -> Chips:
    big = max(hand.blinds, default=0)
    if live == "all":
        return paid
    if live == "big":
        return big
    minimum = hand.option("bring-in") if live == "bring-in" else hand.option("minimum-open")
    return min(paid, minimum or hand.option("bring-in") or big)


@hand_detector(events=(BlindPosted,), needs=Witness.POSTS | Witness.ACTS, signs=Symptom.ODD_POSTS, occasion=SIGNS_ONLY)
def collection_option(hand: Timeline) -> Iterator[Answer]:
    """A seat whose only post was the dead collection blind acted as if it had a live blind."""
    live_posters = hand.poster("small", "big", "extra", "entry", "straddle", *MAKEUP)
    seats = hand.poster("collection") - live_posters
    if not seats:
        yield NO_OCCASION
    for act in hand.acts:
        if act.seat in seats and act.street == "preflop" and act.kind == "check" and act.level:
            yield Breach(
                act.version,
                f"seat {act.seat} checked facing {hand.say(act.level)}",
                seat=act.seat,
                should=f"fold, call {hand.say(act.call)} or raise",
                because="its post for the collection is dead",
            )


@hand_detector(events=(CardsViewed,), needs=Witness.POSTS, partial=Witness.POSTS)
def viewed_first(hand: Timeline) -> Iterator[Answer]:
    """A seat looked at its cards before it posted its blind."""
    viewed_at = {event.seat: version for version, event in reversed(hand.of(CardsViewed))}
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and viewed_at.get(post.seat, version) < version:
            yield Breach(
                version,
                f"seat {post.seat} posted after it had looked at its cards",
                seat=post.seat,
                should="the blind first",
                beside=((viewed_at[post.seat], "looked"),),
                of=viewed_at[post.seat],
            )


@hand_detector(
    events=(CardsViewed, HandKilled),
    needs=Witness.POSTS | Witness.ERRORS_NOTICED | Witness.HAND_KILLS,
    deadline="mendable",
    about="seats",
)
def looked_first(hand: Timeline, *, acted_with: Literal["anything", "chips"]) -> Iterator[Answer]:
    """Who owed a blind looked before posting, it was noticed in time, and the hand stayed live."""
    looked_at = {event.seat: version for version, event in reversed(hand.of(CardsViewed))}
    makeups = made_up(hand)
    noticed = [
        (version, event)
        for version, event in hand.of(ErrorNoticed)
        if event.kind in ("looked-before-post", "missing-post")
    ]
    occasion = False
    for version, event in noticed:
        for seat, look in looked_at.items():
            posted = min((v for v, _ in makeups.get(seat, [])), default=None)
            if (
                event.seat not in (None, seat)
                or look > version
                or (posted is not None and posted < look)
                or hand.upto(version, Folded, seat=seat)
            ):
                continue
            occasion = True
            killed = hand.killed(seat, version)
            if not acted(hand, seat, acted_with, version) and killed is None:
                yield Breach(
                    version,
                    f"seat {seat} looked before posting and its hand stayed live",
                    seat=seat,
                    should="a dead hand",
                    remedy="not-followed",
                    beside=((look, "looked"),),
                    of=look,
                )
    for version, kill in hand.of(HandKilled):
        if kill.reason == "looked-before-post":
            occasion = True
            if looked_at.get(kill.seat, version) >= version:
                yield Breach(
                    version,
                    f"the hand of seat {kill.seat} was killed, and no look before the post is recorded",
                    seat=kill.seat,
                    should="a live hand once the blind is posted",
                )
    if not occasion:
        yield NO_OCCASION
