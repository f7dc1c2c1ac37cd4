"""Who gets the button: when its player may not have it, on a game's first hand, and when its player is away.

Each public function is a detector; its docstring states the breach. The last ones judge what goes with the button:
blinds that it skipped, and stacks that are too short for a blind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, HandKilled, Raised
from ledger.hand.ending import PotAwarded
from ledger.hand.opening import BlindPosted
from ledger.presence import PlayerBack
from ledger.table.events import GameStarted
from ledger.table.positions import find_big_blind, find_small_blind
from ledger.table.state import SeatState
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.blind_positions import (
    REGULAR,
    explain_no_button,
    find_excused_posters,
    find_recorded_button,
)
from projections.findings.detector import SIGNS_ONLY, HandBasis, Symptom, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import Placement, SeatDue
from projections.obligations.gaps import describe_gap
from projections.obligations.ring import find_seat_after, find_seat_right_of_dealer, is_between
from projections.sentences import blinds as blind_sentences
from projections.sentences import button as button_sentences
from projections.sentences import owing as owing_sentences
from projections.sentences import paragraph, unknowns
from projections.sentences.positions import no_button
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline

_PLAY_EVENTS: Final = (Checked, Called, Bet, Raised, Completed, PotAwarded)
_OUT_EVENTS: Final = (PlayerBack, HandKilled, Folded)
"""Events after which an absent player's hand no longer plays on without the player."""

_MAY_WAIT: Final = frozenset({"new", "owing", "waiting", "unknown"})
"""Statuses of players who may let the blinds pass, whatever their stacks."""

_SEATINGS: Final[dict[str, Literal["chosen", "arrival"]]] = {"chosen": "chosen", "arrival": "arrival"}
"""Ways to give out seats, other than by draw, that a sentence names; it calls all others "other"."""


@table_detector(needs=Witness.BUTTON, subject="seats", basis=HandBasis.PLAIN_BREACH)
def barred(hand: Timeline, context: TableContext, *, kinds: list[str]) -> Iterator[Answer]:
    """A player who may not have the button has it, or acts last as the nearest to a dead one.

    A clause about made-up blinds alone also reports a player who made up the blinds and posted the small blind.
    """
    if _is_about_made_up_blinds(kinds):
        yield from _judge_excused_posters(hand, context)
    button = find_recorded_button(hand)
    if button is None:
        yield explain_no_button(hand)
        return
    is_button_dead = button not in hand.start
    seat = hand.seats_after(button)[-1] if is_button_dead else button  # the seat with last action
    due = context.find_seat_due(seat)
    barring_kinds = _list_barring_kinds(context, seat, kinds)
    if due is None or set(due.barred).isdisjoint(barring_kinds):
        return
    if _is_everybody_barred(hand, context) or (is_button_dead and _may_have_last_action(hand, context, seat)):
        return
    place = context.due.place
    due_seat = None if place is None or context.due.unknown else place.button
    sale = _describe_sale(context, due)
    yield Breach(
        context.version_of("button"),
        button_sentences.has_barred_last_action(seat) if is_button_dead else button_sentences.has_barred_button(seat),
        seat=seat,
        should=_describe_barred_remedy(seat, due_seat, has_button=not is_button_dead),
        because=paragraph(_describe_button_bar(due, barring_kinds), sale),
        certainty="likely" if sale else "certain",  # the book doesn't say if a bought button lifts the bar
        grounds=due.grounds,
    )


def _is_everybody_barred(hand: Timeline, context: TableContext) -> bool:
    """Whether every dealt-in player is barred from the button: then somebody must have it all the same."""
    return all(due is not None and due.button is False for due in map(context.find_seat_due, hand.start))


def _may_have_last_action(hand: Timeline, context: TableContext, seat: Seat) -> bool:
    """Whether a barred seat may act last behind a dead button."""
    if len(hand.start) == len(hand.blinds) == 3 and seat in hand.find_posters("extra"):
        return True  # of three players with three blinds, one has the furthest blind and last action
    place = context.due.place
    return place is not None and not place.judged  # nobody can tell where the button belongs, nor who is nearest to it


def _is_about_made_up_blinds(kinds: list[str]) -> bool:
    """Whether a clause bars only players who made up their blinds between the button and the big blind."""
    return kinds == ["made-up-between"]


def _describe_barred_remedy(seat: Seat, due_seat: Seat | None, *, has_button: bool) -> str:
    """Return who has the button, or last action, in place of a seat that may not have it."""
    if due_seat == seat:
        return button_sentences.without_button(seat)
    if not has_button:
        return button_sentences.last_action_elsewhere()
    return button_sentences.button_elsewhere() if due_seat is None else button_sentences.button_in([due_seat])


