"""What is sent to the server: no more than a bound, and no slower."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

import anyio

from web.server.refusing import RefusedError

if TYPE_CHECKING:
    from starlette.types import Message, Receive


class Bounds(NamedTuple):
    """How much is taken in, in bytes, and how slowly: `wait` seconds without a byte, `slowest` bytes a second."""

    form: int = 256 * 1024
    file: int = 1024 * 1024 * 1024
    wait: float = 15.0
    slowest: int = 2_000


_LENGTH_DIGITS: Final = 19
"""More digits are no length of anything; Python refuses to read thousands of them."""
_DRAINED: Final = 4 * 1024 * 1024
_PATIENCE: Final = 2.0
"""Bytes, and seconds, that are still taken from whoever was answered, so that they can hear the answer."""


class Body:
    """What comes of one request: counted, timed, and given on."""

    def __init__(self, receive: Receive, most: int, bounds: Bounds) -> None:
        """Take where it comes from, the most bytes, and how slowly."""
        self._receive, self._most, self._bounds = receive, most, bounds
        self._taken = 0
        self._whole = False
        self._begun = time.monotonic()

    def announced(self, length: str | None) -> None:
        """Refuse what is said to be too much before any of it is taken."""
        if length is None or not (length.isascii() and length.isdigit()):
            return
        if len(length) > _LENGTH_DIGITS or int(length) > self._most:
            raise self._too_much()

    async def receive(self) -> Message:
        """Return what came; `RefusedError` if it is too much or came too slowly."""
        bounds = self._bounds
        with anyio.move_on_after(bounds.wait) as waited:
            message = await self._receive()
        late = time.monotonic() - self._begun > bounds.wait + self._taken / bounds.slowest
        if not self._whole and (waited.cancelled_caught or late):
            raise RefusedError(408, "What was sent came too slowly, and nothing was taken in.", "Send it again.")
        if message["type"] != "http.request":
            self._whole = True  # nobody is there any more
            return message
        self._taken += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._taken > self._most:
            raise self._too_much()
        return message

    async def drained(self) -> None:
        """Take the rest and throw it away, up to a bound: whoever is cut off while sending hears no answer."""
        left = _DRAINED
        with anyio.move_on_after(_PATIENCE):
            while not self._whole and left > 0:
                message = await self._receive()
                self._whole = message["type"] != "http.request" or not message.get("more_body", False)
                left -= len(message.get("body", b""))

    def _too_much(self) -> RefusedError:
        return RefusedError(
            413,
            f"That is more than is taken in here: at most {size(self._most)}.",
            "Nothing was taken in. Larger files are read by `handledger import` on the machine that has the ledger.",
        )


def size(count: int) -> str:
    """Return a number of bytes as people say it.

    >>> size(1536), size(3 * 1024**3), size(900)
    ('1.5 KB', '3 GB', '900 bytes')
    """
    for unit, word in ((1024**3, "GB"), (1024**2, "MB"), (1024, "KB")):
        if count >= unit:
            return f"{count / unit:.1f}".removesuffix(".0") + f" {word}"
    return f"{count} bytes"
