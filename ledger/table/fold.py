"""Fold a table's events into its state. One handler for each event type, in `HANDLERS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from ledger.entry import Entry
from ledger.event import Event
from ledger.hand import ending as e
from ledger.hand.opening import Agreed
from ledger.table import between
from ledger.table import events as t
from ledger.table.between import vacate
from ledger.table.carry import as_number, fit_hand
from ledger.table.listing import is_still_seated, list_absent_players
from ledger.table.order import TableEntry, from_entries, put_in_order
from ledger.table.positions import find_big_blind, find_button, find_small_blind
from ledger.table.state import Absence, Gap, KnownPosition, NoPost, PassedPosition, PositionRole, SeatState, TableState
from ledger.vocabulary import PlayerId, Seat, Witness

Handler = Callable[[TableState, Any], None]

_MADE_GOOD: Final = frozenset({"big", "entry", "makeup", "makeup-small", "makeup-big"})
"""Posts after which the record of what passed a seat begins anew."""

_PRESENCE: Final = int(Witness.PRESENCE)
_AWAY: Final = frozenset({"sitting-out", "away", "reserved"})


def begin() -> TableState:
    """Return a table of which nothing is known."""
    return TableState()


def apply(state: TableState, event: t.TableEvent) -> None:
    """Take `event` into `state`, which must hold everything that lies before it in table order."""
    HANDLERS[type(event)](state, event)
    state.fitted = None


def fold(entries: Iterable[Entry]) -> TableState:
    """Return the table after all `entries` of its stream, put into the table's own order."""
    return fold_table_entries(from_entries(entries))


def fold_table_entries(told: Iterable[TableEntry]) -> TableState:
    """As `fold`, for events that need not be in a ledger."""
    state = begin()
    for _ in walk(told, state):
        pass
    return state


def walk(told: Iterable[TableEntry], state: TableState) -> Iterator[tuple[TableEntry, TableState]]:
    """Fold step by step: yield each event, in table order, with the (same) state after it."""
    told = list(told) if isinstance(told, Iterator) else told
    state.corrections += sum(isinstance(one.event, e.CorrectionMade) for one in told)
    for one in put_in_order(told):
        event = one.event
        at = one.at
        if isinstance(event, t.HandPlayed) and event.started is not None:
            at = event.started
        if at is not None:
            state.at = at
        state.guessed = one.guessed
        apply(state, event)
        yield one, state


def _hand(state: TableState, hand: t.HandPlayed) -> None:
    hand = list_absent_players(state, hand)
    _, fit, gap = fit_hand(state, hand)
    if gap is not None:
        state.gaps.append(gap)
        _lose_track(state)
    elif fit is not None and fit.unexplained:
        state.breaks.append(fit)
    state.continuity = fit
    if state.open_gap and (gap is not None or hand.number == state.open_gap.before):
        state.open_gap = None
    if state.last is None or gap is not None:
        state.unbroken_since = hand.number
    button, small, big = find_button(hand), find_small_blind(hand), find_big_blind(hand)
    _count_hand(state, hand, gap)
    renumbered = _list_seats(state, hand)
    follows = gap is None and not renumbered
    if state.last is not None and follows:
        _note_passed(state, hand, button, small, big)
    state.before = state.last if follows else None
    state.last, state.button, state.small, state.big = hand, button, small, big
    state.hands += 1
    _take_game(state, hand)
    _seat_by_seat(state, hand)
    state.moved.clear()
    state.drawn = state.bought = None
    if not state.games:
        state.games = 1
    state.broken, state.paused = False, ""
    _take_within(state, hand)
    if state.permissions:
        state.permissions = [
            one for one in state.permissions if isinstance(one.event, Agreed) or one.event.scope != "hand"
        ]
    state.agreements.clear()


def _count_hand(state: TableState, hand: t.HandPlayed, gap: Gap | None) -> None:
    """Go on with the count of hands, or begin another where the numbers start over."""
    former = state.last or state.former
    last_number = as_number(former.number) if former is not None else None
    number = as_number(hand.number)
    if number is None or last_number is None or number < last_number:
        state.counted_from, state.counted, state.follows_count = number or 0, 1, False
    elif number > last_number:
        state.counted += 1
        state.follows_count = number == last_number + 1 or (gap is not None and gap.how == "numbers")


def _lose_track(state: TableState) -> None:
    """After missing hands nobody knows what passed whom, or since when."""
    for held in state.seats.values():
        held.passed.clear()
        held.absences.clear()
        held.not_posted.clear()
        held.known = False


