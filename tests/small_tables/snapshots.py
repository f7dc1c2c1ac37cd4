"""Copies of a table that is being walked."""

from __future__ import annotations

from copy import copy
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import Any, Final

import msgspec

from ledger.table.events import HandPlayed
from ledger.table.state import SeatState, TableState
from projections.findings.doubts import RecordDoubts
from projections.obligations.button_round import ButtonRound
from projections.obligations.game_start import NewGame
from projections.obligations.moves import Move
from projections.obligations.obligations import Obligations
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.tab import Tab
from projections.table_walk.table_context import TableWalk
from tests.small_tables.keys import SeatNumber

_COPIED: Final = (
    TableWalk,
    TableState,
    SeatState,
    RecordDoubts,
    Obligations,
    PlayerTabs,
    ButtonRound,
    NewGame,
    Tab,
    Move,
)
_SHARED: Final = {
    TableWalk: {"clear_by_book"},
    Obligations: {"policy", "book", "_method_cache"},
    PlayerTabs: {"policy", "cached", "_unread_hand", "_spot"},
    TableState: {"breaks", "departures", "gaps"},
    RecordDoubts: {"_unread_by_hand"},
}
"""What copies have in common: it does not change, or what it holds is thrown away as a whole."""


def _names(kind: type) -> tuple[str, ...]:
    if is_dataclass(kind):
        return tuple(part.name for part in fields(kind))
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    return tuple(chain.from_iterable(getattr(base, "__slots__", ()) for base in kind.__mro__))


_DEFAULTS: Final = {Obligations: vars(Obligations(None, "")), TableWalk: vars(TableWalk([]))}
_FIELDS: Final = {
    kind: [(name, name in _SHARED.get(kind, ())) for name in _DEFAULTS.get(kind) or _names(kind)] for kind in _COPIED
}
for _kind, _shared_names in _SHARED.items():
    assert _shared_names <= {name for name, _ in _FIELDS[_kind]}, _kind

_ATOMS: Final = frozenset({int, str, bool, type(None), SeatNumber, HandPlayed, frozenset})


def copy_table(table: TableWalk) -> TableWalk:
    """Return a copy that goes on by itself."""
    for _, keeper in table.keepers.values():
        keeper.player_tabs  # noqa: B018 - learns a postponed hand, which copies would share
    copied: TableWalk = _copy(table)
    copied.clear_by_book = {}
    return copied


def _copy(source: Any) -> Any:
    kind = type(source)
    if kind in _ATOMS:
        return source
    if (names := _FIELDS.get(kind)) is not None:
        copied = copy(source) if isinstance(source, msgspec.Struct) else object.__new__(kind)
        for name, shared in names:
            value = getattr(source, name)
            if not shared and type(value) not in _ATOMS:
                value = _copy(value)
            setattr(copied, name, value)
        return copied
    if kind is dict:
        return {key: value if type(value) in _ATOMS else _copy(value) for key, value in source.items()}
    if kind is list:
        return [_copy(value) for value in source]
    if kind is set:
        return set(source)
    if kind is tuple and any(type(part) in _FIELDS for part in source):
        return tuple([_copy(part) for part in source])
    return source
