"""What events between hands change on the tabs: players sit down, leave, move, draw, buy, go broke."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ledger import presence as p
from ledger.event import Event
from ledger.table import events as t
from ledger.table.state import TableState
from ledger.vocabulary import Seat
from projections.obligations.dues import Ground, Missed
from projections.obligations.earlier_hands import Word, believe
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import move_with_player
from projections.obligations.moves import measure_move, passes_nobody
from projections.obligations.policy import Policy
from projections.obligations.stakes import ROLES, Blind
from projections.obligations.tab import Tab
from projections.obligations.tab_facts import TabFacts
from projections.sentences import debts as reasons


def drawing_counts(policy: Policy) -> bool:
    """Whether the draw for the button makes a player of the game, without cards on its first hand."""
    return bool(policy.value("entry.new_game") == "free-first-revolution")


def _on_game_started(memory: TabFacts, _: t.GameStarted, state: TableState, version: int | None) -> None:
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


def _on_button_drawn(memory: TabFacts, event: t.ButtonDrawn, state: TableState, _: int | None) -> None:
    if not memory.game.is_recorded:
        if memory.spot is not None:
            return  # a draw in the middle of a game begins nothing
        memory.game = NewGame(is_recorded=True)
    memory.game.drawers.update(
        seat_state.player for seat in event.seats if (seat_state := state.seats.get(seat)) is not None
    )
    memory.game.drawn_seats.update(event.seats)
    if drawing_counts(memory.policy):
        for player in memory.game.drawers:
            tab = memory.tabs.get(player)
            if tab is not None:
                tab.settle("drew for the button", "")


def _on_seat_taken(memory: TabFacts, event: p.SeatTaken, state: TableState, version: int | None) -> None:
    known_tab = memory.tabs.get(event.player)
    if known_tab is not None and memory.seated.get(event.seat) == event.player:
        known_tab.origin = event.origin if event.origin != "unknown" else known_tab.origin
        return
    for seat, player in list(memory.seated.items()):
        if player == event.player or seat == event.seat:
            del memory.seated[seat]
    memory.unnamed.pop(event.seat, None)
    if known_tab is not None and known_tab.seat == event.seat and known_tab.entered:
        memory.seated[event.seat] = event.player  # back in a chair where somebody played over
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
        missing_fact=memory.doubt_return(event.player, event.seat),
        former_tab=memory.find_owing_tab(event.player, event.seat),
    )
    memory.seat_arrival(event.player, event.seat)
    if plays_over and not any(other_tab.seat == event.seat and other_tab.entered for other_tab in memory.tabs.values()):
        memory.chairs.add(event.seat)
    memory.seated[event.seat] = event.player
    memory.tabs[event.player] = tab
    game = memory.game
    if not (game.first_hand or state.number) and not plays_over:
        game.has_arrivals = True
    if event.seat in game.drawn_seats and not game.first_hand and drawing_counts(memory.policy):
        tab.settle("drew for the button", "")


def _on_seat_left(memory: TabFacts, event: p.SeatLeft, _: TableState, __: int | None) -> None:
    if event.seat is not None:
        memory.unnamed.pop(event.seat, None)
    if event.player not in memory.seated.values():
        memory.tabs.pop(event.player, None)
    for seat, player in list(memory.seated.items()):
        if player == event.player or (not event.player and seat == event.seat):
            del memory.seated[seat]
            memory.drop_tab(player)


def _on_seat_moved(memory: TabFacts, event: p.SeatMoved, state: TableState, version: int | None) -> None:
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
        move = measure_move(state, memory.spot, start, event.to, version, in_game(memory, state))
        if start == big:
            move.leaving = "big"
        if earlier_move is not None and earlier_move.hand != state.number:
            move.follow(earlier_move)
        tab.move = move if event.to != start else None


def in_game(memory: TabFacts, state: TableState) -> set[Seat]:
    """Return who has chips, has played here and owes nothing, in the last hand or not."""
    return {
        seat
        for seat, seat_state in state.seats.items()
        if seat_state.first_dealt
        and seat_state.stack != 0
        and not seat_state.busted
        and memory.tab_of(seat_state.player).is_active
    }


def _on_player_away(memory: TabFacts, event: p.PlayerAway, _: TableState, __: int | None) -> None:
    """Remember that somebody sits at a seat that no hand has named yet."""
    seat = event.seat
    if seat is None or seat in memory.seated or event.player in memory.tabs:
        return
    if event.why != "spectator":
        unnamed(memory, seat)


def _on_player_back(memory: TabFacts, event: p.PlayerBack, _: TableState, __: int | None) -> None:
    player = event.player or memory.seated.get(event.seat or 0, "")
    tab = memory.tabs.get(player)
    if tab is not None:
        tab.confirm_absence()


def _on_player_busted(memory: TabFacts, event: p.PlayerBusted, state: TableState, _: int | None) -> None:
    player = event.player or memory.seated.get(event.seat, "")
    tab = memory.tabs.get(player)
    if tab is not None and not tab.broke:
        tab.broke = memory.last or state.number or "?"


def _on_chips_added(memory: TabFacts, event: p.ChipsAdded, _: TableState, __: int | None) -> None:
    player = event.player or memory.seated.get(event.seat or 0, "")
    tab = memory.tabs.get(player)
    if tab is not None and not tab.missed and event.amount > 0:
        tab.broke = ""  # had chips again before a blind went past


def _on_player_eliminated(memory: TabFacts, event: t.PlayerEliminated, state: TableState, version: int | None) -> None:
    _on_seat_left(memory, p.SeatLeft(event.seat, event.player), state, version)


def _on_player_identified(memory: TabFacts, event: t.PlayerIdentified, _: TableState, __: int | None) -> None:
    if event.old in memory.tabs:
        memory.tabs[event.new] = memory.tabs.pop(event.old)
    for seat, player in memory.seated.items():
        if player == event.old:
            memory.seated[seat] = event.new


def _on_button_bought(memory: TabFacts, event: t.ButtonBought, state: TableState, _: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is not None:
        tab.bought = tab.purchase = state.number or "?"


def _on_marker_given(memory: TabFacts, event: p.MarkerGiven, _: TableState, version: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is None:
        tab = unnamed(memory, event.seat)
    if not event.kind.startswith("missed") or not (tab.entered or tab.transferred):
        return  # a newcomer has missed nothing
    role = _BLIND_OF_MARKER.get(event.kind)
    if role is None:
        if not tab.missed:  # blinds went past, and the marker doesn't say which
            tab.marked = version or 0
        return
    tab.marked, tab.maybe_missed, tab.missing_fact, tab.doubt = None, frozenset(), "", None
    if all(missed_blind.role != role for missed_blind in tab.missed):
        sentence = reasons.marker_for_blind(event.seat, role)
        tab.missed.append(Missed(role, "", Ground(sentence, (), "record", version=version)))


def _on_word(memory: TabFacts, event: Word, state: TableState, version: int | None) -> None:
    """Accept what somebody says of a seat's player before the record."""
    del state
    memory.words.append((event, version))
    player = event.player or memory.seated.get(event.seat, "")
    tab = memory.tabs.get(player)
    if tab is None and event.player and event.seat not in memory.seated:
        tab = memory.unnamed.pop(event.seat, None) or Tab(event.seat)
        memory.seated[event.seat], memory.tabs[event.player] = event.player, tab
    believe(tab if tab is not None else unnamed(memory, event.seat), event, version)


_BLIND_OF_MARKER: Final[dict[str, Blind]] = {"missed-small": "small", "missed-big": "big"}


def _on_marker_taken(memory: TabFacts, event: p.MarkerTaken, _: TableState, __: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is None or not event.kind.startswith("missed"):
        return
    tab.marked = None
    role = _BLIND_OF_MARKER.get(event.kind)
    tab.missed = [
        missed_blind for missed_blind in tab.missed if missed_blind.hand or role not in (None, missed_blind.role)
    ]


def unnamed(memory: TabFacts, seat: Seat) -> Tab:
    """Return the tab of whoever sits at a seat that no hand has named yet: somebody of the game."""
    tab = memory.unnamed.get(seat)
    if tab is None:
        tab = memory.unnamed[seat] = Tab(seat, maybe_missed=frozenset(ROLES))
    return tab


HANDLERS: Final[dict[type[Event], Callable[[TabFacts, Any, TableState, int | None], None]]] = {
    t.GameStarted: _on_game_started,
    t.ButtonDrawn: _on_button_drawn,
    t.ButtonBought: _on_button_bought,
    t.PlayerEliminated: _on_player_eliminated,
    t.PlayerIdentified: _on_player_identified,
    t.PlayerEstablished: _on_word,
    t.BlindsOwed: _on_word,
    t.AbsenceTold: _on_word,
    p.SeatTaken: _on_seat_taken,
    p.SeatLeft: _on_seat_left,
    p.SeatMoved: _on_seat_moved,
    p.PlayerAway: _on_player_away,
    p.PlayerBack: _on_player_back,
    p.PlayerBusted: _on_player_busted,
    p.ChipsAdded: _on_chips_added,
    p.MarkerGiven: _on_marker_given,
    p.MarkerTaken: _on_marker_taken,
}
"""What each event between hands changes. Presence itself is in the table's state."""
