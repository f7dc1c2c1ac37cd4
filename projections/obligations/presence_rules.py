"""What events between hands change on the tabs: players sit down, leave, move, draw, buy the button, go broke."""

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


def does_draw_count(policy: Policy) -> bool:
    """Whether a player who drew for the button is in the game even without cards on its first hand."""
    return bool(policy.value("entry.new_game") == "free-first-revolution")


def _on_game_started(memory: TabFacts, _: table_events.GameStarted, state: TableState, version: int | None) -> None:
    memory.tabs = {
        seat_state.player: Tab(
            seat_state.seat,
            established=False,
            entered=False,
            version=version,
            is_arrival_recorded=True,
            origin="game-start",
        )
        for seat_state in state.seats.values()
    }
    memory.seated = {seat_state.seat: seat_state.player for seat_state in state.seats.values()}
    memory.spot, memory.game, memory.last = None, NewGame(is_recorded=True), ""
    memory.has_met_players = False
    memory.unnamed.clear()
    memory.chairs.clear()
    memory.felted.clear()
    memory.owing.clear()


def _on_button_drawn(memory: TabFacts, event: table_events.ButtonDrawn, state: TableState, _: int | None) -> None:
    if not memory.game.is_recorded:
        if memory.spot is not None:
            return  # a draw in the middle of a game doesn't begin a new one
        memory.game = NewGame(is_recorded=True)
    memory.game.drawers.update(
        seat_state.player for seat in event.seats if (seat_state := state.seats.get(seat)) is not None
    )
    memory.game.drawn_seats.update(event.seats)
    if does_draw_count(memory.policy):
        for player in memory.game.drawers:
            tab = memory.tabs.get(player)
            if tab is not None:
                tab.settle("drew for the button", "")


def _on_seat_taken(memory: TabFacts, event: presence.SeatTaken, state: TableState, version: int | None) -> None:
    known_tab = memory.tabs.get(event.player)
    if known_tab is not None and memory.seated.get(event.seat) == event.player:
        known_tab.origin = event.origin if event.origin != "unknown" else known_tab.origin
        return
    for seat, player in list(memory.seated.items()):
        if player == event.player or seat == event.seat:
            del memory.seated[seat]
    memory.unnamed.pop(event.seat, None)
    if known_tab is not None and known_tab.seat == event.seat and known_tab.entered:
        memory.seated[event.seat] = event.player  # back in the chair, where somebody played over
        return
    if plays_over := event.origin == "playing-over":
        memory.chairs.discard(event.seat)
    tab = Tab(
        event.seat,
        established=False,
        entered=False,
        arrived_after=state.number,
        is_arrival_recorded=True,
        version=version,
        origin=event.origin,
        missing_fact=memory.describe_return_doubt(event.player, event.seat),
        former_tab=memory.find_owing_tab(event.player, event.seat),
    )
    memory.forget_earlier_sitting(event.player, event.seat)
    if plays_over and not any(other_tab.seat == event.seat and other_tab.entered for other_tab in memory.tabs.values()):
        memory.chairs.add(event.seat)
    memory.seated[event.seat] = event.player
    memory.tabs[event.player] = tab
    game = memory.game
    if not (game.first_hand or state.number) and not plays_over:
        game.has_arrivals = True
    if event.seat in game.drawn_seats and not game.first_hand and does_draw_count(memory.policy):
        tab.settle("drew for the button", "")


def _on_seat_left(memory: TabFacts, event: presence.SeatLeft, _: TableState, __: int | None) -> None:
    if event.seat is not None:
        memory.unnamed.pop(event.seat, None)
    if event.player not in memory.seated.values():
        memory.tabs.pop(event.player, None)
    for seat, player in list(memory.seated.items()):
        if player == event.player or (not event.player and seat == event.seat):
            del memory.seated[seat]
            memory.drop_tab(player)


def _on_seat_moved(memory: TabFacts, event: presence.SeatMoved, state: TableState, version: int | None) -> None:
    tab = memory.tabs.get(event.player)
    if tab is None:
        tab = memory.tabs[event.player] = Tab(event.to, missing_fact="since when the player has been here")
    start = event.origin
    earlier_move = tab.move
    if earlier_move is not None and earlier_move.hand == state.number:
        start = earlier_move.old_seat  # two changes between the same hands are one
    memory.unnamed.pop(event.to, None)
    memory.seated.pop(event.origin, None)
    memory.seated[event.to] = event.player
    tab.seat = event.to
    big = memory.spot.furthest if memory.spot is not None else None
    if passes_nobody(state, event.origin, event.to):
        memory.spot = move_with_player(memory.spot, event.origin, event.to)
    if tab.entered:
        move = measure_move(state, memory.spot, start, event.to, version, find_active_seats(memory, state))
        if start == big:
            move.leaving = "big"
        if earlier_move is not None and earlier_move.hand != state.number:
            move.append_to_earlier(earlier_move)
        tab.move = move if event.to != start else None


def find_active_seats(memory: TabFacts, state: TableState) -> set[Seat]:
    """Return the seats of players who have played here, have chips and owe nothing."""
    return {
        seat
        for seat, seat_state in state.seats.items()
        if seat_state.first_dealt
        and seat_state.stack != 0
        and not seat_state.busted
        and memory.tab_of(seat_state.player).is_active
    }


def _on_player_away(memory: TabFacts, event: presence.PlayerAway, _: TableState, __: int | None) -> None:
    """Keep a tab for a seat whose player no hand has named yet."""
    seat = event.seat
    if seat is None or seat in memory.seated or event.player in memory.tabs:
        return
    if event.why != "spectator":
        find_unnamed_tab(memory, seat)


def _on_player_back(memory: TabFacts, event: presence.PlayerBack, _: TableState, __: int | None) -> None:
    player = event.player or memory.seated.get(event.seat or 0, "")
    tab = memory.tabs.get(player)
    if tab is not None:
        tab.confirm_absence()


def _on_player_busted(memory: TabFacts, event: presence.PlayerBusted, state: TableState, _: int | None) -> None:
    player = event.player or memory.seated.get(event.seat, "")
    tab = memory.tabs.get(player)
    if tab is not None and not tab.broke:
        tab.broke = memory.last or state.number or "?"


def _on_chips_added(memory: TabFacts, event: presence.ChipsAdded, _: TableState, __: int | None) -> None:
    player = event.player or memory.seated.get(event.seat or 0, "")
    tab = memory.tabs.get(player)
    if tab is not None and not tab.missed and event.amount > 0:
        tab.broke = ""  # the player had chips again before a blind went past


def _on_player_eliminated(
    memory: TabFacts, event: table_events.PlayerEliminated, state: TableState, version: int | None
) -> None:
    _on_seat_left(memory, presence.SeatLeft(event.seat, event.player), state, version)


def _on_player_identified(
    memory: TabFacts, event: table_events.PlayerIdentified, _: TableState, __: int | None
) -> None:
    if event.old in memory.tabs:
        memory.tabs[event.new] = memory.tabs.pop(event.old)
    for seat, player in memory.seated.items():
        if player == event.old:
            memory.seated[seat] = event.new


def _on_button_bought(memory: TabFacts, event: table_events.ButtonBought, state: TableState, _: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is not None:
        tab.bought = tab.purchase = state.number or "?"


def _on_marker_given(memory: TabFacts, event: presence.MarkerGiven, _: TableState, version: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is None:
        tab = find_unnamed_tab(memory, event.seat)
    if not event.kind.startswith("missed") or not (tab.entered or tab.transferred):
        return  # a newcomer can't have missed a blind
    role = _BLIND_BY_MARKER.get(event.kind)
    if role is None:
        if not tab.missed:  # blinds went past, and the marker doesn't say which
            tab.marked = version or 0
        return
    tab.marked, tab.maybe_missed, tab.missing_fact, tab.doubt = None, frozenset(), "", None
    if all(missed_blind.role != role for missed_blind in tab.missed):
        sentence = reasons.marker_for_blind(event.seat, role)
        tab.missed.append(Missed(role, "", Ground(sentence, (), "record", version=version)))


def _on_statement(memory: TabFacts, event: PlayerStatement, state: TableState, version: int | None) -> None:
    """Apply a statement about a seat's player before the record."""
    del state
    memory.words.append((event, version))
    player = event.player or memory.seated.get(event.seat, "")
    tab = memory.tabs.get(player)
    if tab is None and event.player and event.seat not in memory.seated:
        tab = memory.unnamed.pop(event.seat, None) or Tab(event.seat)
        memory.seated[event.seat], memory.tabs[event.player] = event.player, tab
    apply_statement(tab if tab is not None else find_unnamed_tab(memory, event.seat), event, version)


_BLIND_BY_MARKER: Final[dict[str, Blind]] = {"missed-small": "small", "missed-big": "big"}


def _on_marker_taken(memory: TabFacts, event: presence.MarkerTaken, _: TableState, __: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is None or not event.kind.startswith("missed"):
        return
    tab.marked = None
    role = _BLIND_BY_MARKER.get(event.kind)
    tab.missed = [
        missed_blind for missed_blind in tab.missed if missed_blind.hand or role not in (None, missed_blind.role)
    ]


def find_unnamed_tab(memory: TabFacts, seat: Seat) -> Tab:
    """Return the tab for a seat whose player no hand has named yet; add one if there is none."""
    tab = memory.unnamed.get(seat)
    if tab is None:
        tab = memory.unnamed[seat] = Tab(seat, maybe_missed=frozenset(ROLES))
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
