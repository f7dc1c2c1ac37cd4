"""Save the walk of a table as bytes and restore it, so that it can go on after its last hand.

That saves walking a long table again whenever hands come in. A saved walk is JSON: plain values, and objects of known
classes by a number, so nothing in a ledger can name code to run. A walk with an object of another class, or one that
is too large, isn't saved: then the table is walked again from its first hand.
"""

from __future__ import annotations

import json
import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Union

import msgspec

from ledger.events import EVENT_TYPES
from ledger.table import events as table_events
from ledger.table import state as table_state
from ledger.table.breaks import Break, StackBreak
from ledger.table.plain import OrderReader
from ledger.table.standing_accounts import TableEntry
from projections.obligations import dues
from projections.obligations.button_round import ButtonRound, HandPositions, Turn
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot
from projections.obligations.moves import Move
from projections.obligations.obligations import Obligations
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.tab import Tab
from projections.table_walk import table_context
from projections.table_walk.table_context import TableWalk, pick_table_books

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines

JsonValue: TypeAlias = Union[str, int, list["JsonValue"], None]  # noqa: UP007 - it names itself

_MAX_BYTES: Final = 8 * 1024 * 1024
"""A saved walk is at most this long."""

_KINDS: Final[tuple[type, ...]] = (
    *EVENT_TYPES,
    *(table_events.Post, table_events.Skipped, table_events.DealtIn, table_events.LeftOut),
    *(
        table_state.TableState,
        table_state.SeatState,
        table_state.PassedPosition,
        table_state.Absence,
        table_state.NoPost,
        table_state.Departure,
        table_state.Gap,
        table_state.Carry,
        table_state.Continuity,
        table_state.KnownPosition,
    ),
    *(table_state.StandingGrant, TableEntry, OrderReader, table_context.Grant, Break, StackBreak),
    *(
        dues.Ground,
        dues.DuePost,
        dues.Placement,
        dues.Missed,
        dues.WayIn,
        dues.SeatDue,
        dues.Choice,
        dues.Doubtful,
        dues.Due,
    ),
    *(PlayerTabs, ButtonRound, HandPositions, Turn, Spot, NewGame, Tab, Move),
)
"""The classes that a walk consists of. Their numbers, and so saved walks, are valid for one version of the code."""
_KIND_NUMBERS: Final = {kind: number for number, kind in enumerate(_KINDS)}
_OMITTED_FIELDS: Final = {
    PlayerTabs: {"policy", "cached", "_unread_hand"},
    Tab: {"due"},
    table_state.TableState: {"cached_fit", "breaks", "gaps"},
}
"""Fields that aren't saved: caches, fields that the restored walk sets itself, and fields that no judgement reads."""


class _NotSavedError(Exception):
    """A walk contains an object that can't be saved."""


def save_walk(table_walk: TableWalk, book_name: str, order_reader: OrderReader | None) -> bytes | None:
    """Encode a walk under a book, with the reader of the table's order; return None if it can't be saved.

    At the end of a table, pass the `order_reader` that has read the whole stream. On the way, pass None: then the
    breaks in the chain of hands aren't saved, since each later checkpoint would repeat them.
    """
    keeper = table_walk.keepers[book_name][1] if book_name in table_walk.keepers else None
    obligations_state = None
    if isinstance(keeper, Obligations):
        keeper.player_tabs.spot  # noqa: B018 - computes the property now: its inputs aren't saved
        obligations_state = (keeper.round, keeper.player_tabs)
    is_other_keeper = keeper is not None and obligations_state is None
    if is_other_keeper or (order_reader is not None and not order_reader.is_in_order):
        return None
    chain_breaks = [] if order_reader is None else table_walk.breaks
    walk_state = (
        order_reader,
        table_walk.state,
        table_walk.doubts.snapshot(),
        table_walk.events_between,
        table_walk.last_hand,
        table_walk.grants,
        chain_breaks,
        obligations_state,
    )
    try:
        encoded = json.dumps(_WalkWriter().to_json(walk_state), separators=(",", ":")).encode("ascii")
    except _NotSavedError:
        return None
    return encoded if len(encoded) <= _MAX_BYTES else None


def restore_order_reader(saved_walk: bytes) -> OrderReader:
    """Restore the reader of a table's order, which was saved with the walk at the table's end."""
    _tuple_tag, plain_reader, *_ = json.loads(saved_walk)
    order_reader: OrderReader = _restore(plain_reader)
    return order_reader


