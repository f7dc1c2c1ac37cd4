"""Seat changes: dealt in too early or without the post, or charged although the move was free.

Each public function is a detector; its docstring states the breach. A mover is a player who changed seats since
the last hand with cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ledger.hand.opening import SeatLeftOut
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.seat_due_wording import describe_ways_in, format_sum, list_reasons
from projections.detectors.shared.seat_dues import (
    JudgedSeat,
    build_needless_post,
    compute_money_moved_by_post,
    explain_open_due,
    list_judged_seats,
)
from projections.findings.detector import SIGNS_ONLY, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach
from projections.obligations.moves import Move, has_free_pass
from projections.obligations.stakes import LOWBALL
from projections.sentences import movers as say
from projections.sentences import paragraph, seat_changes
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, subject="seats")
def far(hand: Timeline, context: TableContext, *, after_big_blind: bool = False) -> Iterator[Answer]:
    """A player moved past several players away from the blinds and neither posted nor waited."""
    movers = [
        (mover, move)
        for mover, move in _list_movers(hand, context)
        if move.follows_big_blind == after_big_blind and not mover.due.missed
    ]

    def judge(mover: JudgedSeat, move: Move) -> Breach | None:
        if mover.is_all_in or mover.due.live is None or mover.live >= mover.due.live:
            return None
        headline = say.dealt_in_after_far_move(mover.seat, _describe_posted(hand, mover))
        return _build_breach(hand, mover, move, headline)

    yield from _judge_each(movers, judge)


def _list_movers(hand: Timeline, context: TableContext) -> list[tuple[JudgedSeat, Move]]:
    """Return the dealt-in movers with their moves, without those who posted the big blind in turn."""
    return [
        (player, player.tab.move)
        for player in list_judged_seats(hand, context)
        if player.tab.move is not None and not player.has_big_blind
    ]


def _judge_each(
    movers: list[tuple[JudgedSeat, Move]], judge: Callable[[JudgedSeat, Move], Breach | None]
) -> Iterator[Answer]:
    """Yield a breach for each mover whom `judge` finds wrong; nobody can tell if what was due is open.

    Without movers, the clause had no occasion.
    """
    if not movers:
        yield NO_OCCASION
    for mover, move in movers:
        if mover.due.deal == "open":
            yield explain_open_due(mover)
        elif (breach := judge(mover, move)) is not None:
            yield breach


def _build_breach(hand: Timeline, mover: JudgedSeat, move: Move, headline: str) -> Breach:
    """Return the breach of a mover who was dealt in too early, or without the right post."""
    return Breach(
        mover.version,
        headline,
        seat=mover.seat,
        should=describe_ways_in(hand, mover.due),
        because=paragraph(seat_changes.moved(move.new_seat, move.old_seat), *list_reasons(mover)),
        money=compute_money_moved_by_post(hand, mover),
        grounds=mover.due.grounds,
    )


def _describe_posted(hand: Timeline, mover: JudgedSeat) -> str:
    """Return the sum that a mover posted; "" = it posted nothing."""
    return format_sum(hand, mover.live, mover.dead) if mover.posts else ""


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, subject="seats")
def too_early(hand: Timeline, context: TableContext, *, counted: bool = False) -> Iterator[Answer]:
    """A player who moved away from the big blind played before the old position came round, without a post."""
    # `counted`: the book counts the hands to wait, so the headline does too.
    movers = _list_movers(hand, context)

    def judge(mover: JudgedSeat, move: Move) -> Breach | None:
        if not mover.needs_post or mover.posts or move.hands_left <= 0 or mover.due.missed:
            return None
        headline = say.dealt_in_before_position(mover.seat)
        if counted:
            headline = say.dealt_in_before_waiting(mover.seat, move.waited, move.gained)
        return _build_breach(hand, mover, move, headline)

    yield from _judge_each(movers, judge)


@table_detector(needs=Witness.POSTS | Witness.SEATING)
def closer_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who moved closer to the big blind was asked for a post, or made to wait."""
    movers = [
        (mover, move)
        for mover, move in _list_movers(hand, context)
        if move.gained <= 0 and not (move.granted and has_free_pass(context.policy, move)) and not mover.due.missed
    ]
    waiting_movers = _list_waiting_movers(hand, context)
    if not movers and not waiting_movers and not _has_closer_mover(hand, context):
        yield NO_OCCASION
    for mover, move in movers:
        if mover.due.deal == "open":
            yield explain_open_due(mover)
        elif mover.due.deal == "yes" and mover.posts:
            yield build_needless_post(hand, mover, say.moved_closer(mover.seat, move.old_seat))
    for version, seat in waiting_movers:
        yield Breach(version, say.made_to_wait(seat), seat=seat, should=say.cards_for(seat))


