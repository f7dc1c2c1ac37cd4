"""Straddles: how many, how large, from which seat, with whose permission."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.betting import ChipsReturned
from ledger.hand.dealing import ErrorNoticed
from ledger.hand.opening import PermissionGranted, PostReturned, StraddlePosted
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.remedies import UNDEFINED, graded
from projections.findings.detector import hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, Fate
from projections.timeline.chip_flows import Money, from_pot
from projections.timeline.hand_timeline import Timeline


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.PERMISSIONS, partial=Witness.POSTS)
def too_many(hand: Timeline, *, limit: int) -> Iterator[Answer]:
    """More straddles were posted in one deal than the book takes, and nobody permitted it."""
    if hand.permissions("multiple-straddles"):
        return
    for count, (version, post) in enumerate(hand.straddles(), 1):
        if count > limit:
            yield Breach(
                version,
                f"straddle number {count}, {hand.say(post.amount)} from seat {post.seat}",
                seat=post.seat,
                should=f"at most {limit} in one deal",
                because="no permission is recorded",
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.PERMISSIONS, partial=Witness.POSTS)
def wrongly_permitted(hand: Timeline, *, granter: str) -> Iterator[Answer]:
    """A second straddle rests on a permission from another role, too late, or for another seat or size."""
    granted = hand.permissions("multiple-straddles")
    posts = hand.straddles()
    if len(posts) < 2 or not granted:
        yield NO_OCCASION
        return
    for version, post in posts[1:]:
        lacks = [_lacks(hand, event, granted_at, post, version, granter) for granted_at, event in granted]
        if all(lacks):
            yield Breach(
                version,
                f"a second straddle from seat {post.seat}, permitted {lacks[0]}",
                seat=post.seat,
                should=f"permission by: {granter}, before the straddle",
                beside=tuple(
                    (granted_at, f"permission {lack}")
                    for (granted_at, _), lack in zip(granted, lacks, strict=True)
                    if granted_at
                ),
            )


def _lacks(
    hand: Timeline, event: PermissionGranted, granted_at: int, post: StraddlePosted, version: int, granter: str
) -> str:
    """Return what a permission lacks to cover a straddle; "" = it covers it."""
    if event.by != granter:
        return f"by: {event.by}"
    if event.seat not in (None, post.seat):
        return f"to seat {event.seat}"
    if event.amount is not None and hand.straddled(version, post) > event.amount:
        return "for a smaller one"
    return "afterwards" if granted_at > version else ""


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS)
def too_small(hand: Timeline, *, multiple: int) -> Iterator[Answer]:
    """The straddle is less than this multiple of the big blind."""
    if hand.big is None:
        yield CannotTell("blind-amounts")
        return
    minimum = multiple * hand.big
    for version, post in hand.straddles()[:1]:
        total = hand.straddled(version, post)
        if total < minimum and not post.all_in and hand.stack_at(post.seat) != total:
            yield Breach(
                version,
                f"seat {post.seat} straddled {hand.say(total)}",
                seat=post.seat,
                should=f"{hand.say(minimum)} at least",
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS, partial=Witness.POSTS)
def too_large(hand: Timeline) -> Iterator[Answer]:
    """The straddle is larger than the game's fixed size."""
    size = hand.option("straddle-amount")
    if not hand.straddles():
        yield NO_OCCASION  # it went back in time
        return
    if size is None:
        yield CannotTell("house-option straddle-amount")
        return
    for version, post in hand.straddles()[:1]:
        total = hand.straddled(version, post)
        if total > size:
            if _may_follow_unwritten_straddle(hand, post.seat):
                yield CannotTell("posts")
                return
            yield Breach(
                version,
                f"seat {post.seat} straddled {hand.say(total)}",
                seat=post.seat,
                should=f"{hand.say(size)}, the fixed size of this game",
            )


def _may_follow_unwritten_straddle(hand: Timeline, seat: Seat) -> bool:
    """Whether a straddle nobody wrote down may stand between the furthest blind and this seat's straddle."""
    if hand.witnessed(Witness.POSTS):
        return False
    blind_seats = [seat for _, seat, role in hand.regular_posts() if role != "straddle"]
    return not blind_seats or hand.after(blind_seats[-1])[0] != seat


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.ACTS)
def bring_in(hand: Timeline) -> Iterator[Answer]:
    """Behind a straddle the betting was opened for less than the raised bring-in."""
    size, big = hand.option("bring-in"), hand.big
    if size is None:
        if hand.witnessed(Witness.HOUSE_OPTIONS):
            yield NO_OCCASION
        else:
            yield CannotTell("house-option bring-in")
        return
    straddle = max((hand.straddled(*straddle_post) for straddle_post in hand.straddles()), default=0)
    if big is None or size <= big or not straddle:
        yield NO_OCCASION
        return
    first = next((act for act in hand.acts if act.street == "preflop" and act.added), None)
    if first is None or first.all_in or first.to * big >= straddle * size:
        return
    due = -(-straddle * size // big)
    yield Breach(
        first.version,
        f"seat {first.seat} opened for {hand.say(first.to)} behind a straddle of {hand.say(straddle)}",
        seat=first.seat,
        should=f"{hand.say(due)}, the straddle raised by the ratio of bring-in to big blind",
        severity="error" if first.to <= straddle else "warning",
    )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.ACTS)
def option(hand: Timeline) -> Iterator[Answer]:
    """The first round closed in a pot not raised beyond the straddle before the straddler had acted."""
    version, waiting = hand.unasked()
    for seat in waiting:
        if seat in hand.poster("straddle"):
            yield Breach(
                version,
                f"the betting went on without the option of the straddle in seat {seat}",
                seat=seat,
                should=f"seat {seat} may check or raise first",
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.BUTTON, partial=Witness.POSTS)
def from_button(hand: Timeline) -> Iterator[Answer]:
    """The button straddled."""
    for version, post in hand.straddles():
        if post.seat == hand.button:
            yield Breach(
                version,
                f"seat {post.seat} straddled from the button",
                seat=post.seat,
                should="no straddle from the button",
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.BUTTON | Witness.PERMISSIONS)
def sleeper(hand: Timeline, *, granter: str) -> Iterator[Answer]:
    """A straddle came from another seat than the one after the furthest blind, without permission."""
    posts = [(v, seat) for v, seat, role in hand.regular_posts() if role != "straddle"]
    if not posts:
        yield CannotTell("blind-positions")
        return
    due = hand.after(posts[-1][1])[0]
    for version, post in hand.straddles():
        if post.seat == hand.button or (post.seat == due and post.kind != "sleeper"):
            due = hand.after(post.seat)[0]
            continue
        lacks = [_lacks(hand, permission, v, post, version, granter) for v, permission in hand.permissions("sleeper")]
        if all(lacks):
            permission_note = f"permission {lacks[0]}" if lacks else "no permission is recorded"
            yield Breach(
                version,
                f"seat {post.seat} straddled out of position",
                seat=post.seat,
                should=f"a straddle from seat {due} only, or permission by: {granter}",
                because=permission_note,
            )


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS, partial=Witness.POSTS)
def barred(hand: Timeline) -> Iterator[Answer]:
    """A straddle was posted in a game that bars straddles."""
    allowed = hand.option("straddle-allowed")
    if allowed is None and not hand.witnessed(Witness.HOUSE_OPTIONS):
        yield CannotTell("house-option straddle-allowed")
    elif allowed == 0:
        for version, post in hand.of(StraddlePosted):
            returned_at = _taken_back(hand, version, post.seat)
            outcome, reason = _barred_remedy(hand, returned_at)
            yield Breach(
                version,
                f"seat {post.seat} straddled {hand.say(post.amount)}",
                seat=post.seat,
                should="no straddle in this game",
                because=reason,
                remedy=outcome,
                severity=graded(outcome),
                beside=((returned_at, "the straddle went back"),) if returned_at else (),
            )


