"""Collect what the log says about the tables beside it; later checks compare them.

Part of `ledger.store.verify`: shares no code with the modules that write.
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
from ledger.store.commits import IntegrityProblem

FieldIndexes: TypeAlias = tuple[tuple[int, int], ...]
"""Fields of an event that name texts or people: index, and 0 for a text, 1 for a person."""


def _find_naming_fields(event: type[Event]) -> FieldIndexes:
    annotations = [_find_field_annotation(event, name) for name in event.__struct_fields__]
    return tuple(
        [
            (field_index, _NAMING_TYPES.index(annotation))
            for field_index, annotation in enumerate(annotations, 1)
            if annotation in _NAMING_TYPES
        ]
    )


def _find_field_annotation(event: type[Event], field: str) -> str:
    for base in event.__mro__:
        annotations = inspect.get_annotations(base)
        if field in annotations:
            return str(annotations[field])
    return ""


JsonList: TypeAlias = list[Any]
"""A JSON list, such as an event or several, not checked yet."""

_NAMING_TYPES: Final = ("TextRef", "PlayerId")
_ID_SHAPES: Final = (re.compile(r"t[A-Za-z0-9_-]{16}"), re.compile(r"[A-Za-z0-9_-]{16}"))
NAMING_FIELDS: Final[dict[str, dict[str, FieldIndexes]]] = {
    kind: {event.__name__: fields for event in types if (fields := _find_naming_fields(event))}
    for kind, types in STREAMS.items()
}
"""For each kind of stream: the events that name texts or people, with those fields."""


class LogClaims:
    """What the events say about texts, people, sources and checkpoints."""

    def __init__(self) -> None:
        self.house: list[tuple[int, JsonList]] = []
        """Position and fields of each event of the house's stream."""
        self.hidden_positions = array("q")
        """Positions of the commits of hands that hide cards."""
        self.index_rows = 0
        """Rows of the index of hands that have a commit."""
        self._seen_names: tuple[set[str], set[str]] = (set(), set())  # texts, people
        self._new_names: tuple[set[str], set[str]] = (set(), set())

    def add_event(self, kind: str, position: int, event: JsonList) -> None:
        """Collect what one event names."""
        if kind == "house":
            self.house.append((position, event))
        fields = NAMING_FIELDS.get(kind, {}).get(event[0])
        if fields is not None:
            self.add_names(fields, event)

    def add_names(self, fields: FieldIndexes, event: JsonList) -> None:
        """Collect the texts and people that an event names in these fields."""
        for field_index, name_kind in fields:
            reference = event[field_index] if field_index < len(event) else ""
            if (
                reference
                and isinstance(reference, str)
                and reference not in self._seen_names[name_kind]
                and _ID_SHAPES[name_kind].fullmatch(reference)
            ):
                self._seen_names[name_kind].add(reference)
                self._new_names[name_kind].add(reference)

    def add_all_names(self, fields_by_event: Mapping[str, FieldIndexes], events: Iterable[JsonList]) -> None:
        """Collect the texts and people that events name, each in the fields of its type."""
        known_names = self._seen_names
        for event in events:
            for field_index, name_kind in fields_by_event[event[0]]:
                reference = event[field_index] if field_index < len(event) else ""
                if reference and isinstance(reference, str) and reference not in known_names[name_kind]:
                    self.add_names(((field_index, name_kind),), event)

    def find_missing(self, connection: Connection) -> Iterator[IntegrityProblem]:
        """Yield the missing texts and people among those named since the last call."""
        texts, people = self._new_names
        self._new_names = (set(), set())
        for text_ref in sorted(texts - _find_present(connection, "SELECT ref FROM texts WHERE ref", texts)):
            yield IntegrityProblem(None, "text", f"text {text_ref[:9]}, which an event names, is gone")
        people -= _find_present(connection, "SELECT id FROM names WHERE id", people)
        people -= _find_present(connection, "SELECT id FROM erased WHERE id", people)
        for player in sorted(people):
            yield IntegrityProblem(None, "name", f"the name of {player[:8]} is gone, and nobody forgot it")

    def has_house_event(self, kind: str) -> bool:
        """Return whether the house's stream has an event of this type."""
        return any(event[0] == kind for _, event in self.house)

    def house_events(self, kind: str) -> Iterator[JsonList]:
        """Yield the house's events of one type."""
        return (event for _, event in self.house if event[0] == kind)


def _find_present(connection: Connection, select: str, ids: set[str]) -> set[str]:
    """Return the ids that the table holds. Ids consist of letters, digits, - and _ only."""
    present_ids: set[str] = set()
    sorted_ids = sorted(ids)
    for first_index in range(0, len(sorted_ids), 500):
        quoted_ids = ", ".join(f"'{single_id}'" for single_id in sorted_ids[first_index : first_index + 500])
        present_ids |= {row[0] for row in connection.exec_driver_sql(f"{select} IN ({quoted_ids})")}
    return present_ids
