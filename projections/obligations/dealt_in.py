"""Who is dealt in on a recorded hand, or may be on the coming one."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from ledger.table.events import HandPlayed
from ledger.table.state import SeatState, TableState
from ledger.table.unlisted_seats import find_late_seats
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.obligations.game import ButtonBarKind
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.obligations.ring import is_between
from projections.obligations.tournament_entry import waits_behind_button

_BLIND_ROLES = frozenset({"big", "small", "extra"})
_ENTRY_ROLES = frozenset({"entry", "makeup", "makeup-small", "makeup-big"})


class HandRoster(NamedTuple):
    """Who is dealt in on a recorded hand, or may be on the coming one. Seats are in ascending order."""

    settled_seats: tuple[Seat, ...]  # were dealt in on the last hand, or owe nothing
    entrants: tuple[Seat, ...]  # all others: they come in on this hand, or may
    posters: frozenset[Seat]  # entrants who post to enter, or to make up blinds
    players: dict[Seat, PlayerId]
    stacks: dict[Seat, Chips | None]
    is_recorded: bool  # False: the coming hand
    newcomers: frozenset[Seat] = frozenset()  # in a tournament: settled seats that weren't in its last hand
    free_entrants: frozenset[Seat] = frozenset()  # entrants who come in without a post, wherever the blinds fall
    late_seats: frozenset[Seat] = frozenset()  # dealt in, but away when the blinds were posted
    enters_by_blinds: bool = True  # False: a tournament, where nobody posts to come in

    def list_blind_takers(self, hand: HandPlayed) -> tuple[Seat, ...]:
        """Return who was dealt in on a recorded hand without an entry or make-up post, or had a blind."""
        blind_seats, entry_seats = _list_poster_seats(hand, _BLIND_ROLES), _list_poster_seats(hand, _ENTRY_ROLES)
        return tuple(
            seat
            for seat in sorted((*self.settled_seats, *self.entrants))
            if seat in blind_seats or (seat in self.settled_seats and seat not in entry_seats)
        )


def read_roster(
    hand: HandPlayed, state: TableState, player_tabs: PlayerTabs, *, is_first_known: bool = False
) -> HandRoster:
    """Return who was dealt in on a recorded hand. `state`: the table before the hand.

    `is_first_known`: nothing is known before the hand, so everybody dealt in is assumed to be in the game already.
    """
    dealt_players = sorted(hand.dealt_in, key=lambda dealt_player: dealt_player.seat)
    players = {dealt_player.seat: dealt_player.player for dealt_player in dealt_players}
    stacks = {dealt_player.seat: dealt_player.before for dealt_player in dealt_players}
    if hand.format == "tournament":
        return _read_tournament_roster(state, players, stacks)
    late_seats = find_late_seats(state, hand)
    is_first_known = is_first_known or not any(seat_state.last_hand_dealt for seat_state in state.seats.values())
    is_first_hand = is_first_known and player_tabs.is_first_hand(hand)
    settled_seats, entrants = [], []
    for seat, player in players.items():
        if seat in late_seats:
            continue
        is_in_game = is_first_hand or (is_first_known and player_tabs.find_tab(player).entered)
        if is_in_game or _takes_blinds_in_turn(player, _state_of(state, seat, player), state.number, player_tabs):
            settled_seats.append(seat)
        else:
            entrants.append(seat)
    posters = _list_poster_seats(hand, _ENTRY_ROLES) - _list_poster_seats(hand, _BLIND_ROLES)
    return HandRoster(
        settled_seats=tuple(settled_seats),
        entrants=tuple(entrants),
        posters=frozenset(posters.intersection(entrants)),
        players=players,
        stacks=stacks,
        is_recorded=True,
        late_seats=late_seats,
    )


def _list_poster_seats(hand: HandPlayed, roles: Container[str]) -> set[Seat]:
    """Return the seats that posted in any of these roles."""
    return {post.seat for post in hand.posts if post.role in roles}


def _read_tournament_roster(
    state: TableState, players: dict[Seat, PlayerId], stacks: dict[Seat, Chips | None]
) -> HandRoster:
    """Return the roster of a tournament's hand: everybody takes the blinds in turn."""
    newcomers = [seat for seat, player in players.items() if _is_new_to_tournament(state, seat, player)]
    return HandRoster(
        settled_seats=tuple(players),
        entrants=(),
        posters=frozenset(),
        players=players,
        stacks=stacks,
        is_recorded=True,
        newcomers=frozenset(newcomers),
        enters_by_blinds=False,
    )


def _state_of(state: TableState, seat: Seat, player: PlayerId) -> SeatState | None:
    """Return the state of the seat that a player had before the hand; None for a player who wasn't at the table."""
    seat_state = state.seats.get(seat)
    if seat_state is not None and seat_state.player == player:
        return seat_state
    return state.seat_of(player)


def _is_new_to_tournament(state: TableState, seat: Seat, player: PlayerId) -> bool:
    return _was_not_in_last_hand(_state_of(state, seat, player), state.number)


