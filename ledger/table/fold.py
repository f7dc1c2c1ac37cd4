"""Fold a table's events into its state, with one handler for each event type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import msgspec

from ledger import presence as p
from ledger.entry import Entry
from ledger.event import Event
from ledger.hand import ending as e
from ledger.hand.opening import Agreed
from ledger.table import between
from ledger.table import events as t
from ledger.table.between import vacate
from ledger.table.carry import fit_hand, parse_plain_number
from ledger.table.order import TableEntry, build_table_entries, put_in_order
from ledger.table.positions import find_big_blind, find_button, find_small_blind
from ledger.table.state import Absence, Gap, KnownPosition, NoPost, PassedPosition, PositionRole, SeatState, TableState
from ledger.table.unlisted_seats import is_dealt_in_while_away, is_still_seated, list_absent_players
from ledger.vocabulary import PlayerId, Seat, Witness

Handler = Callable[[TableState, Any], None]

_CLEARING_ROLES: Final = frozenset({"big", "entry", "makeup", "makeup-small", "makeup-big"})
"""Posts that settle what has passed a seat."""

_PRESENCE: Final = int(Witness.PRESENCE)
_AWAY_REASONS: Final = frozenset({"sitting-out", "away", "reserved"})


def begin() -> TableState:
    """Return the state of a table before its first event."""
    return TableState()


def apply(state: TableState, event: t.TableEvent) -> None:
    """Apply `event` to `state`, which must hold all earlier events in table order."""
    HANDLERS[type(event)](state, event)
    state.cached_fit = None


def fold(entries: Iterable[Entry]) -> TableState:
    """Return the state after all `entries` of a stream, sorted into table order."""
    return fold_table_entries(build_table_entries(entries))


def fold_table_entries(entries: Iterable[TableEntry]) -> TableState:
    """Return the state after all `entries`, which needn't be in a ledger."""
    state = begin()
    for _ in walk(entries, state):
        pass
    return state


def walk(entries: Iterable[TableEntry], state: TableState) -> Iterator[tuple[TableEntry, TableState]]:
    """Yield each event in table order with the state after it. It's always the same state object."""
    entries = list(entries) if isinstance(entries, Iterator) else entries
    state.corrections += sum(isinstance(entry.event, e.CorrectionMade) for entry in entries)
    for entry in put_in_order(entries):
        apply_entry(state, entry)
        yield entry, state


def apply_entry(state: TableState, entry: TableEntry) -> None:
    """Apply the next event in table order to `state`, with its time."""
    event = entry.event
    event_time = entry.time
    if isinstance(event, t.HandPlayed) and event.started is not None:
        event_time = event.started
    if event_time is not None:
        state.time = event_time
    state.is_order_guess = entry.is_guess
    apply(state, event)


def _apply_hand(state: TableState, hand: t.HandPlayed) -> None:
    hand = list_absent_players(state, hand)
    gap = _note_fit(state, hand)
    button_position, small_position, big_position = find_button(hand), find_small_blind(hand), find_big_blind(hand)
    _count_hand(state, hand, gap)
    renumbered = _list_seats(state, hand)
    follows = gap is None and not renumbered
    if state.last_hand is not None and follows:
        _note_passed_seats(state, hand, button_position, small_position, big_position)
    state.hand_before_last = state.last_hand if follows else None
    state.last_hand, state.button, state.small, state.big = hand, button_position, small_position, big_position
    state.hands += 1
    _update_game(state, hand)
    _update_seats(state, hand)
    state.moved_chips.clear()
    state.button_draw_winner = state.button_buyer = None
    if not state.games:
        state.games = 1
    state.is_game_over, state.pause_reason = False, ""
    _apply_table_events(state, hand)
    if state.permissions:
        state.permissions = [
            grant for grant in state.permissions if isinstance(grant.event, Agreed) or grant.event.scope != "hand"
        ]
    state.agreements.clear()


def _note_fit(state: TableState, hand: t.HandPlayed) -> Gap | None:
    """Note how a hand follows the last one. Return the gap between them, or None."""
    _, hand_continuity, gap = fit_hand(state, hand)
    if gap is not None:
        state.gaps.append(gap)
        _lose_track(state)
    elif hand_continuity is not None and hand_continuity.unexplained:
        state.breaks.append(hand_continuity)
    state.continuity = hand_continuity
    if state.open_gap and (gap is not None or hand.number == state.open_gap.before):
        state.open_gap = None
    if state.last_hand is None or gap is not None:
        state.first_unbroken_hand = hand.number
    return gap


