"""Tell every open page when the log grows."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sqlalchemy.exc import SQLAlchemyError

from ledger.errors import HandledgerError

if TYPE_CHECKING:
    from ledger.store import Ledger


class LogGrowth:
    """Follows the end of a log in a thread of its own. Any number of pages may wait for it."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._has_grown = asyncio.Event()
        self._stopping = threading.Event()
        self._woken = threading.Event()  # the log grew, or the thread should stop
        self._thread: threading.Thread | None = None
        self.position = 0
        self.listeners = 0  # pages that are open

    def __enter__(self) -> Self:
        """Start the thread. Call it within the server's event loop."""
        self.position = self._ledger.head()[0]
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._watch, args=(loop,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop the thread."""
        self._stopping.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    async def wait_beyond(self, position: int) -> int:
        """Wait until the log grows beyond a position. Return its new end."""
        while self.position <= position:
            await self._has_grown.wait()
        return self.position

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._ledger.database.watch(self._woken.set):
            while self._woken.wait() and not self._stopping.is_set():
                self._woken.clear()
                with suppress(HandledgerError, SQLAlchemyError):  # the next page reports the error
                    end = self._ledger.head()[0]
                    if end > self.position:
                        loop.call_soon_threadsafe(self._publish_end, end)

    def _publish_end(self, end: int) -> None:
        self.position = max(self.position, end)
        grown, self._has_grown = self._has_grown, asyncio.Event()
        grown.set()
