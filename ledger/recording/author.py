"""Who records at a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.vocabulary import PlayerId, Role


class Author(NamedTuple):
    """Who records, and by which clock."""

    name: str = "record"  # a part of the program, a device's key, or an opaque id of a person
    clock: str = "system"
    person: PlayerId = ""
    role: Role = "dealer"
    hides_cards: bool = False  # cards that were not shown at the table are committed to
    check: Callable[[str, Sequence[Event]], None] | None = None  # refuses, by an error, what may not be recorded