def _list_barring_kinds(context: TableContext, seat: Seat, kinds: list[str]) -> list[str]:
    """Return the kinds of bar that a clause applies to a seat.

    Only the clause about made-up blinds alone bars a player who took a regular blind on the last hand.
    """
    last_hand = context.last_hand
    took_blind = last_hand is not None and any(post.seat == seat and post.role in REGULAR for post in last_hand.posts)
    if took_blind and not _is_about_made_up_blinds(kinds):
        return [kind for kind in kinds if kind != "made-up-between"]
    return kinds


def _judge_excused_posters(hand: Timeline, context: TableContext) -> Iterator[Breach]:
    """Yield the seats that made up their blinds and posted the small blind before the big blind came around."""
    for seat in find_excused_posters(hand, context):
        due = context.find_seat_due(seat)
        yield Breach(
            context.version_of("small", seat),
            blind_sentences.excused_posted(seat),
            seat=seat,
            identity=(context.version_of("small"), seat),
            should=blind_sentences.small_blind_from_next(),
            grounds=() if due is None else due.grounds,
            because=blind_sentences.excused_this_round(seat),
        )


def _describe_sale(context: TableContext, due: SeatDue) -> str:
    """Return a sentence if the player bought the button before the last hand, else "".

    A book that bars the player but has no clause about sales is silent on what a sale changes.
    """
    hand_before_last = context.state.hand_before_last
    if hand_before_last is None or context.find_tab(due.player).last_purchase_hand != hand_before_last.number:
        return ""
    return button_sentences.bought_where_book_is_silent(due.seat, hand_before_last.number)


def _describe_button_bar(due: SeatDue, kinds: list[str]) -> str:
    """Return why a seat may not have the button: the missed blinds, if any, and the rule."""
    bar = next(kind for kind in due.barred if kind in kinds)
    missed_reasons = [missed.ground.sentence for missed in due.missed if missed.ground.basis != "assumed"]
    return paragraph(*missed_reasons, no_button(due.seat, bar))


# The first hand of a game


