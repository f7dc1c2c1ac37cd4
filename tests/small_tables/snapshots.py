"""Copies of a table that is being walked, and a key by which two of them are known to be alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import Any, Final, NamedTuple

import msgspec

from ledger.table.events import HandPlayed
from ledger.table.state import SeatState, TableState
from projections.doubts import Doubts
from projections.obligations.engine import Obligations
from projections.obligations.memory import Memory
from projections.obligations.missed import Spot
from projections.obligations.moves import Move
from projections.obligations.newgame import NewGame
from projections.obligations.round import Round
from projections.obligations.tab import Tab
from projections.table_context import Table

_COPIED: Final = (Table, TableState, SeatState, Doubts, Obligations, Memory, Round, NewGame, Tab, Move)
_SHARED: Final = {
    Table: {"settled"},
    Obligations: {"policy", "book", "_known"},
    Memory: {"policy", "cached", "_unread", "_spot"},
    TableState: {"breaks", "gaps", "gone"},
    Doubts: {"_spoiled"},
}
"""What copies have in common: it does not change, or what it holds is thrown away as a whole."""

_OLD: Final = 2
"""Whether a hand is older than that is asked nowhere."""

_FORGOTTEN: Final[dict[type, set[str]]] = {
    TableState: {"at", "breaks", "chairs", "continuity", "fitted", "gaps", "gone", "hands", "moved", "opened", "words"},
    Memory: {"_unread", "cached", "felted", "loud", "owing", "policy", "words"},
    Tab: {"due", "how", "version"},
    Move: {"version"},
}
"""What decides nothing in these histories: chips (nobody is short), times, texts, and who is gone for good."""


def _names(kind: type) -> tuple[str, ...]:
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if is_dataclass(kind):
        return tuple(one.name for one in fields(kind))
    slots = tuple(chain.from_iterable(getattr(base, "__slots__", ()) for base in kind.__mro__))
    return slots or ()


_NAMES: Final = {kind: _names(kind) for kind in _COPIED}


def copy_table(table: Table) -> Table:
    """Return a copy that goes on by itself."""
    copied: Table = _copy(table)
    copied.settled = {}
    return copied


def _copy(thing: Any) -> Any:
    kind = type(thing)
    if kind in _NAMES:
        names = _NAMES[kind] or tuple(vars(thing))
        shared = _SHARED.get(kind, ())
        made = object.__new__(kind)
        for name in names:
            value = getattr(thing, name)
            object.__setattr__(made, name, value if name in shared else _copy(value))
        return made
    if kind is dict:
        return {key: _copy(value) for key, value in thing.items()}
    if kind is list:
        return [_copy(value) for value in thing]
    if kind is set:
        return set(thing)
    if kind is tuple and any(type(one) in _NAMES for one in thing):
        return tuple(_copy(one) for one in thing)
    return thing


class TableKey(NamedTuple):
    """What of a table decides about its coming hands: equal keys have equal futures."""

    parts: object


def key_of(table: Table, extra: object = ()) -> TableKey:
    """Return the key of a table between two hands; players are named by their seats, hands by their age."""
    (keeper,) = (kept for _, kept in table.kept.values())
    assert isinstance(keeper, Obligations)
    assert keeper.memory.spot is None or isinstance(keeper.memory.spot, Spot)
    return TableKey(_Key(table).of((table.state, keeper.round, keeper.memory, extra)))


class _Key:
    def __init__(self, table: Table) -> None:
        self._now = table.state.hands
        self._players: dict[str, str] = {}
        for seat, held in sorted(table.state.seats.items()):
            self._players[held.player] = f"P{seat}"

    def of(self, thing: Any) -> object:
        if thing is None or isinstance(thing, bool | int):
            return thing
        if isinstance(thing, str):
            return self._word(thing)
        if isinstance(thing, HandPlayed):
            return self._hand(thing)
        kind = type(thing)
        if isinstance(thing, SeatState):
            seen = bool(thing.first_dealt), len(thing.absences), [one.reason for one in thing.absences[-1:]]
            return self.of(
                (
                    seen,
                    thing.player,
                    thing.origin,
                    thing.presence,
                    thing.in_room,
                    sorted(thing.markers),
                    thing.last_dealt,
                    thing.wait,
                    thing.deferred,
                    thing.asked_out,
                    thing.busted,
                    thing.known,
                )
            )
        if kind in _NAMES:
            forgotten = _FORGOTTEN.get(kind, ())
            names = _NAMES[kind] or tuple(vars(thing))
            return tuple([self.of(getattr(thing, name)) for name in names if name not in forgotten])
        if isinstance(thing, msgspec.Struct):
            if "basis" in thing.__struct_fields__:
                return thing.basis  # type: ignore[attr-defined] # of a ground its words decide nothing
            return tuple([self.of(getattr(thing, name)) for name in thing.__struct_fields__])
        if isinstance(thing, dict):
            return self._dict(thing)
        if isinstance(thing, set | frozenset):
            return tuple(sorted(map(repr, map(self.of, thing))))
        if isinstance(thing, tuple | list):
            return tuple([self.of(one) for one in thing])
        raise TypeError(kind.__name__)

    def _dict(self, thing: dict[Any, Any]) -> object:
        items: Iterable[tuple[str, object]] = ((repr(self.of(key)), self.of(value)) for key, value in thing.items())
        return tuple(sorted((key, value) for key, value in items if not key.startswith("'gone")))

    def _word(self, word: str) -> str:
        if word.isdigit():
            return f"h{min(self._now - int(word), _OLD)}"
        known = self._players.get(word)
        if known is not None:
            return known
        return "gone" if len(word) > 20 and " " not in word else word

    def _hand(self, hand: HandPlayed) -> object:
        return (
            hand.button,
            hand.small,
            hand.big,
            tuple((post.seat, post.role, post.live, post.dead) for post in hand.posts),
            tuple((one.seat, self.of(one.player)) for one in hand.dealt_in),
            tuple((one.seat, self.of(one.player), one.reason) for one in hand.left_out),
            hand.completed,
        )
