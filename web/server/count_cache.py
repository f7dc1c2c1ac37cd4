"""Keep the counts of findings that every page's header shows, until the log grows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from web.server.worker_jobs import UNFINISHED_HAND

if TYPE_CHECKING:
    from ledger.store.hands.hand_accounts import TableKey

_LIFETIME_SECONDS: Final = 10.0
"""How long counts hold if the log doesn't grow: a rulebook's adoption may begin in the meantime."""


class TableCounts(NamedTuple):
    """The findings of each table and in all; None if there are no books."""

    findings: dict[TableKey, int] | None
    total: int | None
    overlong_hands: dict[TableKey, int]  # tables that have hands with more events than are judged


class CountCache:
    """The last counts of a server. A page and its header ask for the same ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: TableCounts | None = None
        self._position = -1
        self._expires_at = 0.0

    def get_counts(self, position: int, count: Callable[[], TableCounts]) -> TableCounts:
        """Return the counts at a position of the log. Counts with a hand that is still being judged aren't kept."""
        with self._lock:
            if self._counts is not None and self._position == position and time.monotonic() < self._expires_at:
                return self._counts
        new_counts = count()
        if not UNFINISHED_HAND.get():
            with self._lock:
                if position >= self._position:
                    self._counts, self._position = new_counts, position
                    self._expires_at = time.monotonic() + _LIFETIME_SECONDS
        return new_counts
