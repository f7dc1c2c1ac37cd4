"""What is sent to the server: no more than a bound, and no slower."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

import anyio

from web.server.refusing import RequestRefusedError

if TYPE_CHECKING:
    from starlette.types import Message, Receive


class IntakeBounds(NamedTuple):
    """How much is taken in, in bytes, and how slowly: `wait` seconds without a byte, `slowest` bytes a second."""

    form: int = 256 * 1024
    file: int = 1024 * 1024 * 1024
    wait: float = 15.0
    slowest: int = 2_000


_LENGTH_DIGITS: Final = 19
"""More digits are no length of anything; Python refuses to read thousands of them."""
_MAX_DRAINED_BYTES: Final = 4 * 1024 * 1024
_DRAIN_SECONDS: Final = 2.0
"""Bytes, and seconds, that are still taken from whoever was answered, so that they can hear the answer."""


class RequestBody:
    """What comes of one request: counted, timed, and given on."""

    def __init__(self, receive: Receive, max_bytes: int, bounds: IntakeBounds) -> None:
        """Take where it comes from, the most bytes, and how slowly."""
        self._receive, self._max_bytes, self._bounds = receive, max_bytes, bounds
        self._received_bytes = 0
        self._is_complete = False
        self._started_at = time.monotonic()

    def check_announced_length(self, length: str | None) -> None:
        """Refuse what is said to be too much before any of it is taken."""
        if length is None or not (length.isascii() and length.isdigit()):
            return
        if len(length) > _LENGTH_DIGITS or int(length) > self._max_bytes:
            raise self._too_large_error()

    async def receive(self) -> Message:
        """Return what came; `RefusedError` if it is too much or came too slowly."""
        bounds = self._bounds
        with anyio.move_on_after(bounds.wait) as wait_scope:
            message = await self._receive()
        is_late = time.monotonic() - self._started_at > bounds.wait + self._received_bytes / bounds.slowest
        if not self._is_complete and (wait_scope.cancelled_caught or is_late):
            raise RequestRefusedError(408, "What was sent came too slowly, and nothing was taken in.", "Send it again.")
        if message["type"] != "http.request":
            self._is_complete = True  # nobody is there any more
            return message
        self._received_bytes += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)
        if self._received_bytes > self._max_bytes:
            raise self._too_large_error()
        return message

    async def drain(self) -> None:
        """Take the rest and throw it away, up to a bound: whoever is cut off while sending hears no answer."""
        bytes_left = _MAX_DRAINED_BYTES
        with anyio.move_on_after(_DRAIN_SECONDS):
            while not self._is_complete and bytes_left > 0:
                message = await self._receive()
                self._is_complete = message["type"] != "http.request" or not message.get("more_body", False)
                bytes_left -= len(message.get("body", b""))

    def _too_large_error(self) -> RequestRefusedError:
        return RequestRefusedError(
            413,
            f"That is more than is taken in here: at most {format_size(self._max_bytes)}.",
            "Nothing was taken in. Larger files are read by `handledger import` on the machine that has the ledger.",
        )


def format_size(count: int) -> str:
    """Return a number of bytes as people say it.

    >>> size(1536), size(3 * 1024**3), size(900)
    ('1.5 KB', '3 GB', '900 bytes')
    """
    for unit, unit_name in ((1024**3, "GB"), (1024**2, "MB"), (1024, "KB")):
        if count >= unit:
            return f"{count / unit:.1f}".removesuffix(".0") + f" {unit_name}"
    return f"{count} bytes"
