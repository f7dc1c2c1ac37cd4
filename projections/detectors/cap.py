"""The cap on raises: how many raises a street may have.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from ledger.hand.acts import Act
from ledger.hand.betting import Declared, Raised
from ledger.vocabulary import Chips, Street, Witness
from projections.detectors.shared.bet_limits import find_opening_totals
from projections.detectors.shared.spoken_words import iter_announced_raises
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach
from projections.sentences import betting as say
from projections.timeline.hand_timeline import Timeline


@hand_detector(events=(Raised,), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.CAP, deadline="mendable")
def too_many(hand: Timeline, *, raises: int) -> Iterator[Answer]:
    """There were more raises on a street than the cap, with three or more players to bet."""
    for act, _, raise_number in _iter_raises_beyond_cap(hand, raises):
        if len(act.able_seats) > 2:
            doubt = _describe_cap_doubt(hand, act)
            yield Breach(
                act.version,
                say.raise_over_cap(act.seat, act.street, raise_number, raises),
                seat=act.seat,
                certainty="likely" if doubt else "certain",
                because=doubt,
                should=say.capped(raises),
            )


class _RaiseBeyondCap(NamedTuple):
    """A raise beyond the cap."""

    act: Act
    capping_raise: Act  # the last raise that the cap allows
    number: int  # which raise of its street it is


def _iter_raises_beyond_cap(hand: Timeline, raises: int) -> Iterator[_RaiseBeyondCap]:
    """Yield each raise beyond a cap of `raises`."""
    for _, acts in hand.acts_by_street():
        street_raises = _list_counted_raises(hand, acts)
        for number, act in enumerate(street_raises[raises:], raises + 1):
            yield _RaiseBeyondCap(act, street_raises[raises - 1], number)


def _list_counted_raises(hand: Timeline, acts: list[Act]) -> list[Act]:
    """Return the raises of a round that count toward the cap.

    An opening bet above the blinds doesn't count. In a limit game, nor does an all-in of less than half a bet.
    """
    street = acts[0].street
    unit = hand.fixed_bet(street)
    opening_totals = find_opening_totals(hand, unit) if street == "preflop" else frozenset[Chips]()
    counted_raises: list[Act] = []
    for act in acts:
        is_short = 2 * act.raise_size < (unit or 0)
        if act.kind != "raise" or not act.bet_to_call or is_short or act.version in hand.undone_versions:
            continue
        if act.raises_before or act.bet_after not in opening_totals:
            counted_raises.append(act)
    return counted_raises


def _describe_cap_doubt(hand: Timeline, act: Act) -> str:
    """Return why a raise may be within the cap after all; "" = it is certainly beyond it."""
    if hand.fixed_bet(act.street) is not None or hand.game is None:
        return ""
    all_in_raises = hand.cached("all-in raises", lambda: _map_all_in_raises(hand))[act.version]
    if hand.game.betting == "limit":
        return say.all_in_may_not_count_for_cap() if all_in_raises.has_any else ""
    if hand.option("raise-cap") is None:
        return say.cap_unusual(hand.game.betting)
    return say.short_raise_counted() if all_in_raises.has_short else ""


class _AllInRaises(NamedTuple):
    """Which all-in raises a street had up to an act."""

    has_any: bool = False
    has_short: bool = False  # one of less than a full raise


def _map_all_in_raises(hand: Timeline) -> dict[int, _AllInRaises]:
    """Return which all-in raises the street had up to each act, by the act's version."""
    by_version: dict[int, _AllInRaises] = {}
    by_street: dict[Street, _AllInRaises] = {}
    for act in sorted(hand.acts, key=attrgetter("version")):
        all_in_raises = by_street.get(act.street, _AllInRaises())
        if act.is_all_in and act.kind == "raise" and act.bet_to_call:
            is_short = act.raise_size < act.bet_levels.largest_step
            all_in_raises = _AllInRaises(has_any=True, has_short=all_in_raises.has_short or is_short)
        by_version[act.version] = by_street[act.street] = all_in_raises
    return by_version


@hand_detector(events=(Raised,), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.CAP, deadline="mendable")
def after_capped(hand: Timeline, *, raises: int) -> Iterator[Answer]:
    """A street was capped with three or more players and was raised again, however many were left."""
    for act, capping_raise, raise_number in _iter_raises_beyond_cap(hand, raises):
        if len(capping_raise.able_seats) > 2:
            doubt = _describe_cap_doubt(hand, act)
            yield Breach(
                act.version,
                say.raise_over_cap(act.seat, act.street, raise_number, raises),
                seat=act.seat,
                certainty="likely" if doubt else "certain",
                because=doubt,
                should=say.capped_with_players(raises, len(capping_raise.able_seats)),
                other_events=((capping_raise.version, say.cap_reached_note(raises)),),
            )


@hand_detector(events=(Declared,), needs=Witness.ACTS | Witness.WORDS | Witness.POSTS)
def refused(hand: Timeline, *, raises: int) -> Iterator[Answer]:
    """With two players left and no cap reached before, an announced raise was ruled a call."""
    has_occasion = False
    for act, announced_version in iter_announced_raises(hand):
        if not act.bet_to_call or len(act.able_seats) != 2:
            continue
        has_occasion = True
        if act.kind == "call" and not act.is_all_in and not _is_capped_before(hand, act, raises):
            yield Breach(
                act.version,
                say.announced_raise_refused(act.seat, act.street),
                seat=act.seat,
                should=say.raise_with_two_players(),
                certainty="likely",
                because=say.refusal_assumed(),
                other_events=((announced_version, say.announcement_note()),),
            )
    if not has_occasion:
        yield NO_OCCASION


def _is_capped_before(hand: Timeline, act: Act, raises: int) -> bool:
    """Whether the cap of this act's street had been reached with three or more players."""
    raises_by_street = hand.cached(
        "raises", lambda: {street: _list_counted_raises(hand, acts) for street, acts in hand.acts_by_street()}
    )
    earlier_raises = [raise_act for raise_act in raises_by_street[act.street] if raise_act.version < act.version]
    return len(earlier_raises) >= raises and len(earlier_raises[raises - 1].able_seats) > 2
