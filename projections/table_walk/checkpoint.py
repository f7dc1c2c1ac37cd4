"""A walk of a table at rest: what it remembers behind the last hand, as bytes, so that it can go on from there.

A table may have been walked over very many hands when an evening's come in. What is kept is plain data
of known kinds, written as JSON and read into the same kinds: nothing that a ledger holds can name code.
What cannot be kept (a kind that is not known, or too much of it) is not: then the table is walked anew.
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

from ledger.events import KINDS
from ledger.table import events as t
from ledger.table import state as s
from ledger.table.breaks import Break, StackBreak
from ledger.table.plain import InPlace
from ledger.table.standing import Told
from projections.obligations import dues as d
from projections.obligations.button_round import ButtonRound, HandPositions, Turn
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot
from projections.obligations.moves import Move
from projections.obligations.obligations import Obligations
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.tab import Tab
from projections.table_walk import table_context
from projections.table_walk.table_context import Table, of_tables

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines

Plain: TypeAlias = Union[str, int, list["Plain"], None]  # noqa: UP007 - it names itself

_MAX_BYTES: Final = 8 * 1024 * 1024
"""Bytes that are kept of one table."""

_KINDS: Final[tuple[type, ...]] = (
    *KINDS,
    *(t.Post, t.Skipped, t.DealtIn, t.LeftOut),
    *(s.TableState, s.SeatState, s.Passed, s.Absence, s.NoPost, s.Gone, s.Gap, s.Carry, s.Continuity, s.Placed),
    *(s.Standing, Told, InPlace, table_context.Granted, Break, StackBreak),
    *(d.Ground, d.DuePost, d.Placement, d.Missed, d.WayIn, d.SeatDue, d.Choice, d.Doubtful, d.Due),
    *(PlayerTabs, ButtonRound, HandPositions, Turn, Spot, NewGame, Tab, Move),
)
"""What a walk is made of. Their numbers hold for one state of the program's code, and so does what is kept."""
_NUMBERS: Final = {kind: number for number, kind in enumerate(_KINDS)}
_LEFT_OUT: Final = {
    PlayerTabs: {"policy", "cached", "_unread_hand"},
    Tab: {"due"},
    s.TableState: {"fitted", "breaks", "gaps"},
}
"""What is given anew, what is only remembered so as not to be worked out twice, and what no judgement asks for."""


class _NotKeptError(Exception):
    """Something that is remembered of a table is not of a kind that is kept."""


def resting(table: Table, book: str, read: InPlace | None) -> bytes | None:
    """Return a walk under a book that came to a table's end, and what was read of its order; None = it is not kept.

    `read` None: the walk goes on. Then where the chain of hands broke is not kept with it: that only grows.
    """
    keeper = table.kept[book][1] if book in table.kept else None
    obligations_state = (keeper.round, keeper.memory) if isinstance(keeper, Obligations) else None
    if obligations_state is not None:
        obligations_state[1].spot  # noqa: B018 - it is worked out when it is asked for, and what it follows from is not kept
    if (read is not None and not read.whole) or (obligations_state is None) is not (keeper is None):
        return None
    chain_breaks = [] if read is None else table.broken
    walk_state = (
        read,
        table.state,
        table.doubts.snapshot(),
        table.between,
        table.before,
        table.granted,
        chain_breaks,
        obligations_state,
    )
    try:
        encoded = json.dumps(_Writer().plain(walk_state), separators=(",", ":")).encode("ascii")
    except _NotKeptError:
        return None
    return encoded if len(encoded) <= _MAX_BYTES else None


