"""A big blind that is all-in for less than its amount."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.acts import Act
from ledger.hand.limit_steps import LimitSteps
from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Chips, Witness
from projections.detectors.shared.bet_limits import iter_limit_steps
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach
from projections.sentences import short_blinds as say
from projections.timeline.chip_flows import posted
from projections.timeline.hand_timeline import Timeline


@hand_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.ACTS | Witness.BLIND_AMOUNTS,
    signs=Symptom.ODD_POSTS,
    occasion=SIGNS_ONLY,
)
def called_short(hand: Timeline) -> Iterator[Answer]:
    """A call or raise before the flop was measured by the short big blind, not by a full one."""
    short_post, big = _find_short_big_blind(hand), _find_largest_blind(hand)[1]
    if short_post is None:
        yield NO_OCCASION
        return
    references = ((short_post[0], say.note_all_in(hand.format_chips(short_post[1].live))),)
    for act in hand.acts:
        if act.street != "preflop" or act.is_all_in or act.kind not in ("call", "raise"):
            continue
        if act.live_seats == {act.seat, short_post[1].seat}:
            continue  # against the short blind alone, all above it would come back
        if act.kind == "call" and act.bet_after < big:
            yield Breach(
                act.version,
                say.called_short(act.seat, hand.format_chips(act.bet_after), hand.format_chips(big)),
                seat=act.seat,
                should=say.as_if_full(hand.format_chips(big)),
                other_events=references,
            )
        elif act.kind == "raise" and act.bet_to_call < big and not _exceeds_full_blind(hand, act, big):
            minimum = hand.format_chips(_find_minimum_raise(hand, act, big))
            yield Breach(
                act.version,
                say.raised_short(act.seat, hand.format_chips(act.bet_after), minimum),
                seat=act.seat,
                should=say.as_if_full(minimum),
                other_events=references,
            )


def _find_short_big_blind(hand: Timeline) -> tuple[int, BlindPosted] | None:
    """Return the big blind that is all-in for less, if there is one."""
    role, amount = _find_largest_blind(hand)
    for version, post in hand.standing_posts():
        if (
            isinstance(post, BlindPosted)
            and post.role == role
            and post.live < amount
            and (post.all_in or hand.stack_at(post.seat) == post.live + post.dead)
        ):
            return version, post
    return None


def _find_largest_blind(hand: Timeline) -> tuple[str, Chips]:
    """Return role and amount of the blind furthest from the button, which books call the big blind."""
    return hand.largest_blind_role, max(hand.blinds, default=0)


def _exceeds_full_blind(hand: Timeline, act: Act, big: Chips) -> bool:
    """Whether a raise over a short blind goes beyond a full one, at limit by a whole step."""
    unit = hand.fixed_bet("preflop")
    if act.bet_after < big or not unit:
        return act.bet_after >= big
    steps = _find_limit_steps(hand, act, unit)
    return act.bet_after in steps.whole | steps.filled


def _find_minimum_raise(hand: Timeline, act: Act, big: Chips) -> Chips:
    unit = hand.fixed_bet("preflop")
    return _find_limit_steps(hand, act, unit).least if unit else big


def _find_limit_steps(hand: Timeline, act: Act, unit: Chips) -> LimitSteps:
    acts = [candidate for candidate in hand.acts if candidate.street == "preflop"]
    return next(steps for candidate, steps in iter_limit_steps(hand, acts, unit) if candidate is act)


@hand_detector(
    events=(BlindPosted,), needs=Witness.POSTS | Witness.BLIND_AMOUNTS, signs=Symptom.ODD_POSTS, occasion=SIGNS_ONLY
)
def next_does_not_post(hand: Timeline, *, half: float) -> Iterator[Answer]:
    """The big blind was all-in for less than this part, and the next player did not post it."""
    short_post, (role, big) = _find_short_big_blind(hand), _find_largest_blind(hand)
    if short_post is None or short_post[1].live >= half * big:
        yield NO_OCCASION
        return
    due_seat = hand.seats_after(short_post[1].seat)[0]
    has_full_post = any(
        isinstance(post, BlindPosted) and post.seat == due_seat and post.role == role and post.live >= big
        for _, post in hand.standing_posts()
    )
    if not has_full_post:
        yield Breach(
            short_post[0],
            say.full_blind_missing(short_post[1].seat, hand.format_chips(short_post[1].live), due_seat),
            seat=due_seat,
            should=say.big_blind_from(due_seat, hand.format_chips(big)),
            remedy="not-followed",
            money=posted(hand, {due_seat: (big, 0)}),
        )


@hand_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BLIND_AMOUNTS,
    partial=Witness.POSTS,
    signs=Symptom.ODD_POSTS,
    occasion=SIGNS_ONLY,
)
def half_not_counted(hand: Timeline, *, half: float) -> Iterator[Answer]:
    """The big blind was all-in for at least this part, and the next player posted one as well."""
    short_post, (role, big) = _find_short_big_blind(hand), _find_largest_blind(hand)
    if short_post is None or short_post[1].live < half * big:
        yield NO_OCCASION
        return
    due_seat = hand.seats_after(short_post[1].seat)[0]
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == role and post.seat == due_seat:
            yield Breach(
                version,
                say.second_big_blind(due_seat),
                seat=due_seat,
                should=say.counts_as_full(short_post[1].seat, hand.format_chips(short_post[1].live)),
                money=posted(hand, {due_seat: (0, 0)}),
            )
