"""Record by how much the clocks of devices are off, as events of the house."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from ledger.entry import Provenance
from ledger.house.events import ClockChecked
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import Millis

_TOLERANCE: Final = 1_000
"""Milliseconds by which a clock's offset may change before it is recorded again."""
_PAUSE: Final = 60_000
"""Milliseconds between two recorded checks of one clock."""


class Clocks:
    """The last check of each device's clock."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger. The first check reads the earlier checks from it."""
        self._ledger = ledger
        self._lock = threading.Lock()
        self._checks: dict[str, tuple[Millis, Millis]] | None = None  # clock → its offset, when it was noted

    def check(self, clock: str, sent: Millis) -> None:
        """Record a clock's offset if it changed, at most once a minute."""
        with self._lock:
            server_time = self._ledger.now()
            if self._checks is None:
                self._checks = self._read_checks()
            offset = sent - server_time
            known_offset, noted_at = self._checks.get(clock, (0, None))
            if abs(offset - known_offset) <= _TOLERANCE or (
                noted_at is not None and 0 <= server_time - noted_at < _PAUSE
            ):
                return
            self._ledger.append(
                "house", HOUSE, [ClockChecked(clock, "server", offset)], recorded=Provenance(server_time, writer="api")
            )
            self._checks[clock] = offset, server_time

    def _read_checks(self) -> dict[str, tuple[Millis, Millis]]:
        """Return the last check of each clock from earlier runs of the server."""
        return {
            entry.event.clock: (entry.event.offset, entry.recorded.time)
            for entry in self._ledger.entries_of_types(HOUSE, ClockChecked)
            if isinstance(entry.event, ClockChecked)
        }