def find_roster(state: TableState, player_tabs: PlayerTabs, called_seats: frozenset[Seat] = frozenset()) -> HandRoster:
    """Return who may be dealt in on the coming hand. `called_seats`: absent players who are dealt in all the same."""
    is_tournament = state.format == "tournament"
    seat_states = sorted(state.seats.items())
    settled_seats, entrants, newcomers = [], [], []
    for seat, seat_state in seat_states:
        player = seat_state.player
        if seat in called_seats:
            settled_seats.append(seat)
        elif is_out(seat_state, is_tournament=is_tournament):
            continue
        elif is_tournament:
            if waits_behind_button(player_tabs.policy, state, seat, player):
                continue
            settled_seats.append(seat)
            if _was_not_in_last_hand(seat_state, state.number):
                newcomers.append(seat)
        elif not state.number or _takes_blinds_in_turn(player, seat_state, state.number, player_tabs):
            settled_seats.append(seat)
        else:
            entrants.append(seat)
    return HandRoster(
        settled_seats=tuple(settled_seats),
        entrants=tuple(entrants),
        posters=frozenset(),
        players={seat: seat_state.player for seat, seat_state in seat_states},
        stacks={seat: seat_state.stack for seat, seat_state in seat_states},
        is_recorded=False,
        newcomers=frozenset(newcomers),
        enters_by_blinds=not is_tournament,
    )


def _was_not_in_last_hand(seat_state: SeatState | None, last_number: str) -> bool:
    return bool(last_number) and (seat_state is None or seat_state.last_hand_dealt != last_number)


def is_out(seat_state: SeatState, *, is_tournament: bool = False) -> bool:
    """Whether a seat gets no cards on the coming hand, wherever the blinds fall.

    A tournament deals in every player with chips, there or not.
    """
    if is_tournament:
        return seat_state.is_busted or seat_state.stack == 0
    return (
        seat_state.presence != "present"
        or seat_state.has_asked_out
        or seat_state.is_busted
        or seat_state.stack == 0
        or seat_state.deferred_until in ("button-passed", "unknown")
        or seat_state.awaited_position in ("button", "position")
    )


def _takes_blinds_in_turn(
    player: PlayerId, seat_state: SeatState | None, last_number: str, player_tabs: PlayerTabs
) -> bool:
    """Whether a player was in the last hand, or has been in the game before and owes nothing."""
    if seat_state is not None:
        if seat_state.last_hand_dealt == last_number:
            return True
        if seat_state.first_hand_dealt and player_tabs.find_tab(player).owes_nothing:
            return True
    return player_tabs.is_settled_player(player)


def find_entrants_in_turn(policy: Policy, player_tabs: PlayerTabs, roster: HandRoster) -> frozenset[Seat]:
    """Return the newcomers who take any blind that falls on them, as the book lets them come in at any seat."""
    if not roster.entrants or policy.value("entry.zone") in (None, "barred"):
        return frozenset()
    new_seats = (
        frozenset(seat for seat in roster.entrants if _is_new(player_tabs, roster.players[seat])) - roster.posters
    )
    return new_seats if roster.is_recorded else new_seats & roster.free_entrants


def _is_new(player_tabs: PlayerTabs, player: PlayerId) -> bool:
    player_tab = player_tabs.tabs.get(player)
    return player_tab is None or not (player_tab.entered or player_tab.missed)


def find_excused_seats(policy: Policy, player_tabs: PlayerTabs, roster: HandRoster) -> frozenset[Seat]:
    """Return who made up blinds between button and big blind, if the book then excuses them from the next small blind."""
    if policy.value("missed.excuses_rotation") != "between-blinds":
        return frozenset()
    return frozenset(seat for seat, player in roster.players.items() if player_tabs.find_tab(player).made_up_in_zone)


def find_zone_entrants(
    hand: HandPlayed, roster: HandRoster, button: Seat | None, furthest: Seat | None, player_tabs: PlayerTabs
) -> dict[PlayerId, ButtonBarKind]:
    """Return who came in on the button or between it and the big blind, and what a book may bar them for."""
    kinds_by_player: dict[PlayerId, ButtonBarKind] = {}
    if button is None or furthest is None or button == furthest:
        return kinds_by_player
    blind_seats, entry_seats = _list_poster_seats(hand, _BLIND_ROLES), _list_poster_seats(hand, _ENTRY_ROLES)
    for seat in (*roster.entrants, *roster.late_seats):
        if seat != button and (seat == furthest or not is_between(button, seat, furthest)):
            continue
        player = roster.players[seat]
        tab = player_tabs.find_tab(player)
        if tab.missing_fact and tab.origin == "returning":
            continue  # the player is said to come back, so may have been in the game before
        if not tab.missed and seat not in roster.late_seats:
            kinds_by_player[player] = "new"
        elif seat in roster.posters or seat in entry_seats:
            kinds_by_player[player] = "made-up-between"
        elif seat not in blind_seats:
            kinds_by_player[player] = "missed-blind"
    return kinds_by_player
