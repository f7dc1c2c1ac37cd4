"""Seat changes: dealt in too early or without the post, or charged although the move was free."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.opening import SeatLeftOut
from ledger.vocabulary import Witness
from projections.detectors.shared.seat_dues import Seated, kept, needless, seated, unsaid, ways
from projections.findings.detector import SIGNS_ONLY, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach
from projections.obligations.moves import Move, free_pass
from projections.obligations.stakes import LOWBALL
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline


def _movers(hand: Timeline, context: TableContext) -> list[tuple[Seated, Move]]:
    """Return the dealt-in seats whose players changed seats since they last had cards."""
    return [
        (player, player.tab.move)
        for player in seated(hand, context)
        if player.tab.move is not None and not player.blind
    ]


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, about="seats")
def far(hand: Timeline, context: TableContext, *, after_big_blind: bool = False) -> Iterator[Answer]:
    """Somebody moved past several players away from the blinds and neither posted nor waited."""
    movers = [
        mover for mover, move in _movers(hand, context) if move.after_big == after_big_blind and not mover.due.missed
    ]
    if not movers:
        yield NO_OCCASION
    for mover in movers:
        if mover.due.deal == "open":
            yield unsaid(mover)
        elif not mover.all_in and mover.due.live is not None and mover.live < mover.due.live:
            yield _dealt_in_early(hand, mover, "after a move past several players")


def _dealt_in_early(hand: Timeline, mover: Seated, circumstance: str) -> Breach:
    posted = f" after posting {hand.say(mover.paid)}" if mover.posts else " without a post"
    return Breach(
        mover.version,
        f"seat {mover.seat} is dealt in{posted}, {circumstance}",
        seat=mover.seat,
        should=ways(hand, mover.due),
        money=kept(hand, mover),
        grounds=mover.due.why,
    )


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, about="seats")
def too_early(hand: Timeline, context: TableContext, *, counted: bool = False) -> Iterator[Answer]:
    """Somebody who moved away from the big blind played before the place was the same, without a post."""
    movers = _movers(hand, context)
    if not movers:
        yield NO_OCCASION
    for mover, move in movers:
        if mover.due.deal == "open":
            yield unsaid(mover)
        elif mover.must and not mover.posts and move.left > 0 and not mover.due.missed:
            circumstance = f"after {move.waited} of {move.gained} hands" if counted else "in another place than before"
            yield _dealt_in_early(hand, mover, circumstance)


@table_detector(needs=Witness.POSTS | Witness.SEATING)
def closer_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Somebody who moved closer to the big blind was asked for a post, or made to wait."""
    movers = [
        (mover, move)
        for mover, move in _movers(hand, context)
        if move.gained <= 0 and not (move.granted and free_pass(context.policy, move)) and not mover.due.missed
    ]
    made_to_wait = [
        (version, event.seat)
        for version, event in hand.of(SeatLeftOut)
        if event.reason == "moved" and _free_move(context, event.seat)
    ]
    if not movers and not made_to_wait and not _came_closer(hand, context):
        yield NO_OCCASION
    for mover, move in movers:
        if mover.due.deal == "open":
            yield unsaid(mover)
        elif mover.due.deal == "yes" and mover.posts:
            yield needless(hand, mover, f"it moved from seat {move.start}, no further from the big blind")
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


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, about="seats")
def other_amount(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Instead of waiting, a mover posted another amount than the big blind, or owed a missed blind."""
    movers = [(mover, move) for mover, move in _movers(hand, context) if mover.posts and not _lowball(hand)]
    if not movers:
        yield NO_OCCASION
    for mover, move in movers:
        if mover.due.deal == "open":
            yield unsaid(mover)
            continue
        big = max(hand.blinds, default=None)
        if big is None or not mover.must or move.left <= 0:
            continue
        if mover.due.missed:
            if mover.paid == big and mover.asked != big:
                yield _dealt_in_early(hand, mover, "with a missed blind still owed")
        elif (mover.live, mover.dead) != (big, 0) and not (mover.all_in and mover.paid < big):
            yield _dealt_in_early(hand, mover, "without waiting")


def _lowball(hand: Timeline) -> bool:
    return hand.game is not None and hand.game.variant in LOWBALL


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, about="seats")
def no_kill(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """In lowball a mover played at once on a plain post, without killing the pot."""
    movers = [mover for mover, _ in _movers(hand, context) if mover.posts]
    if not movers:
        yield NO_OCCASION
    for mover in movers:
        if mover.due.deal == "open":
            yield unsaid(mover)
        elif mover.must and not any(post.role == "kill" for _, post in mover.posts):
            yield _dealt_in_early(hand, mover, "without a kill")


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, about="seats")
def pass_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Somebody who might let the blinds pass once after a move was charged on coming back."""
    movers = [
        (mover, move)
        for mover, move in _movers(hand, context)
        if move.granted and free_pass(context.policy, move) and not mover.due.missed
    ]
    if not movers:
        yield NO_OCCASION
    for mover, move in movers:
        if mover.due.deal == "open":
            yield unsaid(mover)
        elif mover.due.deal == "yes" and mover.posts:
            yield needless(hand, mover, f"it moved from the {move.leaving} position: the blinds may pass once")


@table_detector(needs=Witness.POSTS | Witness.SEATING | Witness.GAME_STARTS, occasion=SIGNS_ONLY, about="seats")
def new_game_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """In a new game a seat change was charged, or had to wait, though no blind had passed the new seat."""
    game = context.memory.game
    movers = [mover for mover, move in _movers(hand, context) if game.told and game.passed(move.to) is False]
    if not movers:
        yield NO_OCCASION
    for mover in movers:
        if mover.due.deal == "yes" and mover.posts:
            yield needless(hand, mover, "no blind has passed the new seat since the game began")
