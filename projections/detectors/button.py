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
from projections.findings.detector import Symptom, detects
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.dues import Placement
from projections.obligations.gaps import gap
from projections.obligations.ring import after, between, right_of_dealer
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline

_PLAYS: Final = (Checked, Called, Bet, Raised, Completed, PotAwarded)
_OUT: Final = (PlayerBack, HandKilled, Folded)


@detects(needs=Witness.BUTTON, table=True, about="seats", shown=True)
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
    if due is None or not set(due.barred) & set(_asked(context, seat, kinds)):
        return
    place = context.due.place
    if seat != button and place is not None and not place.judged:
        return  # where the button lies is not settled, nor who is nearest to it
    if all(one is not None and one.button is False for one in map(context.seat, hand.start)):
        return  # everybody is barred, and somebody has to have it
    other = None if place is None or context.due.unknown else place.button
    if seat == button:
        has, should = ("the button", "another seat" if other is None else f"the button in seat {other}")
    else:
        has, should = "last action, as the nearest to the dead button", "another seat last to act"
    if other == seat:
        should = f"seat {seat} without it"
    yield Breach(context.version_of("button"), f"seat {seat} has {has}", seat=seat, should=should, grounds=due.why)


def _asked(context: TableContext, seat: Seat, kinds: list[str]) -> list[str]:
    """Return which kinds a clause bars: of who took a blind since it made one up, only the closest does."""
    before = context.before
    took = before is not None and any(
        post.seat == seat and post.role in ("small", "big", "extra") for post in before.posts
    )
    return [kind for kind in kinds if kind != "made-up-between" or len(kinds) == 1 or not took]


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