@table_detector(needs=Witness.BUTTON | Witness.GAME_STARTS, basis=HandBasis.TABLE_NOW)
def not_right_of_dealer(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The first button of a new game is not with the nearest player counterclockwise from the dealer."""
    if not _is_first_hand(context):
        yield NO_OCCASION
        return
    button = find_recorded_button(hand)
    dealer_box = hand.option("dealer-box")
    present_seats = {*hand.start, *(absentee.seat for absentee in context.hand.left_out)}
    due_seat = find_seat_right_of_dealer(dealer_box, present_seats)
    allowed_seats = (due_seat, find_seat_right_of_dealer(dealer_box, hand.start))
    if button is not None and due_seat is not None and button not in allowed_seats:
        yield Breach(
            context.version_of("button"),
            button_sentences.starts_in_wrong_seat(button, due_seat),
            seat=button,
            should=button_sentences.button_in([due_seat]),
            because=button_sentences.nearest_to_dealer(due_seat),
        )


@table_detector(needs=Witness.BUTTON | Witness.GAME_STARTS, basis=HandBasis.TABLE_NOW)
def not_drawn_for(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The seats weren't drawn, and there was no draw for the button, or its winner didn't get it."""
    state = context.state
    if state.hands:
        yield NO_OCCASION
        return
    if state.seating in ("", "unknown"):
        yield CannotTell(unknowns.seats_given_out())
        return
    if state.seating == "drawn":
        yield NO_OCCASION
        return
    button = find_recorded_button(hand)
    if not state.button_draw_seats and state.button_draw_winner is None:
        yield Breach(
            context.version_of("button"),
            button_sentences.no_draw(button) if button is not None else button_sentences.nobody_drew(),
            seat=button,
            should=button_sentences.draw_first(),
            because=button_sentences.seats_not_drawn(_SEATINGS.get(state.seating, "other")),
        )
    elif state.button_draw_winner is not None and state.button_draw_winner != button:
        yield Breach(
            context.version_of("button"),
            button_sentences.starts_in_wrong_seat(button, state.button_draw_winner)
            if button is not None
            else button_sentences.winner_without_button(state.button_draw_winner),
            seat=button,
            should=button_sentences.button_in([state.button_draw_winner]),
            because=button_sentences.won_the_draw(state.button_draw_winner),
        )


def _is_first_hand(context: TableContext) -> bool:
    """Whether a hand is the first of a game whose start is recorded."""
    started = any(isinstance(entry.event, GameStarted) for entry in context.events_between)
    return started and not describe_gap(context.state, context.hand)


# Away when the button comes


@table_detector(needs=Witness.BUTTON | Witness.PRESENCE)
def absent_without_cards(_: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who was due the button, owed nothing and was in the room got no cards, though the player didn't ask to be dealt out."""
    places = context.due.placements
    if not places:
        yield CannotTell(context.due.unknown)
        return
    skipped_players = [_find_absent_due(context, place) for place in places]
    skipped = skipped_players[0]
    if skipped is None or any(other is None or other.seat != skipped.seat for other in skipped_players):
        yield NO_OCCASION  # the readings of where the button belongs don't all skip the same player
        return
    if skipped.seat_state.in_room is None:
        yield CannotTell("in-room")
    elif skipped.seat_state.in_room:
        yield Breach(
            context.version_of("dealt", skipped.seat),
            button_sentences.player_left_out(skipped.seat),
            seat=skipped.seat,
            should=button_sentences.dealt_the_button(skipped.seat),
            because=button_sentences.in_room_and_paid(skipped.seat),
            rests_on=skipped.passed_seats,
        )


class _AbsentDue(NamedTuple):
    """An absent player who is due the button, and the absent ones before it who can't have it."""

    seat: Seat
    seat_state: SeatState
    passed_seats: tuple[Seat, ...]  # they owe blinds or may not have the button


def _find_absent_due(context: TableContext, place: Placement) -> _AbsentDue | None:
    """Return the first absent player between the last button and the seat now due it, or None."""
    last_seat, due_seat = context.state.button.seat, place.button
    if last_seat is None or due_seat is None:
        return None
    absent_seats = [
        seat for seat in _list_absent_seats(context) if seat != due_seat and is_between(last_seat, seat, due_seat)
    ]
    without_button = {entry.seat for entry in context.due.seats if entry.missed or entry.barred}
    seat = find_seat_after(last_seat, [seat for seat in absent_seats if seat not in without_button])
    if seat is None:
        return None
    passed_seats = [other for other in absent_seats if is_between(last_seat, other, seat) and other in without_button]
    return _AbsentDue(seat, context.state.seats[seat], tuple(passed_seats))


def _list_absent_seats(context: TableContext) -> list[Seat]:
    """Return the seats of absent players with chips who got no cards and didn't ask for that."""
    dealt_seats = {dealt.seat for dealt in context.hand.dealt_in}
    left_out_by_request = {
        absentee.seat for absentee in context.hand.left_out if absentee.reason == "asked-to-be-dealt-out"
    }
    return [
        seat
        for seat, seat_state in context.state.seats.items()
        if seat_state.presence == "away"
        and seat_state.stack != 0
        and not seat_state.is_busted
        and not seat_state.has_asked_out
        and seat not in dealt_seats
        and seat not in left_out_by_request
    ]


@table_detector(
    needs=Witness.BUTTON | Witness.PRESENCE | Witness.ACTS,
    signs=Symptom.PLAYER_AWAY,
    occasion=SIGNS_ONLY,
    basis=HandBasis.TABLE_NOW,
)
def absent_hand_played(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The hand of the button's absent player acts or wins, and the player isn't back."""
    button = find_recorded_button(hand)
    seat_state = context.state.seats.get(button) if button is not None else None
    if button is None or seat_state is None or seat_state.presence != "away":
        yield NO_OCCASION
        return
    for version, event in hand.numbered_events:
        if isinstance(event, _OUT_EVENTS) and event.seat == button:
            return
        if isinstance(event, _PLAY_EVENTS) and event.seat == button:
            yield Breach(
                version,
                button_sentences.absent_hand_played(button, "won" if isinstance(event, PotAwarded) else "acted"),
                seat=button,
                should=button_sentences.hand_killed(),
            )
            return


# Blinds that the button skipped, and stacks that can't cover the blind


@table_detector(events=(BlindPosted,), needs=Witness.POSTS | Witness.POST_REASONS)
def charged_for_escaped(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A player who owes nothing made up a blind, for example one that the moving button skipped."""
    for version, post in hand.standing_posts():
        if not isinstance(post, BlindPosted) or not post.role.startswith("makeup"):
            continue
        due = context.find_seat_due(post.seat)
        if due is None or due.status != "playing":
            continue
        tab = context.find_tab(due.player)
        if tab.move is not None or (tab.make_up_hand and tab.made_up_by_straddle):
            continue  # clauses about seat changes and straddles decide whether it pays
        passed_note = _explain_skipped_blind(context, post.seat)
        yield Breach(
            version,
            owing_sentences.needless_make_up(post.seat, hand.format_chips(post.live + post.dead)),
            seat=post.seat,
            should=owing_sentences.no_post_from(post.seat),
            grounds=due.grounds,
            because=passed_note or owing_sentences.owes_nothing(post.seat),
            certainty="certain" if passed_note else "likely",
        )


def _explain_skipped_blind(context: TableContext, seat: Seat) -> str:
    """Return how a blind of the last hand skipped a seat that was dealt in, or "" if none did."""
    last, previous = context.state.last_hand, context.state.hand_before_last
    if last is None or previous is None or all(dealt_player.seat != seat for dealt_player in last.dealt_in):
        return ""
    for role, blind_position in (("big", find_big_blind), ("small", find_small_blind)):
        old_seat, new_seat = blind_position(previous).seat, blind_position(last).seat
        if old_seat is not None and new_seat is not None and new_seat != seat and is_between(old_seat, seat, new_seat):
            return blind_sentences.moved_past(last.number, role, old_seat, new_seat, seat)
    return ""


@table_detector(needs=Witness.STACKS_BEFORE)
def short_stack_refused(hand: Timeline, context: TableContext, *, half: float) -> Iterator[Answer]:
    """A player due a blind had less than half of it and got no cards, or got cards with less than the smallest chip."""
    if context.due.place is None:
        yield CannotTell(context.due.unknown)
        return
    last_seat, due_seat, big_blind = context.state.big.seat, context.due.place.big, hand.big_blind
    if last_seat is None or due_seat is None or big_blind is None:
        yield NO_OCCASION
        return
    stacks = _iter_stacks_between(hand, context, last_seat, due_seat)
    short_stacks = [(seat, chips) for seat, chips in stacks if chips < half * big_blind]
    chip = hand.option("smallest-chip")
    if not short_stacks:
        yield NO_OCCASION
    elif chip is None:
        yield CannotTell("smallest-chip")
    else:
        for seat, chips in short_stacks:
            yield from _judge_short_stack(hand, context, seat, chips, chip)


def _judge_short_stack(
    hand: Timeline, context: TableContext, seat: Seat, chips: Chips, chip: Chips
) -> Iterator[Breach]:
    """Judge a stack that is too short for half a blind: its player gets cards if it holds the smallest `chip`."""
    smallest_chip = hand.format_chips(chip)
    if seat in hand.start and chips < chip:
        yield Breach(
            context.version_of("dealt", seat),
            blind_sentences.cards_below_minimum(seat, hand.format_chips(chips)),
            seat=seat,
            should=blind_sentences.no_cards_below(smallest_chip),
        )
    if seat not in hand.start and chips >= chip:
        yield Breach(
            context.version_of("dealt", seat),
            blind_sentences.short_stack_refused(seat, hand.format_chips(chips)),
            seat=seat,
            should=blind_sentences.short_blind_and_full_one(),
            because=blind_sentences.holds_smallest_chip(seat, smallest_chip),
            certainty="certain" if seat in _list_left_out_seats(context) else "likely",
        )


def _list_left_out_seats(context: TableContext) -> set[Seat]:
    """Return the seats that the record says got no cards."""
    return {absentee.seat for absentee in context.hand.left_out}


def _iter_stacks_between(
    hand: Timeline, context: TableContext, last_seat: Seat, due_seat: Seat
) -> Iterator[tuple[Seat, Chips]]:
    """Yield the seats after the last big blind up to the one due now, with their stacks.

    Players who got no cards for another reason than their stacks aren't yielded, nor are empty stacks.
    """
    absentees = context.hand.left_out
    stated_stacks = {absentee.seat: absentee.stack for absentee in absentees if absentee.stack is not None}
    waiting_seats = _find_waiting_seats(context)
    for seat, seat_state in sorted(context.state.seats.items()):
        if seat == last_seat or not is_between(last_seat, seat, due_seat):
            continue
        if seat in hand.start:
            chips = hand.stack_at(seat)
        elif seat not in waiting_seats and _is_ready(seat_state):
            chips = stated_stacks.get(seat, seat_state.stack)
        else:
            continue
        if chips:
            yield seat, chips


def _find_waiting_seats(context: TableContext) -> set[Seat]:
    """Return the seats that got no cards, or may have got none, for another reason than their stacks."""
    absentees = context.hand.left_out
    refused_seats = {absentee.seat for absentee in absentees if absentee.reason == "no-chips"}
    absent_seats = {absentee.seat for absentee in absentees if absentee.reason not in ("no-chips", "unknown")}
    return absent_seats | ({due.seat for due in context.due.seats if due.status in _MAY_WAIT} - refused_seats)


def _is_ready(seat_state: SeatState) -> bool:
    """Whether a player is there and neither waits nor asked to be dealt out."""
    return seat_state.presence == "present" and not seat_state.has_asked_out and not seat_state.awaited_position
