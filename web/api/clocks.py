"""By how much the clocks of devices are off, kept as events of the house."""

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
"""Milliseconds by which a clock may differ from what is known of it before that is noted again."""
_PAUSE: Final = 60_000
"""Milliseconds between two checks of one clock that are kept."""


class Clocks:
    """The clocks of devices, as they were checked last."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger; what it holds of checks is read when the first clock is checked."""
        self._ledger = ledger
        self._lock = threading.Lock()
        self._checks: dict[str, tuple[Millis, Millis]] | None = None  # clock → its offset, when it was noted

    def check(self, clock: str, sent: Millis) -> None:
        """Keep by how much a clock is off where that is news, at most once a minute."""
        with self._lock:
            now = self._ledger.now()
            if self._checks is None:
                self._checks = self._read_checks()
            offset = sent - now
            known_offset, noted_at = self._checks.get(clock, (0, None))
            if abs(offset - known_offset) <= _TOLERANCE or (noted_at is not None and 0 <= now - noted_at < _PAUSE):
                return
            self._ledger.append(
                "house", HOUSE, [ClockChecked(clock, "server", offset)], recorded=Provenance(now, by="api")
            )
            self._checks[clock] = offset, now

    def _read_checks(self) -> dict[str, tuple[Millis, Millis]]:
        """Return the last check of each clock, as an earlier run of the server kept it."""
        return {
            entry.event.clock: (entry.event.offset, entry.recorded.at)
            for entry in self._ledger.entries_of_types(HOUSE, ClockChecked)
            if isinstance(entry.event, ClockChecked)
        }