def waking(
    rests: Mapping[str, bytes], books: Sequence[Rulebook], unread: Mapping[str, UnreadLines]
) -> tuple[Table, InPlace]:
    """Return a table as it rested under some books at one place, ready to go on, and what was read of its order."""
    table = Table(of_tables(books), unread)
    for book in books:
        order_read, state, doubts, entries, last_hand, granted, chain_breaks, obligations_state = _revive(
            json.loads(rests[book.name])
        )
        if obligations_state is not None:
            _, keeper = table.kept[book.name]
            assert isinstance(keeper, Obligations)  # noqa: S101 - only theirs are kept
            keeper.resume(*obligations_state)
    state.fitted, state.breaks, state.gaps = None, [], []
    table.state, table.between, table.before, table.granted, table.broken = (
        state,
        entries,
        last_hand,
        granted,
        chain_breaks,
    )
    table.doubts.restore(doubts)
    return table, order_read


_known_names: Final[dict[type, tuple[str, ...]]] = {}


def _field_names(kind: type) -> tuple[str, ...]:
    """Return the names of what an object of a kind consists of."""
    names = _known_names.get(kind)
    if names is None:
        names = _known_names[kind] = tuple(
            [name for name in _all_field_names(kind) if name not in _LEFT_OUT.get(kind, ())]
        )
    return names


def _all_field_names(kind: type) -> Iterable[str]:
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if is_dataclass(kind):
        return [field.name for field in fields(kind)]
    slots = chain.from_iterable(getattr(base, "__slots__", ()) for base in kind.__mro__)
    return [*slots] or [*vars(kind())]


class _Writer:
    """Writes objects down, each by its value: what changes must not be in two places."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def plain(self, one: object) -> Plain:
        """Return an object as it is kept."""
        kind = type(one)
        if one is None or isinstance(one, str | bool):
            return one
        if isinstance(one, int):
            return int(one)  # a flag is one, too
        number = _NUMBERS.get(kind)
        if number is not None:
            return [number, *map(self.plain, self._parts(one))]
        if isinstance(one, array):
            return ["a", one.typecode, b64encode(_little_endian(one).tobytes()).decode("ascii")]
        if kind is dict and isinstance(one, dict):
            return ["d", *map(self.plain, chain.from_iterable(one.items()))]
        if kind in (set, frozenset) and isinstance(one, set | frozenset):
            return ["s" if kind is set else "f", *map(self.plain, sorted(one))]
        if kind in (tuple, list) and isinstance(one, tuple | list):
            return ["t" if kind is tuple else "l", *map(self.plain, one)]
        raise _NotKeptError(kind.__name__)

    def _parts(self, instance: object) -> Iterable[object]:
        if isinstance(instance, tuple):
            return instance
        if not (
            isinstance(instance, msgspec.Struct) and instance.__struct_config__.frozen
        ):  # it changes as the table is walked
            if id(instance) in self._seen:
                raise _NotKeptError(type(instance).__name__)
            self._seen.add(id(instance))
        return [getattr(instance, name) for name in _field_names(type(instance))]


def _revive(plain_value: Plain) -> Any:  # noqa: ANN401 - whatever was written
    """Return what was written as the object that it was."""
    if not isinstance(plain_value, list):
        return plain_value
    tag, *parts = plain_value
    if tag == "a":
        code, data = parts
        return _little_endian(array(str(code), b64decode(str(data))))
    values = [*map(_revive, parts)]
    if isinstance(tag, int):
        return _rebuild(_KINDS[tag], values)
    if tag == "d":
        return dict(zip(values[::2], values[1::2], strict=True))
    return {"s": set, "f": frozenset, "t": tuple, "l": list}[str(tag)](values)


def _rebuild(kind: type, parts: list[object]) -> object:
    if issubclass(kind, tuple):
        return tuple.__new__(kind, parts)
    if issubclass(kind, msgspec.Struct):
        return kind(**dict(zip(_field_names(kind), parts, strict=True)))
    rebuilt = object.__new__(kind)
    for name, part in zip(_field_names(kind), parts, strict=True):
        object.__setattr__(rebuilt, name, part)
    return rebuilt


def _little_endian(numbers: array[int]) -> array[int]:
    """Return numbers as every machine keeps them: the lowest byte first."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers
