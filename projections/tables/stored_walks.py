"""Stored walks of tables, and the hands that came after them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.store.log.log_reader import HandAt
from ledger.table.events import HandPlayed
from projections.table_walk.checkpoint import restore_order_reader
from projections.table_walk.replay import TableCheckpoint, make_saved_checkpoint

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.hands.table_streams import TableStream
    from ledger.table.plain import OrderReader
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines

UnreadByHand: TypeAlias = "Mapping[str, UnreadLines]"


CHECKPOINT_HANDS = 500
"""The number of hands between two checkpoints of a walk. Shorter tables have none, since walking them is cheap."""


class EndCheckpoint(NamedTuple):
    """A table's walk, stored after its last hand."""

    version: int  # of the table's last walked event
    position: int  # in the log, up to which the table was judged
    accounts: int  # of hands, at that position
    walk: bytes


_DIGEST_LENGTH: Final = 64  # characters
_MAX_ORDER_TEXT: Final = 4_000
"""The most characters of a stored order. A longer order is stored as its digest."""
_ORDER_PATTERN: Final = re.compile(r"[0-9]{1,16}(-[0-9]{1,16})?(,[0-9]{1,16}(-[0-9]{1,16})?)*")
_MAX_EVENTS: Final = 50_000_000
"""The most events in an order. No table has so many: a longer order is damaged, and would take gigabytes to read."""


def digest_unread(unread_lines: Mapping[str, UnreadLines]) -> str:
    """Return the digest of a table's unread lines, or "" if there are none."""
    return sha256(json.dumps(sorted(unread_lines.items())).encode()).hexdigest() if unread_lines else ""


def format_order(versions: Sequence[int]) -> str:
    """Format the order of a table's events as runs of versions, or as a digest if there are too many.

    >>> format_order([1, 2, 3, 7, 5, 6]), format_order(range(1, 10))
    ('1-3,7,5-6', '1-9')
    """
    if isinstance(versions, range):
        return f"{versions.start}-{versions.stop - 1}" if versions else ""
    run_starts = [index for index, version in enumerate(versions) if not index or version != versions[index - 1] + 1]
    runs = [(versions[start], versions[end - 1]) for start, end in pairwise([*run_starts, len(versions)])]
    text = ",".join(
        f"{first_version}-{last_version}" if first_version < last_version else str(first_version)
        for first_version, last_version in runs
    )
    return text if len(text) <= _MAX_ORDER_TEXT else sha256(json.dumps([*versions]).encode()).hexdigest()


def parse_order(order: str) -> Sequence[int] | None:
    """Parse the versions that `format_order` wrote; None for a digest or a damaged text.

    >>> parse_order("1-3,7,5-6")
    [1, 2, 3, 7, 5, 6]
    """
    if len(order) == _DIGEST_LENGTH and "-" not in order:
        return None
    if order and not _ORDER_PATTERN.fullmatch(order):
        return None
    run_bounds = [run_text.partition("-") for run_text in order.split(",") if run_text]
    runs = [range(int(first), int(last or first) + 1) for first, _, last in run_bounds]
    if sum(run.stop - run.start for run in runs) > _MAX_EVENTS:
        return None
    return runs[0] if len(runs) == 1 else [version for run in runs for version in run]


class NewHands(NamedTuple):
    """The hands after a table's stored walk, and the checkpoint to replay them from."""

    checkpoint: TableCheckpoint
    entries: TableStream
    order_reader: OrderReader  # which has read these entries
    rows: list[HandAt]  # of the hands among the entries


def find_new_hands(
    ledger: Ledger,
    table_key: TableKey,
    accounts: int,
    books: Sequence[Rulebook],
    checkpoints: Sequence[EndCheckpoint],
    unread_lines: UnreadByHand,
) -> NewHands | None:
    """Return the hands after a table's walk, which was stored under each of these books at the same event.

    Return None if a new entry changes the past or may belong before the checkpoint. `accounts`: the number of accounts
    of the table's hands.
    """
    last_walk = checkpoints[0]
    entries = read_table_stream(ledger, table_key, last_walk.version)
    order_reader = restore_order_reader(last_walk.walk)
    rows = list(ledger.hands(**table_key._asdict(), behind=last_walk.position))
    played_streams = [entry.event.hand for entry in entries if isinstance(entry.event, HandPlayed)]
    if (
        not order_reader.read(entries)
        or any(row.accounts > 1 for row in rows)
        or sorted(played_streams) != sorted(row.stream.hex for row in rows)
        or accounts != last_walk.accounts + len(rows)
    ):
        return None
    walks = {book.name: checkpoint.walk for book, checkpoint in zip(books, checkpoints, strict=True)}
    checkpoint = make_saved_checkpoint(entries, walks, unread_lines)
    return NewHands(checkpoint, entries, order_reader, [HandAt(row.id, row.position) for row in rows])
