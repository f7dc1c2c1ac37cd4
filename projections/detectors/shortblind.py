"""A big blind that is all-in for less than its amount: what others call, and who posts a full one.

Each public function is a detector; its docstring states the breach. Of three blinds, the "big blind" is the one
furthest from the button, as books call it. A short one counts as full if it is at least `half` of the full amount:
a share that the book sets, not always 0.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.hand.acts import Act
from ledger.hand.limit_steps import LimitSteps
from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.bet_limits import iter_limit_steps
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach
from projections.sentences import short_blinds as say
from projections.timeline.chip_flows import build_post_flow
from projections.timeline.hand_timeline import Timeline


@hand_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.ACTS | Witness.BLIND_AMOUNTS,
    signs=Symptom.ODD_POSTS,
    occasion=SIGNS_ONLY,
)
def called_short(hand: Timeline) -> Iterator[Answer]:
    """A call or raise before the flop was measured by the short big blind, not by a full one."""
    short_blind, full_blind = _find_short_big_blind(hand), max(hand.blinds, default=0)
    if short_blind is None:
        yield NO_OCCASION
        return
    references = ((short_blind.version, say.note_all_in(hand.format_chips(short_blind.live))),)
    for act in hand.acts:
        if act.street != "preflop" or act.is_all_in or act.kind not in ("call", "raise"):
            continue
        if act.live_seats == {act.seat, short_blind.seat}:
            continue  # against the short blind alone, all chips above it would be returned
        if act.kind == "call" and act.bet_after < full_blind:
            yield Breach(
                act.version,
                say.called_short(act.seat, hand.format_chips(act.bet_after), hand.format_chips(full_blind)),
                seat=act.seat,
                should=say.as_if_full(hand.format_chips(full_blind)),
                other_events=references,
            )
        elif act.kind == "raise" and act.bet_to_call < full_blind and not _is_raise_large_enough(hand, act, full_blind):
            minimum = hand.format_chips(_find_minimum_raise(hand, act, full_blind))
            yield Breach(
                act.version,
                say.raised_short(act.seat, hand.format_chips(act.bet_after), minimum),
                seat=act.seat,
                should=say.as_if_full(minimum),
                other_events=references,
            )


class _ShortBlind(NamedTuple):
    """A big blind that is all-in for less."""

    version: int
    seat: Seat
    live: Chips


def _find_short_big_blind(hand: Timeline) -> _ShortBlind | None:
    """Return the big blind that is all-in for less, or None if there is none."""
    role, amount = hand.largest_blind_role, max(hand.blinds, default=0)
    for version, post in hand.standing_posts():
        if (
            isinstance(post, BlindPosted)
            and post.role == role
            and post.live < amount
            and (post.all_in or hand.stack_at(post.seat) == post.live + post.dead)
        ):
            return _ShortBlind(version, post.seat, post.live)
    return None


def _is_raise_large_enough(hand: Timeline, act: Act, full_blind: Chips) -> bool:
    """Whether a raise over a short blind reaches the full blind, and is to a total that a fixed limit allows."""
    if act.bet_after < full_blind:
        return False
    unit = hand.fixed_bet("preflop")
    if not unit:
        return True  # the game has no fixed limit
    steps = _find_limit_steps(hand, act, unit)
    return act.bet_after in steps.whole_bets | steps.filled


def _find_minimum_raise(hand: Timeline, act: Act, full_blind: Chips) -> Chips:
    """Return the least total that an act may raise to over a short blind."""
    unit = hand.fixed_bet("preflop")
    return _find_limit_steps(hand, act, unit).smallest_raise if unit else full_blind


def _find_limit_steps(hand: Timeline, act: Act, unit: Chips) -> LimitSteps:
    """Return the totals that an act of the first round could raise to."""
    acts = [candidate for candidate in hand.acts if candidate.street == "preflop"]
    return next(steps for candidate, steps in iter_limit_steps(hand, acts, unit) if candidate is act)


@hand_detector(
    events=(BlindPosted,), needs=Witness.POSTS | Witness.BLIND_AMOUNTS, signs=Symptom.ODD_POSTS, occasion=SIGNS_ONLY
)
def next_does_not_post(hand: Timeline, *, half: float) -> Iterator[Answer]:
    """The big blind was all-in for too little to count as full, and the next player did not post a full one."""
    short_blind, full_blind = _find_short_big_blind(hand), max(hand.blinds, default=0)
    if short_blind is None or short_blind.live >= half * full_blind:
        yield NO_OCCASION
        return
    due_seat = hand.seats_after(short_blind.seat)[0]
    has_full_post = any(post.live >= full_blind for _, post in _list_big_blinds(hand, due_seat))
    if not has_full_post:
        yield Breach(
            short_blind.version,
            say.full_blind_missing(short_blind.seat, hand.format_chips(short_blind.live), due_seat),
            seat=due_seat,
            should=say.big_blind_from(due_seat, hand.format_chips(full_blind)),
            remedy="not-followed",
            money=build_post_flow(hand, {due_seat: (full_blind, 0)}),  # due: a full live blind, nothing dead
        )


def _list_big_blinds(hand: Timeline, seat: Seat) -> list[tuple[int, BlindPosted]]:
    """Return the big blinds that a seat posted, with their versions."""
    return [
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.seat == seat and post.role == hand.largest_blind_role
    ]


@hand_detector(
    events=(BlindPosted,),
    needs=Witness.POSTS | Witness.BLIND_AMOUNTS,
    partial=Witness.POSTS,
    signs=Symptom.ODD_POSTS,
    occasion=SIGNS_ONLY,
)
def half_not_counted(hand: Timeline, *, half: float) -> Iterator[Answer]:
    """The big blind was all-in for enough to count as full, and the next player posted one as well."""
    short_blind, full_blind = _find_short_big_blind(hand), max(hand.blinds, default=0)
    if short_blind is None or short_blind.live < half * full_blind:
        yield NO_OCCASION
        return
    due_seat = hand.seats_after(short_blind.seat)[0]
    for version, _ in _list_big_blinds(hand, due_seat):
        yield Breach(
            version,
            say.second_big_blind(due_seat),
            seat=due_seat,
            should=say.counts_as_full(short_blind.seat, hand.format_chips(short_blind.live)),
            money=build_post_flow(hand, {due_seat: (0, 0)}),  # due: nothing
        )
