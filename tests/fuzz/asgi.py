"""Ask an application in process what is written as HTTP is: a request line, headers, a blank line, a body."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
import sys
from collections.abc import Callable, MutableMapping
from functools import partial
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.parse import unquote

from starlette.types import ASGIApp

_REQUEST: Final = re.compile(rb"([A-Z]{1,20}) ([\x21-\x7e]+)")
_HEADER: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e\x80-\xff\t]*)")
BETWEEN: Final = b"\n---\n"
"""What parts several requests of one input."""


class Asked(NamedTuple):
    """A request that a server hands on: h11 refuses what isn't of this shape."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


def parse_requests(data: bytes) -> list[Asked]:
    """Return the requests of an input; what no server would hand on is left out."""
    return [request for piece in data.split(BETWEEN)[:_REQUESTS_MOST] if (request := _parse(piece)) is not None]


_REQUESTS_MOST: Final = 12


def _parse(piece: bytes) -> Asked | None:
    head, _, body = piece.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    request = _REQUEST.fullmatch(first)
    matches = [_HEADER.fullmatch(line) for line in lines]
    if request is None or not request[2].startswith(b"/"):
        return None
    headers = [(match[1].lower(), match[2].strip(b" \t")) for match in matches if match is not None]
    if request[1] not in (b"GET", b"HEAD"):
        headers = [header for header in headers if header[0] != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))
    return Asked(request[1].decode(), request[2], headers, body if request[1] not in (b"GET", b"HEAD") else b"")


def shut_down(app: ASGIApp) -> None:
    """Start and end an application as its server does at the end: it closes what it opened."""

    async def live() -> None:
        messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive() -> MutableMapping[str, Any]:
            return next(messages)

        async def send(message: MutableMapping[str, Any]) -> None:
            assert message["type"].endswith(".complete"), message

        await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)

    asyncio.run(live())


def ask(app: ASGIApp, request: Asked) -> tuple[int, bytes]:
    """Return the status and body of an answer; raise what an application raises, or tells at its terminal."""
    path, _, query = request.target.partition(b"?")
    scope: MutableMapping[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(path.decode("ascii")),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": request.headers,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    parts, status = bytearray(), 0
    messages = [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> MutableMapping[str, Any]:
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            parts.extend(message.get("body", b""))

    terminal = _Terminal()
    with patch("anyio.to_thread.run_sync", _run_here), contextlib.redirect_stderr(terminal):
        asyncio.run(_answer(app, scope, receive, send))
    if terminal.error is not None:
        raise terminal.error
    assert "Traceback" not in terminal.getvalue(), f"a traceback at the terminal: {terminal.getvalue()[-2000:]}"
    return status, bytes(parts)


class _Terminal(io.StringIO):
    """A terminal that remembers the error that is being handled as something is written: a fault of ours."""

    error: BaseException | None = None

    def write(self, text: str) -> int:
        """Take a text."""
        self.error = self.error or sys.exc_info()[1]
        return super().write(text)


async def _answer(app: ASGIApp, scope: Any, receive: Any, send: Any) -> None:
    await app(scope, receive, send)


async def _run_here(work: Callable[..., Any], *args: Any, **_: Any) -> Any:
    """Run what a server runs in a thread: here, so that it's counted, bounded and the same each time."""
    return partial(work, *args)()
