"""Judge button and big blind of two players who kept their seats: both alternate, by any method of moving the button."""

from __future__ import annotations

from ledger.vocabulary import Seat
from projections.detectors.shared.blind_positions import find_recorded_button, list_regular_posts
from projections.findings.finding import Breach
from projections.obligations.game import find_option
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline


def have_two_players_stayed(context: TableContext) -> bool:
    """Whether two players are dealt in, and both were in the same seats on the completed hand before.

    Others may have left since that hand.
    """
    last_hand = context.state.last_hand
    if last_hand is None or not last_hand.completed or last_hand.voided or context.due_positions.unknown:
        return False
    players = {(dealt.seat, dealt.player) for dealt in context.hand.dealt_in}
    return len(players) == 2 and players <= {
        (dealt_player.seat, dealt_player.player) for dealt_player in last_hand.dealt_in
    }


def _have_others_left(context: TableContext) -> bool:
    """Whether more players were dealt in on the last hand than on this one."""
    last_hand = context.state.last_hand
    return last_hand is None or len(last_hand.dealt_in) != len(context.hand.dealt_in)


def find_repeated_big(hand: Timeline, context: TableContext) -> Seat | None:
    """Return the seat that has the big blind twice running though it was due to the other player, or None.

    If other players have left since the last hand, no rule covers the blinds of the two.
    """
    if _have_others_left(context):
        return None
    big_seats = [blind.seat for blind in list_regular_posts(hand) if blind.role == "big"]
    return big_seats[0] if big_seats == [context.state.big.seat] else None


def judge_two_players(hand: Timeline, context: TableContext) -> Breach | None:
    """Return the breach if the button didn't go to the other of two players, or went there without last action.

    The breach is None if neither happened.
    """
    button, last_button = find_recorded_button(hand), context.state.button.seat
    if button is None:
        return None
    if button not in hand.start:
        return _build_empty_breach(hand, context, button)
    if button == last_button:
        return _build_repeat_breach(hand, context, button) if _must_button_move(context, button) else None
    return _build_last_action_breach(hand, context, button) if last_button in hand.start else None


def _must_button_move(context: TableContext, seat: Seat) -> bool:
    """Whether the button had to leave `seat`: always for the same two players, else only by every reading."""
    return not _have_others_left(context) or all(
        placement.button not in (None, seat) for placement in context.due.placements
    )


def _build_empty_breach(hand: Timeline, context: TableContext, button: Seat) -> Breach | None:
    """Return the breach of a button where nobody is dealt in, or None if it may be there.

    A room that plays a dead button may leave it there once.
    """
    is_repeated = button == context.state.button.seat
    has_dead_button = find_option(context.state, context.hand, "button-method") == "dead"
    if not _must_button_move(context, button) or (has_dead_button and not is_repeated):
        return None
    return Breach(
        context.version_of("button"),
        button_sentences.still_with_neither_player(button)
        if is_repeated
        else button_sentences.reaches_neither_player(button),
        should=button_sentences.button_in(sorted(hand.start)),
        because=button_sentences.alternates_despite_dead_button() if has_dead_button else button_sentences.alternates(),
        certainty="likely" if has_dead_button else "certain",
    )


def _build_repeat_breach(hand: Timeline, context: TableContext, button: Seat) -> Breach:
    """Return the breach of a button that one of two players has twice running."""
    due_seat = hand.seats_after(button)[0]
    return Breach(
        context.version_of("button"),
        button_sentences.did_not_move(button, due_seat),
        seat=button,
        should=button_sentences.button_in([due_seat]),
        because=button_sentences.alternates(),
    )


def _build_last_action_breach(hand: Timeline, context: TableContext, button: Seat) -> Breach | None:
    """Return the breach if the button moved but one of two players kept the big blind, or None if it moved too.

    The clause asks that nobody has last action twice running, so the player who has it identifies the breach. The rule
    covers the button, not the blinds, so the breach is only likely. The other player, whom the blind skipped,
    identifies the breach of `skipped`, under a clause by which every player takes every blind.
    """
    big_seat = find_repeated_big(hand, context)
    if big_seat is None:
        return None
    return Breach(
        context.version_of("big", big_seat),
        blind_sentences.same_seat_again(big_seat),
        seat=big_seat,
        should=blind_sentences.blind_from("big", hand.seats_after(big_seat)[0]),
        because=blind_sentences.button_moved_only(button, big_seat),
        certainty="likely",
    )
