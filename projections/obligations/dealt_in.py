"""Who is dealt in: as recorded, or, for the coming hand, who is there and settled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import msgspec

from ledger.table.events import HandPlayed
from ledger.table.listing import late_in
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.obligations.dues import Ground, SeatDue
from projections.obligations.game import Kind
from projections.obligations.player_tabs import Memory
from projections.obligations.policy import Policy
from projections.obligations.position_inputs import MayHave
from projections.obligations.ring import after, between
from projections.obligations.tournament_entry import waits_behind_button
from projections.sentences import positions as reasons

_BLIND_ROLES = frozenset({"big", "small", "extra"})
_ENTRY_ROLES = frozenset({"entry", "makeup", "makeup-small", "makeup-big"})


class There(NamedTuple):
    """Who is, or may be, dealt in on a hand."""

    core: tuple[Seat, ...]  # settled: were dealt in last time, or owe nothing
    coming: tuple[Seat, ...]  # come in, or may come in where the big blind falls
    posters: frozenset[Seat]  # of those coming: post to enter or to make up
    players: dict[Seat, PlayerId]
    stacks: dict[Seat, Chips | None]
    given: bool  # as recorded
    fresh: frozenset[Seat] = frozenset()  # of the core of a tournament: not in its last hand
    free: frozenset[Seat] = frozenset()  # of those coming: are dealt in, wherever the blinds fall
    late: frozenset[Seat] = frozenset()  # dealt in, and away when the blinds fell
    enters: bool = True  # by posts and blinds: not in a tournament, which moves players freely

    def ring(self, hand: HandPlayed) -> tuple[Seat, ...]:
        """Return who is dealt in on a recorded hand, but for who comes in otherwise than by a blind."""
        blind_seats = {post.seat for post in hand.posts if post.role in _BLIND_ROLES}
        entry_seats = {post.seat for post in hand.posts if post.role in _ENTRY_ROLES}
        return tuple(
            seat
            for seat in sorted((*self.core, *self.coming))
            if seat in blind_seats or (seat in self.core and seat not in entry_seats)
        )


def recorded(hand: HandPlayed, state: TableState, memory: Memory, *, anew: bool = False) -> There:
    """Return who was dealt in on a recorded hand; `state` is the table before it.

    `anew`: nothing is known before it, so that who is dealt in is taken to have been in the game.
    """
    core, coming = [], []
    players: dict[Seat, PlayerId] = {}
    stacks: dict[Seat, Chips | None] = {}
    number = state.number
    is_tournament = hand.format == "tournament"
    late_seats = frozenset() if is_tournament else late_in(state, hand)
    fresh: set[Seat] = set()
    anew = anew or not any(seat_state.last_dealt for seat_state in state.seats.values())
    begins = anew and memory.begins(hand)
    for dealt_player in sorted(hand.dealt_in, key=lambda dealt_player: dealt_player.seat):
        players[dealt_player.seat] = dealt_player.player
        stacks[dealt_player.seat] = dealt_player.before
        if dealt_player.seat in late_seats:
            continue
        seat_state = state.seats.get(dealt_player.seat)
        if seat_state is None or seat_state.player != dealt_player.player:
            seat_state = state.seat_of(dealt_player.player)
        in_game = begins or (anew and memory.of(dealt_player.player).entered)
        if (
            in_game
            or is_tournament
            or (
                _takes_blinds_in_turn(seat_state, number, memory)
                if seat_state is not None
                else memory.kept(dealt_player.player)
            )
        ):
            core.append(dealt_player.seat)
            if is_tournament and number and (seat_state is None or seat_state.last_dealt != number):
                fresh.add(dealt_player.seat)
        else:
            coming.append(dealt_player.seat)
    blind_seats = {post.seat for post in hand.posts if post.role in _BLIND_ROLES}
    posters = frozenset(post.seat for post in hand.posts if post.role in _ENTRY_ROLES and post.seat not in blind_seats)
    return There(
        tuple(core),
        tuple(coming),
        posters & frozenset(coming),
        players,
        stacks,
        given=True,
        fresh=frozenset(fresh),
        late=late_seats,
        enters=not is_tournament,
    )


def present(state: TableState, memory: Memory, also: frozenset[Seat] = frozenset()) -> There:
    """Return who is there for the coming hand; `also` are dealt in though they are away."""
    core, coming = [], []
    players: dict[Seat, PlayerId] = {}
    stacks: dict[Seat, Chips | None] = {}
    number = state.number
    is_tournament = state.format == "tournament"
    fresh: set[Seat] = set()
    for seat, seat_state in sorted(state.seats.items()):
        players[seat] = seat_state.player
        stacks[seat] = seat_state.stack
        if seat in also:
            core.append(seat)
        elif is_out(seat_state, plays=is_tournament) or (
            is_tournament and waits_behind_button(memory.policy, state, seat, seat_state.player)
        ):
            continue
        elif number == "" or is_tournament or _takes_blinds_in_turn(seat_state, number, memory):
            core.append(seat)
            if is_tournament and number and seat_state.last_dealt != number:
                fresh.add(seat)
        else:
            coming.append(seat)
    return There(
        tuple(core),
        tuple(coming),
        frozenset(),
        players,
        stacks,
        given=False,
        fresh=frozenset(fresh),
        enters=not is_tournament,
    )


def is_out(held: SeatState, *, plays: bool = False) -> bool:
    """Whether a seat gets no cards on the coming hand, wherever the blinds fall.

    `plays`: a tournament, which deals in whoever has chips.
    """
    if plays:
        return held.busted or held.stack == 0
    return (
        held.presence != "present"
        or held.asked_out
        or held.busted
        or held.stack == 0
        or held.deferred in ("button-passed", "unknown")
        or held.wait in ("button", "position")
    )


def _takes_blinds_in_turn(seat_state: SeatState, number: str, memory: Memory) -> bool:
    """Whether a player takes blinds in turn: was in the last hand, or has missed none since."""
    if seat_state.last_dealt == number:
        return True
    return (bool(seat_state.first_dealt) and memory.of(seat_state.player).settled) or memory.kept(seat_state.player)


def chooser(
    policy: Policy, memory: Memory, there: There, zone: Mapping[PlayerId, Kind]
) -> Callable[[Seat], tuple[MayHave, Ground | None]]:
    """Return what says whether a seat may have the button under the book.

    `zone` names those who came in between the button and the big blind, which has not come since.
    """
    ruling = policy.get("button.eligibility")
    barred: Collection[str] = () if ruling is None else ruling.value
    clauses = () if ruling is None else ruling.clauses
    waits_for_place = policy.value("seat_change.away") == "wait-as-gained"

    def may_have(seat: Seat) -> tuple[MayHave, Ground | None]:
        if not there.enters:
            return ("rather-no" if seat in there.fresh else "yes"), None
        player = there.players[seat]
        tab = memory.of(player)
        kinds: set[Kind] = {zone[player]} if player in zone else set()
        unmet = seat in there.coming and not tab.missed and tab.marked is None
        if not tab.established or (unmet and not (tab.unsure or tab.perhaps)):
            kinds.add("new")
        if tab.made_up_between:
            kinds.add("made-up-between")
        if tab.missed or tab.marked is not None:
            kinds.add("missed-blind")
        elif seat in there.coming and (tab.unsure or tab.perhaps):
            return "rather-no", None  # what it owes is not known
        if waits_for_place and tab.move is not None and tab.move.left > 0:
            return "rather-no", None  # was to wait for its place, or has posted for another one
        if tab.short_big:
            kinds.add("short-blind")
        for kind in sorted(kinds):
            if kind in barred or (kind == "new" and "no-big-blind" in barred):
                return "no", Ground(reasons.button_skips(seat, kind), clauses)
        if "new" in kinds or (kinds and seat in there.coming):
            return "rather-no", None
        return ("rather-yes", None) if kinds else ("yes", None)

    return may_have


def in_turn(policy: Policy, memory: Memory, there: There) -> frozenset[Seat]:
    """Return the newcomers who take any blind that falls on them: the book lets them in wherever they sit."""
    if not there.coming or policy.value("entry.zone") in (None, "barred"):
        return frozenset()
    new = frozenset(seat for seat in there.coming if _is_new(memory, there.players[seat])) - there.posters
    return new if there.given else new & there.free


def _is_new(memory: Memory, player: PlayerId) -> bool:
    player_tab = memory.tabs.get(player)
    return player_tab is None or not (player_tab.entered or player_tab.missed)


def excused(policy: Policy, memory: Memory, there: There) -> frozenset[Seat]:
    """Return who made up between the blinds, and so takes no blind before the big one comes round."""
    if policy.value("missed.excuses_rotation") != "between-blinds":
        return frozenset()
    return frozenset(seat for seat, player in there.players.items() if memory.of(player).made_up_between)


def came_into_zone(
    hand: HandPlayed, there: There, button: Seat | None, furthest: Seat | None, memory: Memory
) -> dict[PlayerId, Kind]:
    """Return who came in on a hand, unsettled, at the button or after it and before the big blind."""
    kinds_by_player: dict[PlayerId, Kind] = {}
    if button is None or furthest is None or button == furthest:
        return kinds_by_player
    blind_seats = {post.seat for post in hand.posts if post.role in _BLIND_ROLES}
    for seat in (*there.coming, *there.late):
        if seat != button and (seat == furthest or not between(button, seat, furthest)):
            continue
        player = there.players[seat]
        tab = memory.of(player)
        if tab.unsure and tab.origin == "returning":
            continue  # who is said to come back may have been in the game
        if not tab.missed and seat not in there.late:
            kinds_by_player[player] = "new"
        elif seat in there.posters or any(post.seat == seat and post.role in _ENTRY_ROLES for post in hand.posts):
            kinds_by_player[player] = "made-up-between"
        elif seat not in blind_seats:
            kinds_by_player[player] = "missed-blind"
    return kinds_by_player


def kept_off(policy: Policy, seats: tuple[SeatDue, ...], zone: Mapping[PlayerId, Kind]) -> tuple[SeatDue, ...]:
    """Say of those who came in ahead of the big blind that they may not have the button before it."""
    ruling = policy.get("button.eligibility") if zone else None
    if ruling is None:
        return seats
    seat_dues = []
    for seat_due in seats:
        kind = zone.get(seat_due.player)
        if kind is None:
            seat_dues.append(seat_due)
            continue
        kinds = {kind, "no-big-blind"} if kind == "new" else {kind}
        barred = tuple(name for name in ruling.value if name in kinds)
        if barred:
            reason = Ground(reasons.no_button_before_blind(seat_due.seat, kind), ruling.clauses)
            seat_due = msgspec.structs.replace(  # noqa: PLW2901 - the seat with what bars it
                seat_due,
                button=False,
                barred=tuple(dict.fromkeys((*seat_due.barred, *barred))),
                why=(*seat_due.why, reason),
            )
        seat_dues.append(seat_due)
    return tuple(seat_dues)


def absent_due(policy: Policy, memory: Memory, state: TableState, button: Seat, there: There) -> frozenset[Seat]:
    """Return the player who is away, due the button and dealt in all the same, if there is one."""
    if policy.value("button.absent_due") != "dealt-in-if-in-room" or not there.enters:
        return frozenset()
    away = {
        seat: seat_state
        for seat, seat_state in state.seats.items()
        if seat_state.presence == "away"
        and seat_state.in_room
        and not seat_state.asked_out
        and not seat_state.busted
        and seat_state.stack != 0
        and memory.of(seat_state.player).quiet
    }
    may_have = chooser(policy, memory, there, {})
    eligible = [seat for seat in there.core if may_have(seat)[0] != "no"]
    seat = after(button, [*eligible, *away])
    return frozenset(away) & {seat}
