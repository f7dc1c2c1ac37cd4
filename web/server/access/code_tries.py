"""Count wrong codes, so that nobody can guess one."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

WRONG_CODES: Final = 5
"""Wrong codes from one address, or on one session, before codes are refused there for a while."""
WRONG_CODES_IN_ALL: Final = 100
"""Wrong codes from all addresses in that time. A code has 8 digits: so many tries meet one in a million."""
LOCK_SECONDS: Final = 600.0
_MAX_ADDRESSES: Final = 10_000


class CodeTries:
    """The wrong codes of the last minutes, by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: seconds that only grow."""
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, list[float]] = OrderedDict()
        self._in_all: list[float] = []

    def is_locked(self, address: str) -> bool:
        """Whether an address has to wait."""
        with self._lock:
            self._in_all = self._recent(self._in_all)
            wrong = self._recent(self._wrong.get(address, []))
            return len(wrong) >= WRONG_CODES or len(self._in_all) >= WRONG_CODES_IN_ALL

    def spend(self, address: str) -> bool:
        """Count a try as wrong before it's checked; return False if the address is locked. `clear` takes it back."""
        with self._lock:
            self._in_all = self._recent(self._in_all)
            wrong = self._recent(self._wrong.pop(address, []))
            is_free = len(wrong) < WRONG_CODES and len(self._in_all) < WRONG_CODES_IN_ALL
            if is_free:
                wrong.append(self._clock())
                self._in_all.append(self._clock())
            self._wrong[address] = wrong
            while len(self._wrong) > _MAX_ADDRESSES:
                self._wrong.popitem(last=False)
            return is_free

    def clear(self, address: str) -> None:
        """Take back the last try of an address: its code was right."""
        with self._lock:
            if self._wrong.get(address):
                moment = self._wrong[address].pop()
                if moment in self._in_all:
                    self._in_all.remove(moment)

    def _recent(self, moments: list[float]) -> list[float]:
        earliest = self._clock() - LOCK_SECONDS
        return [moment for moment in moments if moment > earliest]
