"""Walks of tables at rest: how one is woken, to go on with what came in behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ledger.store.reading import HandAt
from ledger.store.table_streams import told as told_to
from ledger.table.events import HandPlayed
from projections.table_walk.checkpoint import waking

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from ledger.store.table_streams import Stream
    from ledger.table.plain import InPlace
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import Spoiled
    from projections.table_walk.table_context import Table

Unread: TypeAlias = "Mapping[str, Spoiled]"


LONG = 500
"""Hands of a table from which on its walk is kept at rest, and again before each so many: to walk fewer costs less."""


class Rest(NamedTuple):
    """A walk of a table as it is kept."""

    version: int  # of the last event of the table's stream that was walked
    position: int  # up to which the log was judged
    accounts: int  # of hands that it had then
    walk: bytes


_DIGEST: Final = 64  # signs of one
_RUNS: Final = 4_000
"""Signs of an order that is written out."""
_ORDER: Final = re.compile(r"[0-9]{1,16}(-[0-9]{1,16})?(,[0-9]{1,16}(-[0-9]{1,16})?)*")
_MOST: Final = 50_000_000
"""Events that no table has: an order of more is damaged, and takes gigabytes."""


def digest_of(what: Mapping[str, Spoiled]) -> str:
    """Return what tells one state of what was not read of a table from another."""
    return sha256(json.dumps(sorted(what.items())).encode()).hexdigest() if what else ""


def order_of(versions: Sequence[int]) -> str:
    """Return the order of a table's events: runs of versions, or a digest where these are too many.

    >>> order_of([1, 2, 3, 7, 5, 6]), order_of(range(1, 10))
    ('1-3,7,5-6', '1-9')
    """
    if isinstance(versions, range):
        return f"{versions.start}-{versions.stop - 1}" if versions else ""
    firsts = [at for at, version in enumerate(versions) if not at or version != versions[at - 1] + 1]
    runs = [(versions[at], versions[behind - 1]) for at, behind in pairwise([*firsts, len(versions)])]
    told = ",".join(f"{first}-{last}" if first < last else str(first) for first, last in runs)
    return told if len(told) <= _RUNS else sha256(json.dumps([*versions]).encode()).hexdigest()


def in_that_order(order: str) -> Sequence[int] | None:
    """Return the versions in the order that `order_of` wrote; None of a digest, and of what it never writes.

    >>> in_that_order("1-3,7,5-6")
    [1, 2, 3, 7, 5, 6]
    """
    if len(order) == _DIGEST and "-" not in order:
        return None
    if order and not _ORDER.fullmatch(order):
        return None
    runs = [one.partition("-") for one in order.split(",") if one]
    found = [range(int(first), int(last or first) + 1) for first, _, last in runs]
    if sum(run.stop - run.start for run in found) > _MOST:
        return None
    return found[0] if len(found) == 1 else [version for run in found for version in run]


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
