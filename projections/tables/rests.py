"""Walks of tables at rest: how one is woken, to go on with what came in behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ledger.store.accounts import told as told_to
from ledger.store.reading import HandAt
from ledger.table.events import HandPlayed
from projections.walk.resting import waking

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.accounts import Place, Stream
    from ledger.table.plain import InPlace
    from projections.doubts import Spoiled
    from projections.rulebook import Rulebook
    from projections.table_context import Table

Unread: TypeAlias = "Mapping[str, Spoiled]"


LONG = 500
"""Hands of a table from which on its walk is kept at rest, and again before each so many: to walk fewer costs less."""


class Rest(NamedTuple):
    """A walk of a table as it is kept."""

    version: int  # of the last event of the table's stream that was walked
    position: int  # up to which the log was judged
    accounts: int  # of hands that it had then
    walk: bytes


def digest_of(what: Mapping[str, Spoiled] | Sequence[int]) -> str:
    """Return what tells one state of a table from another; of events in the order of their versions, their number."""
    if not isinstance(what, Mapping) and (isinstance(what, range) or what == [*range(1, len(what) + 1)]):
        return f"1-{len(what)}"
    told = sorted(what.items()) if isinstance(what, Mapping) else list(what)
    return sha256(json.dumps(told).encode()).hexdigest() if told else ""


class Awake(NamedTuple):
    """A table as it rested, which can go on with what it was told since."""

    table: Table
    read: InPlace
    told: Stream
    came: list[HandAt]  # the hands of it


def awake(
    ledger: Ledger, place: Place, accounts: int, books: Sequence[Rulebook], rests: Sequence[Rest], unread: Unread
) -> Awake | None:
    """Wake a walk that rests under each of these books at the same place.

    None if what came in behind it speaks of what was there, or may stand before it. `accounts`: how many the table has.
    """
    first = rests[0]
    told = told_to(ledger, place, first.version)
    table, read = waking({book.name: one.walk for book, one in zip(books, rests, strict=True)}, books, unread)
    rows = list(ledger.hands(**place._asdict(), behind=first.position))
    played = [one.event.hand for one in told if isinstance(one.event, HandPlayed)]
    if (
        not read.read(told)
        or any(row.accounts > 1 for row in rows)
        or sorted(played) != sorted(row.stream.hex for row in rows)
        or accounts != first.accounts + len(rows)
    ):
        return None
    return Awake(table, read, told, [HandAt(row.id, row.position) for row in rows])
