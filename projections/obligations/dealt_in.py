"""Who is dealt in: as recorded, or, for the coming hand, who is there and settled."""

from __future__ import annotations

from typing import NamedTuple

from ledger.table.events import HandPlayed
from ledger.table.listing import late_in
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.obligations.game import ButtonBarKind
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from projections.obligations.ring import is_between
from projections.obligations.tournament_entry import waits_behind_button

_BLIND_ROLES = frozenset({"big", "small", "extra"})
_ENTRY_ROLES = frozenset({"entry", "makeup", "makeup-small", "makeup-big"})


class HandRoster(NamedTuple):
    """Who is, or may be, dealt in on a hand."""

    settled_seats: tuple[Seat, ...]  # settled: were dealt in last time, or owe nothing
    comers: tuple[Seat, ...]  # come in, or may come in where the big blind falls
    posters: frozenset[Seat]  # of those coming: post to enter or to make up
    players: dict[Seat, PlayerId]
    stacks: dict[Seat, Chips | None]
    is_recorded: bool  # as recorded
    newcomers: frozenset[Seat] = frozenset()  # of the core of a tournament: not in its last hand
    free_comers: frozenset[Seat] = frozenset()  # of those coming: are dealt in, wherever the blinds fall
    late_seats: frozenset[Seat] = frozenset()  # dealt in, and away when the blinds fell
    enters_by_blinds: bool = True  # by posts and blinds: not in a tournament, which moves players freely

    def list_blind_takers(self, hand: HandPlayed) -> tuple[Seat, ...]:
        """Return who is dealt in on a recorded hand, but for who comes in otherwise than by a blind."""
        blind_seats = {post.seat for post in hand.posts if post.role in _BLIND_ROLES}
        entry_seats = {post.seat for post in hand.posts if post.role in _ENTRY_ROLES}
        return tuple(
            seat
            for seat in sorted((*self.settled_seats, *self.comers))
            if seat in blind_seats or (seat in self.settled_seats and seat not in entry_seats)
        )


def read_roster(hand: HandPlayed, state: TableState, memory: PlayerTabs, *, is_first_known: bool = False) -> HandRoster:
    """Return who was dealt in on a recorded hand; `state` is the table before it.

    `is_first_known`: nothing is known before it, so everybody dealt in is taken to have been in the game.
    """
    settled_seats, comers = [], []
    players: dict[Seat, PlayerId] = {}
    stacks: dict[Seat, Chips | None] = {}
    number = state.number
    is_tournament = hand.format == "tournament"
    late_seats = frozenset() if is_tournament else late_in(state, hand)
    newcomers: set[Seat] = set()
    is_first_known = is_first_known or not any(seat_state.last_dealt for seat_state in state.seats.values())
    is_first_hand = is_first_known and memory.is_first_hand(hand)
    for dealt_player in sorted(hand.dealt_in, key=lambda dealt_player: dealt_player.seat):
        players[dealt_player.seat] = dealt_player.player
        stacks[dealt_player.seat] = dealt_player.before
        if dealt_player.seat in late_seats:
            continue
        seat_state = state.seats.get(dealt_player.seat)
        if seat_state is None or seat_state.player != dealt_player.player:
            seat_state = state.seat_of(dealt_player.player)
        in_game = is_first_hand or (is_first_known and memory.tab_of(dealt_player.player).entered)
        if (
            in_game
            or is_tournament
            or (
                _takes_blinds_in_turn(seat_state, number, memory)
                if seat_state is not None
                else memory.is_settled_player(dealt_player.player)
            )
        ):
            settled_seats.append(dealt_player.seat)
            if is_tournament and number and (seat_state is None or seat_state.last_dealt != number):
                newcomers.add(dealt_player.seat)
        else:
            comers.append(dealt_player.seat)
    blind_seats = {post.seat for post in hand.posts if post.role in _BLIND_ROLES}
    posters = frozenset(post.seat for post in hand.posts if post.role in _ENTRY_ROLES and post.seat not in blind_seats)
    return HandRoster(
        tuple(settled_seats),
        tuple(comers),
        posters & frozenset(comers),
        players,
        stacks,
        is_recorded=True,
        newcomers=frozenset(newcomers),
        late_seats=late_seats,
        enters_by_blinds=not is_tournament,
    )


