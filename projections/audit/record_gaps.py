"""Find oddities that show a hand's record is incomplete. They are doubts, not findings of the book `record`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.hand import betting, dealing
from ledger.hand.acts import Act
from ledger.hand.agreement import has_vanished_chips, may_hide_drop
from ledger.hand.ending import CardsMucked, CardsShown, CardsTurnedDown, CorrectionMade, PotAwarded
from ledger.hand.opening import BlindPosted, HandOpened, SeatLeftOut
from ledger.presence import ConnectionLost
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.record_acts import find_impossible_acts
from projections.sentences import record_doubts as say
from projections.timeline.hand_timeline import Timeline

_ACTS: Final = (betting.Folded, betting.Checked, betting.Called, betting.Bet, betting.Raised, betting.Completed)
_KILLS_WITNESSED: Final = int(Witness.HAND_KILLS)
"""A source that records killed hands is written by people; a poker room's program doesn't record them."""
_NO_EVENT: Final = frozenset({0})
"""Versions start at 1, so this exempts no event."""


class RecordOddity(NamedTuple):
    """An oddity in a hand's record, as a doubt."""

    doubt: str
    exempt_versions: frozenset[int] = frozenset()  # events that it doesn't make doubtful


def find_oddities(timeline: Timeline) -> list[RecordOddity]:
    """Return the oddities in a hand's record."""
    return [*_iter_missing_parts(timeline), *_iter_broken_room_rules(timeline)]


def _iter_missing_parts(timeline: Timeline) -> Iterator[RecordOddity]:
    """Yield what shows that acts, chips or seats are missing from any record."""
    if (seat := find_unresolved_seat(timeline)) is not None:
        yield RecordOddity(say.hand_unresolved(seat))
    if (seat := _find_unlisted_seat(timeline)) is not None:
        yield RecordOddity(say.seat_unlisted(seat))
    if any(_restarts_betting(act) for act in timeline.acts):
        yield RecordOddity(say.betting_restarts())
    if next(iter_stale_calls(timeline), None) is not None:
        yield RecordOddity(say.call_left_uncorrected())
    state = timeline.played.final_state
    if may_hide_drop(state) and has_vanished_chips(state):
        yield RecordOddity(say.pot_short())


def _iter_broken_room_rules(timeline: Timeline) -> Iterator[RecordOddity]:
    """Yield what no poker room's program allows. If its record shows such a thing, lines are missing."""
    opening = timeline.numbered_events[0][1]
    if not isinstance(opening, HandOpened) or opening.witnesses & _KILLS_WITNESSED:
        return
    if (lost_seat := _find_lost_connection(timeline)) is not None:
        yield RecordOddity(say.connection_lost(lost_seat))
    if acts := find_impossible_acts(timeline):
        yield RecordOddity(say.act_impossible(), acts)
    if odd_posts := _find_odd_blinds(timeline):
        yield RecordOddity(say.blinds_differ(), odd_posts)


def iter_stale_calls(timeline: Timeline) -> Iterator[Act]:
    """Yield the calls of a corrected hand whose amount doesn't match the corrected bet."""
    if any(type(event) is CorrectionMade for event in timeline.played.recorded_events):
        for act in timeline.acts:
            if isinstance(act.event, betting.Called) and act.bet_after != act.bet_to_call and not act.is_all_in:
                yield act


def find_unresolved_seat(timeline: Timeline) -> Seat | None:
    """Return a seat whose hand disappears: live at the end, passed over, never shown, mucked, killed or paid."""
    state, betting_end = timeline.played.final_state, timeline.betting_end
    paid_seats = {event.seat for _, event in timeline.of(PotAwarded)}
    if not paid_seats or betting_end is None or state.voided or not timeline.acts:
        return None
    last_street = timeline.acts[-1].street
    acted_seats = {act.seat for act in timeline.acts if act.street == last_street}
    settled_seats = {
        event.seat for _, event in timeline.of(CardsShown, CardsMucked, CardsTurnedDown, betting.HandKilled)
    }
    for seat in sorted(betting_end.live_seats - paid_seats - settled_seats):
        if not state.is_all_in(seat) and (seat in betting_end.seats_to_act or seat not in acted_seats):
            return seat
    return None


def _find_unlisted_seat(timeline: Timeline) -> Seat | None:
    """Return a seat that got cards but is listed neither as dealt in nor as left out."""
    listed_seats = {*timeline.start, *(event.seat for _, event in timeline.of(SeatLeftOut))}
    dealt_seats = (event.seat for _, event in timeline.of(dealing.HoleCardsDealt))
    return next((seat for seat in dealt_seats if seat not in listed_seats), None)


def _restarts_betting(act: Act) -> bool:
    """Whether an act doesn't fit the betting before it: a call without a bet, a second bet, an empty raise."""
    if act.street == "preflop" and not act.bet_to_call:
        return False  # nobody posted: the first player in may call, bet or raise
    if isinstance(act.event, betting.Called):
        return not act.bet_to_call
    if isinstance(act.event, betting.Bet) and act.street != "preflop":
        return act.bet_to_call > 0
    return isinstance(act.event, betting.Bet | betting.Raised) and act.bet_after <= act.bet_to_call


def _find_lost_connection(timeline: Timeline) -> Seat | None:
    """Return a seat that lost its connection and didn't act again on that street, or None."""
    first_folds: dict[Seat, int] = {}  # versions
    for version, fold in timeline.of(betting.Folded):
        first_folds[fold.seat] = min(version, first_folds.get(fold.seat, version))
    for version, event in timeline.of(ConnectionLost):
        seat = event.seat
        if seat not in timeline.start or first_folds.get(seat, version) < version:
            continue
        street = timeline.first_event_after(version, dealing.BoardDealt, dealing.StreetDealt)
        if not timeline.has_event_between(version, None if street is None else street[0], *_ACTS, seat=seat):
            return seat
    return None


def _find_odd_blinds(timeline: Timeline) -> frozenset[int]:
    """Return the versions of small and big blind posts that differ from the game's blinds and aren't all-in."""
    game = timeline.game
    if game is None or len(game.blinds) != 2:
        return frozenset()
    expected = {"small": game.blinds[0], "big": game.blinds[1]}
    odd_posts = frozenset(
        version
        for version, post in timeline.posts
        if isinstance(post, BlindPosted)
        and post.live != expected.get(post.role, post.live)
        and not post.all_in
        and not _took_all_chips(post, timeline.start.get(post.seat))
    )
    # A header that gives one amount for both blinds doesn't state the structure: it can't judge the posts either.
    if odd_posts and expected["small"] == expected["big"]:
        return _NO_EVENT
    return odd_posts


def _took_all_chips(post: BlindPosted, stack: Chips | None) -> bool:
    """Whether a post took the whole stack, as far as the stack is recorded."""
    return stack is not None and 0 < stack <= post.live