def _count_hand(state: TableState, hand: t.HandPlayed, gap: Gap | None) -> None:
    """Continue the count of hands, or start a new one if the numbers start over."""
    last_known_hand = state.last_hand or state.former_game_hand
    last_number = parse_plain_number(last_known_hand.number) if last_known_hand is not None else None
    number = parse_plain_number(hand.number)
    if number is None or last_number is None or number < last_number:
        state.first_counted_number, state.counted_hands, state.follows_count = number or 0, 1, False
    elif number > last_number:
        state.counted_hands += 1
        state.follows_count = number == last_number + 1 or (gap is not None and gap.how == "numbers")


def _lose_track(state: TableState) -> None:
    """Clear what passed each seat: after missing hands it is unknown."""
    for seat_state in state.seats.values():
        seat_state.passed_positions.clear()
        seat_state.absences.clear()
        seat_state.missing_posts.clear()
        seat_state.is_history_known = False


def _list_seats(state: TableState, hand: t.HandPlayed) -> bool:
    """Update the seats from the hand's list: newcomers, moved players, players who left.

    Return whether the seats were renumbered. Formats with only an order of players count from the blinds in each hand,
    so most players seem to have moved.
    """
    listed_players: dict[Seat, PlayerId] = {seat_entry.seat: seat_entry.player for seat_entry in hand.dealt_in}
    if hand.left_out:
        listed_players.update((seat_entry.seat, seat_entry.player) for seat_entry in hand.left_out)
    if len(listed_players) == len(state.seats) and _is_seating_unchanged(state, listed_players):
        return False
    # A player who appears between two neighbouring hands has just arrived. At the start of a record or
    # after a gap, the time of arrival is unknown, unless a new game began.
    is_arrival_known = state.first_unbroken_hand != hand.number if state.last_hand else bool(state.games)
    state_by_player = {seat_state.player: seat_state for seat_state in state.seats.values()}
    seats = {}
    stayed_count = moved_count = 0
    for seat, player in listed_players.items():
        seat_state = state_by_player.pop(player, None)
        if seat_state is None:
            seat_state = SeatState(
                seat, player, hand_before_seating=state.number, seated_at=state.time, is_history_known=is_arrival_known
            )
        elif seat_state.seat == seat:
            stayed_count += 1
        else:
            moved_count += 1
        seat_state.seat = seat
        seats[seat] = seat_state
    for seat_state in state_by_player.values():
        _seat_unlisted_player(state, hand, seat_state, seats)
    state.seats = dict(sorted(seats.items()))
    return moved_count > stayed_count


def _seat_unlisted_player(
    state: TableState, hand: t.HandPlayed, seat_state: SeatState, seats: dict[Seat, SeatState]
) -> None:
    """Keep an unlisted player in the seat, unless the seat is taken or the hand lists everybody."""
    is_newly_seated = seat_state.hand_before_seating == state.number
    lists_all = hand.witnesses & _PRESENCE and not is_newly_seated and not is_still_seated(hand, seat_state)
    if seat_state.seat in seats or lists_all:
        vacate(state, seat_state, "unknown")
        return
    if seat_state.presence == "present" and not is_newly_seated:
        seat_state.presence = "unknown"
    seats[seat_state.seat] = seat_state


def _is_seating_unchanged(state: TableState, listed_players: dict[Seat, PlayerId]) -> bool:
    """Whether every listed player sat in the same seat before."""
    for seat, player in listed_players.items():  # runs for every hand, and a generator is slower
        seat_state = state.seats.get(seat)
        if seat_state is None or seat_state.player != player:
            return False
    return True


def _note_passed_seats(
    state: TableState,
    hand: t.HandPlayed,
    button_position: KnownPosition,
    small_position: KnownPosition,
    big_position: KnownPosition,
) -> None:
    """Note which occupied seats without cards a position passed or reached."""
    dealt_seats = {dealt_in.seat for dealt_in in hand.dealt_in}
    if dealt_seats.issuperset(state.seats):
        return
    moves: tuple[tuple[PositionRole, KnownPosition, KnownPosition], ...] = (
        ("button", state.button, button_position),
        ("small", state.small, small_position),
        ("big", state.big, big_position),
    )
    for role, old_position, new_position in moves:
        if old_position.seat is None or new_position.seat is None or old_position.seat == new_position.seat:
            continue
        for seat, seat_state in state.seats.items():
            if seat not in dealt_seats and _is_in_arc(old_position.seat, seat, new_position.seat):
                seat_state.passed_positions.append(PassedPosition(role, hand.number))