def find_roster(state: TableState, memory: PlayerTabs, called_seats: frozenset[Seat] = frozenset()) -> HandRoster:
    """Return who is there for the coming hand; `called_seats` are dealt in though they are away."""
    settled_seats, comers = [], []
    players: dict[Seat, PlayerId] = {}
    stacks: dict[Seat, Chips | None] = {}
    number = state.number
    is_tournament = state.format == "tournament"
    newcomers: set[Seat] = set()
    for seat, seat_state in sorted(state.seats.items()):
        players[seat] = seat_state.player
        stacks[seat] = seat_state.stack
        if seat in called_seats:
            settled_seats.append(seat)
        elif is_out(seat_state, is_tournament=is_tournament) or (
            is_tournament and waits_behind_button(memory.policy, state, seat, seat_state.player)
        ):
            continue
        elif number == "" or is_tournament or _takes_blinds_in_turn(seat_state, number, memory):
            settled_seats.append(seat)
            if is_tournament and number and seat_state.last_dealt != number:
                newcomers.add(seat)
        else:
            comers.append(seat)
    return HandRoster(
        tuple(settled_seats),
        tuple(comers),
        frozenset(),
        players,
        stacks,
        is_recorded=False,
        newcomers=frozenset(newcomers),
        enters_by_blinds=not is_tournament,
    )


def is_out(seat_state: SeatState, *, is_tournament: bool = False) -> bool:
    """Whether a seat gets no cards on the coming hand, wherever the blinds fall.

    A tournament deals in every player with chips, there or not.
    """
    if is_tournament:
        return seat_state.busted or seat_state.stack == 0
    return (
        seat_state.presence != "present"
        or seat_state.asked_out
        or seat_state.busted
        or seat_state.stack == 0
        or seat_state.deferred in ("button-passed", "unknown")
        or seat_state.wait in ("button", "position")
    )


def _takes_blinds_in_turn(seat_state: SeatState, number: str, memory: PlayerTabs) -> bool:
    """Whether a player takes blinds in turn: was in the last hand, or has missed none since."""
    if seat_state.last_dealt == number:
        return True
    return (bool(seat_state.first_dealt) and memory.tab_of(seat_state.player).is_settled) or memory.is_settled_player(
        seat_state.player
    )


def find_turn_takers(policy: Policy, memory: PlayerTabs, roster: HandRoster) -> frozenset[Seat]:
    """Return the newcomers who take any blind that falls on them: the book lets them in wherever they sit."""
    if not roster.comers or policy.value("entry.zone") in (None, "barred"):
        return frozenset()
    new = frozenset(seat for seat in roster.comers if _is_new(memory, roster.players[seat])) - roster.posters
    return new if roster.is_recorded else new & roster.free_comers


def _is_new(memory: PlayerTabs, player: PlayerId) -> bool:
    player_tab = memory.tabs.get(player)
    return player_tab is None or not (player_tab.entered or player_tab.missed)


def find_excused_seats(policy: Policy, memory: PlayerTabs, roster: HandRoster) -> frozenset[Seat]:
    """Return who made up between the blinds, and so takes no blind before the big one comes round."""
    if policy.value("missed.excuses_rotation") != "between-blinds":
        return frozenset()
    return frozenset(seat for seat, player in roster.players.items() if memory.tab_of(player).made_up_in_zone)


def find_zone_entrants(
    hand: HandPlayed, roster: HandRoster, button: Seat | None, furthest: Seat | None, memory: PlayerTabs
) -> dict[PlayerId, ButtonBarKind]:
    """Return who came in on a hand, unsettled, at the button or after it and before the big blind."""
    kinds_by_player: dict[PlayerId, ButtonBarKind] = {}
    if button is None or furthest is None or button == furthest:
        return kinds_by_player
    blind_seats = {post.seat for post in hand.posts if post.role in _BLIND_ROLES}
    for seat in (*roster.comers, *roster.late_seats):
        if seat != button and (seat == furthest or not is_between(button, seat, furthest)):
            continue
        player = roster.players[seat]
        tab = memory.tab_of(player)
        if tab.missing_fact and tab.origin == "returning":
            continue  # who is said to come back may have been in the game
        if not tab.missed and seat not in roster.late_seats:
            kinds_by_player[player] = "new"
        elif seat in roster.posters or any(post.seat == seat and post.role in _ENTRY_ROLES for post in hand.posts):
            kinds_by_player[player] = "made-up-between"
        elif seat not in blind_seats:
            kinds_by_player[player] = "missed-blind"
    return kinds_by_player