def _list_waiting_movers(hand: Timeline, context: TableContext) -> list[tuple[int, Seat]]:
    """Return the seats left out after a move closer that costs nothing, with the versions that say so."""
    return [
        (version, event.seat)
        for version, event in hand.of(SeatLeftOut)
        if event.reason == "moved" and _has_moved_closer_for_free(context, event.seat)
    ]


def _has_closer_mover(hand: Timeline, context: TableContext) -> bool:
    """Whether a player who moved closer was dealt in, and not as the big blind."""
    if context.player_tabs.has_no_issues:
        return False
    big_blind_seats = hand.find_posters(hand.largest_blind_role)
    return any(_has_moved_closer_for_free(context, seat) for seat in hand.start if seat not in big_blind_seats)


def _has_moved_closer_for_free(context: TableContext, seat: int) -> bool:
    """Whether a player moved closer to the big blind and owes nothing.

    Another clause judges players whom the book lets pass the blinds once after a move.
    """
    due = context.find_seat_due(seat)
    move = None if due is None else context.find_tab(due.player).move
    if due is None or move is None or has_free_pass(context.policy, move):
        return False
    return move.gained <= 0 and due.deal == "yes"


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, subject="seats")
def other_amount(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A mover posted something other than the big blind, or only the big blind though it also owed a missed one."""
    movers = [(mover, move) for mover, move in _list_movers(hand, context) if mover.posts and not _is_lowball(hand)]
    big_blind = max(hand.blinds, default=None)

    def judge(mover: JudgedSeat, move: Move) -> Breach | None:
        if big_blind is None or not mover.needs_post or move.hands_left <= 0:
            return None
        is_short_all_in = mover.is_all_in and mover.paid < big_blind
        is_wrong_post = (mover.live, mover.dead) != (big_blind, 0) and not is_short_all_in
        if mover.due.missed and mover.paid == big_blind and mover.due_total != big_blind:
            headline = say.posted_owing_more(mover.seat, _describe_posted(hand, mover))
        elif not mover.due.missed and is_wrong_post:
            headline = say.wrong_post(mover.seat, _describe_posted(hand, mover))
        else:
            return None
        return _build_breach(hand, mover, move, headline)

    yield from _judge_each(movers, judge)


def _is_lowball(hand: Timeline) -> bool:
    """Whether the game is lowball, where a mover kills the pot instead of posting."""
    return hand.game is not None and hand.game.variant in LOWBALL


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, subject="seats")
def no_kill(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """In lowball a mover played at once on a plain post, without killing the pot."""
    movers = [(mover, move) for mover, move in _list_movers(hand, context) if mover.posts]

    def judge(mover: JudgedSeat, move: Move) -> Breach | None:
        if not mover.needs_post or any(post.role == "kill" for _, post in mover.posts):
            return None
        return _build_breach(hand, mover, move, say.played_without_kill(mover.seat))

    yield from _judge_each(movers, judge)


@table_detector(needs=Witness.POSTS | Witness.SEATING, occasion=SIGNS_ONLY, subject="seats")
def pass_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who could let the blinds pass once after a move was charged on coming back."""
    movers = [
        (mover, move)
        for mover, move in _list_movers(hand, context)
        if move.granted and has_free_pass(context.policy, move) and not mover.due.missed
    ]

    def judge(mover: JudgedSeat, move: Move) -> Breach | None:
        if mover.due.deal != "yes" or not mover.posts:
            return None
        return build_needless_post(hand, mover, say.blinds_may_pass(move.old_seat, move.leaving))

    yield from _judge_each(movers, judge)


@table_detector(needs=Witness.POSTS | Witness.SEATING | Witness.GAME_STARTS, occasion=SIGNS_ONLY, subject="seats")
def new_game_charged(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """In a new game a seat change was charged, or had to wait, though no blind had passed the new seat."""
    game = context.player_tabs.game
    movers = [
        mover
        for mover, move in _list_movers(hand, context)
        if game.is_recorded and game.has_blind_passed(move.new_seat) is False
    ]
    if not movers:
        yield NO_OCCASION
    for mover in movers:
        if mover.due.deal == "yes" and mover.posts:
            yield build_needless_post(hand, mover, seat_changes.no_blind_passed(mover.seat))
