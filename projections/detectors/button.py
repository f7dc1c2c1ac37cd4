"""Who gets the button: the first of a game, who may not have it, who is away when it comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, HandKilled, Raised
from ledger.hand.ending import PotAwarded
from ledger.hand.opening import BlindPosted
from ledger.presence import PlayerBack
from ledger.table.events import GameStarted
from ledger.table.positions import big_of, small_of
from ledger.table.state import SeatState
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.blind_positions import button_of, no_button, took_excused
from projections.findings.detector import SIGNS_ONLY, Basis, Symptom, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import Placement
from projections.obligations.gaps import gap
from projections.obligations.ring import after, between, right_of_dealer
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline

_PLAYS: Final = (Checked, Called, Bet, Raised, Completed, PotAwarded)
_OUT: Final = (PlayerBack, HandKilled, Folded)


@table_detector(needs=Witness.BUTTON, about="seats", basis=Basis.PLAIN_BREACH)
def barred(hand: Timeline, context: TableContext, *, kinds: list[str]) -> Iterator[Answer]:
    """Somebody who may not have the button has it, or has last action as the nearest to a dead one."""
    if "made-up-between" in kinds and len(kinds) == 1:
        yield from _blind_of_excused(hand, context)
    button = button_of(hand)
    if button is None:
        yield no_button(hand)
        return
    seat = button if button in hand.start else hand.after(button)[-1]
    due = context.seat(seat)
    if seat != button and len(hand.start) == len(hand.blinds) == 3 and seat in hand.poster("extra"):
        return  # of three players with three blinds, one has the furthest blind and last action
    if due is None or not set(due.barred) & set(_barring_kinds(context, seat, kinds)):
        return
    place = context.due.place
    if seat != button and place is not None and not place.judged:
        return  # where the button lies is not settled, nor who is nearest to it
    if all(dealt_seat is not None and dealt_seat.button is False for dealt_seat in map(context.seat, hand.start)):
        return  # everybody is barred, and somebody has to have it
    due_seat = None if place is None or context.due.unknown else place.button
    if seat == button:
        advantage, should = ("the button", "another seat" if due_seat is None else f"the button in seat {due_seat}")
    else:
        advantage, should = "last action, as the nearest to the dead button", "another seat last to act"
    if due_seat == seat:
        should = f"seat {seat} without it"
    yield Breach(
        context.version_of("button"), f"seat {seat} has {advantage}", seat=seat, should=should, grounds=due.why
    )


def _barring_kinds(context: TableContext, seat: Seat, kinds: list[str]) -> list[str]:
    """Return which kinds a clause bars: of who took a blind since it made one up, only the closest does."""
    last_hand = context.before
    took_blind = last_hand is not None and any(
        post.seat == seat and post.role in ("small", "big", "extra") for post in last_hand.posts
    )
    return [kind for kind in kinds if kind != "made-up-between" or len(kinds) == 1 or not took_blind]


def _blind_of_excused(hand: Timeline, context: TableContext) -> Iterator[Breach]:
    """Say who made up between the blinds and posted a blind before the big one came round."""
    for seat in took_excused(hand, context):
        due = context.seat(seat)
        yield Breach(
            context.version_of("small"),
            f"seat {seat} posts the small blind",
            seat=seat,
            should="the small blind from the next player",
            grounds=() if due is None else due.why,
            because="it made up between the blinds, and takes no more of them this round",
        )


# The first hand of a game


@table_detector(needs=Witness.BUTTON | Witness.GAME_STARTS, basis=Basis.TABLE_NOW)
def not_right_of_dealer(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The first button of a new game is not at the nearest player counter-clockwise of the dealer."""
    if not _begins(context):
        yield NO_OCCASION
        return
    button = button_of(hand)
    box = hand.option("dealer-box")
    present_seats = {*hand.start, *(absentee.seat for absentee in context.hand.left_out)}
    due_seat = right_of_dealer(box, present_seats)
    if button is not None and button not in (due_seat, right_of_dealer(box, hand.start)):
        yield Breach(
            context.version_of("button"),
            f"the first button of the game is in seat {button}",
            seat=button,
            should=f"the button in seat {due_seat}",
            because=f"seat {due_seat} is the nearest player counter-clockwise of the dealer",
        )