def _is_in_arc(start: Seat, seat: Seat, end: Seat) -> bool:
    """Whether `seat` is clockwise after `start` and not after `end`. Seat numbers ascend clockwise."""
    if start < end:
        return start < seat <= end
    return seat > start or seat <= end


def _update_game(state: TableState, hand: t.HandPlayed) -> None:
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


def _update_seats(state: TableState, hand: t.HandPlayed) -> None:
    for left_out in hand.left_out:
        _leave_out(state, hand, left_out)
    for dealt_in in hand.dealt_in:
        seat_state = state.seats[dealt_in.seat]
        seat_state.first_hand_dealt = seat_state.first_hand_dealt or hand.number
        seat_state.last_hand_dealt = hand.number
        seat_state.hands_dealt += 1
        if seat_state.presence != "away" or not is_dealt_in_while_away(hand, dealt_in):
            seat_state.presence, seat_state.in_room, seat_state.hand_before_absence = "present", None, ""
        seat_state.awaited_position = seat_state.deferred_until = ""
        seat_state.has_asked_out = seat_state.is_busted = seat_state.has_news = False
        seat_state.absences.clear()
        seat_state.stack = dealt_in.after
    for post in hand.posts:
        if post.role in _CLEARING_ROLES and post.seat in state.seats:
            seat_state = state.seats[post.seat]
            seat_state.passed_positions.clear()
            seat_state.missing_posts.clear()
    for skipped in hand.skipped:
        if skipped.seat is not None and skipped.seat in state.seats:
            state.seats[skipped.seat].missing_posts.append(NoPost(hand.number, skipped.role, skipped.reason))


def _leave_out(state: TableState, hand: t.HandPlayed, left_out: t.LeftOut) -> None:
    """Note why a seated player got no cards."""
    seat_state = state.seats[left_out.seat]
    seat_state.absences.append(Absence(hand.number, left_out.reason))
    seat_state.stack = left_out.stack if left_out.stack is not None else seat_state.stack
    if left_out.reason in _AWAY_REASONS:
        _mark_away(state, seat_state)
    elif left_out.reason == "waiting-for-big-blind":
        seat_state.awaited_position = "big-blind"
    elif left_out.reason == "waiting-for-button":
        seat_state.awaited_position = "button"
    elif left_out.reason == "asked-to-be-dealt-out":
        seat_state.has_asked_out = True
    elif left_out.reason == "no-chips":
        seat_state.stack, seat_state.is_busted = 0, True


def _mark_away(state: TableState, seat_state: SeatState) -> None:
    if seat_state.presence != "away":
        seat_state.presence, seat_state.hand_before_absence = "away", state.number


def _apply_table_events(state: TableState, hand: t.HandPlayed) -> None:
    """Apply the events during the hand as if they came after it: chips bought then don't play in it."""
    if not hand.within:
        return
    seats_without_news = [seat_state for seat_state in state.seats.values() if not seat_state.has_news]
    for event in _drop_first_stacks(hand):
        HANDLERS[type(event)](state, event)
    for seat_state in seats_without_news:
        seat_state.has_news = False  # such files list the players who stay and sit out


def _drop_first_stacks(hand: t.HandPlayed) -> Iterator[t.Within]:
    """Yield the events during a hand.

    Drop the stack of a player who sat down and was dealt in, since it has been played.
    """
    players = {dealt_in.player for dealt_in in hand.dealt_in}
    for event in hand.within:
        if isinstance(event, p.SeatLeft):
            players.discard(event.player)  # may come back with another stack
        has_played = isinstance(event, p.SeatTaken) and event.stack is not None and event.player in players
        yield msgspec.structs.replace(event, stack=None) if has_played else event


def _apply_player_finished(state: TableState, event: e.PlayerFinished) -> None:
    seat_state = state.seats.get(event.seat)
    if seat_state is not None:
        state.eliminated[seat_state.player] = event.rank
        vacate(state, seat_state, "busted")


HANDLERS: Final[dict[type[Event], Handler]] = {
    **between.HANDLERS,
    t.HandPlayed: _apply_hand,
    e.PlayerFinished: _apply_player_finished,
}
"""The handlers of all events. A test proves that none is missing."""
