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
from projections.obligations.button_round import Round, Turn, Where
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot
from projections.obligations.moves import Move
from projections.obligations.obligations import Obligations
from projections.obligations.player_tabs import Memory
from projections.obligations.tab import Tab
from projections.table_walk import table_context
from projections.table_walk.table_context import Table, of_tables

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import Spoiled

Plain: TypeAlias = Union[str, int, list["Plain"], None]  # noqa: UP007 - it names itself

_MOST: Final = 8 * 1024 * 1024
"""Bytes that are kept of one table."""

_KINDS: Final[tuple[type, ...]] = (
    *KINDS,
    *(t.Post, t.Skipped, t.DealtIn, t.LeftOut),
    *(s.TableState, s.SeatState, s.Passed, s.Absence, s.NoPost, s.Gone, s.Gap, s.Carry, s.Continuity, s.Placed),
    *(s.Standing, Told, InPlace, table_context.Granted, Break, StackBreak),
    *(d.Ground, d.DuePost, d.Placement, d.Missed, d.Way, d.SeatDue, d.Choice, d.Doubtful, d.Due),
    *(Memory, Round, Where, Turn, Spot, NewGame, Tab, Move),
)
"""What a walk is made of. Their numbers hold for one state of the program's code, and so does what is kept."""
_NUMBERS: Final = {kind: number for number, kind in enumerate(_KINDS)}
_LEFT_OUT: Final = {Memory: {"policy", "cached", "_unread"}, Tab: {"due"}, s.TableState: {"fitted", "breaks", "gaps"}}
"""What is given anew, what is only remembered so as not to be worked out twice, and what no judgement asks for."""


class _NotKeptError(Exception):
    """Something that is remembered of a table is not of a kind that is kept."""


def resting(table: Table, book: str, read: InPlace | None) -> bytes | None:
    """Return a walk under a book that came to a table's end, and what was read of its order; None = it is not kept.

    `read` None: the walk goes on. Then where the chain of hands broke is not kept with it: that only grows.
    """
    keeper = table.kept[book][1] if book in table.kept else None
    kept = (keeper.round, keeper.memory) if isinstance(keeper, Obligations) else None
    if kept is not None:
        kept[1].spot  # noqa: B018 - it is worked out when it is asked for, and what it follows from is not kept
    if (read is not None and not read.whole) or (kept is None) is not (keeper is None):
        return None
    broken = [] if read is None else table.broken
    held = (read, table.state, table.doubts.rest(), table.between, table.before, table.granted, broken, kept)
    try:
        data = json.dumps(_Writer().plain(held), separators=(",", ":")).encode("ascii")
    except _NotKeptError:
        return None
    return data if len(data) <= _MOST else None


def waking(
    rests: Mapping[str, bytes], books: Sequence[Rulebook], unread: Mapping[str, Spoiled]
) -> tuple[Table, InPlace]:
    """Return a table as it rested under some books at one place, ready to go on, and what was read of its order."""
    table = Table(of_tables(books), unread)
    for book in books:
        read, state, doubts, between, before, granted, broken, kept = _thing(json.loads(rests[book.name]))
        if kept is not None:
            _, keeper = table.kept[book.name]
            assert isinstance(keeper, Obligations)  # noqa: S101 - only theirs are kept
            keeper.round, keeper.memory = kept
            keeper.memory.wake(keeper.policy)
    state.fitted, state.breaks, state.gaps = None, [], []
    table.state, table.between, table.before, table.granted, table.broken = state, between, before, granted, broken
    table.doubts.wake(doubts)
    return table, read


_known_names: Final[dict[type, tuple[str, ...]]] = {}


def _names(kind: type) -> tuple[str, ...]:
    """Return the names of what an object of a kind consists of."""
    known = _known_names.get(kind)
    if known is None:
        known = _known_names[kind] = tuple([one for one in _all_names(kind) if one not in _LEFT_OUT.get(kind, ())])
    return known


def _all_names(kind: type) -> Iterable[str]:
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if is_dataclass(kind):
        return [one.name for one in fields(kind)]
    slots = chain.from_iterable(getattr(one, "__slots__", ()) for one in kind.__mro__)
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
            return ["a", one.typecode, b64encode(_little(one).tobytes()).decode("ascii")]
        if kind is dict and isinstance(one, dict):
            return ["d", *map(self.plain, chain.from_iterable(one.items()))]
        if kind in (set, frozenset) and isinstance(one, set | frozenset):
            return ["s" if kind is set else "f", *map(self.plain, sorted(one))]
        if kind in (tuple, list) and isinstance(one, tuple | list):
            return ["t" if kind is tuple else "l", *map(self.plain, one)]
        raise _NotKeptError(kind.__name__)

    def _parts(self, one: object) -> Iterable[object]:
        if isinstance(one, tuple):
            return one
        if not (isinstance(one, msgspec.Struct) and one.__struct_config__.frozen):  # it changes as the table is walked
            if id(one) in self._seen:
                raise _NotKeptError(type(one).__name__)
            self._seen.add(id(one))
        return [getattr(one, name) for name in _names(type(one))]


def _thing(one: Plain) -> Any:  # noqa: ANN401 - whatever was written
    """Return what was written as the object that it was."""
    if not isinstance(one, list):
        return one
    what, *parts = one
    if what == "a":
        code, data = parts
        return _little(array(str(code), b64decode(str(data))))
    things = [*map(_thing, parts)]
    if isinstance(what, int):
        return _made(_KINDS[what], things)
    if what == "d":
        return dict(zip(things[::2], things[1::2], strict=True))
    return {"s": set, "f": frozenset, "t": tuple, "l": list}[str(what)](things)


def _made(kind: type, parts: list[object]) -> object:
    if issubclass(kind, tuple):
        return tuple.__new__(kind, parts)
    if issubclass(kind, msgspec.Struct):
        return kind(**dict(zip(_names(kind), parts, strict=True)))
    made = object.__new__(kind)
    for name, part in zip(_names(kind), parts, strict=True):
        object.__setattr__(made, name, part)
    return made


def _little(numbers: array[int]) -> array[int]:
    """Return numbers as every machine keeps them: the lowest byte first."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers
