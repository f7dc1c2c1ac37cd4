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
from projections.sentences import debts as debt_sentences

_BLIND_BY_MARKER: Final[dict[str, Blind]] = {"missed-small": "small", "missed-big": "big"}
"""The blind that a marker names. Any other missed-blind marker may be for either blind."""


def does_draw_count(policy: Policy) -> bool:
    """Whether a player who drew for the button is in the game even without cards on its first hand."""
    return bool(policy.value("entry.new_game") == "free-first-revolution")


def _on_game_started(tab_facts: TabFacts, _: table_events.GameStarted, state: TableState, version: int | None) -> None:
    tab_facts.tabs = {
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
    tab_facts.seated = {seat_state.seat: seat_state.player for seat_state in state.seats.values()}
    tab_facts.spot, tab_facts.game, tab_facts.last_number = None, NewGame(is_recorded=True), ""
    tab_facts.has_met_players = False
    tab_facts.unnamed_tabs.clear()
    tab_facts.played_over_chairs.clear()
    tab_facts.broke_leavers.clear()
    tab_facts.owing_leavers.clear()


def _on_button_drawn(tab_facts: TabFacts, event: table_events.ButtonDrawn, state: TableState, _: int | None) -> None:
    if not tab_facts.game.is_recorded:
        if tab_facts.spot is not None:
            return  # a draw in the middle of a game doesn't begin a new one
        tab_facts.game = NewGame(is_recorded=True)
    tab_facts.game.drawers.update(
        seat_state.player for seat in event.seats if (seat_state := state.seats.get(seat)) is not None
    )
    tab_facts.game.drawn_seats.update(event.seats)
    if does_draw_count(tab_facts.policy):
        for player in tab_facts.game.drawers:
            tab = tab_facts.tabs.get(player)
            if tab is not None:
                tab.settle("drew for the button", "")


def _on_seat_taken(tab_facts: TabFacts, event: presence.SeatTaken, state: TableState, version: int | None) -> None:
    """Seat a player, with a new tab unless it's the same sitting.

    It's the same one if the player is already in the seat, or comes back to a chair that somebody played over.
    """
    known_tab = tab_facts.tabs.get(event.player)
    if known_tab is not None and tab_facts.seated.get(event.seat) == event.player:
        known_tab.origin = event.origin if event.origin != "unknown" else known_tab.origin
        return
    for seat, player in list(tab_facts.seated.items()):
        if player == event.player or seat == event.seat:
            del tab_facts.seated[seat]
    tab_facts.unnamed_tabs.pop(event.seat, None)
    is_back_in_own_chair = known_tab is not None and known_tab.seat == event.seat and known_tab.entered
    if not is_back_in_own_chair:
        _begin_sitting(tab_facts, event, state, version)
    tab_facts.seated[event.seat] = event.player


def _begin_sitting(tab_facts: TabFacts, event: presence.SeatTaken, state: TableState, version: int | None) -> None:
    """Give a player who sits down a new tab."""
    plays_over = event.origin == "playing-over"
    if plays_over:
        # The two look-ups below must not take a player who plays over the chair for its unnamed owner.
        tab_facts.played_over_chairs.discard(event.seat)
    tab = Tab(
        event.seat,
        established=False,
        entered=False,
        arrived_after=state.number,
        is_arrival_recorded=True,
        arrival_version=version,
        origin=event.origin,
        missing_fact=tab_facts.describe_return_doubt(event.player, event.seat),
        former_tab=tab_facts.find_owing_tab(event.player, event.seat),
    )
    tab_facts.forget_earlier_sitting(event.player, event.seat)
    # The owner of the chair may come back to it: remember the chair unless the owner has a tab.
    if plays_over and not tab_facts.has_owner(event.seat):
        tab_facts.played_over_chairs.add(event.seat)
    tab_facts.tabs[event.player] = tab
    game = tab_facts.game
    if not (game.first_hand or state.number) and not plays_over:
        game.has_arrivals = True
    if event.seat in game.drawn_seats and not game.first_hand and does_draw_count(tab_facts.policy):
        tab.settle("drew for the button", "")


def _on_seat_left(tab_facts: TabFacts, event: presence.SeatLeft, _: TableState, __: int | None) -> None:
    """Empty the seat. Keep the debts of a player who sat in it; a player without a seat leaves none."""
    if event.seat is not None:
        tab_facts.unnamed_tabs.pop(event.seat, None)
    if event.player not in tab_facts.seated.values():
        tab_facts.tabs.pop(event.player, None)
    for seat, player in list(tab_facts.seated.items()):
        if player == event.player or (not event.player and seat == event.seat):
            del tab_facts.seated[seat]
            tab_facts.drop_tab(player)


def _on_seat_moved(tab_facts: TabFacts, event: presence.SeatMoved, state: TableState, version: int | None) -> None:
    """Note the move, measured from the blinds of the last hand. A player who passes nobody takes the position along.

    Moves between the same two hands count as one, from the first old seat to the last new one.
    """
    tab = tab_facts.tabs.get(event.player)
    if tab is None:
        tab = tab_facts.tabs[event.player] = Tab(event.to, missing_fact="since when the player has been here")
    old_seat = event.origin  # in `SeatTaken`, `origin` is how the player arrived
    has_moved_since_hand = tab.move is not None and tab.move.hand == state.number
    seat_before_moves = tab.move.old_seat if tab.move is not None and has_moved_since_hand else old_seat
    tab_facts.unnamed_tabs.pop(event.to, None)
    tab_facts.seated.pop(old_seat, None)
    tab_facts.seated[event.to] = event.player
    tab.seat = event.to
    # Read before the spot may follow the player.
    last_blind_seat = tab_facts.spot.furthest if tab_facts.spot is not None else None
    if passes_nobody(state, old_seat, event.to):
        tab_facts.spot = move_with_player(tab_facts.spot, old_seat, event.to)
    if not tab.entered:
        return
    active_seats = find_active_seats(tab_facts, state)
    move = measure_move(state, tab_facts.spot, seat_before_moves, event.to, version, active_seats)
    if seat_before_moves == last_blind_seat:
        move.leaving = "big"
    if tab.move is not None and not has_moved_since_hand:
        move.append_to_earlier(tab.move)
    tab.move = move if event.to != seat_before_moves else None


def _on_player_away(tab_facts: TabFacts, event: presence.PlayerAway, _: TableState, __: int | None) -> None:
    """Keep a tab for a seat whose player no hand has named yet."""
    seat = event.seat
    if seat is None or seat in tab_facts.seated or event.player in tab_facts.tabs:
        return
    if event.why != "spectator":
        ensure_unnamed_tab(tab_facts, seat)


def _on_player_back(tab_facts: TabFacts, event: presence.PlayerBack, _: TableState, __: int | None) -> None:
    player = event.player or tab_facts.seated.get(event.seat or 0, "")
    tab = tab_facts.tabs.get(player)
    if tab is not None:
        tab.confirm_absence()


def _on_player_busted(tab_facts: TabFacts, event: presence.PlayerBusted, state: TableState, _: int | None) -> None:
    player = event.player or tab_facts.seated.get(event.seat, "")
    tab = tab_facts.tabs.get(player)
    if tab is not None and not tab.broke_hand:
        tab.broke_hand = tab_facts.last_number or state.number or "?"


def _on_chips_added(tab_facts: TabFacts, event: presence.ChipsAdded, _: TableState, __: int | None) -> None:
    player = event.player or tab_facts.seated.get(event.seat or 0, "")
    tab = tab_facts.tabs.get(player)
    if tab is not None and not tab.missed and event.amount > 0:
        tab.broke_hand = ""  # the player had chips again before a blind went past


def _on_player_eliminated(
    tab_facts: TabFacts, event: table_events.PlayerEliminated, state: TableState, version: int | None
) -> None:
    _on_seat_left(tab_facts, presence.SeatLeft(event.seat, event.player), state, version)


def _on_player_identified(
    tab_facts: TabFacts, event: table_events.PlayerIdentified, _: TableState, __: int | None
) -> None:
    if event.old in tab_facts.tabs:
        tab_facts.tabs[event.new] = tab_facts.tabs.pop(event.old)
    for seat, player in tab_facts.seated.items():
        if player == event.old:
            tab_facts.seated[seat] = event.new


def _on_button_bought(tab_facts: TabFacts, event: table_events.ButtonBought, state: TableState, _: int | None) -> None:
    tab = tab_facts.tabs.get(tab_facts.seated.get(event.seat, ""))
    if tab is not None:
        tab.open_purchase_hand = tab.last_purchase_hand = state.number or "?"


def _on_marker_given(tab_facts: TabFacts, event: presence.MarkerGiven, _: TableState, version: int | None) -> None:
    tab = tab_facts.tabs.get(tab_facts.seated.get(event.seat, ""))
    if tab is None:
        tab = ensure_unnamed_tab(tab_facts, event.seat)
    if not event.kind.startswith("missed") or not (tab.entered or tab.transferred):
        return  # a newcomer can't have missed a blind
    role = _BLIND_BY_MARKER.get(event.kind)
    if role is None:
        if not tab.missed:  # blinds went past, and the marker doesn't say which
            tab.marker_version = version or 0
        return
    tab.marker_version, tab.maybe_missed, tab.missing_fact, tab.doubt = None, frozenset(), "", None
    if all(missed_blind.role != role for missed_blind in tab.missed):
        sentence = debt_sentences.marker_for_blind(event.seat, role)
        tab.missed.append(Missed(role, "", Ground(sentence, (), "record", version=version)))


def _on_statement(tab_facts: TabFacts, event: PlayerStatement, state: TableState, version: int | None) -> None:
    """Apply a statement about a seat's player before the record."""
    del state
    tab_facts.pending_statements.append((event, version))
    player = event.player or tab_facts.seated.get(event.seat, "")
    tab = tab_facts.tabs.get(player)
    if tab is None and event.player and event.seat not in tab_facts.seated:
        tab = tab_facts.unnamed_tabs.pop(event.seat, None) or Tab(event.seat)
        tab_facts.seated[event.seat], tab_facts.tabs[event.player] = event.player, tab
    apply_statement(tab if tab is not None else ensure_unnamed_tab(tab_facts, event.seat), event, version)


def _on_marker_taken(tab_facts: TabFacts, event: presence.MarkerTaken, _: TableState, __: int | None) -> None:
    tab = tab_facts.tabs.get(tab_facts.seated.get(event.seat, ""))
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


def find_active_seats(tab_facts: TabFacts, state: TableState) -> set[Seat]:
    """Return the seats of players who have played here, have chips and owe nothing."""
    return {
        seat
        for seat, seat_state in state.seats.items()
        if seat_state.first_hand_dealt
        and seat_state.stack != 0
        and not seat_state.is_busted
        and tab_facts.find_tab(seat_state.player).is_active
    }


def ensure_unnamed_tab(tab_facts: TabFacts, seat: Seat) -> Tab:
    """Return the tab for a seat whose player no hand has named yet; add one if there is none."""
    tab = tab_facts.unnamed_tabs.get(seat)
    if tab is None:
        tab = tab_facts.unnamed_tabs[seat] = Tab(seat, maybe_missed=frozenset(ROLES))
    return tab


HANDLERS: Final[dict[type[Event], Callable[[TabFacts, Any, TableState, int | None], None]]] = {
    table_events.GameStarted: _on_game_started,
    table_events.ButtonDrawn: _on_button_drawn,
    presence.SeatTaken: _on_seat_taken,
    presence.SeatLeft: _on_seat_left,
    presence.SeatMoved: _on_seat_moved,
    presence.PlayerAway: _on_player_away,
    presence.PlayerBack: _on_player_back,
    presence.PlayerBusted: _on_player_busted,
    presence.ChipsAdded: _on_chips_added,
    table_events.PlayerEliminated: _on_player_eliminated,
    table_events.PlayerIdentified: _on_player_identified,
    table_events.ButtonBought: _on_button_bought,
    presence.MarkerGiven: _on_marker_given,
    table_events.PlayerEstablished: _on_statement,
    table_events.BlindsOwed: _on_statement,
    table_events.AbsenceTold: _on_statement,
    presence.MarkerTaken: _on_marker_taken,
}
"""Handlers by event. Presence itself is part of the table's state."""
