"""What a table remembers of each player across hands: entered, took, missed, made up, moved.

Positions ask it who may have the button and who is settled, debts what each player owes. It keeps
facts; what follows from them under a book, `debts` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from ledger import presence as p
from ledger.event import Event
from ledger.presence import Origin
from ledger.table import events as t
from ledger.table.events import HandPlayed, Post
from ledger.table.order import Told
from ledger.table.state import TableState
from ledger.vocabulary import PlayerId, Seat, Witness
from projections.obligations.due import Due, Ground, Missed, SeatDue
from projections.obligations.game import has_blinds
from projections.obligations.gaps import gap
from projections.obligations.missed import Passing, Spot, in_zone, passing, spot_of
from projections.obligations.moves import Move, free_pass, measure
from projections.obligations.newgame import NewGame
from projections.obligations.stakes import Blind
from projections.policy import Policy

_PRESENCE: Final = int(Witness.PRESENCE)
_LISTED: Final = int(Witness.PRESENCE | Witness.SEATING)
_MADE_UP: Final = frozenset({"makeup", "makeup-small", "makeup-big", "entry", "unknown", "kill"})
_STRADDLES: Final = frozenset({"straddle", "restraddle"})
_AWAY: Final = frozenset({"sitting-out", "away", "reserved"})


@dataclass(slots=True)
class Tab:
    """What one player has done at this table since sitting down."""

    seat: Seat = 0
    established: bool = True  # took the big blind or posted here, or was in from the start
    entered: bool = True  # is in the game: has been dealt in, or was active when it began
    missed: list[Missed] = field(default_factory=list)  # blinds that went past and stand open
    made_up_between: bool = False  # made up between button and big blind; no button this round
    short_big: bool = False  # posted less than half of the big blind; no button this round
    escaped: list[str] = field(default_factory=list)  # hands whose method moved past a blind
    entered_hand: str = ""  # number of the first hand dealt in after sitting down
    came: str = ""  # number of the last hand before the player sat down
    came_told: bool = False  # the record tells that the player sat down
    version: int | None = None  # of that event in the table's stream
    origin: Origin = "unknown"
    unsure: str = ""  # the fact that is missing to say what is owed
    away: bool | None = None  # whether the player was away when the first of `missed` went past
    broke: str = ""  # number of the hand on which the player lost the last chip; "" = did not
    played_owing: list[tuple[str, bool | None]] = field(default_factory=list)
    """Hands dealt in without paying what was owed; and whether the player acted, if that is known."""
    straddled: str = ""  # number of a hand straddled right after the big blind while owing
    marked: int | None = None  # version of a missed-blind marker that no blind on record explains
    move: Move | None = None
    made_up: str = ""  # number of a hand on which a blind was made up, until the next big blind
    bought: str = ""  # the hand after which the player bought the button
    how: Ground | None = None  # how it was last settled

    @property
    def settled(self) -> bool:
        """In the game, with nothing owed, nothing unsure, and no move to make good."""
        return (
            self.entered
            and not self.missed
            and not self.unsure
            and self.move is None
            and not self.short_big
            and self.marked is None
            and not self.broke
        )

    @property
    def quiet(self) -> bool:
        """Settled, and with nothing that keeps it from the button."""
        return self.settled and self.established and not self.made_up_between

    def settle(self, says: str, hand: str) -> None:
        """Take the player to have paid all that was owed."""
        self.established = self.entered = True
        self.missed.clear()
        self.played_owing.clear()
        self.unsure = self.broke = self.straddled = self.bought = ""
        self.short_big = False
        self.marked = self.away = self.move = None
        self.how = Ground(says, (), "record", hand)


class Memory:
    """The tabs of all players of a table under one book, kept up to date event by event."""

    __slots__ = (
        "_gaps",
        "_loud",
        "_spot",
        "_unread",
        "cached",
        "game",
        "last",
        "policy",
        "seated",
        "tabs",
    )  # fmt: skip

    def __init__(self, policy: Policy) -> None:
        """Take the book's policy: whether a straddle settles a debt, and who may let blinds pass."""
        self.policy = policy
        self.tabs: dict[PlayerId, Tab] = {}
        self.seated: dict[Seat, PlayerId] = {}  # as far as hands and seats were told
        self._spot: Spot | None = None
        self._unread: tuple[HandPlayed, Due | None] | None = None
        self.last = ""  # its number
        self.game = NewGame(told=False)  # since the beginning of the game, or of the record
        self.cached: tuple[SeatDue, ...] | None = None  # of the last hand, while nothing changes
        self._loud: set[PlayerId] = set()  # those whose tab is not quiet
        self._gaps = 0

    @property
    def spot(self) -> Spot | None:
        """Where the positions of the last hand were; None = not known."""
        if self._unread is not None:
            self._spot, self._unread = spot_of(*self._unread)[0], None
        return self._spot

    @spot.setter
    def spot(self, spot: Spot | None) -> None:
        self._spot, self._unread = spot, None

    # Asked by positions

    def of(self, player: PlayerId) -> Tab:
        """Return a player's tab; a player nobody has met owes nothing and is established."""
        return self.tabs.get(player) or Tab()

    @property
    def all_quiet(self) -> bool:
        """Whether nobody who sits here owes, waits, is new or unknown."""
        return not self._loud

    # Learning

    def between(self, told: Told, state: TableState) -> None:
        """Learn from an event that is no hand, after `state` took it."""
        self._watch(state)
        handler = _BETWEEN.get(type(told.event))
        if handler is not None:
            handler(self, told.event, state, told.version)
            self._listen()

    def take(self, hand: HandPlayed, state: TableState, due: Due | None = None) -> None:
        """Learn from a hand, before `state` takes it; `due` is what belonged on it."""
        self._watch(state)
        if self._fast(hand, due):
            return
        begins = self.begins(hand)
        if self.game.seats and not self.game.begun:  # who drew may be told by seats alone
            there = (*hand.dealt_in, *hand.left_out)
            self.game.drew.update(one.player for one in there if one.seat in self.game.seats)
        if self.spot is not None and (missing := gap(state, hand)):
            self.lose(missing)
        if self._renumbered(hand):
            self.lose("who sits where: the source numbers its seats anew in each hand")
        self._seat_all(hand, begins)
        if not hand.voided and has_blinds(hand.variant):
            spot, place = spot_of(hand, due)
            if hand.format != "tournament":
                went = passing(hand, self.spot or Spot(), spot, place)
                self._pass(hand, state, went)
                self._post(hand, spot)
                self._deal(hand)
            self.game.take(hand.number, self.spot, spot)
            self.spot, self.last = spot, hand.number
        for event in hand.within:
            handler = _BETWEEN.get(type(event))
            if handler is not None:
                handler(self, event, state, None)
        self._listen()

    def begins(self, hand: HandPlayed) -> bool:
        """Whether nobody owes on `hand` as the game begins with it: the record saw everybody sit down."""
        if self.spot is not None:
            return False
        if self.game.told:
            return not self.game.begun
        tabs = [self.tabs.get(one.player) for one in hand.dealt_in]
        return all(tab is not None and tab.came_told and not tab.unsure for tab in tabs)

    def newcomer(self, hand: HandPlayed, seat: Seat) -> Tab:
        """Return the tab of a player who appears in `hand` and whose coming is not told."""
        if self.spot is None:  # the record begins: who is there is taken to be in the game
            begins = self.game.told and seat not in self.game.seats
            out = begins and all(one.seat != seat for one in hand.dealt_in)
            return Tab(seat, established=not out, entered=not out)
        tab = Tab(seat, established=False, entered=False, came=self.last)
        if not hand.witnesses & _LISTED:
            tab.unsure = (
                "whether the player is new or sat out: the source does not tell who sits out"
            )
        return tab

    def lose(self, why: str) -> None:
        """Forget what everybody owes: hands are missing. `why` says which fact is missing."""
        for player, tab in list(self.tabs.items()):
            self.tabs[player] = Tab(tab.seat, origin=tab.origin, unsure=why)
        self.spot, self.game, self.last = None, NewGame(told=False), ""
        self._listen()

    # How

    def _watch(self, state: TableState) -> None:
        """Notice that the last hand closed a gap."""
        if len(state.gaps) > self._gaps:
            gap = state.gaps[-1]
            if self.last and state.last is not None and self.last == gap.before:
                spot, last = self.spot, self.last
                self.lose(f"the hands between {gap.after} and {gap.before}")
                self.spot, self.last = spot, last
            self._gaps = len(state.gaps)

    def _fast(self, hand: HandPlayed, due: Due | None) -> bool:
        """Take a hand on which nobody came, went, owed, posted out of turn or went broke."""
        if (
            self._loud
            or hand.left_out
            or hand.within
            or hand.voided
            or not self.last
            or (due is not None and due.unknown)  # perhaps hands are missing
            or len(hand.dealt_in) != len(self.seated)
            or not has_blinds(hand.variant)
        ):
            return False
        seated = self.seated
        for one in hand.dealt_in:
            if seated.get(one.seat) != one.player or one.after == 0:
                return False
        big = hand.blinds[-1] if hand.blinds else 0
        for post in hand.posts:
            if post.role in _MADE_UP or (post.role == "big" and post.live * 2 < big):
                return False
        if self.game.over:
            self._unread = (hand, due)  # where its positions were is asked for only when it matters
        else:
            was, now = self.spot, spot_of(hand, due)[0]
            self.game.take(hand.number, was, now)
            self.spot = now
        self.last = hand.number
        return True

    def _listen(self) -> None:
        """Bring up to date whose tab is not quiet."""
        self._loud = {
            player
            for player in self.seated.values()
            if not self.tabs.setdefault(player, Tab()).quiet
        }
        self.cached = None

    def _renumbered(self, hand: HandPlayed) -> bool:
        where = {player: seat for seat, player in self.seated.items()}
        moved = sum(1 for one in hand.dealt_in if where.get(one.player, one.seat) != one.seat)
        return moved > 1 and moved * 2 > len(hand.dealt_in)

    def _seat_all(self, hand: HandPlayed, begins: bool) -> None:
        """Seat who is listed; whoever is not listed has left, where the source lists everybody."""
        listed = {one.seat: one.player for one in hand.dealt_in}
        listed.update((one.seat, one.player) for one in hand.left_out)
        if listed != self.seated:
            here = set(listed.values())
            for seat, player in list(self.seated.items()):
                if player in here or seat in listed or hand.witnesses & _PRESENCE:
                    del self.seated[seat]
                    if player not in here:
                        self._leave(player)
            for seat, player in listed.items():
                self.seated[seat] = player
                tab = self.tabs.get(player)
                if tab is None:
                    tab = self.tabs[player] = self.newcomer(hand, seat)
                tab.seat = seat
        if begins:
            says = f"dealt in on hand {hand.number}, the first of the game"
            for one in hand.dealt_in:
                self.tabs[one.player].settle(says, hand.number)

    def _leave(self, player: PlayerId) -> None:
        self.tabs.pop(player, None)

    def _pass(self, hand: HandPlayed, state: TableState, went: Passing) -> None:
        """Note which blinds went past those who got no cards."""
        out = {one.seat: one.reason for one in hand.left_out}
        for seat, player in self.seated.items():
            if seat in went.dealt:
                continue
            tab = self.tabs[player]
            if tab.move is not None:
                tab.move.waited += 1
            if not tab.entered:
                continue  # not in the game yet: a newcomer may let blinds and button go past
            for role in went.of(seat):
                self._miss(tab, role, hand, state, out.get(seat, ""))

    def _miss(
        self, tab: Tab, role: Blind, hand: HandPlayed, state: TableState, reason: str
    ) -> None:
        move = tab.move
        if move is not None and free_pass(self.policy, move):
            if not move.granted:
                move.granted, move.passes = True, {"small", "big", "extra"}
            if role in move.passes:
                move.passes.discard(role)
                return
        if any(one.role == role for one in tab.missed):
            return
        held = state.seats.get(tab.seat)
        if not reason and (held is None or held.presence != "away"):
            tab.unsure = tab.unsure or (
                f"whether the player of seat {tab.seat} sat out on hand {hand.number} or had left"
            )
        away = None if reason in ("", "unknown") else reason in _AWAY or not tab.broke
        if held is not None and held.presence == "away":
            away = True
        tab.away = away if not tab.missed else tab.away and away
        why = "had no chips" if tab.broke else "got no cards"
        says = f"the {role} blind went past seat {tab.seat} on hand {hand.number}, which {why}"
        tab.missed.append(Missed(role, hand.number, Ground(says, (), "record", hand.number)))

    def _post(self, hand: HandPlayed, spot: Spot) -> None:
        """Learn from what was posted."""
        big = hand.blinds[-1] if hand.blinds else 0
        furthest = "extra" if len(hand.blinds) > 2 else "big"
        number = hand.number
        for post in hand.posts:
            player = self.seated.get(post.seat)
            tab = self.tabs.get(player) if player is not None else None
            if tab is None or not (post.live or post.dead):
                continue
            if post.role in (furthest, "big"):
                _take_big(tab, post, big, number)
            elif post.role in _MADE_UP:
                between, new = bool(in_zone(spot, post.seat)), not tab.entered
                owed = bool(tab.missed)
                tab.settle(f"posted on hand {number}", number)
                tab.made_up = number if owed else ""
                tab.made_up_between = between and owed
                tab.established = not (between and new)  # came in where the button is near
            elif (
                post.role in _STRADDLES
                and not tab.settled
                and post.seat == _next(hand, spot)
                and self.policy.value("straddle.clears_missed_blind")
            ):
                tab.settle(f"straddled on hand {number}", number)
                tab.made_up = number

    def _deal(self, hand: HandPlayed) -> None:
        """Learn from who was dealt in, and with what they came out of the hand."""
        put: dict[Seat, int] = {}
        for post in hand.posts:
            put[post.seat] = put.get(post.seat, 0) + post.live + post.dead
        for one in hand.dealt_in:
            tab = self.tabs[one.player]
            if not tab.entered:
                tab.entered = True
                tab.entered_hand = hand.number
                tab.unsure = ""
            if tab.bought:
                tab.settle(f"bought the button before hand {hand.number}", hand.number)
            tab.entered_hand = tab.entered_hand or hand.number
            tab.move = None
            if (tab.missed or tab.short_big) and not _short_now(hand, one.seat):
                acted = None
                if one.before is not None and one.after is not None:
                    acted = one.after != one.before - put.get(one.seat, 0) or None
                tab.played_owing.append((hand.number, acted))
            elif tab.broke:
                tab.broke = ""
            if one.after == 0:
                tab.broke = hand.number