@detects(needs=Witness.BUTTON | Witness.GAME_STARTS, table=True, anchored=False)
def not_right_of_dealer(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The first button of a new game is not at the nearest player counter-clockwise of the dealer."""
    if not _begins(context):
        yield NO_OCCASION
        return
    button = button_of(hand)
    box = hand.option("dealer-box")
    there = {*hand.start, *(one.seat for one in context.hand.left_out)}
    right = right_of_dealer(box, there)
    if button is not None and button not in (right, right_of_dealer(box, hand.start)):
        yield Breach(
            context.version_of("button"),
            f"the first button of the game is in seat {button}",
            seat=button,
            should=f"the button in seat {right}",
            because=f"seat {right} is the nearest player counter-clockwise of the dealer",
        )


@detects(needs=Witness.BUTTON | Witness.GAME_STARTS, table=True, anchored=False)
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
            because=f"the seats were not drawn but {_GIVEN.get(state.seating, state.seating)}",
        )
    elif state.drawn not in (None, button):
        yield Breach(
            context.version_of("button"),
            f"the button is in seat {button}",
            seat=button,
            should=f"the button in seat {state.drawn}",
            because=f"seat {state.drawn} won the draw",
        )


_GIVEN: Final = {"chosen": "chosen by the players", "arrival": "taken in order of arrival"}


def _begins(context: TableContext) -> bool:
    """Whether a hand is the first of a game whose beginning is on record."""
    started = any(isinstance(told.event, GameStarted) for told in context.between)
    return started and not gap(context.state, context.hand)


# Away when the button comes


@detects(needs=Witness.BUTTON | Witness.PRESENCE, table=True)
def absent_without_cards(_: Timeline, context: TableContext) -> Iterator[Answer]:
    """The player due the button, blinds paid, in the room and not asked out, got no cards."""
    places = context.due.placements
    if not places:
        yield CannotTell(context.due.unknown)
        return
    found = [_due_but_out(context, place) for place in places]
    if found[0] is None or any(one != found[0] for one in found):
        yield NO_OCCASION  # by some reading of where the button belongs nobody was passed over
        return
    seat, held = found[0]
    if held.in_room is None:
        yield CannotTell("in-room")
    elif held.in_room:
        yield Breach(
            context.version_of("dealt", seat),
            f"seat {seat}, due the button, gets no cards",
            seat=seat,
            should=f"cards and the button for seat {seat}",
            because="the player is in the room, has paid the blinds and did not ask to be dealt out",
        )


def _due_but_out(context: TableContext, due: Placement) -> tuple[Seat, SeatState] | None:
    """Return the first away after the last button, before the next that is dealt in."""
    was, now = context.state.button.seat, due.button
    if was is None or now is None:
        return None
    out = {one.seat for one in context.hand.left_out if one.reason == "asked-to-be-dealt-out"}
    out |= {one.seat for one in context.due.seats if one.missed or one.barred}
    out |= {one.seat for one in context.hand.dealt_in}
    seats = context.state.seats
    on_the_way = [
        seat
        for seat, held in seats.items()
        if seat != now
        and between(was, seat, now)
        and seat not in out
        and held.presence == "away"
        and held.stack != 0
        and not held.busted
        and not held.asked_out
    ]
    seat = after(was, on_the_way)
    return None if seat is None else (seat, seats[seat])


@detects(
    needs=Witness.BUTTON | Witness.PRESENCE | Witness.ACTS, table=True, anchored=False, signs=Symptom.AWAY, rare=True
)
def absent_hand_played(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The hand of a player who was away at the button acts, or wins, and the player is not back."""
    button = button_of(hand) or 0
    held = context.state.seats.get(button)
    if held is None or held.presence != "away":
        yield NO_OCCASION
        return
    for version, event in hand.line:
        if isinstance(event, _OUT) and event.seat == button:
            return
        if isinstance(event, _PLAYS) and event.seat == button:
            did = "wins" if isinstance(event, PotAwarded) else "acts"
            yield Breach(
                version,
                f"the hand of seat {button} {did}, and the player is away",
                seat=button,
                should="the hand killed at its turn",
            )
            return


_MAY_WAIT: Final = frozenset({"new", "owing", "waiting", "unknown"})
"""Who may let the blinds go by, whatever the stack."""


# Blinds that cost nothing, and blinds that one cannot cover


@detects(on=(BlindPosted,), needs=Witness.POSTS | Witness.POST_REASONS, table=True)
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
        gone = _went_past(context, post.seat)
        yield Breach(
            version,
            f"seat {post.seat} makes up {hand.say(post.live + post.dead)}",
            seat=post.seat,
            should=f"no post from seat {post.seat}",
            grounds=due.why,
            because=gone or "the player owes no blind on record",
            certainty="certain" if gone else "likely",
        )


def _went_past(context: TableContext, seat: Seat) -> str:
    """Say how a blind of the last hand moved past a seat that was dealt in; "" = none did."""
    last, before = context.state.last, context.state.before
    if last is None or before is None or all(one.seat != seat for one in last.dealt_in):
        return ""
    for role, of in (("big", big_of), ("small", small_of)):
        was, now = of(before).seat, of(last).seat
        if was is not None and now is not None and now != seat and between(was, seat, now):
            return f"the {role} blind moved from seat {was} to seat {now} on hand {last.number}, past seat {seat}"
    return ""


@detects(needs=Witness.STACKS_BEFORE, table=True)
def short_stack_refused(hand: Timeline, context: TableContext, *, half: float) -> Iterator[Answer]:
    """A stack short of half the blind it is due got no cards, or one below the smallest chip did."""
    if context.due.place is None:
        yield CannotTell(context.due.unknown)
        return
    was, now, full = context.state.big.seat, context.due.place.big, hand.big
    if was is None or now is None or full is None:
        yield NO_OCCASION
        return
    stacks = _stacks_on_the_way(hand, context, was, now)
    short = [(seat, chips) for seat, chips in stacks if chips < half * full]
    chip = hand.option("smallest-chip")
    if not short:
        yield NO_OCCASION
    elif chip is None:
        yield CannotTell("smallest-chip")
    else:
        for seat, chips in short:
            yield from _refused(hand, context, seat, chips, chip)


def _refused(hand: Timeline, context: TableContext, seat: Seat, chips: Chips, chip: Chips) -> Iterator[Breach]:
    least = hand.say(chip)
    if seat in hand.start and chips < chip:
        yield Breach(
            context.version_of("dealt", seat),
            f"seat {seat} gets cards with {hand.say(chips)}",
            seat=seat,
            should=f"no cards below {least}, the smallest chip",
        )
    if seat not in hand.start and chips >= chip:
        yield Breach(
            context.version_of("dealt", seat),
            f"seat {seat} gets no cards with {hand.say(chips)}",
            seat=seat,
            should="cards, what it has as a blind, and the full blind from the next player",
            because=f"it holds at least {least}, the smallest chip",
            certainty="certain" if seat in _named(context) else "likely",
        )


def _named(context: TableContext) -> set[Seat]:
    """Return who is said to have got no cards, whether or not by the hand itself."""
    return {one.seat for one in context.hand.left_out}


def _stacks_on_the_way(hand: Timeline, context: TableContext, was: Seat, now: Seat) -> Iterator[tuple[Seat, Chips]]:
    """Yield the seats that are there after the last big blind and up to this one, with their stacks.

    Who got no cards for another reason than the chips was not refused them for that.
    """
    left_out = context.hand.left_out
    told = {one.seat: one.stack for one in left_out if one.stack is not None}
    waits = {one.seat for one in left_out if one.reason not in ("no-chips", "unknown")}
    refused = {one.seat for one in left_out if one.reason == "no-chips"}
    waits |= {one.seat for one in context.due.seats if one.standing in _MAY_WAIT} - refused
    for seat, held in sorted(context.state.seats.items()):
        dealt = seat in hand.start
        here = held.presence == "present" and not held.asked_out and not held.wait
        here = here and seat not in waits
        if seat != was and between(was, seat, now) and (dealt or here):
            chips = hand.stack_at(seat) if dealt else told.get(seat, held.stack)
            if chips:
                yield seat, chips
