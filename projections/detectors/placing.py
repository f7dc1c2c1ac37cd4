"""Button and blinds over the hands of a table: where they belong by the method in force.

Released rulebooks name these detectors by the module, so its name stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.blind_positions import (
    TWO,
    Difference,
    barred,
    button_of,
    compare,
    grounds,
    money,
    no_button,
    positional,
    posted,
    saw,
    should,
    version,
)
from projections.detectors.shared.seat_dues import seated
from projections.findings.detector import Basis, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, NoOccasion
from projections.obligations.dues import Placement
from projections.obligations.game import option
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import Timeline

CHOICE: Final = "which method of moving the button the house has chosen"
TWICE: Final = "of two players each has it in turn, wherever the blinds lie"
_ORDER: Final = ("small", "big", "extra")


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS, basis=Basis.PLAIN_BREACH)
def method(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """Button or blinds lie otherwise than by the method in force; several methods: none is told."""
    if context.placed.unknown:  # of the hand by itself it is a clause that speaks of every method
        methods = sorted(compare(hand, context).methods) if len(methods) > 1 else []
    yield from _judge(hand, context, _nearest(hand, context, methods))


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS)
def moved_on(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The button did not go to the next player, or the blinds are not set from there.

    Where the button is right and somebody's blind was passed over, that is another clause's wrong.
    """
    nearest = _nearest(hand, context, methods)
    if not isinstance(nearest, Difference) or nearest.button or not _skips(hand, context, nearest):
        yield from _judge(hand, context, nearest)


