"""What each event that is no hand does to a table's state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from ledger import presence as p
from ledger.event import Event
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.table import events as t
from ledger.table.carry import recorded_gap
from ledger.table.state import UNKNOWN_POSITION, Departure, SeatState, StandingGrant, TableState
from ledger.vocabulary import Chips, PlayerId, Seat

_Kept = TypeVar("_Kept")


def vacate(state: TableState, held: SeatState, reason: str, stack: Chips | None = None) -> None:
    """Empty a seat and remember with what its player went."""
    state.gone[held.player] = Departure(held.seat, held.stack if stack is None else stack, reason, state.number)
    if state.seats.get(held.seat) is held:
        del state.seats[held.seat]


def _find(state: TableState, seat: Seat | None, player: PlayerId = "") -> SeatState | None:
    """Return the seat an event means: by its number, else by its player; None if nobody is there."""
    if seat is not None and (held := state.seats.get(seat)) is not None:
        return held if not player or held.player == player else state.seat_of(player)
    return state.seat_of(player) if player else None


# --- the table and its game


def _opened(state: TableState, event: t.TableOpened) -> None:
    state.opened = event
    state.chairs = event.seats or state.chairs
    state.witnesses = event.witnesses or state.witnesses


def _game_started(state: TableState, _: t.GameStarted) -> None:
    """Begin positions and what passed whom anew; seats and stacks stay."""
    state.games += 1
    state.broken = False
    state.former = state.last or state.former
    state.last = state.before = None
    state.button = state.small = state.big = UNKNOWN_POSITION
    state.open_gap = state.continuity = None
    state.unbroken_since = ""
    for held in state.seats.values():
        held.passed.clear()
        held.absences.clear()
        held.not_posted.clear()
        held.first_dealt = held.last_dealt = ""
        held.dealt = 0
        held.known = True


def _game_broken(state: TableState, _: t.GameBroken) -> None:
    state.broken = True


def _hands_missing(state: TableState, event: t.HandsMissing) -> None:
    state.open_gap = recorded_gap(event)


def _seats_assigned(state: TableState, event: t.SeatsAssigned) -> None:
    state.seating = event.method


def _button_drawn(state: TableState, event: t.ButtonDrawn) -> None:
    state.drew, state.drawn = event.seats, event.winner


def _button_bought(state: TableState, event: t.ButtonBought) -> None:
    state.bought = event.seat


def _game_set(state: TableState, event: o.GameSet) -> None:
    state.variant, state.betting, state.format = event.variant, event.betting, event.format
    state.unit, state.exponent = event.unit, event.exponent
    state.blinds = event.blinds or state.blinds
    state.bets = event.bets or state.bets
    state.ante, state.bring_in = event.ante, event.bring_in


def _game_changed(state: TableState, event: t.GameChanged) -> None:
    state.variant, state.betting = event.variant, event.betting


def _stakes_changed(state: TableState, event: t.StakesChanged) -> None:
    state.blinds = event.blinds or state.blinds
    state.bets = event.bets or state.bets
    state.level = event.level or state.level
    if event.ante is not None:
        state.ante = event.ante


def _option_set(state: TableState, event: o.OptionSet) -> None:
    state.options[event.option] = event.value


def _permission(state: TableState, event: o.PermissionGranted) -> None:
    state.permissions.append(StandingGrant(event, state.number, state.at))


def _agreed(state: TableState, event: o.Agreed) -> None:
    state.agreements.append(StandingGrant(event, state.number, state.at))


def _paused(state: TableState, event: t.TablePaused) -> None:
    state.paused = event.why


def _resumed(state: TableState, _: t.TableResumed) -> None:
    state.paused = ""


def _host(state: TableState, event: t.HostChanged) -> None:
    state.host = event.player


def _dealer(state: TableState, event: t.DealerChanged) -> None:
    state.dealer = event.dealer


def _deck(state: TableState, event: t.DeckChanged) -> None:
    state.deck = event.deck


def _notice(state: TableState, event: t.HouseNoticePosted) -> None:
    state.notices.append(event.text)


def _correction(state: TableState, _: e.CorrectionMade) -> None:
    state.corrections += 1


def _unread(state: TableState, _: e.LineUnread) -> None:
    state.unread += 1


def _nothing(state: TableState, _: Event) -> None:
    """Words, remarks and calls for the floor leave seats, chips and positions as they are."""


# --- people


def _requested(state: TableState, event: t.SeatRequested) -> None:
    state.requests[event.player] = event


def _answered(state: TableState, event: t.SeatRequestAnswered) -> None:
    state.requests.pop(event.player, None)


def _removal(state: TableState, event: t.RemovalQueued) -> None:
    if event.withdrawn:
        state.removals.pop(event.player, None)
    else:
        state.removals[event.player] = event


def _seat_taken(state: TableState, event: p.SeatTaken) -> None:
    held = state.seats.get(event.seat)
    if held is not None and held.player == event.player:
        held.origin = event.origin if event.origin != "unknown" else held.origin
    else:
        if held is not None:
            vacate(state, held, "unknown")
        elsewhere = state.seat_of(event.player)
        if elsewhere is not None:
            vacate(state, elsewhere, "moved")
        held = SeatState(event.seat, event.player, event.origin, since_hand=state.number, since=state.at)
        state.seats[event.seat] = held
        state.seats = dict(sorted(state.seats.items()))
    held.told = True
    if event.stack is not None:
        held.stack = event.stack
        state.moved.pop(event.player, None)
    elif held.stack is None and event.player in state.moved:
        held.stack = state.moved[event.player]  # bought before the player sat down
    state.requests.pop(event.player, None)
    state.removals.pop(event.player, None)


def _seat_left(state: TableState, event: p.SeatLeft) -> None:
    held = _find(state, event.seat, event.player)
    if held is not None:
        vacate(state, held, event.reason, event.stack)
    state.removals.pop(event.player, None)


def _seat_moved(state: TableState, event: p.SeatMoved) -> None:
    held = state.seat_of(event.player) or state.seats.get(event.origin)
    if held is None:
        held = SeatState(event.to, event.player, since_hand=state.number, since=state.at)
        held.known = False
    else:
        state.seats.pop(held.seat, None)
    other = state.seats.get(event.to)
    if other is not None:
        vacate(state, other, "unknown")
    held.seat, held.told = event.to, True
    held.since_hand, held.since = state.number, state.at
    state.seats[event.to] = held
    state.seats = dict(sorted(state.seats.items()))


def _player_away(state: TableState, event: p.PlayerAway) -> None:
    held = _find(state, event.seat, event.player)
    if held is None or event.why == "spectator":
        return
    held.told = True
    if held.presence != "away":
        held.presence, held.away_since = "away", state.number
    held.in_room = event.in_room if event.in_room is not None else held.in_room


def _player_back(state: TableState, event: p.PlayerBack) -> None:
    held = _find(state, event.seat, event.player)
    if held is not None:
        held.presence, held.in_room, held.away_since = "present", None, ""
        held.asked_out, held.told = False, True


def _deal_out(state: TableState, event: p.DealOutRequested) -> None:
    held = state.seats.get(event.seat)
    if held is not None:
        held.asked_out = held.told = True


def _wait(state: TableState, event: p.WaitDeclared) -> None:
    held = state.seats.get(event.seat)
    if held is not None:
        held.wait, held.told = event.wait_for, True


def _deferred(state: TableState, event: p.EntryDeferred) -> None:
    held = _find(state, event.seat, event.player)
    if held is not None:
        held.deferred, held.told = event.until, True


def _marker_given(state: TableState, event: p.MarkerGiven) -> None:
    state.marks = True
    held = state.seats.get(event.seat)
    if held is not None:
        held.markers.add(event.kind)
        held.told = True


def _marker_taken(state: TableState, event: p.MarkerTaken) -> None:
    held = state.seats.get(event.seat)
    if held is not None:
        held.markers.discard(event.kind)


def _busted(state: TableState, event: p.PlayerBusted) -> None:
    held = _find(state, event.seat, event.player)
    if held is not None:
        held.busted, held.stack, held.told = True, 0, True


def _known_before(state: TableState, seat: Seat, player: PlayerId) -> SeatState | None:
    """Return the seat of which something before the record is told; a player named there sits there."""
    held = _find(state, seat, player)
    if held is None and player and seat not in state.seats:
        held = SeatState(seat, player, since_hand=state.number, since=state.at, known=False)
        state.seats = dict(sorted({**state.seats, seat: held}.items()))
    if held is not None:
        held.told = True
    return held


def _established(state: TableState, event: t.PlayerEstablished | t.BlindsOwed) -> None:
    _known_before(state, event.seat, event.player)


def _absence(state: TableState, event: t.AbsenceTold) -> None:
    held = _known_before(state, event.seat, event.player)
    if held is not None and held.presence != "away":
        held.presence, held.away_since = "away", event.since


def _eliminated(state: TableState, event: t.PlayerEliminated) -> None:
    state.eliminated[event.player] = event.rank
    held = _find(state, event.seat, event.player)
    if held is not None:
        vacate(state, held, "busted")


def _identified(state: TableState, event: t.PlayerIdentified) -> None:
    """Hand over what is kept under the old id to the new one: it is the same person."""
    state.identities[event.old] = event.new
    held = state.seat_of(event.old)
    if held is not None:
        held.player = event.new
    _hand_over(state.gone, event)
    _hand_over(state.moved, event)
    _hand_over(state.requests, event)
    _hand_over(state.removals, event)
    _hand_over(state.eliminated, event)
    _hand_over(state.bounties, event)
    _hand_over(state.charged, event)
    if state.host == event.old:
        state.host = event.new


def _hand_over(kept: dict[PlayerId, _Kept], event: t.PlayerIdentified) -> None:
    if event.old in kept:
        kept[event.new] = kept.pop(event.old)


def _connection_lost(state: TableState, event: p.ConnectionLost) -> None:
    held = _find(state, event.seat, event.player)
    if held is not None:
        held.connected = False


def _connection_restored(state: TableState, event: p.ConnectionRestored) -> None:
    held = _find(state, event.seat, event.player)
    if held is not None:
        held.connected = True


# --- chips


def _move(state: TableState, seat: Seat | None, player: PlayerId, amount: Chips) -> None:
    held = _find(state, seat, player)
    who = held.player if held else player
    if who:
        state.moved[who] = state.moved.get(who, 0) + amount
    if held is not None:
        held.told = True
    if held is not None and held.stack is not None:
        held.stack += amount
        held.busted = held.busted and held.stack <= 0


def _chips_added(state: TableState, event: p.ChipsAdded) -> None:
    _move(state, event.seat, event.player, event.amount)


def _chips_removed(state: TableState, event: p.ChipsRemoved) -> None:
    _move(state, event.seat, event.player, -event.amount)


def _stack_counted(state: TableState, event: p.StackCounted) -> None:
    held = state.seats.get(event.seat)
    if held is None:
        return
    held.told = True
    if held.stack is not None:
        gone = state.moved.get(held.player, 0)
        state.moved[held.player] = gone + event.amount - held.stack
    held.stack = event.amount
    held.busted = held.busted and event.amount == 0


def _time_charge(state: TableState, event: t.TimeChargeTaken) -> None:
    held = state.seats.get(event.seat)
    if held is not None:
        state.charged[held.player] = state.charged.get(held.player, 0) + event.amount
    _move(state, event.seat, "", -event.amount)


def _bounty(state: TableState, event: t.BountyPaid) -> None:
    state.bounties[event.player] = state.bounties.get(event.player, 0) + event.amount


HANDLERS: Final[dict[type[Event], Callable[[TableState, Any], None]]] = {
    t.TableOpened: _opened,
    t.GameStarted: _game_started,
    t.GameBroken: _game_broken,
    t.OrderTold: _nothing,  # `order` has heard it
    t.HandsMissing: _hands_missing,
    t.AccountPlaced: _nothing,  # which account stands is known before anything is folded
    t.AccountChosen: _nothing,
    t.SeatsAssigned: _seats_assigned,
    t.ButtonDrawn: _button_drawn,
    t.ButtonBought: _button_bought,
    t.SeatRequested: _requested,
    t.SeatRequestAnswered: _answered,
    t.RemovalQueued: _removal,
    t.StakesChanged: _stakes_changed,
    t.GameChanged: _game_changed,
    t.TablePaused: _paused,
    t.TableResumed: _resumed,
    t.HostChanged: _host,
    t.DealerChanged: _dealer,
    t.DeckChanged: _deck,
    t.PlayerIdentified: _identified,
    t.PlayerEstablished: _established,
    t.BlindsOwed: _established,
    t.AbsenceTold: _absence,
    t.PlayerEliminated: _eliminated,
    t.BountyPaid: _bounty,
    t.TimeChargeTaken: _time_charge,
    t.HouseNoticePosted: _notice,
    p.SeatTaken: _seat_taken,
    p.SeatLeft: _seat_left,
    p.SeatMoved: _seat_moved,
    p.PlayerAway: _player_away,
    p.PlayerBack: _player_back,
    p.DealOutRequested: _deal_out,
    p.WaitDeclared: _wait,
    p.EntryDeferred: _deferred,
    p.MarkerGiven: _marker_given,
    p.MarkerTaken: _marker_taken,
    p.PlayerBusted: _busted,
    p.ChipsAdded: _chips_added,
    p.ChipsRemoved: _chips_removed,
    p.StackCounted: _stack_counted,
    p.ConnectionLost: _connection_lost,
    p.ConnectionRestored: _connection_restored,
    p.WordsSaid: _nothing,
    p.FloorCalled: _nothing,
    p.FloorRuled: _nothing,
    o.GameSet: _game_set,
    o.OptionSet: _option_set,
    o.PermissionGranted: _permission,
    o.Agreed: _agreed,
    e.RemarkNoted: _nothing,
    e.LineUnread: _unread,
    e.CorrectionMade: _correction,
}
"""Everything but the hand itself, which `ledger.table.fold` adds."""
