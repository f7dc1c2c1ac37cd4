"""How often may be raised on one street."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from operator import attrgetter

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
    for act, _, count in _iter_raises_beyond_cap(hand, raises):
        if len(act.able) > 2:
            yield Breach(
                act.version,
                say.raise_over_cap(act.seat, act.street, count, raises),
                seat=act.seat,
                certainty="likely" if _describe_cap_doubt(hand, act) else "certain",
                because=_describe_cap_doubt(hand, act),
                should=say.capped(raises),
            )


def _iter_raises_beyond_cap(hand: Timeline, raises: int) -> Iterator[tuple[Act, Act, int]]:
    """Yield each raise beyond the cap, the raise that reached the cap, and its number."""
    for _, acts in hand.acts_by_street():
        street_raises = _list_counted_raises(hand, acts)
        for number, act in enumerate(street_raises[raises:], raises + 1):
            yield act, street_raises[raises - 1], number


def _list_counted_raises(hand: Timeline, acts: list[Act]) -> list[Act]:
    """Return the raises of a round: no bet that opens it above the blinds, and no short all-in."""
    unit = hand.fixed_bet(acts[0].street)
    opened = find_opening_totals(hand, unit) if acts[0].street == "preflop" else frozenset[Chips]()
    raises: list[Act] = []
    for act in acts:
        if (
            act.kind != "raise"
            or not act.level
            or (unit and 2 * act.gain < unit)
            or act.version in hand.undone_versions
        ):
            continue
        if act.raises or act.to not in opened:
            raises.append(act)
    return raises


def _describe_cap_doubt(hand: Timeline, act: Act) -> str:
    """Say why a raise may not be beyond the cap; "" = it is."""
    if hand.fixed_bet(act.street) is not None or hand.game is None:
        return ""
    raised, short_raise = hand.cached("all-in raises", lambda: _map_all_in_raises(hand))[act.version]
    if hand.game.betting == "limit":
        return say.all_in_may_not_count_for_cap() if raised else ""
    if hand.option("raise-cap") is None:
        return say.cap_unusual(hand.game.betting)
    return say.short_raise_counted() if short_raise else ""


def _map_all_in_raises(hand: Timeline) -> dict[int, tuple[bool, bool]]:
    """Return for each act whether its street had an all-in raise by then, and one that is no full raise."""
    flags_by_version: dict[int, tuple[bool, bool]] = {}
    streets: dict[Street, tuple[bool, bool]] = {}
    for act in sorted(hand.acts, key=attrgetter("version")):
        raised, short_raise = streets.get(act.street, (False, False))
        if act.all_in and act.kind == "raise" and act.level:
            raised, short_raise = True, short_raise or act.gain < act.wagers.largest_step
        flags_by_version[act.version] = streets[act.street] = raised, short_raise
    return flags_by_version


@hand_detector(events=(Raised,), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.CAP, deadline="mendable")
def after_capped(hand: Timeline, *, raises: int) -> Iterator[Answer]:
    """A street was capped with three or more players and was raised again, however many were left."""
    for act, capped, count in _iter_raises_beyond_cap(hand, raises):
        if len(capped.able) > 2:
            yield Breach(
                act.version,
                say.raise_over_cap(act.seat, act.street, count, raises),
                seat=act.seat,
                certainty="likely" if _describe_cap_doubt(hand, act) else "certain",
                because=_describe_cap_doubt(hand, act),
                should=say.capped_with_players(raises, len(capped.able)),
                other_events=((capped.version, say.cap_reached_note(raises)),),
            )


@hand_detector(events=(Declared,), needs=Witness.ACTS | Witness.WORDS | Witness.POSTS)
def refused(hand: Timeline, *, raises: int) -> Iterator[Answer]:
    """With two players left and no cap reached before, an announced raise was ruled a call."""
    occasion = False
    for act, announced_at in iter_announced_raises(hand):
        if not act.level or len(act.able) != 2:
            continue
        occasion = True
        if act.kind == "call" and not act.all_in and not _is_capped_before(hand, act, raises):
            yield Breach(
                act.version,
                say.announced_raise_refused(act.seat, act.street),
                seat=act.seat,
                should=say.raise_with_two_players(),
                certainty="likely",
                because=say.refusal_assumed(),
                other_events=((announced_at, say.announcement_note()),),
            )
    if not occasion:
        yield NO_OCCASION


def _is_capped_before(hand: Timeline, act: Act, raises: int) -> bool:
    """Whether the cap of this act's street had been reached with three or more players."""
    raises_by_street = hand.cached(
        "raises", lambda: {street: _list_counted_raises(hand, acts) for street, acts in hand.acts_by_street()}
    )
    steps = list(
        islice(
            (earlier_raise for earlier_raise in raises_by_street[act.street] if earlier_raise.version < act.version),
            raises,
        )
    )
    return len(steps) >= raises and len(steps[raises - 1].able) > 2
