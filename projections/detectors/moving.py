"""Seat changes: dealt in too early or without the post, or charged although the move was free."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.opening import SeatLeftOut
from ledger.vocabulary import Witness
from projections.detectors.shared.seat_dues import Seated, kept, needless, seated, unsaid, ways
from projections.findings.detector import detects
from projections.findings.finding import NO_OCCASION, Answer, Breach
from projections.obligations.moves import Move, free_pass
from projections.obligations.stakes import LOWBALL
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline


def _movers(hand: Timeline, context: TableContext) -> list[tuple[Seated, Move]]:
    """Return the dealt-in seats whose players changed seats since they last had cards."""
    return [(one, one.tab.move) for one in seated(hand, context) if one.tab.move is not None and not one.blind]


@detects(needs=Witness.POSTS | Witness.SEATING, table=True, about="seats", rare=True)
def far(hand: Timeline, context: TableContext, *, after_big_blind: bool = False) -> Iterator[Answer]:
    """Somebody moved past several players away from the blinds and neither posted nor waited."""
    there = [one for one, move in _movers(hand, context) if move.after_big == after_big_blind and not one.due.missed]
    if not there:
        yield NO_OCCASION
    for one in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif not one.all_in and one.due.live is not None and one.live < one.due.live:
            yield _early(hand, one, "after a move past several players")


def _early(hand: Timeline, one: Seated, when: str) -> Breach:
    posted = f" after posting {hand.say(one.paid)}" if one.posts else " without a post"
    return Breach(
        one.version,
        f"seat {one.seat} is dealt in{posted}, {when}",
        seat=one.seat,
        should=ways(hand, one.due),
        money=kept(hand, one),
        grounds=one.due.why,
    )


@detects(needs=Witness.POSTS | Witness.SEATING, table=True, about="seats", rare=True)
def too_early(hand: Timeline, context: TableContext, *, counted: bool = False) -> Iterator[Answer]:
    """Somebody who moved away from the big blind played before the place was the same, without a post."""
    there = _movers(hand, context)
    if not there:
        yield NO_OCCASION
    for one, move in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif one.must and not one.posts and move.left > 0 and not one.due.missed:
            waits = f"after {move.waited} of {move.gained} hands" if counted else "in another place than before"
            yield _early(hand, one, waits)


@detects(needs=Witness.POSTS | Witness.SEATING, table=True)
def closer_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Somebody who moved closer to the big blind was asked for a post, or made to wait."""
    there = [
        (one, move)
        for one, move in _movers(hand, context)
        if move.gained <= 0 and not (move.granted and free_pass(context.policy, move)) and not one.due.missed
    ]
    made_to_wait = [
        (version, event.seat)
        for version, event in hand.of(SeatLeftOut)
        if event.reason == "moved" and _free_move(context, event.seat)
    ]
    if not there and not made_to_wait and not _came_closer(hand, context):
        yield NO_OCCASION
    for one, move in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif one.due.deal == "yes" and one.posts:
            yield needless(hand, one, f"it moved from seat {move.start}, no further from the big blind")
    for version, seat in made_to_wait:
        yield Breach(
            version,
            f"seat {seat} gets no cards after moving closer to the big blind",
            seat=seat,
            should=f"cards for seat {seat}, without a post",
        )


def _came_closer(hand: Timeline, context: TableContext) -> bool:
    """Whether somebody was dealt in after moving closer, and not as the big blind."""
    if context.memory.all_quiet:
        return False
    blind = hand.poster("extra" if len(hand.blinds) > 2 else "big")
    return any(_free_move(context, seat) for seat in hand.start if seat not in blind)


def _free_move(context: TableContext, seat: int) -> bool:
    due = context.seat(seat)
    move = None if due is None else context.tab(due.player).move
    if due is None or move is None or free_pass(context.policy, move):
        return False
    return move.gained <= 0 and due.deal == "yes"


@detects(needs=Witness.POSTS | Witness.SEATING, table=True, about="seats", rare=True)
def other_amount(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Instead of waiting, a mover posted another amount than the big blind, or owed a missed blind."""
    there = [(one, move) for one, move in _movers(hand, context) if one.posts and not _lowball(hand)]
    if not there:
        yield NO_OCCASION
    for one, move in there:
        if one.due.deal == "open":
            yield unsaid(one)
            continue
        big = max(hand.blinds, default=None)
        if big is None or not one.must or move.left <= 0:
            continue
        if one.due.missed:
            if one.paid == big and one.asked != big:
                yield _early(hand, one, "with a missed blind still owed")
        elif (one.live, one.dead) != (big, 0) and not (one.all_in and one.paid < big):
            yield _early(hand, one, "without waiting")


def _lowball(hand: Timeline) -> bool:
    return hand.game is not None and hand.game.variant in LOWBALL


@detects(needs=Witness.POSTS | Witness.SEATING, table=True, about="seats", rare=True)
def no_kill(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """In lowball a mover played at once on a plain post, without killing the pot."""
    there = [one for one, _ in _movers(hand, context) if one.posts]
    if not there:
        yield NO_OCCASION
    for one in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif one.must and not any(post.role == "kill" for _, post in one.posts):
            yield _early(hand, one, "without a kill")


@detects(needs=Witness.POSTS | Witness.SEATING, table=True, about="seats", rare=True)
def pass_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Somebody who might let the blinds pass once after a move was charged on coming back."""
    there = [
        (one, move)
        for one, move in _movers(hand, context)
        if move.granted and free_pass(context.policy, move) and not one.due.missed
    ]
    if not there:
        yield NO_OCCASION
    for one, move in there:
        if one.due.deal == "open":
            yield unsaid(one)
        elif one.due.deal == "yes" and one.posts:
            yield needless(hand, one, f"it moved from the {move.leaving} position: the blinds may pass once")


@detects(needs=Witness.POSTS | Witness.SEATING | Witness.GAME_STARTS, table=True, about="seats", rare=True)
def new_game_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """In a new game a seat change was charged, or had to wait, though no blind had passed the new seat."""
    game = context.memory.game
    there = [one for one, move in _movers(hand, context) if game.told and game.passed(move.to) is False]
    if not there:
        yield NO_OCCASION
    for one in there:
        if one.due.deal == "yes" and one.posts:
            yield needless(hand, one, "no blind has passed the new seat since the game began")