def restore_walk(
    saved_walks: Mapping[str, bytes], books: Sequence[Rulebook], unread_by_hand: Mapping[str, UnreadLines]
) -> TableWalk:
    """Restore the walk of a table under these books. `saved_walks`: what `save_walk` encoded, by the book's name."""
    table_walk = TableWalk(pick_table_books(books), unread_by_hand)
    for book in books:
        _tuple_tag, _order_reader, *walk_state = json.loads(saved_walks[book.name])
        # All but the last part is the same in the walk of every book; any copy will do.
        state, doubts_snapshot, events_between, last_hand, grants, chain_breaks, obligations_state = map(
            _restore, walk_state
        )
        if obligations_state is not None:
            _, keeper = table_walk.keepers[book.name]
            assert isinstance(keeper, Obligations)  # noqa: S101 - no other keeper is saved
            keeper.resume(*obligations_state)
    state.cached_fit, state.breaks, state.gaps = None, [], []
    table_walk.state = state
    table_walk.events_between = events_between
    table_walk.last_hand = last_hand
    table_walk.grants = grants
    table_walk.breaks = chain_breaks
    table_walk.doubts.restore(doubts_snapshot)
    return table_walk


_saved_fields: Final[dict[type, tuple[str, ...]]] = {}


def _list_saved_fields(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a class that are saved, in their order."""
    names = _saved_fields.get(kind)
    if names is None:
        omitted = _OMITTED_FIELDS.get(kind, ())
        names = _saved_fields[kind] = tuple([name for name in _list_fields(kind) if name not in omitted])
    return names


def _list_fields(kind: type) -> Iterable[str]:
    """Return the names of all fields of a class: a struct, a dataclass, or one with slots or plain attributes."""
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if is_dataclass(kind):
        return [field.name for field in fields(kind)]
    slots = chain.from_iterable(getattr(base, "__slots__", ()) for base in kind.__mro__)
    return [*slots] or [*vars(kind())]


class _WalkWriter:
    """Turns the objects of a walk into JSON values. An object that can change must not appear twice."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def to_json(self, instance: object) -> JsonValue:
        """Return the JSON value of an object; raise `_NotSavedError` if it can't be saved.

        An object is a list: a tag for its type, then its parts.
        """
        kind = type(instance)
        if instance is None or isinstance(instance, str | bool):
            return instance
        if isinstance(instance, int):
            return int(instance)  # also enum flags
        number = _KIND_NUMBERS.get(kind)
        if number is not None:
            return [number, *map(self.to_json, self._list_parts(instance))]
        if isinstance(instance, array):
            return ["a", instance.typecode, b64encode(_to_little_endian(instance).tobytes()).decode("ascii")]
        if kind is dict and isinstance(instance, dict):
            return ["d", *map(self.to_json, chain.from_iterable(instance.items()))]
        if kind in (set, frozenset) and isinstance(instance, set | frozenset):
            return ["s" if kind is set else "f", *map(self.to_json, sorted(instance))]
        if kind in (tuple, list) and isinstance(instance, tuple | list):
            return ["t" if kind is tuple else "l", *map(self.to_json, instance)]
        raise _NotSavedError(kind.__name__)

    def _list_parts(self, instance: object) -> Iterable[object]:
        if isinstance(instance, tuple):
            return instance
        is_frozen = isinstance(instance, msgspec.Struct) and instance.__struct_config__.frozen
        if not is_frozen:  # the object changes as the table is walked, so two references must stay one object
            if id(instance) in self._seen:
                raise _NotSavedError(type(instance).__name__)
            self._seen.add(id(instance))
        return [getattr(instance, name) for name in _list_saved_fields(type(instance))]


def _restore(plain_value: JsonValue) -> Any:  # noqa: ANN401 - any saved class
    """Return the object that `_WalkWriter` turned into this JSON value."""
    if not isinstance(plain_value, list):
        return plain_value
    tag, *parts = plain_value
    if tag == "a":
        code, data = parts
        return _to_little_endian(array(str(code), b64decode(str(data))))
    values = [*map(_restore, parts)]
    if isinstance(tag, int):
        return _rebuild(_KINDS[tag], values)
    if tag == "d":
        return dict(zip(values[::2], values[1::2], strict=True))
    return {"s": set, "f": frozenset, "t": tuple, "l": list}[str(tag)](values)


def _rebuild(kind: type, parts: list[object]) -> object:
    """Return an object of a class with these parts.

    Only a struct's constructor runs: it fills in the fields that aren't saved.
    """
    if issubclass(kind, tuple):
        return tuple.__new__(kind, parts)
    if issubclass(kind, msgspec.Struct):
        return kind(**dict(zip(_list_saved_fields(kind), parts, strict=True)))
    rebuilt = object.__new__(kind)
    for name, part in zip(_list_saved_fields(kind), parts, strict=True):
        object.__setattr__(rebuilt, name, part)
    return rebuilt


def _to_little_endian(numbers: array[int]) -> array[int]:
    """Return numbers with the lowest byte first, on any machine."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers
