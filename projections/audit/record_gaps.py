"""What in a hand's own record shows that it does not tell the whole of it, beside what `record` finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand.acts import Act
from ledger.hand.agreement import drop_untold, vanished
from ledger.hand.ending import CardsMucked, CardsShown, CardsTurnedDown, CorrectionMade, PotAwarded
from ledger.hand.opening import BlindPosted, HandOpened, SeatLeftOut
from ledger.presence import ConnectionLost
from ledger.vocabulary import Seat, Witness
from projections.detectors.record_acts import impossible_acts
from projections.sentences import record_doubts as sentences
from projections.timeline.hand_timeline import Timeline

_ACTS: Final = (b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed)
_KILLS: Final = int(Witness.HAND_KILLS)
"""Who writes down that hands are killed is a person at the table; rooms' programs do not."""
_OPENING_ONLY: Final = frozenset({0})


def incoherent(course: Timeline) -> list[tuple[str, frozenset[int]]]:
    """Return what is odd about the record of a hand, each with the events that are judged all the same.

    Rooms' programs keep to their own rules; where such a record shows what no program lets happen, the
    text is not all that was done.
    """
    oddities: list[tuple[str, frozenset[int]]] = []
    if (seat := find_unresolved_seat(course)) is not None:
        oddities.append((sentences.hand_unresolved(seat), frozenset()))
    if (seat := _find_unlisted_seat(course)) is not None:
        oddities.append((sentences.seat_unlisted(seat), frozenset()))
    if any(_restarts_betting(act) for act in course.acts):
        oddities.append((sentences.betting_restarts(), frozenset()))
    if any(True for _ in left_behind(course)):
        oddities.append((sentences.call_left_uncorrected(), frozenset()))
    state = course.played.final
    if drop_untold(state) and vanished(state):
        oddities.append((sentences.pot_short(), frozenset()))
    opening = course.numbered_events[0][1]
    if not isinstance(opening, HandOpened) or opening.witnesses & _KILLS:
        return oddities
    lost_seat = _find_lost_connection(course)
    if lost_seat:
        oddities.append((sentences.connection_lost(lost_seat), frozenset()))
    if acts := impossible_acts(course):
        oddities.append((sentences.act_impossible(), acts))
    if odd_posts := _find_odd_blinds(course):
        oddities.append((sentences.blinds_differ(), odd_posts))
    return oddities


def left_behind(course: Timeline) -> Iterator[Act]:
    """Yield the calls of a corrected hand that are no calls of what lies there since it was corrected."""
    if any(type(event) is CorrectionMade for event in course.played.recorded_events):
        for act in course.acts:
            if isinstance(act.event, b.Called) and act.to != act.level and not act.all_in:
                yield act


def find_unresolved_seat(course: Timeline) -> Seat | None:
    """Return a seat that held a hand, was passed over to the end and paid nothing, and nothing is said of it."""
    state, betting_end = course.played.final, course.betting_end
    paid_seats = {event.seat for _, event in course.of(PotAwarded)}
    if not paid_seats or betting_end is None or state.voided or not course.acts:
        return None
    last_street = course.acts[-1].street
    acted_seats = {act.seat for act in course.acts if act.street == last_street}
    settled_seats = {e.seat for _, e in course.of(CardsShown, CardsMucked, CardsTurnedDown, b.HandKilled)}
    for seat in sorted(betting_end.live - paid_seats - settled_seats):
        if not state.is_all_in(seat) and (seat in betting_end.open or seat not in acted_seats):
            return seat
    return None


def _find_unlisted_seat(course: Timeline) -> Seat | None:
    """Return a seat that is dealt cards and is neither dealt in nor named as left out."""
    listed_seats = {*course.start, *(event.seat for _, event in course.of(SeatLeftOut))}
    dealt_seats = (event.seat for _, event in course.of(d.HoleCardsDealt))
    return next((seat for seat in dealt_seats if seat not in listed_seats), None)


def _restarts_betting(act: Act) -> bool:
    """Whether an act is told as no act can follow: a call of nothing, a bet where one lies, a raise of nothing."""
    if act.street == "preflop" and not act.level:
        return False  # nobody posted: who comes in calls, bets or raises
    if isinstance(act.event, b.Called):
        return not act.level
    if isinstance(act.event, b.Bet) and act.street != "preflop":
        return act.level > 0
    return isinstance(act.event, b.Bet | b.Raised) and act.to <= act.level


def _find_lost_connection(course: Timeline) -> Seat | None:
    """Return a seat that lost its connection and did not act again on that street."""
    folded: dict[Seat, int] = {}
    for version, fold in course.of(b.Folded):
        folded[fold.seat] = min(version, folded.get(fold.seat, version))
    for version, event in course.of(ConnectionLost):
        seat = event.seat
        if seat not in course.start or folded.get(seat, version) < version:
            continue
        street = course.first_event_after(version, d.BoardDealt, d.StreetDealt)
        if not course.has_event_between(version, None if street is None else street[0], *_ACTS, seat=seat):
            return seat
    return None


def _find_odd_blinds(course: Timeline) -> frozenset[int]:
    """Return the posts of a small and a big blind that are not of the game's size, and not all-in."""
    game = course.game
    if game is None or len(game.blinds) != 2:
        return frozenset()
    expected = {"small": game.blinds[0], "big": game.blinds[1]}
    odd_posts = frozenset(
        version
        for version, post in course.posts
        if isinstance(post, BlindPosted)
        and post.live != expected.get(post.role, post.live)
        and not post.all_in
        and (course.start.get(post.seat) or post.live + 1) > post.live
    )
    # Where a head gives one amount twice, it is no structure: then the posts are not judged by it either.
    return _OPENING_ONLY if odd_posts and expected["small"] == expected["big"] else odd_posts