def _take_big(tab: Tab, post: Post, big: int, number: str) -> None:
    short = post.live * 2 < big and post.all_in is not False
    tab.settle(f"had the big blind on hand {number}", number)
    tab.made_up = ""
    tab.made_up_between = False
    if short:
        tab.short_big = True
        tab.how = Ground(
            f"posted {post.live} of the big blind of {big} on hand {number}", (), "record", number
        )


def _short_now(hand: HandPlayed, seat: Seat) -> bool:
    return any(post.seat == seat and post.role in ("big", "extra") for post in hand.posts)


def _next(hand: HandPlayed, spot: Spot) -> Seat | None:
    """Return the seat next to the furthest blind, of those dealt in."""
    if spot.furthest is None:
        return None
    ring = [one.seat for one in hand.dealt_in if one.seat != spot.furthest]
    beyond = [seat for seat in ring if seat > spot.furthest]
    return min(beyond) if beyond else min(ring, default=None)


# Between hands


def _game_started(memory: Memory, _: t.GameStarted, state: TableState, version: int | None) -> None:
    memory.tabs = {
        held.player: Tab(held.seat, established=False, entered=False, version=version,
                         came_told=True, origin="game-start")
        for held in state.seats.values()
    }  # fmt: skip
    memory.seated = {held.seat: held.player for held in state.seats.values()}
    memory.spot, memory.game, memory.last = None, NewGame(told=True), ""


def _drawn(memory: Memory, event: t.ButtonDrawn, state: TableState, _: int | None) -> None:
    if not memory.game.told:
        if memory.spot is not None:
            return  # a draw in the middle of a game begins nothing
        memory.game = NewGame(told=True)
    memory.game.drew.update(
        held.player for seat in event.seats if (held := state.seats.get(seat)) is not None
    )
    memory.game.seats.update(event.seats)
    if memory.policy.value("entry.new_game") == "free-first-revolution":
        for player in memory.game.drew:
            tab = memory.tabs.get(player)
            if tab is not None:
                tab.settle("drew for the button", "")


def _sat(memory: Memory, event: p.SeatTaken, state: TableState, version: int | None) -> None:
    known = memory.tabs.get(event.player)
    if known is not None and memory.seated.get(event.seat) == event.player:
        known.origin = event.origin if event.origin != "unknown" else known.origin
        return
    for seat, player in list(memory.seated.items()):
        if player == event.player or seat == event.seat:
            del memory.seated[seat]
    tab = Tab(event.seat, established=False, entered=False, came=state.number, came_told=True,
              version=version, origin=event.origin)  # fmt: skip
    memory.seated[event.seat] = event.player
    memory.tabs[event.player] = tab
    game = memory.game
    if (
        event.seat in game.seats
        and not game.begun
        and memory.policy.value("entry.new_game") == "free-first-revolution"
    ):
        tab.settle("drew for the button", "")


def _left(memory: Memory, event: p.SeatLeft, _: TableState, __: int | None) -> None:
    for seat, player in list(memory.seated.items()):
        if player == event.player or (not event.player and seat == event.seat):
            del memory.seated[seat]
            memory._leave(player)  # noqa: SLF001 - the handlers are the memory's own


def _moved(memory: Memory, event: p.SeatMoved, state: TableState, version: int | None) -> None:
    tab = memory.tabs.get(event.player)
    if tab is None:
        tab = memory.tabs[event.player] = Tab(
            event.to, unsure="since when the player has been here"
        )
    start = event.origin
    earlier = tab.move
    if earlier is not None and earlier.hand == state.number:
        start = earlier.start  # two changes between the same hands are one
    memory.seated.pop(event.origin, None)
    memory.seated[event.to] = event.player
    tab.seat = event.to
    if tab.entered:
        move = measure(state, memory.spot, start, event.to, version)
        if earlier is not None and earlier.hand != state.number:
            move.gained += earlier.left
        tab.move = move if event.to != start else None


def _busted(memory: Memory, event: p.PlayerBusted, state: TableState, _: int | None) -> None:
    player = event.player or memory.seated.get(event.seat, "")
    tab = memory.tabs.get(player)
    if tab is not None and not tab.broke:
        tab.broke = memory.last or state.number or "?"


def _out(memory: Memory, event: t.PlayerEliminated, state: TableState, version: int | None) -> None:
    _left(memory, p.SeatLeft(event.seat, event.player), state, version)


def _identified(memory: Memory, event: t.PlayerIdentified, _: TableState, __: int | None) -> None:
    if event.old in memory.tabs:
        memory.tabs[event.new] = memory.tabs.pop(event.old)
    for seat, player in memory.seated.items():
        if player == event.old:
            memory.seated[seat] = event.new


def _bought(memory: Memory, event: t.ButtonBought, state: TableState, _: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is not None:
        tab.bought = state.number or "?"


def _marker(memory: Memory, event: p.MarkerGiven, _: TableState, version: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is None or not event.kind.startswith("missed") or tab.missed:
        return
    tab.marked = version if version is not None else 0


def _unmarked(memory: Memory, event: p.MarkerTaken, _: TableState, __: int | None) -> None:
    tab = memory.tabs.get(memory.seated.get(event.seat, ""))
    if tab is not None and event.kind.startswith("missed"):
        tab.marked = None


_BETWEEN: Final[dict[type[Event], Callable[[Memory, Any, TableState, int | None], None]]] = {
    t.GameStarted: _game_started,
    t.ButtonDrawn: _drawn,
    t.ButtonBought: _bought,
    t.PlayerEliminated: _out,
    t.PlayerIdentified: _identified,
    p.SeatTaken: _sat,
    p.SeatLeft: _left,
    p.SeatMoved: _moved,
    p.PlayerBusted: _busted,
    p.MarkerGiven: _marker,
    p.MarkerTaken: _unmarked,
}
"""What is to be remembered of events that are no hand. Presence is read from the table's state."""
