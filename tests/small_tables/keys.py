"""Keys of tables: two tables with equal keys have the same future, whatever their players are called.

A key has a part for what the whole table shares and a part for each seat. What happens to a seat
between two hands changes only that seat's part, so the keys of all combinations of changes are put together
from the parts of single changes. Seats are counted from the button, and hands by their age.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain
from re import compile as compile_pattern
from typing import Any, Final, NamedTuple

import msgspec

from ledger.table.events import HandPlayed
from ledger.table.positions import find_big_blind, find_small_blind
from ledger.table.state import SeatState, TableState
from projections.obligations.button_round import HandPositions, Turn
from projections.obligations.game_start import NewGame
from projections.obligations.moves import Move
from projections.obligations.obligations import Obligations
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.ring import is_between
from projections.obligations.tab import Tab
from projections.table_walk.table_context import TableWalk

_OLD: Final = 2
"""No rule asks whether a hand is older than that."""

_FORGOTTEN: Final[dict[type, tuple[str, ...]]] = {
    TableState: (
        *("breaks", "cached_fit", "chairs", "continuity", "corrections", "counted_hands", "departures", "eliminated"),
        *("first_counted_number", "first_unbroken_hand", "follows_count", "gaps", "hand_before_last", "hands"),
        *("identities", "moved_chips", "notices", "opened", "seats", "time"),
    ),
    PlayerTabs: (
        *("_unread_hand", "broke_leavers", "cached", "players_with_issues", "owing_leavers", "pending_statements"),
        *("played_over_chairs", "policy", "seated", "tabs", "unnamed_tabs"),
    ),
    SeatState: (
        *("absences", "first_hand_dealt", "hand_before_absence", "hand_before_seating", "hands_dealt"),
        *("is_connected", "is_history_known", "missing_posts", "origin", "passed_positions", "seat", "seated_at"),
        "stack",
    ),
    Tab: (
        *("arrival_version", "arrived_after", "due", "is_arrival_recorded", "is_vouched_for", "last_purchase_hand"),
        *("origin", "seat", "settlement"),
    ),
    Move: ("version",),
}
"""What decides nothing in these histories: chips (nobody is short), times, texts, and who is gone for good.
A seat's own part is told apart from the rest of the table."""

_NUMBER: Final = compile_pattern(r"\d+")


PLAYERS: Final[set[str]] = set()
"""The ids of all players of these walks."""


class SeatNumber(int):
    """A seat in a walk, so that a key can tell it from other numbers."""

    __slots__ = ()


@cache
def seat_number(seat: int) -> SeatNumber:
    """Return the one object of a seat."""
    return SeatNumber(seat)


class TableKey(NamedTuple):
    """What of a table decides about its coming hands: of the whole table, and of each seat from the button on."""

    shared: int
    seats: tuple[int, ...]


class KeyMaker:
    """Makes keys. Equal parts have equal numbers."""

    def __init__(self, seats: int, *, turned: bool = True) -> None:
        """Take how many chairs there are. `turned`: count them from the button, not from seat 1."""
        self.seats = seats
        self.turned = turned
        self._numbers: dict[object, int] = {}

    def view(self, table: TableWalk) -> TableView:
        """Return the table as its keys name seats and players."""
        anchor = 1
        last = table.state.last_hand
        if self.turned and last is not None:
            anchor = last.button or last.big or 1
        return TableView(self, table, anchor)

    def number(self, part: object) -> int:
        """Return the number of a part."""
        return self._numbers.setdefault(part, len(self._numbers))


class TableView:
    """A table between two hands: its players are named by where they sat when the last hand was over."""

    def __init__(self, keys: KeyMaker, table: TableWalk, anchor: int) -> None:
        """Take the table behind a hand, and the seat that is counted as the first."""
        self._keys = keys
        self._table = table
        self._anchor = anchor
        self._age = table.state.hands
        self._names = {seat_state.player: f"P{self.place(seat)}" for seat, seat_state in table.state.seats.items()}
        self._newcomers: dict[str, str] = {}

    def place(self, seat: int) -> int:
        """Return how far a seat is from the first one."""
        return (seat - self._anchor) % self._keys.seats

    def ring(self) -> list[SeatNumber]:
        """Return all chairs, from the first one on."""
        return [seat_number((self._anchor - 1 + place) % self._keys.seats + 1) for place in range(self._keys.seats)]

    def key(self, marked: frozenset[int]) -> TableKey:
        """Return the key of the table as it is now."""
        return TableKey(
            self.shared(self._table), tuple([self.seat(self._table, seat, seat in marked) for seat in self.ring()])
        )

    def shared(self, table: TableWalk) -> int:
        """Return the part of the whole table, of this table or of one that went on from it."""
        keeper, state = self._look_at(table), table.state
        assert keeper.player_tabs.spot is not None or not state.last_hand  # it is worked out when it is asked for
        passed = _passed(state.hand_before_last, state.last_hand) if state.hand_before_last and state.last_hand else []
        return self._keys.number(self._of((state, tuple(passed), keeper.round, keeper.player_tabs)))

    def seat(self, table: TableWalk, seat: int, marked: bool) -> int:
        """Return the part of a seat: who sits there, and what the player owes."""
        memory, seat_state = self._look_at(table).player_tabs, table.state.seats.get(seat)
        player = memory.seated.get(seat, "")
        debt: object = None
        if seat_state is not None:
            absences = (
                min(len(seat_state.absences), self._keys.seats),
                [absence.reason for absence in seat_state.absences[-1:]],
            )
            debt = bool(seat_state.first_hand_dealt), absences, seat_state.stack == 0, seat_state
        events = [
            type(entry.event).__name__ for entry in table.events_between if getattr(entry.event, "seat", 0) == seat
        ]
        part = (
            marked,
            events,
            debt,
            player,
            memory.tabs.get(player),
            memory.unnamed_tabs.get(seat),
            seat in memory.played_over_chairs,
        )
        return self._keys.number(self._of(part))

    def _look_at(self, table: TableWalk) -> Obligations:
        """Name those who have come since, and return who keeps what is owed."""
        held_seats = table.state.seats.items()
        self._newcomers = {
            seat_state.player: f"N{self.place(seat_index)}"
            for seat_index, seat_state in held_seats
            if seat_state.player not in self._names
        }
        return _keeper(table)

    # Values without names

    def _of(self, value: Any) -> object:
        kind = type(value)
        if kind is SeatNumber:
            return self.place(value)
        if value is None or kind is bool or kind is int:
            return value
        if kind is str:
            return self._word(value)
        simple = _SPECIAL.get(kind)
        if simple is not None:
            return simple(self, value)
        if isinstance(value, tuple | list):
            return self._sequence(value)
        if isinstance(value, dict):
            return self._dict(value)
        if isinstance(value, set | frozenset):
            return tuple(sorted(map(repr, map(self._of, value))))
        if "basis" in getattr(kind, "__struct_fields__", ()):
            return value.basis  # the words of a ground decide nothing
        return tuple([self._of(getattr(value, name)) for name in _names(kind)])

    def _sequence(self, value: tuple[Any, ...] | list[Any]) -> object:
        parts = [self._of(part) for part in value]
        if type(value) is tuple and all(type(part) is SeatNumber for part in value):
            parts.sort()  # type: ignore[type-var] # seats, which ascend from the first one on
        return tuple(parts)

    def _dict(self, mapping: Mapping[Any, Any]) -> object:
        items = [(repr(self._of(key)), self._of(value)) for key, value in mapping.items()]
        return tuple(sorted([item for item in items if item[0] != "'gone'"], key=lambda item: item[0]))

    def _word(self, word: str) -> str:
        if word.isdigit():
            return f"h{min(self._age - int(word), _OLD)}"
        if (name := self._names.get(word) or self._newcomers.get(word)) is not None:
            return name
        if word in PLAYERS:
            return "gone"
        if " " in word:
            return _NUMBER.sub("#", word)
        return "gone" if len(word) > 20 else word

    def _hand(self, hand: HandPlayed) -> object:
        return (
            self._of((hand.button, hand.small, hand.big)),
            sorted([(self.place(post.seat), post.role, post.live, post.dead) for post in hand.posts]),
            sorted(
                [
                    (self.place(seat_state.seat), self._of(seat_state.player), seat_state.after == 0)
                    for seat_state in hand.dealt_in
                ]
            ),
            sorted(
                [
                    (self.place(seat_state.seat), self._of(seat_state.player), seat_state.reason)
                    for seat_state in hand.left_out
                ]
            ),
            hand.completed,
        ).__repr__()

    def _where(self, hand_positions: HandPositions) -> object:
        players = sorted(
            [
                (self.place(seat), self._of(player))
                for seat, player in zip(hand_positions.dealt, hand_positions.players, strict=True)
            ]
        )
        other_parts = hand_positions._replace(hand="", dealt=(), players=())
        return self._of(hand_positions.hand), tuple(players), tuple([self._of(part) for part in other_parts])

    def _turn(self, _: Turn) -> object:
        return True  # follows from where the positions were

    def _tab(self, tab: Tab) -> object:
        origin = "" if tab.entered and tab.origin in ("unknown", "walk-in") else tab.origin
        just_arrived = not tab.entered and bool(tab.arrived_after)
        return origin, just_arrived, tuple([self._of(getattr(tab, name)) for name in _names(Tab)])

    def _game(self, game: NewGame) -> object:
        if not game.is_recorded:  # no rule asks more of a game whose beginning is not on record
            return bool(game.first_hand), game.has_arrivals, game.is_start_lost
        return tuple([self._of(getattr(game, name)) for name in _names(NewGame)])


_SPECIAL: Final[dict[type, Any]] = {
    HandPlayed: TableView._hand,
    NewGame: TableView._game,
    Tab: TableView._tab,
    Turn: TableView._turn,
    HandPositions: TableView._where,
}


def _passed(hand_played: HandPlayed, last: HandPlayed) -> list[int]:
    """Return the players of the last hand past whom a blind went on it: all that is asked of the hand before."""
    moves = [(place(hand_played).seat, place(last).seat) for place in (find_big_blind, find_small_blind)]
    return [
        seat_state.seat
        for seat_state in last.dealt_in
        if any(
            None not in (was, new_position)
            and new_position != seat_state.seat
            and is_between(was, seat_state.seat, new_position)
            for was, new_position in moves
        )  # type: ignore[arg-type] # None is asked for
    ]


def _keeper(table: TableWalk) -> Obligations:
    ((_, keeper),) = table.keepers.values()
    assert isinstance(keeper, Obligations)
    return keeper


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Return the fields of a kind of object that decide something."""
    if issubclass(kind, msgspec.Struct):
        names = kind.__struct_fields__
    elif is_dataclass(kind):
        names = tuple(field.name for field in fields(kind))
    else:
        names = tuple(chain.from_iterable(getattr(base, "__slots__", ()) for base in kind.__mro__))
    forgotten_names = _FORGOTTEN.get(kind, ())
    if not names or not set(forgotten_names) <= set(names):
        raise TypeError(f"{kind.__name__} has no {sorted(set(forgotten_names) - set(names)) or 'fields'}")
    return tuple(name for name in names if name not in forgotten_names)