@table_detector(needs=Witness.POSTS)
def skipped(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """A blind went past a player who was dealt in and did not post it."""
    nearest = _nearest(hand, context, methods)
    is_repeated = nearest == CannotTell(TWO) and _both_again(context)
    if is_repeated and (big := _same_big(hand, context)) is not None and _may_move(context, "big", big):
        due_seat = hand.after(big)[0]
        yield Breach(
            context.version_of("big", big),
            f"the big blind is in seat {big} again",
            seat=due_seat,
            should=f"the big blind from seat {due_seat}",
            because=TWICE,
        )
    elif not isinstance(nearest, Difference):
        yield nearest
    elif skips := _skips(hand, context, nearest):
        seat, role = skips[0]
        yield _breach(hand, context, nearest, f"the {role} blind went past seat {seat}: {saw(hand)}", seat)


@table_detector(events=(BlindPosted,), needs=Witness.POSTS)
def dead_blind_posted(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """Somebody posted the small blind that belongs to an empty seat."""
    nearest = _nearest(hand, context)
    if not isinstance(nearest, Difference):
        yield nearest
    elif nearest.place.method != "dead" or not nearest.place.small_empty:
        yield NO_OCCASION
    else:
        for seat in [post.seat for post in nearest.over if post.role == "small"][:1]:
            message = f"seat {seat} posted the small blind of the empty seat {nearest.place.small}"
            yield _breach(hand, context, nearest, message, seat)


@table_detector(needs=Witness.BUTTON)
def not_forward(hand: Timeline, context: TableContext, *, methods: list[str]) -> Iterator[Answer]:
    """The button is not at the next player who may have it: empty, the same again, or past one."""
    nearest = _nearest(hand, context, methods)
    breach = _of_two(hand, context) if nearest == CannotTell(TWO) and _both_again(context) else None
    if breach is not None:
        yield breach
    elif not isinstance(nearest, Difference):
        yield nearest
    elif nearest.open:
        yield CannotTell(nearest.open)
    elif nearest.button and not barred(hand, context):
        yield _button_breach(hand, context, nearest.place)


@table_detector(needs=Witness.BUTTON, about="places")
def not_later(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button is in an empty seat, where it was, or behind where it was."""
    button, last_button = button_of(hand), context.state.button.seat
    places = context.due.placements
    if button is None:
        yield no_button(hand)
    elif all(placement.button != button for placement in places) and not barred(hand, context):
        wrong = button not in hand.start
        if last_button is not None and _last_completed(context):
            wrong = wrong or button == last_button or _backwards(hand, last_button, button)
        if wrong:
            yield _button_breach(hand, context, places[0])


@table_detector(needs=Witness.BUTTON)
def not_clockwise(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The button went counter-clockwise, stayed under the moving method, or moved after a misdeal."""
    button, last_button, last_hand = button_of(hand), context.state.button.seat, context.state.last
    places = context.due.placements
    if last_hand is None:
        yield NO_OCCASION
    elif button is None or last_button is None:
        yield no_button(hand) if button is None else NO_OCCASION
    elif any(placement.button in (None, button) for placement in places):
        pass
    elif not last_hand.completed and last_hand.voided != "misdeal":
        yield CannotTell(f"whether hand {last_hand.number} counts as a completed deal")
    else:
        if last_hand.voided:
            wrong = button != last_button
        elif button == last_button:
            wrong = all(placement.method != "dead" for placement in places)
        else:
            wrong = _backwards(hand, last_button, button)
        if wrong:
            yield _button_breach(hand, context, places[0])


@table_detector(needs=Witness.POSTS, about="places")
def blinds_not_fitted(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """The blinds fit the button by no reading: not the next players, nor those who owe them."""
    nearest = _nearest(hand, context)
    if not isinstance(nearest, Difference):
        yield nearest
        return
    button = None if barred(hand, context) else button_of(hand)
    dues = [
        _seats(candidate)
        for candidate in context.due.placements
        if candidate.judged and (button is None or candidate.button in (None, button))
    ]
    blinds_seen = sorted((candidate.role, candidate.seat) for candidate in posted(hand))
    if blinds_seen not in dues and not positional(hand):
        yield _breach(hand, context, nearest._replace(button=False))


# How


def _nearest(
    hand: Timeline, context: TableContext, methods: list[str] | None = None
) -> Difference | CannotTell | NoOccasion:
    """Return what differs from the nearest reading, or why it is not asked or cannot be told."""
    comparison = compare(hand, context)
    methods_asked = comparison.methods if methods is None else frozenset(methods)
    method_unknown = "dead" in comparison.methods and len(comparison.methods) > 1
    if (
        method_unknown
        and methods_asked <= comparison.methods
        and comparison.fits
        and not comparison.methods <= comparison.fits
    ):
        return CannotTell(CHOICE)  # right by one method that the house may have chosen, wrong by another
    if methods_asked != comparison.methods:
        return NO_OCCASION  # another method is in force, of which another clause speaks
    return CannotTell(comparison.missing) if comparison.nearest is None else comparison.nearest


def _judge(hand: Timeline, context: TableContext, nearest: Difference | CannotTell | NoOccasion) -> Iterator[Answer]:
    """Yield what differs; nothing of a button that went to a barred seat."""
    if not isinstance(nearest, Difference):
        yield nearest
        return
    if barred(hand, context):
        nearest = nearest._replace(button=False)
        if nearest.place.method == "positional" and positional(hand):
            return  # the blinds follow the button, wherever it went
        if positional(hand) and not nearest.none:
            yield _breach(hand, context, nearest, seat=button_of(hand))  # the same wrong
            return
    if not nearest.none:
        yield _breach(hand, context, nearest, seat=_passed_newcomer(hand, context, nearest))
    elif nearest.open or button_of(hand) is None:
        yield CannotTell(nearest.open or "button")


def _passed_newcomer(hand: Timeline, context: TableContext, nearest: Difference) -> Seat | None:
    """Return the new player who was dealt in, and past whom the big blind went: one wrong with that."""
    newcomer_seats = {player.seat for player in seated(hand, context) if player.new and not player.blind}
    return next((due.seat for due in nearest.under if due.seat in newcomer_seats), None)


def _breach(
    hand: Timeline, context: TableContext, nearest: Difference, message: str = "", seat: Seat | None = None
) -> Breach:
    return Breach(
        version(hand, context, nearest),
        message or saw(hand),
        seat=seat or _misplaced_seat(nearest),
        should=should(context),
        money=money(hand, nearest),
        grounds=tuple(grounds(nearest)),
        rests_on=_button_seats(hand, context, nearest.place),
        severity="warning" if nearest.doubt else None,  # one reading of the text allows what was done
    )


def _both_again(context: TableContext) -> bool:
    """Whether two players were dealt in, and both in their seats on the completed hand before."""
    last = context.state.last
    if last is None or not last.completed or last.voided or context.placed.unknown:
        return False
    players_now = {(player.seat, player.player) for player in context.hand.dealt_in}
    return len(players_now) == 2 and players_now <= {(player.seat, player.player) for player in last.dealt_in}


def _may_move(context: TableContext, position: Literal["button", "big"], seat: Seat) -> bool:
    """Whether a position of two players belongs to the other one; where others left, each reading has to say so."""
    last = context.state.last
    if last is not None and len(last.dealt_in) == len(context.hand.dealt_in):
        return True
    if position == "big":
        return False  # no text says how the blinds of the two who are left lie
    return all(place.button not in (None, seat) for place in context.due.placements)


def _of_two(hand: Timeline, context: TableContext) -> Breach | None:
    """Return how the button failed to go to the other one of two players, wherever their blinds lie."""
    button, last_button = button_of(hand), context.state.button.seat
    if button is None:
        return None
    if button not in hand.start:
        return _empty_of_two(hand, context, button)
    if button == last_button:
        return _button_again(hand, context, button) if _may_move(context, "button", button) else None
    return _big_again(hand, context) if last_button in hand.start else None


def _empty_of_two(hand: Timeline, context: TableContext, button: Seat) -> Breach | None:
    """Return that neither of two players has the button; a room that plays a dead button may leave it once."""
    is_repeated = button == context.state.button.seat
    has_dead_button = option(context.state, context.hand, "button-method") == "dead"
    if not _may_move(context, "button", button) or (has_dead_button and not is_repeated):
        return None
    return Breach(
        context.version_of("button"),
        f"the button is in seat {button}, which is empty{', as on the hand before' if is_repeated else ''}",
        should=f"the button in {' or '.join(f'seat {seat}' for seat in sorted(hand.start))}",
        because=f"{TWICE}; the room plays a dead button" if has_dead_button else TWICE,
        certainty="likely" if has_dead_button else "certain",
    )


def _button_again(hand: Timeline, context: TableContext, button: Seat) -> Breach:
    return Breach(
        context.version_of("button"),
        f"the button is in seat {button} again",
        seat=button,
        should=f"the button in seat {hand.after(button)[0]}",
        because=TWICE,
    )


def _big_again(hand: Timeline, context: TableContext) -> Breach | None:
    """Return that one of two players has the big blind, and so the last action before the flop, twice running."""
    big, last = _same_big(hand, context), context.state.last
    if big is None or last is None or len(last.dealt_in) != len(context.hand.dealt_in):
        return None
    return Breach(
        context.version_of("big", big),
        f"the big blind is in seat {big} again",
        seat=big,
        should=f"the big blind from seat {hand.after(big)[0]}",
        because=f"the button moved to seat {button_of(hand)}, and the same player is last to act before the flop",
        certainty="likely",
    )


def _same_big(hand: Timeline, context: TableContext) -> Seat | None:
    """Return who posted the big blind, if the same seat did on the hand before."""
    seats = [blind.seat for blind in posted(hand) if blind.role == "big"]
    return seats[0] if seats == [context.state.big.seat] else None


def _button_breach(hand: Timeline, context: TableContext, place: Placement) -> Breach:
    button = button_of(hand)
    empty = "" if button in hand.start else ", which is empty"
    repeat_note = ", as on the hand before" if button == context.state.button.seat else ""
    return Breach(
        context.version_of("button"),
        f"the button is in seat {button}{empty}{repeat_note}",
        should=_buttons(context, place),
        grounds=place.button_why,
        rests_on=_button_seats(hand, context, place),
    )


def _buttons(context: TableContext, place: Placement) -> str:
    """Say where the button belongs: in the seat of `place`, or where another reading of the book has it."""
    alternatives = [
        candidate for candidate in context.due.placements if candidate.judged and candidate.button is not None
    ]
    seats = dict.fromkeys(
        candidate.button for candidate in (place, *alternatives) if candidate is place or not candidate.doubtful
    )
    seats.pop(None, None)
    if not seats:
        return ""
    doubtful = dict.fromkeys(
        candidate.button for candidate in alternatives if candidate.doubtful and candidate.button not in seats
    )
    button_text = f"the button in {' or '.join(f'seat {seat}' for seat in seats)}"
    return "; or, by another reading of the text, ".join([button_text, *(f"in seat {seat}" for seat in doubtful)])


def _button_seats(hand: Timeline, context: TableContext, place: Placement) -> tuple[Seat, ...]:
    """Return whom the book was asked about for the button: who has it, and those up to who is due it."""
    button, last_button = button_of(hand), context.state.button.seat
    ring = hand.after(last_button) if last_button is not None else []
    upto = ring.index(place.button) + 1 if place.button in ring else 0
    return tuple(dict.fromkeys([*([button] if button in hand.start else []), *ring[:upto]]))


def _misplaced_seat(difference: Difference) -> Seat | None:
    """Return the seat that a difference is about: who posted wrongly, else who did not."""
    if difference.button:
        return None
    if difference.over:
        return difference.over[0].seat
    return difference.under[0].seat if difference.under else None


def _skips(hand: Timeline, context: TableContext, difference: Difference) -> list[tuple[Seat, str]]:
    """Return who was due a blind that went on past, and did not post it."""
    roles = [blind.role for blind in difference.place.posts if blind.role in _ORDER]
    last = max(roles, key=_ORDER.index, default="")
    poster_seats = [blind.seat for blind in posted(hand) if blind.role == last]
    if not poster_seats or context.state.big.seat in poster_seats or difference.place.heads_up:
        return []  # the big blind did not go on, or there are two: nothing went past anybody
    due_seat = next(blind.seat for blind in difference.place.posts if blind.role == last)
    if not any(seat == due_seat or _past(hand, due_seat, seat) for seat in poster_seats):
        return []  # it was put back
    is_dead_button = difference.place.method == "dead"  # where blinds are owed, the lesser ones wait
    return [
        (due.seat, due.role)
        for due in difference.under
        if (is_dead_button if due.role != last else any(_past(hand, due.seat, seat) for seat in poster_seats))
    ]


def _past(hand: Timeline, seat: Seat, later_seat: Seat) -> bool:
    """Whether `later_seat` lies after `seat`, by half the table at most."""
    ring = hand.after(seat)
    return later_seat in ring and ring.index(later_seat) + 1 <= len(ring) // 2


def _backwards(hand: Timeline, last_button: Seat, button: Seat) -> bool:
    """Whether from `last_button` to `button` is further clockwise than the other way round."""
    ring = hand.after(last_button)
    return button in ring and 2 * (ring.index(button) + 1) > len(ring)


def _last_completed(context: TableContext) -> bool:
    return context.state.last is not None and context.state.last.completed


def _seats(place: Placement) -> list[tuple[str, Seat]]:
    return sorted((due.role, due.seat) for due in place.posts if due.role in _ORDER)
