"""Apply the events between hands to a table's state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from ledger import presence as p
from ledger.event import Event
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.table import events as t
from ledger.table import money_events as m
from ledger.table.carry import build_recorded_gap
from ledger.table.state import UNKNOWN_POSITION, Departure, SeatState, StandingGrant, TableState
from ledger.vocabulary import Chips, PlayerId, Seat

_Value = TypeVar("_Value")


def vacate(state: TableState, seat_state: SeatState, reason: str, stack: Chips | None = None) -> None:
    """Empty a seat, and remember the stack that its player left with."""
    state.departures[seat_state.player] = Departure(
        seat_state.seat, seat_state.stack if stack is None else stack, reason, state.number
    )
    if state.seats.get(seat_state.seat) is seat_state:
        del state.seats[seat_state.seat]


def _find_seat(state: TableState, seat: Seat | None, player: PlayerId = "") -> SeatState | None:
    """Return the seat that an event names, by number or else by player. Return None if nobody sits there."""
    if seat is not None and (seat_state := state.seats.get(seat)) is not None:
        return seat_state if not player or seat_state.player == player else state.seat_of(player)
    return state.seat_of(player) if player else None


# --- the table and its game


def _apply_table_opened(state: TableState, event: t.TableOpened) -> None:
    state.opened = event
    state.chairs = event.seats or state.chairs
    state.witnesses = event.witnesses or state.witnesses


def _apply_game_started(state: TableState, _: t.GameStarted) -> None:
    """Reset positions and what passed each seat; seats and stacks stay."""
    state.games += 1
    state.is_game_over = False
    state.former_game_hand = state.last_hand or state.former_game_hand
    state.last_hand = state.hand_before_last = None
    state.button = state.small = state.big = UNKNOWN_POSITION
    state.open_gap = state.continuity = None
    state.first_unbroken_hand = ""
    for seat_state in state.seats.values():
        seat_state.passed_positions.clear()
        seat_state.absences.clear()
        seat_state.missing_posts.clear()
        seat_state.first_hand_dealt = seat_state.last_hand_dealt = ""
        seat_state.hands_dealt = 0
        seat_state.is_history_known = True


def _apply_game_broken(state: TableState, _: t.GameBroken) -> None:
    state.is_game_over = True


def _apply_hands_missing(state: TableState, event: t.HandsMissing) -> None:
    state.open_gap = build_recorded_gap(event)


def _apply_seats_assigned(state: TableState, event: t.SeatsAssigned) -> None:
    state.seating = event.method


def _apply_button_drawn(state: TableState, event: t.ButtonDrawn) -> None:
    state.button_draw_seats, state.button_draw_winner = event.seats, event.winner


def _apply_button_bought(state: TableState, event: t.ButtonBought) -> None:
    state.button_buyer = event.seat


def _apply_game_set(state: TableState, event: o.GameSet) -> None:
    state.variant, state.betting, state.format = event.variant, event.betting, event.format
    state.unit, state.exponent = event.unit, event.exponent
    state.blinds = event.blinds or state.blinds
    state.bets = event.bets or state.bets
    state.ante, state.bring_in = event.ante, event.bring_in


def _apply_game_changed(state: TableState, event: t.GameChanged) -> None:
    state.variant, state.betting = event.variant, event.betting


def _apply_stakes_changed(state: TableState, event: t.StakesChanged) -> None:
    state.blinds = event.blinds or state.blinds
    state.bets = event.bets or state.bets
    state.level = event.level or state.level
    if event.ante is not None:
        state.ante = event.ante


def _apply_option_set(state: TableState, event: o.OptionSet) -> None:
    state.options[event.option] = event.value


def _apply_permission_granted(state: TableState, event: o.PermissionGranted) -> None:
    state.permissions.append(StandingGrant(event, state.number, state.time))


def _apply_agreed(state: TableState, event: o.Agreed) -> None:
    state.agreements.append(StandingGrant(event, state.number, state.time))


def _apply_table_paused(state: TableState, event: t.TablePaused) -> None:
    state.pause_reason = event.why


def _apply_table_resumed(state: TableState, _: t.TableResumed) -> None:
    state.pause_reason = ""


def _apply_host_changed(state: TableState, event: t.HostChanged) -> None:
    state.host = event.player


def _apply_dealer_changed(state: TableState, event: t.DealerChanged) -> None:
    state.dealer = event.dealer


def _apply_deck_changed(state: TableState, event: t.DeckChanged) -> None:
    state.deck = event.deck


def _apply_house_notice_posted(state: TableState, event: t.HouseNoticePosted) -> None:
    state.notices.append(event.text)


def _apply_correction_made(state: TableState, _: e.CorrectionMade) -> None:
    state.corrections += 1


def _count_unread_line(state: TableState, _: e.LineUnread) -> None:
    state.unread_lines += 1


def _leave_unchanged(state: TableState, _: Event) -> None:
    """Ignore words, remarks, floor calls and counts of house money: seats, chips and positions stay."""


# --- people


def _apply_seat_requested(state: TableState, event: t.SeatRequested) -> None:
    state.requests[event.player] = event


def _apply_seat_request_answered(state: TableState, event: t.SeatRequestAnswered) -> None:
    state.requests.pop(event.player, None)


def _apply_removal_queued(state: TableState, event: t.RemovalQueued) -> None:
    if event.withdrawn:
        state.removals.pop(event.player, None)
    else:
        state.removals[event.player] = event


def _apply_seat_taken(state: TableState, event: p.SeatTaken) -> None:
    seat_state = state.seats.get(event.seat)
    if seat_state is not None and seat_state.player == event.player:
        seat_state.origin = event.origin if event.origin != "unknown" else seat_state.origin
    else:
        if seat_state is not None:
            vacate(state, seat_state, "unknown")
        former_seat = state.seat_of(event.player)
        if former_seat is not None:
            vacate(state, former_seat, "moved")
        seat_state = SeatState(
            event.seat, event.player, event.origin, hand_before_seating=state.number, seated_at=state.time
        )
        state.seats[event.seat] = seat_state
        state.seats = dict(sorted(state.seats.items()))
    seat_state.has_news = True
    if event.stack is not None:
        seat_state.stack = event.stack
        state.moved_chips.pop(event.player, None)
    elif seat_state.stack is None and event.player in state.moved_chips:
        seat_state.stack = state.moved_chips[event.player]  # bought before the player sat down
    state.requests.pop(event.player, None)
    state.removals.pop(event.player, None)


def _apply_seat_left(state: TableState, event: p.SeatLeft) -> None:
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is not None:
        vacate(state, seat_state, event.reason, event.stack)
    state.removals.pop(event.player, None)


def _apply_seat_moved(state: TableState, event: p.SeatMoved) -> None:
    seat_state = state.seat_of(event.player) or state.seats.get(event.origin)
    if seat_state is None:
        seat_state = SeatState(event.to, event.player, hand_before_seating=state.number, seated_at=state.time)
        seat_state.is_history_known = False
    else:
        state.seats.pop(seat_state.seat, None)
    former_holder = state.seats.get(event.to)
    if former_holder is not None:
        vacate(state, former_holder, "unknown")
    seat_state.seat, seat_state.has_news = event.to, True
    seat_state.hand_before_seating, seat_state.seated_at = state.number, state.time
    state.seats[event.to] = seat_state
    state.seats = dict(sorted(state.seats.items()))


def _apply_player_away(state: TableState, event: p.PlayerAway) -> None:
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is None or event.why == "spectator":
        return
    seat_state.has_news = True
    if seat_state.presence != "away":
        seat_state.presence, seat_state.hand_before_absence = "away", state.number
    seat_state.in_room = event.in_room if event.in_room is not None else seat_state.in_room


def _apply_player_back(state: TableState, event: p.PlayerBack) -> None:
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is not None:
        seat_state.presence, seat_state.in_room, seat_state.hand_before_absence = "present", None, ""
        seat_state.has_asked_out, seat_state.has_news = False, True


def _apply_deal_out_requested(state: TableState, event: p.DealOutRequested) -> None:
    seat_state = state.seats.get(event.seat)
    if seat_state is not None:
        seat_state.has_asked_out = seat_state.has_news = True


def _apply_wait_declared(state: TableState, event: p.WaitDeclared) -> None:
    seat_state = state.seats.get(event.seat)
    if seat_state is not None:
        seat_state.awaited_position, seat_state.has_news = event.wait_for, True


def _apply_entry_deferred(state: TableState, event: p.EntryDeferred) -> None:
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is not None:
        seat_state.deferred_until, seat_state.has_news = event.until, True


def _apply_marker_given(state: TableState, event: p.MarkerGiven) -> None:
    state.has_markers = True
    seat_state = state.seats.get(event.seat)
    if seat_state is not None:
        seat_state.markers.add(event.kind)
        seat_state.has_news = True


def _apply_marker_taken(state: TableState, event: p.MarkerTaken) -> None:
    seat_state = state.seats.get(event.seat)
    if seat_state is not None:
        seat_state.markers.discard(event.kind)


def _apply_player_busted(state: TableState, event: p.PlayerBusted) -> None:
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is not None:
        seat_state.is_busted, seat_state.stack, seat_state.has_news = True, 0, True


def _find_seat_before_record(state: TableState, seat: Seat, player: PlayerId) -> SeatState | None:
    """Return the seat of a fact from before the record begins. A player named there sits there."""
    seat_state = _find_seat(state, seat, player)
    if seat_state is None and player and seat not in state.seats:
        seat_state = SeatState(
            seat, player, hand_before_seating=state.number, seated_at=state.time, is_history_known=False
        )
        state.seats = dict(sorted({**state.seats, seat: seat_state}.items()))
    if seat_state is not None:
        seat_state.has_news = True
    return seat_state


def _apply_established(state: TableState, event: t.PlayerEstablished | t.BlindsOwed) -> None:
    _find_seat_before_record(state, event.seat, event.player)


def _apply_absence(state: TableState, event: t.AbsenceTold) -> None:
    seat_state = _find_seat_before_record(state, event.seat, event.player)
    if seat_state is not None and seat_state.presence != "away":
        seat_state.presence, seat_state.hand_before_absence = "away", event.since


def _apply_player_eliminated(state: TableState, event: t.PlayerEliminated) -> None:
    state.eliminated[event.player] = event.rank
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is not None:
        vacate(state, seat_state, "busted")


def _apply_player_identified(state: TableState, event: t.PlayerIdentified) -> None:
    """Move everything known under a player's old id to the new one."""
    state.identities[event.old] = event.new
    seat_state = state.seat_of(event.old)
    if seat_state is not None:
        seat_state.player = event.new
    _move_to_new_id(state.departures, event)
    _move_to_new_id(state.moved_chips, event)
    _move_to_new_id(state.requests, event)
    _move_to_new_id(state.removals, event)
    _move_to_new_id(state.eliminated, event)
    _move_to_new_id(state.bounties, event)
    _move_to_new_id(state.time_charges, event)
    if state.host == event.old:
        state.host = event.new


