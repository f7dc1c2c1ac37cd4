"""What events between hands change on the tabs: players sit down, leave, move, draw, buy the button, go broke.

The `player_tabs` of every handler is the table's `TabFacts`, which explains its fields in its constructor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ledger import presence
from ledger.event import Event
from ledger.table import events as table_events
from ledger.table.state import TableState
from ledger.vocabulary import Seat
from projections.obligations.dues import Ground, Missed
from projections.obligations.earlier_hands import PlayerStatement, apply_statement
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import move_with_player
from projections.obligations.moves import measure_move, passes_nobody
from projections.obligations.policy import Policy
from projections.obligations.stakes import ROLES, Blind
from projections.obligations.tab import Tab
from projections.obligations.tab_facts import TabFacts
from projections.sentences import debts as reasons

_BLIND_BY_MARKER: Final[dict[str, Blind]] = {"missed-small": "small", "missed-big": "big"}
"""The blind that a marker names. Any other missed-blind marker may be for either blind."""


def does_draw_count(policy: Policy) -> bool:
    """Whether a player who drew for the button is in the game even without cards on its first hand."""
    return bool(policy.value("entry.new_game") == "free-first-revolution")


def _on_game_started(
    player_tabs: TabFacts, _: table_events.GameStarted, state: TableState, version: int | None
) -> None:
    player_tabs.tabs = {
        seat_state.player: Tab(
            seat_state.seat,
            established=False,
            entered=False,
            arrival_version=version,
            is_arrival_recorded=True,
            origin="game-start",
        )
        for seat_state in state.seats.values()
    }
    player_tabs.seated = {seat_state.seat: seat_state.player for seat_state in state.seats.values()}
    player_tabs.spot, player_tabs.game, player_tabs.last_number = None, NewGame(is_recorded=True), ""
    player_tabs.has_met_players = False
    player_tabs.unnamed_tabs.clear()
    player_tabs.played_over_chairs.clear()
    player_tabs.broke_leavers.clear()
    player_tabs.owing_leavers.clear()


def _on_button_drawn(player_tabs: TabFacts, event: table_events.ButtonDrawn, state: TableState, _: int | None) -> None:
    if not player_tabs.game.is_recorded:
        if player_tabs.spot is not None:
            return  # a draw in the middle of a game doesn't begin a new one
        player_tabs.game = NewGame(is_recorded=True)
    player_tabs.game.drawers.update(
        seat_state.player for seat in event.seats if (seat_state := state.seats.get(seat)) is not None
    )
    player_tabs.game.drawn_seats.update(event.seats)
    if does_draw_count(player_tabs.policy):
        for player in player_tabs.game.drawers:
            tab = player_tabs.tabs.get(player)
            if tab is not None:
                tab.settle("drew for the button", "")


def _on_seat_taken(player_tabs: TabFacts, event: presence.SeatTaken, state: TableState, version: int | None) -> None:
    """Seat a player, with a new tab unless it's the same sitting.

    It's the same one if the player is already in the seat, or comes back to a chair that somebody played over.
    """
    known_tab = player_tabs.tabs.get(event.player)
    if known_tab is not None and player_tabs.seated.get(event.seat) == event.player:
        known_tab.origin = event.origin if event.origin != "unknown" else known_tab.origin
        return
    for seat, player in list(player_tabs.seated.items()):
        if player == event.player or seat == event.seat:
            del player_tabs.seated[seat]
    player_tabs.unnamed_tabs.pop(event.seat, None)
    is_back_in_own_chair = known_tab is not None and known_tab.seat == event.seat and known_tab.entered
    if not is_back_in_own_chair:
        _begin_sitting(player_tabs, event, state, version)
    player_tabs.seated[event.seat] = event.player


def _begin_sitting(player_tabs: TabFacts, event: presence.SeatTaken, state: TableState, version: int | None) -> None:
    """Give a player who sits down a new tab."""
    plays_over = event.origin == "playing-over"
    if plays_over:
        # The chair's owner isn't this player, so the new tab below mustn't treat the player as the owner.
        player_tabs.played_over_chairs.discard(event.seat)
    tab = Tab(
        event.seat,
        established=False,
        entered=False,
        arrived_after=state.number,
        is_arrival_recorded=True,
        arrival_version=version,
        origin=event.origin,
        missing_fact=player_tabs.describe_return_doubt(event.player, event.seat),
        former_tab=player_tabs.find_owing_tab(event.player, event.seat),
    )
    player_tabs.forget_earlier_sitting(event.player, event.seat)
    # The owner of the chair may come back to it: remember the chair unless the owner has a tab.
    if plays_over and not player_tabs.has_owner(event.seat):
        player_tabs.played_over_chairs.add(event.seat)
    player_tabs.tabs[event.player] = tab
    game = player_tabs.game
    if not (game.first_hand or state.number) and not plays_over:
        game.has_arrivals = True
    if event.seat in game.drawn_seats and not game.first_hand and does_draw_count(player_tabs.policy):
        tab.settle("drew for the button", "")


def _on_seat_left(player_tabs: TabFacts, event: presence.SeatLeft, _: TableState, __: int | None) -> None:
    if event.seat is not None:
        player_tabs.unnamed_tabs.pop(event.seat, None)
    if event.player not in player_tabs.seated.values():
        player_tabs.tabs.pop(event.player, None)
    for seat, player in list(player_tabs.seated.items()):
        if player == event.player or (not event.player and seat == event.seat):
            del player_tabs.seated[seat]
            player_tabs.drop_tab(player)


def _on_seat_moved(player_tabs: TabFacts, event: presence.SeatMoved, state: TableState, version: int | None) -> None:
    tab = player_tabs.tabs.get(event.player)
    if tab is None:
        tab = player_tabs.tabs[event.player] = Tab(event.to, missing_fact="since when the player has been here")
    old_seat = event.origin  # in `SeatTaken`, `origin` is how the player arrived
    seat_before_moves = old_seat
    earlier_move = tab.move
    is_same_gap = earlier_move is not None and earlier_move.hand == state.number
    if earlier_move is not None and is_same_gap:
        seat_before_moves = earlier_move.old_seat  # two changes between the same hands are one
    player_tabs.unnamed_tabs.pop(event.to, None)
    player_tabs.seated.pop(old_seat, None)
    player_tabs.seated[event.to] = event.player
    tab.seat = event.to
    # Read before the spot may follow the player.
    last_blind_seat = player_tabs.spot.furthest if player_tabs.spot is not None else None
    if passes_nobody(state, old_seat, event.to):
        player_tabs.spot = move_with_player(player_tabs.spot, old_seat, event.to)
    if not tab.entered:
        return
    active_seats = find_active_seats(player_tabs, state)
    move = measure_move(state, player_tabs.spot, seat_before_moves, event.to, version, active_seats)
    if seat_before_moves == last_blind_seat:
        move.leaving = "big"
    if earlier_move is not None and not is_same_gap:
        move.append_to_earlier(earlier_move)
    tab.move = move if event.to != seat_before_moves else None


def find_active_seats(player_tabs: TabFacts, state: TableState) -> set[Seat]:
    """Return the seats of players who have played here, have chips and owe nothing."""
    return {
        seat
        for seat, seat_state in state.seats.items()
        if seat_state.first_hand_dealt
        and seat_state.stack != 0
        and not seat_state.is_busted
        and player_tabs.tab_of(seat_state.player).is_active
    }


def _on_player_away(player_tabs: TabFacts, event: presence.PlayerAway, _: TableState, __: int | None) -> None:
    """Keep a tab for a seat whose player no hand has named yet."""
    seat = event.seat
    if seat is None or seat in player_tabs.seated or event.player in player_tabs.tabs:
        return
    if event.why != "spectator":
        ensure_unnamed_tab(player_tabs, seat)


def _on_player_back(player_tabs: TabFacts, event: presence.PlayerBack, _: TableState, __: int | None) -> None:
    player = event.player or player_tabs.seated.get(event.seat or 0, "")
    tab = player_tabs.tabs.get(player)
    if tab is not None:
        tab.confirm_absence()


def _on_player_busted(player_tabs: TabFacts, event: presence.PlayerBusted, state: TableState, _: int | None) -> None:
    player = event.player or player_tabs.seated.get(event.seat, "")
    tab = player_tabs.tabs.get(player)
    if tab is not None and not tab.broke_hand:
        tab.broke_hand = player_tabs.last_number or state.number or "?"


def _on_chips_added(player_tabs: TabFacts, event: presence.ChipsAdded, _: TableState, __: int | None) -> None:
    player = event.player or player_tabs.seated.get(event.seat or 0, "")
    tab = player_tabs.tabs.get(player)
    if tab is not None and not tab.missed and event.amount > 0:
        tab.broke_hand = ""  # the player had chips again before a blind went past


def _on_player_eliminated(
    player_tabs: TabFacts, event: table_events.PlayerEliminated, state: TableState, version: int | None
) -> None:
    _on_seat_left(player_tabs, presence.SeatLeft(event.seat, event.player), state, version)


def _on_player_identified(
    player_tabs: TabFacts, event: table_events.PlayerIdentified, _: TableState, __: int | None
) -> None:
    if event.old in player_tabs.tabs:
        player_tabs.tabs[event.new] = player_tabs.tabs.pop(event.old)
    for seat, player in player_tabs.seated.items():
        if player == event.old:
            player_tabs.seated[seat] = event.new


def _on_button_bought(
    player_tabs: TabFacts, event: table_events.ButtonBought, state: TableState, _: int | None
) -> None:
    tab = player_tabs.tabs.get(player_tabs.seated.get(event.seat, ""))
    if tab is not None:
        tab.open_purchase_hand = tab.last_purchase_hand = state.number or "?"


def _on_marker_given(player_tabs: TabFacts, event: presence.MarkerGiven, _: TableState, version: int | None) -> None:
    tab = player_tabs.tabs.get(player_tabs.seated.get(event.seat, ""))
    if tab is None:
        tab = ensure_unnamed_tab(player_tabs, event.seat)
    if not event.kind.startswith("missed") or not (tab.entered or tab.transferred):
        return  # a newcomer can't have missed a blind
    role = _BLIND_BY_MARKER.get(event.kind)
    if role is None:
        if not tab.missed:  # blinds went past, and the marker doesn't say which
            tab.marker_version = version or 0
        return
    tab.marker_version, tab.maybe_missed, tab.missing_fact, tab.doubt = None, frozenset(), "", None
    if all(missed_blind.role != role for missed_blind in tab.missed):
        sentence = reasons.marker_for_blind(event.seat, role)
        tab.missed.append(Missed(role, "", Ground(sentence, (), "record", version=version)))


def _on_statement(player_tabs: TabFacts, event: PlayerStatement, state: TableState, version: int | None) -> None:
    """Apply a statement about a seat's player before the record."""
    del state
    player_tabs.pending_statements.append((event, version))
    player = event.player or player_tabs.seated.get(event.seat, "")
    tab = player_tabs.tabs.get(player)
    if tab is None and event.player and event.seat not in player_tabs.seated:
        tab = player_tabs.unnamed_tabs.pop(event.seat, None) or Tab(event.seat)
        player_tabs.seated[event.seat], player_tabs.tabs[event.player] = event.player, tab
    apply_statement(tab if tab is not None else ensure_unnamed_tab(player_tabs, event.seat), event, version)