@table_detector(needs=Witness.BUTTON | Witness.GAME_STARTS, basis=Basis.TABLE_NOW)
def not_drawn_for(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Seats were not drawn, and there was no draw for the button, or its winner did not get it."""
    state = context.state
    if state.hands:
        yield NO_OCCASION
        return
    if state.seating in ("", "unknown"):
        yield CannotTell("how the seats were given out")
        return
    if state.seating == "drawn":
        yield NO_OCCASION
        return
    button = button_of(hand)
    if not state.drew and state.drawn is None:
        yield Breach(
            context.version_of("button"),
            f"the button is in seat {button}, and nobody drew for it",
            seat=button,
            should="a draw for the button",
            because=f"the seats were not drawn but {_SEATING_WORDS.get(state.seating, state.seating)}",
        )
    elif state.drawn not in (None, button):
        yield Breach(
            context.version_of("button"),
            f"the button is in seat {button}",
            seat=button,
            should=f"the button in seat {state.drawn}",
            because=f"seat {state.drawn} won the draw",
        )


_SEATING_WORDS: Final = {"chosen": "chosen by the players", "arrival": "taken in order of arrival"}


def _begins(context: TableContext) -> bool:
    """Whether a hand is the first of a game whose beginning is on record."""
    started = any(isinstance(entry.event, GameStarted) for entry in context.between)
    return started and not gap(context.state, context.hand)


# Away when the button comes


@table_detector(needs=Witness.BUTTON | Witness.PRESENCE)
def absent_without_cards(_: Timeline, context: TableContext) -> Iterator[Answer]:
    """The player due the button, blinds paid, in the room and not asked out, got no cards."""
    places = context.due.placements
    if not places:
        yield CannotTell(context.due.unknown)
        return
    skipped_players = [_due_but_out(context, place) for place in places]
    if skipped_players[0] is None or any(skipped_player != skipped_players[0] for skipped_player in skipped_players):
        yield NO_OCCASION  # by some reading of where the button belongs nobody was passed over
        return
    seat, seat_state = skipped_players[0]
    if seat_state.in_room is None:
        yield CannotTell("in-room")
    elif seat_state.in_room:
        yield Breach(
            context.version_of("dealt", seat),
            f"seat {seat}, due the button, gets no cards",
            seat=seat,
            should=f"cards and the button for seat {seat}",
            because="the player is in the room, has paid the blinds and did not ask to be dealt out",
        )


def _due_but_out(context: TableContext, due: Placement) -> tuple[Seat, SeatState] | None:
    """Return the first away after the last button, before the next that is dealt in."""
    last_seat, due_seat = context.state.button.seat, due.button
    if last_seat is None or due_seat is None:
        return None
    unavailable = {entry.seat for entry in context.hand.left_out if entry.reason == "asked-to-be-dealt-out"}
    unavailable |= {entry.seat for entry in context.due.seats if entry.missed or entry.barred}
    unavailable |= {entry.seat for entry in context.hand.dealt_in}
    seats = context.state.seats
    on_the_way = [
        seat
        for seat, seat_state in seats.items()
        if seat != due_seat
        and between(last_seat, seat, due_seat)
        and seat not in unavailable
        and seat_state.presence == "away"
        and seat_state.stack != 0
        and not seat_state.busted
        and not seat_state.asked_out
    ]
    seat = after(last_seat, on_the_way)
    return None if seat is None else (seat, seats[seat])


@table_detector(
    needs=Witness.BUTTON | Witness.PRESENCE | Witness.ACTS,
    signs=Symptom.AWAY,
    occasion=SIGNS_ONLY,
    basis=Basis.TABLE_NOW,
)
def absent_hand_played(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The hand of a player who was away at the button acts, or wins, and the player is not back."""
    button = button_of(hand) or 0
    seat_state = context.state.seats.get(button)
    if seat_state is None or seat_state.presence != "away":
        yield NO_OCCASION
        return
    for version, event in hand.line:
        if isinstance(event, _OUT) and event.seat == button:
            return
        if isinstance(event, _PLAYS) and event.seat == button:
            action = "wins" if isinstance(event, PotAwarded) else "acts"
            yield Breach(
                version,
                f"the hand of seat {button} {action}, and the player is away",
                seat=button,
                should="the hand killed at its turn",
            )
            return


_MAY_WAIT: Final = frozenset({"new", "owing", "waiting", "unknown"})
"""Who may let the blinds go by, whatever the stack."""


# Blinds that cost nothing, and blinds that one cannot cover


@table_detector(events=(BlindPosted,), needs=Witness.POSTS | Witness.POST_REASONS)
def charged_for_escaped(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """A make-up post from a player who owes nothing, whose blind the moving button went past."""
    for version, post in hand.standing_posts():
        if not isinstance(post, BlindPosted) or not post.role.startswith("makeup"):
            continue
        due = context.seat(post.seat)
        if due is None or due.standing != "playing":
            continue
        tab = context.tab(due.player)
        if tab.move is not None or (tab.made_up and tab.straddled):
            continue  # charged, or free, by what is said of seat changes, and of straddles
        passed_note = _went_past(context, post.seat)
        yield Breach(
            version,
            f"seat {post.seat} makes up {hand.say(post.live + post.dead)}",
            seat=post.seat,
            should=f"no post from seat {post.seat}",
            grounds=due.why,
            because=passed_note or "the player owes no blind on record",
            certainty="certain" if passed_note else "likely",
        )


def _went_past(context: TableContext, seat: Seat) -> str:
    """Say how a blind of the last hand moved past a seat that was dealt in; "" = none did."""
    last, previous = context.state.last, context.state.before
    if last is None or previous is None or all(player.seat != seat for player in last.dealt_in):
        return ""
    for role, blind_position in (("big", big_of), ("small", small_of)):
        old_seat, new_seat = blind_position(previous).seat, blind_position(last).seat
        if old_seat is not None and new_seat is not None and new_seat != seat and between(old_seat, seat, new_seat):
            return f"the {role} blind moved from seat {old_seat} to seat {new_seat} on hand {last.number}, past seat {seat}"
    return ""


@table_detector(needs=Witness.STACKS_BEFORE)
def short_stack_refused(hand: Timeline, context: TableContext, *, half: float) -> Iterator[Answer]:
    """A stack short of half the blind it is due got no cards, or one below the smallest chip did."""
    if context.due.place is None:
        yield CannotTell(context.due.unknown)
        return
    last_seat, due_seat, big_blind = context.state.big.seat, context.due.place.big, hand.big
    if last_seat is None or due_seat is None or big_blind is None:
        yield NO_OCCASION
        return
    stacks = _stacks_on_the_way(hand, context, last_seat, due_seat)
    short_stacks = [(seat, chips) for seat, chips in stacks if chips < half * big_blind]
    chip = hand.option("smallest-chip")
    if not short_stacks:
        yield NO_OCCASION
    elif chip is None:
        yield CannotTell("smallest-chip")
    else:
        for seat, chips in short_stacks:
            yield from _refused(hand, context, seat, chips, chip)


def _refused(hand: Timeline, context: TableContext, seat: Seat, chips: Chips, chip: Chips) -> Iterator[Breach]:
    smallest_chip = hand.say(chip)
    if seat in hand.start and chips < chip:
        yield Breach(
            context.version_of("dealt", seat),
            f"seat {seat} gets cards with {hand.say(chips)}",
            seat=seat,
            should=f"no cards below {smallest_chip}, the smallest chip",
        )
    if seat not in hand.start and chips >= chip:
        yield Breach(
            context.version_of("dealt", seat),
            f"seat {seat} gets no cards with {hand.say(chips)}",
            seat=seat,
            should="cards, what it has as a blind, and the full blind from the next player",
            because=f"it holds at least {smallest_chip}, the smallest chip",
            certainty="certain" if seat in _left_out_seats(context) else "likely",
        )


def _left_out_seats(context: TableContext) -> set[Seat]:
    """Return who is said to have got no cards, whether or not by the hand itself."""
    return {absentee.seat for absentee in context.hand.left_out}


def _stacks_on_the_way(
    hand: Timeline, context: TableContext, last_seat: Seat, due_seat: Seat
) -> Iterator[tuple[Seat, Chips]]:
    """Yield the seats that are there after the last big blind and up to this one, with their stacks.

    Who got no cards for another reason than the chips was not refused them for that.
    """
    left_out = context.hand.left_out
    stated_stacks = {entry.seat: entry.stack for entry in left_out if entry.stack is not None}
    waiting = {entry.seat for entry in left_out if entry.reason not in ("no-chips", "unknown")}
    refused = {entry.seat for entry in left_out if entry.reason == "no-chips"}
    waiting |= {entry.seat for entry in context.due.seats if entry.standing in _MAY_WAIT} - refused
    for seat, seat_state in sorted(context.state.seats.items()):
        dealt = seat in hand.start
        may_play = seat_state.presence == "present" and not seat_state.asked_out and not seat_state.wait
        may_play = may_play and seat not in waiting
        if seat != last_seat and between(last_seat, seat, due_seat) and (dealt or may_play):
            chips = hand.stack_at(seat) if dealt else stated_stacks.get(seat, seat_state.stack)
            if chips:
                yield seat, chips
