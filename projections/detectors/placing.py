"""Button and blinds over the hands of a table: where they belong by the method in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Seat, Witness
from projections.course import Course
from projections.detector import detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.obligations.due import Ground, Placement
from projections.placed import (
    Compared,
    Difference,
    barred,
    button_of,
    compare,
    grounds,
    money,
    positional,
    posted,
    saw,
    should,
    version,
)
from projections.sitting import Sitting

_ORDER: Final = ("small", "big", "extra")


@detects(needs=Witness.POSTS, table=True)
def method(hand: Course, sitting: Sitting, *, methods: list[str]) -> Iterator[Answer]:
    """Button or blinds lie otherwise than by the method in force; several methods: none is told."""
    found = compare(hand, sitting)
    if found.methods and found.methods != frozenset(methods):
        yield NO_OCCASION  # another method is in force, of which another clause speaks
        return
    yield from _breach(hand, sitting, found)


@detects(needs=Witness.POSTS, table=True)
def moved_on(hand: Course, sitting: Sitting, *, methods: list[str]) -> Iterator[Answer]:
    """The button did not go to the next player, or the blinds are not set from there.

    Where the button is right and somebody's blind was passed over, that is another clause's wrong.
    """
    found = compare(hand, sitting)
    if found.methods and found.methods != frozenset(methods):
        yield NO_OCCASION
        return
    near = found.nearest
    if near is not None and not near.button and _skips(hand, sitting, near):
        return
    yield from _breach(hand, sitting, found)


@detects(needs=Witness.POSTS, table=True)
def skipped(hand: Course, sitting: Sitting, *, methods: list[str]) -> Iterator[Answer]:
    """A blind went past a player who was dealt in and did not post it."""
    found = compare(hand, sitting)
    if found.nearest is None:
        yield CannotTell(found.missing)
        return
    if found.methods != frozenset(methods):
        yield NO_OCCASION
        return
    for seat, role in _skips(hand, sitting, found.nearest):
        yield Breach(
            version(hand, sitting, found.nearest), f"the {role} blind went past seat {seat}: {saw(hand)}",
            seat=seat, should=should(sitting), money=money(hand, found.nearest),
            grounds=tuple(grounds(found.nearest.place)),
        )  # fmt: skip
        return


@detects(on=(BlindPosted,), needs=Witness.POSTS, table=True)
def dead_blind_posted(hand: Course, sitting: Sitting) -> Iterator[Answer]:
    """Somebody posted the small blind that belongs to an empty seat."""
    found = compare(hand, sitting)
    if found.nearest is None:
        yield CannotTell(found.missing)
        return
    place = found.nearest.place
    if place.method != "dead" or not place.small_empty:
        yield NO_OCCASION
        return
    small = next((one for one in found.nearest.over if one.role == "small"), None)
    if small is not None:
        yield Breach(
            version(hand, sitting, found.nearest),
            f"seat {small.seat} posted the small blind of the empty seat {place.small}",
            seat=small.seat, should=should(sitting), money=money(hand, found.nearest),
            grounds=tuple(grounds(place)),
        )  # fmt: skip


@detects(needs=Witness.BUTTON, table=True)
def not_forward(hand: Course, sitting: Sitting, *, methods: list[str]) -> Iterator[Answer]:
    """The button is not at the next player who may have it: empty, the same again, or past one."""
    found = compare(hand, sitting)
    near = found.nearest
    if near is None:
        yield CannotTell(found.missing)
        return
    if found.methods != frozenset(methods):
        yield NO_OCCASION
        return
    if near.open and not near.button:
        yield CannotTell(near.open)
        return
    if near.button and not barred(hand, sitting):
        yield _button_breach(hand, sitting, near.place.button, near.place.button_why)


@detects(needs=Witness.BUTTON, table=True)
def not_later(hand: Course, sitting: Sitting) -> Iterator[Answer]:
    """The button is in an empty seat, where it was, or behind where it was."""
    button, was = button_of(hand), sitting.state.button.seat
    if button is None:
        yield NO_OCCASION
        return
    place = sitting.due.place
    if place is not None and any(one.button == button for one in sitting.due.placements):
        return
    if barred(hand, sitting):
        return
    wrong = button not in hand.start
    if was is not None and not wrong and _last_completed(sitting):
        wrong = button == was or _backwards(hand, was, button)
    if wrong:
        yield _button_breach(
            hand, sitting, place.button if place else None, place.button_why if place else ()
        )


@detects(needs=Witness.BUTTON, table=True)
def not_clockwise(hand: Course, sitting: Sitting) -> Iterator[Answer]:
    """The button went counter-clockwise, stayed under the moving method, or moved after a misdeal."""
    button, was, last = button_of(hand), sitting.state.button.seat, sitting.state.last
    if button is None or was is None or last is None:
        yield NO_OCCASION
        return
    places = sitting.due.placements
    place = sitting.due.place
    if place is None or any(one.button in (None, button) for one in places):
        return
    if last.voided == "misdeal":
        wrong = button != was
    elif not last.completed:
        yield CannotTell(f"whether hand {last.number} counts as a completed deal")
        return
    elif button == was:
        wrong = all(one.method != "dead" for one in places)
    else:
        wrong = button in hand.start and _backwards(hand, was, button)
    if wrong:
        yield _button_breach(hand, sitting, place.button, place.button_why)


@detects(needs=Witness.POSTS, table=True)
def blinds_not_fitted(hand: Course, sitting: Sitting) -> Iterator[Answer]:
    """The blinds fit the button by no reading: not the next players, nor those who owe them."""
    found = compare(hand, sitting)
    near = found.nearest
    if near is None:
        yield CannotTell(found.missing)
        return
    dues = [_seats(one) for one in sitting.due.placements if one.judged]
    told = sorted((one.role, one.seat) for one in posted(hand))
    if told in dues or positional(hand):
        return
    blinds = near._replace(button=False)
    yield Breach(
        version(hand, sitting, blinds), saw(hand), seat=_who(blinds), should=should(sitting),
        money=money(hand, near), grounds=tuple(grounds(near.place)),
    )  # fmt: skip


# How


def _breach(hand: Course, sitting: Sitting, found: Compared) -> Iterator[Answer]:
    """Yield what differs from the nearest reading; nothing of a button that went to a barred seat."""
    near = found.nearest
    if near is None:
        yield CannotTell(found.missing)
        return
    if barred(hand, sitting):
        near = near._replace(button=False)
        if near.over and positional(hand) and near.place.method == "positional":
            return
    if near.none:
        if near.open:
            yield CannotTell(near.open)
        elif button_of(hand) is None:
            yield CannotTell("button")
        return
    yield Breach(
        version(hand, sitting, near), saw(hand), seat=_who(near), should=should(sitting),
        money=money(hand, near), grounds=tuple(grounds(near.place)),
    )  # fmt: skip


def _button_breach(
    hand: Course, sitting: Sitting, due: Seat | None, why: tuple[Ground, ...]
) -> Breach:
    button = button_of(hand)
    empty = "" if button in hand.start else ", which is empty"
    was = sitting.state.button.seat
    again = ", as on the hand before" if button == was else ""
    return Breach(
        sitting.version_of("button"), f"the button is in seat {button}{empty}{again}",
        seat=None, should=f"the button in seat {due}" if due is not None else "", grounds=why,
    )  # fmt: skip


def _who(found: Difference) -> Seat | None:
    """Return the seat that a difference is about: who posted wrongly, else who did not."""
    if found.button:
        return None
    if found.over:
        return found.over[0].seat
    return found.under[0].seat if found.under else None


def _skips(hand: Course, sitting: Sitting, found: Difference) -> list[tuple[Seat, str]]:
    """Return who was due a blind that went on past, and did not post it."""
    roles = [one.role for one in found.place.posts if one.role in _ORDER]
    last = max(roles, key=_ORDER.index, default="")
    told = posted(hand)
    furthest = [one.seat for one in told if one.role == last]
    if sitting.state.big.seat in furthest:
        return []  # the big blind did not go on: nothing went past anybody
    skips: list[tuple[Seat, str]] = []
    for due in found.under:
        if due.role not in roles or (due.role != last and found.place.method != "dead"):
            continue
        others = [one.seat for one in told if one.role == due.role]
        gone = not others and due.role != last and bool(furthest)
        if gone or any(_past(hand, due.seat, seat) for seat in others):
            skips.append((due.seat, due.role))
    return skips


def _past(hand: Course, seat: Seat, other: Seat) -> bool:
    """Whether `other` lies after `seat`, by half the table at most."""
    ring = hand.after(seat)
    return other in ring and ring.index(other) + 1 <= len(ring) // 2


def _backwards(hand: Course, was: Seat, button: Seat) -> bool:
    """Whether from `was` to `button` is further clockwise than the other way round."""
    ring = hand.after(was)
    return button in ring and 2 * (ring.index(button) + 1) > len(ring)


def _last_completed(sitting: Sitting) -> bool:
    return sitting.state.last is not None and sitting.state.last.completed


def _seats(place: Placement) -> list[tuple[str, Seat]]:
    return sorted((due.role, due.seat) for due in place.posts if due.role in _ORDER)
