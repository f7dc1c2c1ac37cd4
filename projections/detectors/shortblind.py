"""A big blind that is all-in for less than its amount."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Witness
from projections.course import Course
from projections.detector import Sign, detects
from projections.finding import NO_OCCASION, Answer, Breach
from projections.money import posted


def _short(hand: Course) -> tuple[int, BlindPosted] | None:
    """Return the big blind that is all-in for less, if there is one."""
    for version, post in hand.posts:
        if (
            isinstance(post, BlindPosted)
            and post.role == "big"
            and hand.big
            and post.live < hand.big
            and (post.all_in or hand.stack_at(post.seat) == post.live + post.dead)
        ):
            return version, post
    return None


@detects(
    on=(BlindPosted,),
    needs=Witness.POSTS | Witness.ACTS | Witness.BLIND_AMOUNTS,
    signs=Sign.ODD_POSTS,
    rare=True,
)
def called_short(hand: Course) -> Iterator[Answer]:
    """A call before the flop matched only the short big blind, not the full one."""
    short, big = _short(hand), hand.big or 0
    if short is None:
        yield NO_OCCASION
        return
    for act in hand.acts:
        if act.street == "preflop" and act.kind == "call" and act.to < big and not act.all_in:
            yield Breach(
                act.version, f"seat {act.seat} called {hand.say(act.to)}", seat=act.seat,
                should=f"{hand.say(big)}, as if the big blind were full",
                beside=((short[0], f"all-in for {hand.say(short[1].live)}"),),
            )  # fmt: skip


@detects(
    on=(BlindPosted,), needs=Witness.POSTS | Witness.BLIND_AMOUNTS, signs=Sign.ODD_POSTS, rare=True
)
def next_does_not_post(hand: Course, *, half: float) -> Iterator[Answer]:
    """The big blind was all-in for less than this part, and the next player did not post it."""
    short, big = _short(hand), hand.big or 0
    if short is None or short[1].live >= half * big:
        yield NO_OCCASION
        return
    due = hand.after(short[1].seat)[0]
    full = any(
        isinstance(post, BlindPosted)
        and post.seat == due
        and post.role == "big"
        and post.live >= big
        for _, post in hand.posts
    )
    if not full:
        yield Breach(
            short[0], f"seat {short[1].seat} is all-in for {hand.say(short[1].live)} of the big blind, and nobody posts it",
            seat=due, should=f"a big blind of {hand.say(big)} from seat {due}", remedy="not-followed",
            money=posted(hand, {due: (big, 0)}),
        )  # fmt: skip


@detects(
    on=(BlindPosted,), needs=Witness.POSTS | Witness.BLIND_AMOUNTS, signs=Sign.ODD_POSTS, rare=True
)
def half_not_counted(hand: Course, *, half: float) -> Iterator[Answer]:
    """The big blind was all-in for at least this part, and the next player posted one as well."""
    short, big = _short(hand), hand.big or 0
    if short is None or short[1].live < half * big:
        yield NO_OCCASION
        return
    due = hand.after(short[1].seat)[0]
    for version, post in hand.posts:
        if isinstance(post, BlindPosted) and post.role == "big" and post.seat == due:
            yield Breach(
                version, f"seat {due} posted a second big blind", seat=due,
                should=f"none: {hand.say(short[1].live)} from seat {short[1].seat} counts as the full blind",
                money=posted(hand, {due: (0, 0)}),
            )  # fmt: skip
