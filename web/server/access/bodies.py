"""Bound the size and the duration of request bodies."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

import anyio

from web.server import request_errors
from web.server.error_pages import RequestRefusedError

if TYPE_CHECKING:
    from starlette.types import Message, Receive


class IntakeBounds(NamedTuple):
    """Limits of request bodies: bytes of a form or file, `wait` seconds without a byte, `slowest` bytes a second."""

    form: int = 256 * 1024
    file: int = 1024 * 1024 * 1024
    wait: float = 15.0
    slowest: int = 2_000


_LENGTH_DIGITS: Final = 19
"""No real length has more digits, and Python refuses to parse thousands of them."""
_MAX_DRAINED_BYTES: Final = 4 * 1024 * 1024
_DRAIN_SECONDS: Final = 2.0
"""Bytes and seconds that the server still reads after its answer, so that the sender can receive it."""


class RequestBody:
    """The body of one request: counted, timed and passed on."""

    def __init__(self, receive: Receive, max_bytes: int, bounds: IntakeBounds) -> None:
        """`receive`: the ASGI channel that the body comes from."""
        self._receive, self._max_bytes, self._bounds = receive, max_bytes, bounds
        self._received_bytes = 0
        self._is_complete = False
        self._started_at = time.monotonic()

    def check_announced_length(self, length: str | None) -> None:
        """Refuse a body whose announced length is too large, before reading it."""
        if length is None or not (length.isascii() and length.isdigit()):
            return
        if len(length) > _LENGTH_DIGITS or int(length) > self._max_bytes:
            raise self._too_large_error()

    async def receive(self) -> Message:
        """Return the next message. Raise `RequestRefusedError` if the body is too large or too slow."""
        bounds = self._bounds
        with anyio.move_on_after(bounds.wait) as wait_scope:
            message = await self._receive()
        is_late = time.monotonic() - self._started_at > bounds.wait + self._received_bytes / bounds.slowest
        if not self._is_complete and (wait_scope.cancelled_caught or is_late):
            raise request_errors.body_too_slow()
        if message["type"] != "http.request":
            self._is_complete = True  # the client is gone
            return message
        self._received_bytes += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)
        if self._received_bytes > self._max_bytes:
            raise self._too_large_error()
        return message

    async def drain(self) -> None:
        """Read and drop the remaining bytes, up to a limit: a client that is cut off while sending gets no answer."""
        bytes_left = _MAX_DRAINED_BYTES
        with anyio.move_on_after(_DRAIN_SECONDS):
            while not self._is_complete and bytes_left > 0:
                message = await self._receive()
                self._is_complete = message["type"] != "http.request" or not message.get("more_body", False)
                bytes_left -= len(message.get("body", b""))

    def _too_large_error(self) -> RequestRefusedError:
        return request_errors.body_too_large(format_size(self._max_bytes))


def format_size(count: int) -> str:
    """Return a number of bytes with its unit.

    >>> format_size(1536), format_size(3 * 1024**3), format_size(900)
    ('1.5 KB', '3 GB', '900 bytes')
    """
    for unit, unit_name in ((1024**3, "GB"), (1024**2, "MB"), (1024, "KB")):
        if count >= unit:
            return f"{count / unit:.1f}".removesuffix(".0") + f" {unit_name}"
    return f"{count} bytes"
