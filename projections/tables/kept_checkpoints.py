"""Walks of tables at rest: how one is woken, to go on with what came in behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ledger.store.reading import HandAt
from ledger.store.table_streams import told as read_table_stream
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

UnreadByHand: TypeAlias = "Mapping[str, Spoiled]"


CHECKPOINT_HANDS = 500
"""Hands of a table from which on its walk is kept at rest, and again before each so many: to walk fewer costs less."""


class EndCheckpoint(NamedTuple):
    """A walk of a table as it is kept."""

    version: int  # of the last event of the table's stream that was walked
    position: int  # up to which the log was judged
    accounts: int  # of hands that it had then
    walk: bytes


_DIGEST_LENGTH: Final = 64  # signs of one
_MAX_ORDER_TEXT: Final = 4_000
"""Signs of an order that is written out."""
_ORDER: Final = re.compile(r"[0-9]{1,16}(-[0-9]{1,16})?(,[0-9]{1,16}(-[0-9]{1,16})?)*")
_MAX_EVENTS: Final = 50_000_000
"""Events that no table has: an order of more is damaged, and takes gigabytes."""


def digest_unread(unread_lines: Mapping[str, Spoiled]) -> str:
    """Return what tells one state of what was not read of a table from another."""
    return sha256(json.dumps(sorted(unread_lines.items())).encode()).hexdigest() if unread_lines else ""


def format_order(versions: Sequence[int]) -> str:
    """Return the order of a table's events: runs of versions, or a digest where these are too many.

    >>> order_of([1, 2, 3, 7, 5, 6]), order_of(range(1, 10))
    ('1-3,7,5-6', '1-9')
    """
    if isinstance(versions, range):
        return f"{versions.start}-{versions.stop - 1}" if versions else ""
    firsts = [start for start, version in enumerate(versions) if not start or version != versions[start - 1] + 1]
    runs = [(versions[start], versions[end - 1]) for start, end in pairwise([*firsts, len(versions)])]
    text = ",".join(
        f"{first_version}-{last_version}" if first_version < last_version else str(first_version)
        for first_version, last_version in runs
    )
    return text if len(text) <= _MAX_ORDER_TEXT else sha256(json.dumps([*versions]).encode()).hexdigest()


def parse_order(order: str) -> Sequence[int] | None:
    """Return the versions in the order that `order_of` wrote; None of a digest, and of what it never writes.

    >>> in_that_order("1-3,7,5-6")
    [1, 2, 3, 7, 5, 6]
    """
    if len(order) == _DIGEST_LENGTH and "-" not in order:
        return None
    if order and not _ORDER.fullmatch(order):
        return None
    runs = [run_text.partition("-") for run_text in order.split(",") if run_text]
    runs_of_versions = [range(int(first), int(last or first) + 1) for first, _, last in runs]
    if sum(run.stop - run.start for run in runs_of_versions) > _MAX_EVENTS:
        return None
    return (
        runs_of_versions[0] if len(runs_of_versions) == 1 else [version for run in runs_of_versions for version in run]
    )


class ResumedWalk(NamedTuple):
    """A table as it rested, which can go on with what it was told since."""

    table: Table
    order_reader: InPlace
    entries: Stream
    new_hands: list[HandAt]  # the hands of it


def resume_walk(
    ledger: Ledger,
    place: Place,
    accounts: int,
    books: Sequence[Rulebook],
    rests: Sequence[EndCheckpoint],
    unread_lines: UnreadByHand,
) -> ResumedWalk | None:
    """Wake a walk that rests under each of these books at the same place.

    None if what came in behind it speaks of what was there, or may stand before it. `accounts`: how many the table has.
    """
    first_checkpoint = rests[0]
    entries = read_table_stream(ledger, place, first_checkpoint.version)
    table, order_reader = waking(
        {book.name: entry.walk for book, entry in zip(books, rests, strict=True)}, books, unread_lines
    )
    rows = list(ledger.hands(**place._asdict(), behind=first_checkpoint.position))
    played = [entry.event.hand for entry in entries if isinstance(entry.event, HandPlayed)]
    if (
        not order_reader.read(entries)
        or any(row.accounts > 1 for row in rows)
        or sorted(played) != sorted(row.stream.hex for row in rows)
        or accounts != first_checkpoint.accounts + len(rows)
    ):
        return None
    return ResumedWalk(table, order_reader, entries, [HandAt(row.id, row.position) for row in rows])