def _on_marker_taken(player_tabs: TabFacts, event: presence.MarkerTaken, _: TableState, __: int | None) -> None:
    tab = player_tabs.tabs.get(player_tabs.seated.get(event.seat, ""))
    if tab is None or not event.kind.startswith("missed"):
        return
    tab.marker_version = None
    named_role = _BLIND_BY_MARKER.get(event.kind)
    tab.missed = [missed_blind for missed_blind in tab.missed if not _was_shown_by_marker(missed_blind, named_role)]


def _was_shown_by_marker(missed_blind: Missed, named_role: Blind | None) -> bool:
    """Whether only a marker shows a missed blind. One that a recorded hand shows is still owed without it.

    `named_role`: the blind that the marker names, or None if it may be for any.
    """
    return not missed_blind.hand and named_role in (None, missed_blind.role)


def ensure_unnamed_tab(player_tabs: TabFacts, seat: Seat) -> Tab:
    """Return the tab for a seat whose player no hand has named yet; add one if there is none."""
    tab = player_tabs.unnamed_tabs.get(seat)
    if tab is None:
        tab = player_tabs.unnamed_tabs[seat] = Tab(seat, maybe_missed=frozenset(ROLES))
    return tab


HANDLERS: Final[dict[type[Event], Callable[[TabFacts, Any, TableState, int | None], None]]] = {
    table_events.GameStarted: _on_game_started,
    table_events.ButtonDrawn: _on_button_drawn,
    table_events.ButtonBought: _on_button_bought,
    table_events.PlayerEliminated: _on_player_eliminated,
    table_events.PlayerIdentified: _on_player_identified,
    table_events.PlayerEstablished: _on_statement,
    table_events.BlindsOwed: _on_statement,
    table_events.AbsenceTold: _on_statement,
    presence.SeatTaken: _on_seat_taken,
    presence.SeatLeft: _on_seat_left,
    presence.SeatMoved: _on_seat_moved,
    presence.PlayerAway: _on_player_away,
    presence.PlayerBack: _on_player_back,
    presence.PlayerBusted: _on_player_busted,
    presence.ChipsAdded: _on_chips_added,
    presence.MarkerGiven: _on_marker_given,
    presence.MarkerTaken: _on_marker_taken,
}
"""Handlers by event. Presence itself is part of the table's state."""