def _barred_remedy(hand: Timeline, returned_at: int | None) -> tuple[Fate, str]:
    """Return whether a barred straddle went back in time, or stood because action had followed, and why not."""
    if returned_at is not None:
        is_late = hand.substantial(hand.acts_before(returned_at))
        return ("not-followed", "it went back after substantial action") if is_late else ("followed", "")
    noticed = _noticed(hand)
    acts = hand.acts_before(noticed)
    if hand.substantial(acts):
        return "followed", ""
    if hand.perhaps_substantial(acts):
        return "cannot-tell", UNDEFINED
    return ("cannot-tell", "") if noticed is None else ("not-followed", "it was noticed in time, and stayed")


def _noticed(hand: Timeline) -> int | None:
    return next((version for version, event in hand.of(ErrorNoticed) if event.kind == "barred-straddle"), None)


def _taken_back(hand: Timeline, start_version: int, seat: Seat) -> int | None:
    for version, event in hand.since(start_version, PostReturned, ChipsReturned, seat=seat):
        reason = event.role if isinstance(event, PostReturned) else event.reason
        if reason == "straddle" or (isinstance(event, PostReturned) and reason == "unknown"):
            return version
    return None


def _refunded(hand: Timeline, seat: Seat, chips: Chips) -> Money:
    """Return what it moved that a straddle went back: nothing, if its seat called as much again."""
    first = next((act for act in hand.acts if act.seat == seat and act.street == "preflop"), None)
    called_again = first is not None and first.kind != "fold"
    return () if called_again else from_pot(hand, {seat: chips})


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS | Witness.ACTS, deadline="mendable")
def barred_fate(hand: Timeline) -> Iterator[Answer]:
    """A barred straddle went back after substantial action, or stayed though it was noticed before."""
    if hand.option("straddle-allowed") != 0:
        if hand.option("straddle-allowed") is None and not hand.witnessed(Witness.HOUSE_OPTIONS):
            yield CannotTell("house-option straddle-allowed")
        else:
            yield NO_OCCASION
        return
    version, post = hand.of(StraddlePosted)[0]
    returned_at = _taken_back(hand, version, post.seat)
    noticed = _noticed(hand)
    if returned_at is not None:
        if hand.substantial(hand.acts_before(returned_at)):
            yield Breach(
                returned_at,
                f"the straddle of seat {post.seat} went back after substantial action",
                seat=post.seat,
                should="once acted on it stands and is live",
                remedy="not-followed",
                of=version,
                money=_refunded(hand, post.seat, post.amount),
            )
    elif noticed is not None:
        acts = hand.acts_before(noticed)
        if hand.perhaps_substantial(acts):
            yield CannotTell(UNDEFINED)
        elif not hand.substantial(acts):
            yield Breach(
                noticed,
                f"the straddle of seat {post.seat} stayed though it was noticed in time",
                seat=post.seat,
                should="noticed before that, it goes back",
                remedy="not-followed",
                of=version,
            )
    elif not hand.witnessed(Witness.ERRORS_NOTICED):
        yield CannotTell("errors-noticed")


@hand_detector(events=(StraddlePosted,), needs=Witness.POSTS, partial=Witness.POSTS)
def barred_at_limit(hand: Timeline) -> Iterator[Answer]:
    """A live straddle was posted in a limit game that is not singled out for straddles."""
    allowed = hand.option("straddle-allowed")
    if allowed is None and not hand.witnessed(Witness.HOUSE_OPTIONS):
        yield CannotTell("house-option straddle-allowed")
    elif not allowed:
        for version, post in hand.straddles():
            if post.live:
                yield Breach(
                    version,
                    f"seat {post.seat} straddled {hand.say(post.amount)} in a limit game",
                    seat=post.seat,
                    should="no live straddle",
                )