def _move_to_new_id(value_by_player: dict[PlayerId, _Value], event: t.PlayerIdentified) -> None:
    if event.old in value_by_player:
        value_by_player[event.new] = value_by_player.pop(event.old)


def _apply_connection_lost(state: TableState, event: p.ConnectionLost) -> None:
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is not None:
        seat_state.is_connected = False


def _apply_connection_restored(state: TableState, event: p.ConnectionRestored) -> None:
    seat_state = _find_seat(state, event.seat, event.player)
    if seat_state is not None:
        seat_state.is_connected = True


# --- chips


def _move_chips(state: TableState, seat: Seat | None, player: PlayerId, amount: Chips) -> None:
    seat_state = _find_seat(state, seat, player)
    owner = seat_state.player if seat_state else player
    if owner:
        state.moved_chips[owner] = state.moved_chips.get(owner, 0) + amount
    if seat_state is not None:
        seat_state.has_news = True
    if seat_state is not None and seat_state.stack is not None:
        seat_state.stack += amount
        seat_state.is_busted = seat_state.is_busted and seat_state.stack <= 0


def _apply_chips_added(state: TableState, event: p.ChipsAdded) -> None:
    _move_chips(state, event.seat, event.player, event.amount)


def _apply_chips_removed(state: TableState, event: p.ChipsRemoved) -> None:
    _move_chips(state, event.seat, event.player, -event.amount)