def _list_seats(state: TableState, hand: t.HandPlayed) -> bool:
    """Bring the seats up to what the hand lists: newcomers, moves, players who are gone.

    Return whether the seats were numbered anew: formats that give an order of players only count
    from the blinds in each hand, so that most players seem to have moved.
    """
    listed: dict[Seat, PlayerId] = {one.seat: one.player for one in hand.dealt_in}
    if hand.left_out:
        listed.update((one.seat, one.player) for one in hand.left_out)
    if len(listed) == len(state.seats) and _as_before(state, listed):
        return False
    # Whoever appears between two neighbouring hands came just then; at the start of a record or
    # after a gap nobody knows since when they have been there, unless a new game was told.
    seen = state.unbroken_since != hand.number if state.last else bool(state.games)
    held_by = {held.player: held for held in state.seats.values()}
    seats = {}
    stayed = moved = 0
    for seat, player in listed.items():
        held = held_by.pop(player, None)
        if held is None:
            held = SeatState(seat, player, since_hand=state.number, since=state.at, known=seen)
        elif held.seat == seat:
            stayed += 1
        else:
            moved += 1
        held.seat = seat
        seats[seat] = held
    for held in held_by.values():
        just_came = held.since_hand == state.number
        lists_all = hand.witnesses & _PRESENCE and not just_came and not is_still_seated(hand, held)
        if held.seat in seats or lists_all:
            vacate(state, held, "unknown")
            continue
        if held.presence == "present" and not just_came:
            held.presence = "unknown"
        seats[held.seat] = held
    state.seats = dict(sorted(seats.items()))
    return moved > stayed


def _as_before(state: TableState, listed: dict[Seat, PlayerId]) -> bool:
    """Whether everybody who is listed sat in the same seat before."""
    for seat, player in listed.items():  # asked of every hand: a generator costs more
        held = state.seats.get(seat)
        if held is None or held.player != player:
            return False
    return True


def _note_passed(
    state: TableState, hand: t.HandPlayed, button: KnownPosition, small: KnownPosition, big: KnownPosition
) -> None:
    """Note which occupied seats without cards a position went past, or lies at."""
    dealt = {one.seat for one in hand.dealt_in}
    if dealt.issuperset(state.seats):
        return
    last: tuple[tuple[PositionRole, KnownPosition, KnownPosition], ...] = (
        ("button", state.button, button),
        ("small", state.small, small),
        ("big", state.big, big),
    )
    for role, before, now in last:
        if before.seat is None or now.seat is None or before.seat == now.seat:
            continue
        for seat, held in state.seats.items():
            if seat not in dealt and _in_arc(before.seat, seat, now.seat):
                held.passed.append(PassedPosition(role, hand.number))


def _in_arc(start: Seat, seat: Seat, end: Seat) -> bool:
    """Whether `seat` lies clockwise after `start` and not after `end`; seats ascend clockwise."""
    if start < end:
        return start < seat <= end
    return seat > start or seat <= end


def _take_game(state: TableState, hand: t.HandPlayed) -> None:
    state.betting, state.format, state.witnesses = hand.betting, hand.format, hand.witnesses
    state.blinds = hand.blinds or state.blinds
    state.bets = hand.bets or state.bets
    state.ante, state.bring_in = hand.ante, hand.bring_in
    state.variant = hand.variant or state.variant
    state.level = hand.level or state.level
    state.chairs = hand.seats or state.chairs
    if hand.unit:
        state.unit, state.exponent = hand.unit, hand.exponent
    state.options.update(hand.options)


def _seat_by_seat(state: TableState, hand: t.HandPlayed) -> None:
    for left in hand.left_out:
        held = state.seats[left.seat]
        held.absences.append(Absence(hand.number, left.reason))
        held.stack = left.stack if left.stack is not None else held.stack
        if left.reason in _AWAY:
            _away(state, held)
        elif left.reason == "waiting-for-big-blind":
            held.wait = "big-blind"
        elif left.reason == "waiting-for-button":
            held.wait = "button"
        elif left.reason == "asked-to-be-dealt-out":
            held.asked_out = True
        elif left.reason == "no-chips":
            held.stack, held.busted = 0, True
    for dealt in hand.dealt_in:
        held = state.seats[dealt.seat]
        held.first_dealt = held.first_dealt or hand.number
        held.last_dealt = hand.number
        held.dealt += 1
        held.presence, held.in_room, held.away_since = "present", None, ""
        held.wait = held.deferred = ""
        held.asked_out = held.busted = held.told = False
        held.absences.clear()
        held.stack = dealt.after
    for post in hand.posts:
        if post.role in _MADE_GOOD and post.seat in state.seats:
            held = state.seats[post.seat]
            held.passed.clear()
            held.not_posted.clear()
    for skipped in hand.skipped:
        if skipped.seat is not None and skipped.seat in state.seats:
            state.seats[skipped.seat].not_posted.append(NoPost(hand.number, skipped.role, skipped.reason))


def _away(state: TableState, held: SeatState) -> None:
    if held.presence != "away":
        held.presence, held.away_since = "away", state.number


def _take_within(state: TableState, hand: t.HandPlayed) -> None:
    """Take what was told during the hand as told after it: chips bought then do not play in it."""
    if not hand.within:
        return
    untold = [held for held in state.seats.values() if not held.told]
    for event in hand.within:
        HANDLERS[type(event)](state, event)
    for held in untold:
        held.told = False  # files that print who sits out during a hand list whoever stays


def _finished(state: TableState, event: e.PlayerFinished) -> None:
    held = state.seats.get(event.seat)
    if held is not None:
        state.eliminated[held.player] = event.rank
        vacate(state, held, "busted")


HANDLERS: Final[dict[type[Event], Handler]] = {**between.HANDLERS, t.HandPlayed: _hand, e.PlayerFinished: _finished}
"""What each event does. A test proves that no event of a table is missing here."""
