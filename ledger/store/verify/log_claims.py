"""What the log says about tables beside it: collected while the log is followed, compared afterwards.

Part of `ledger.store.verify`: shares no code with what writes.
"""

from __future__ import annotations

import inspect
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection

from ledger.event import Event
from ledger.events import STREAMS
from ledger.store.commits import Problem

Fields: TypeAlias = tuple[tuple[int, int], ...]
"""Where in an event's row texts and people are named: index, and 0 of a text, 1 of a person."""


def _fields(event: type[Event]) -> Fields:
    told = [_annotation(event, name) for name in event.__struct_fields__]
    return tuple([(at, _NAMING.index(one)) for at, one in enumerate(told, 1) if one in _NAMING])


def _annotation(event: type[Event], field: str) -> str:
    for kind in event.__mro__:
        told = inspect.get_annotations(kind)
        if field in told:
            return str(told[field])
    return ""


Listed: TypeAlias = list[Any]
"""A list of JSON, such as an event or several: what stands in it nobody has looked at."""

_NAMING: Final = ("TextRef", "PlayerId")
_SHAPES: Final = (re.compile(r"t[A-Za-z0-9_-]{16}"), re.compile(r"[A-Za-z0-9_-]{16}"))
NAMED: Final[dict[str, dict[str, Fields]]] = {
    kind: {event.__name__: fields for event in types if (fields := _fields(event))} for kind, types in STREAMS.items()
}
"""For each kind of stream the events that name texts or people, and in which of their fields."""


class Said:
    """What the events say of texts, people, sources and checkpoints."""

    def __init__(self) -> None:
        self.house: list[tuple[int, Listed]] = []
        """Position and fields of every event of the house's stream."""
        self.hidden = array("q")
        """Positions of the commits of hands that hide cards."""
        self.indexed = 0
        """Rows of the index of hands that stand at a commit."""
        self._known: tuple[set[str], set[str]] = (set(), set())  # texts, people
        self._fresh: tuple[set[str], set[str]] = (set(), set())

    def take(self, kind: str, position: int, event: Listed) -> None:
        """Take one event."""
        if kind == "house":
            self.house.append((position, event))
        fields = NAMED.get(kind, {}).get(event[0])
        if fields is not None:
            self.name(fields, event)

    def name(self, fields: Fields, event: Listed) -> None:
        """Take the texts and people that an event names in these fields."""
        for at, which in fields:
            told = event[at] if at < len(event) else ""
            if told and isinstance(told, str) and told not in self._known[which] and _SHAPES[which].fullmatch(told):
                self._known[which].add(told)
                self._fresh[which].add(told)

    def name_all(self, names: Mapping[str, Fields], events: Iterable[Listed]) -> None:
        """Take the texts and people that events name, each in the fields of its type."""
        known = self._known
        for event in events:
            for at, which in names[event[0]]:
                told = event[at] if at < len(event) else ""
                if told and isinstance(told, str) and told not in known[which]:
                    self.name(((at, which),), event)

    def missing(self, connection: Connection) -> Iterator[Problem]:
        """Yield the texts and people that the events taken since the last call name, and that are gone."""
        texts, people = self._fresh
        self._fresh = (set(), set())
        for ref in sorted(texts - _there(connection, "SELECT ref FROM texts WHERE ref", texts)):
            yield Problem(None, "text", f"text {ref[:9]}, which an event names, is gone")
        people -= _there(connection, "SELECT id FROM names WHERE id", people)
        people -= _there(connection, "SELECT id FROM erased WHERE id", people)
        for one in sorted(people):
            yield Problem(None, "name", f"the name of {one[:8]} is gone, and nobody forgot it")

    def told_any(self, kind: str) -> bool:
        """Whether there is an event of the house's of one type."""
        return any(event[0] == kind for _, event in self.house)

    def told(self, kind: str) -> Iterator[Listed]:
        """Yield the house's events of one type."""
        return (event for _, event in self.house if event[0] == kind)


def _there(connection: Connection, select: str, ids: set[str]) -> set[str]:
    """Return which of these ids are there. They hold letters, digits, - and _ only."""
    found: set[str] = set()
    wanted = sorted(ids)
    for at in range(0, len(wanted), 500):
        told = ", ".join(f"'{one}'" for one in wanted[at : at + 500])
        found |= {row[0] for row in connection.exec_driver_sql(f"{select} IN ({told})")}
    return found