def _apply_stack_counted(state: TableState, event: p.StackCounted) -> None:
    seat_state = state.seats.get(event.seat)
    if seat_state is None:
        return
    seat_state.has_news = True
    if seat_state.stack is not None:
        moved_chips = state.moved_chips.get(seat_state.player, 0)
        state.moved_chips[seat_state.player] = moved_chips + event.amount - seat_state.stack
    seat_state.stack = event.amount
    seat_state.is_busted = seat_state.is_busted and event.amount == 0


def _apply_time_charge_taken(state: TableState, event: t.TimeChargeTaken) -> None:
    seat_state = state.seats.get(event.seat)
    if seat_state is not None:
        state.time_charges[seat_state.player] = state.time_charges.get(seat_state.player, 0) + event.amount
    _move_chips(state, event.seat, "", -event.amount)


def _apply_bounty_paid(state: TableState, event: t.BountyPaid) -> None:
    state.bounties[event.player] = state.bounties.get(event.player, 0) + event.amount


HANDLERS: Final[dict[type[Event], Callable[[TableState, Any], None]]] = {
    t.TableOpened: _apply_table_opened,
    t.GameStarted: _apply_game_started,
    t.GameBroken: _apply_game_broken,
    t.OrderTold: _leave_unchanged,  # only `order` uses it
    t.HandsMissing: _apply_hands_missing,
    t.AccountPlaced: _leave_unchanged,  # the standing account is chosen before the fold
    t.AccountChosen: _leave_unchanged,
    t.SeatsAssigned: _apply_seats_assigned,
    t.ButtonDrawn: _apply_button_drawn,
    t.ButtonBought: _apply_button_bought,
    t.SeatRequested: _apply_seat_requested,
    t.SeatRequestAnswered: _apply_seat_request_answered,
    t.RemovalQueued: _apply_removal_queued,
    t.StakesChanged: _apply_stakes_changed,
    t.GameChanged: _apply_game_changed,
    t.TablePaused: _apply_table_paused,
    t.TableResumed: _apply_table_resumed,
    t.HostChanged: _apply_host_changed,
    t.DealerChanged: _apply_dealer_changed,
    t.DeckChanged: _apply_deck_changed,
    t.PlayerIdentified: _apply_player_identified,
    t.PlayerEstablished: _apply_established,
    t.BlindsOwed: _apply_established,
    t.AbsenceTold: _apply_absence,
    t.PlayerEliminated: _apply_player_eliminated,
    t.BountyPaid: _apply_bounty_paid,
    t.TimeChargeTaken: _apply_time_charge_taken,
    t.HouseNoticePosted: _apply_house_notice_posted,
    m.BoxCounted: _leave_unchanged,  # the house's money creates no obligation
    m.ChipsFilled: _leave_unchanged,
    m.ChipsCredited: _leave_unchanged,
    m.TrayCounted: _leave_unchanged,
    m.FundPaid: _leave_unchanged,
    m.EntrySold: _leave_unchanged,
    m.PrizePoolStated: _leave_unchanged,
    m.PrizePaid: _leave_unchanged,
    p.SeatTaken: _apply_seat_taken,
    p.SeatLeft: _apply_seat_left,
    p.SeatMoved: _apply_seat_moved,
    p.PlayerAway: _apply_player_away,
    p.PlayerBack: _apply_player_back,
    p.DealOutRequested: _apply_deal_out_requested,
    p.WaitDeclared: _apply_wait_declared,
    p.EntryDeferred: _apply_entry_deferred,
    p.MarkerGiven: _apply_marker_given,
    p.MarkerTaken: _apply_marker_taken,
    p.PlayerBusted: _apply_player_busted,
    p.ChipsAdded: _apply_chips_added,
    p.ChipsRemoved: _apply_chips_removed,
    p.StackCounted: _apply_stack_counted,
    p.ConnectionLost: _apply_connection_lost,
    p.ConnectionRestored: _apply_connection_restored,
    p.WordsSaid: _leave_unchanged,
    p.FloorCalled: _leave_unchanged,
    p.FloorRuled: _leave_unchanged,
    o.GameSet: _apply_game_set,
    o.OptionSet: _apply_option_set,
    o.PermissionGranted: _apply_permission_granted,
    o.Agreed: _apply_agreed,
    e.RemarkNoted: _leave_unchanged,
    e.LineUnread: _count_unread_line,
    e.CorrectionMade: _apply_correction_made,
}
"""The handlers of all events but `HandPlayed`, which `ledger.table.fold` adds."""
