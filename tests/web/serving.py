"""A server of a ledger for tests, and how to ask it as a browser or a program does."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import uvicorn
from starlette.types import ASGIApp

from ledger.store import Ledger
from web.server.access.bodies import IntakeBounds
from web.server.access.connections import Connections
from web.server.access.visitors import Key
from web.server.application import build_application

AUDITOR, FLOOR, VIEWER = "a" * 32, "f" * 32, "v" * 32
KEYS = [Key("auditor", AUDITOR), Key("floor", FLOOR), Key("viewer", VIEWER)]


class Served(NamedTuple):
    """A server that runs, and how to ask it."""

    ledger: Ledger
    port: int

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, path: str, *, key: str = AUDITOR, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, str, HTTPResponse]:
        link = HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent_headers = {"Host": f"127.0.0.1:{self.port}", **({"Cookie": f"handledger={key}"} if key else {})}
        sent_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        link.request(method, path, body=body, headers=sent_headers)
        with closing(link), link.getresponse() as answer:
            return answer.status, answer.read().decode(), answer

    def token(self, key: str = FLOOR) -> str:
        """The token that stands in the forms of our own pages."""
        match = re.search(r'name="token" value="([0-9a-f]{64})"', self.ask("/open-case", key=key)[1])
        assert match
        return match[1]

    def send(self, path: str, *, key: str = FLOOR, **fields: str | list[str]) -> tuple[int, str, HTTPResponse]:
        """Send a form, as a browser sends that of one of our pages."""
        body = urlencode({"token": self.token(key), **fields}, doseq=True).encode()
        headers = {"Content_Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        return self.ask(path, key=key, method="POST", body=body, **headers)

    def drop(self, *files: tuple[str, bytes], key: str = FLOOR) -> tuple[int, str]:
        """Send files, as a browser does from the page of imports."""
        body, kind = multipart({"token": self.token(FLOOR)}, [("file", *file) for file in files])
        status, text, _ = self.ask("/imports", key=key, method="POST", body=body, Content_Type=kind, Origin=self.origin)
        return status, text

    def tell(self, path: str, *, key: str = FLOOR, **fields: object) -> tuple[int, dict[str, Any]]:
        """Send JSON, as a program does that has the key."""
        body = json.dumps(fields).encode()
        headers = {"Content_Type": "application/json", "Authorization": f"Bearer {key}"}
        status, text, _ = self.ask(path, key="", method="POST", body=body, **headers)
        return status, json.loads(text)


class Prompt(uvicorn.Server):
    """A server that sees soon that it is to end: tests begin and end many."""

    async def main_loop(self) -> None:
        while not await self.on_tick(0):  # noqa: ASYNC110 - uvicorn is told by a variable
            await asyncio.sleep(0.01)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End as uvicorn does, which sleeps a tenth of a second whether anybody is still there or not."""
        for listener in [*self.servers, *(sockets or [])]:
            listener.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await asyncio.sleep(0)  # what was closed says so on the next turn
        state, deadline = self.server_state, time.monotonic() + (self.config.timeout_graceful_shutdown or 0)
        while (state.connections or state.tasks) and time.monotonic() < deadline:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        for task in state.tasks:
            task.cancel()
        await self.lifespan.shutdown()


@contextmanager
def listening(
    app: ASGIApp, sock: socket.socket, connections: Connections | None = None, *, tls: ssl.SSLContext | None = None
) -> Iterator[None]:
    """Run an application while a test runs; it has ended when this ends."""
    bounded = connections or Connections()
    config = uvicorn.Config(
        bounded.watch(app),
        http=bounded.build_protocol(tls),
        log_level="critical",
        limit_concurrency=1_000,  # as `handledger serve`
        timeout_graceful_shutdown=1,  # a page may still be open
    )
    server = Prompt(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        assert not thread.is_alive(), "the server does not end"


@contextmanager
def serving(
    ledger: Ledger,
    *,
    writes: bool = False,
    bounds: IntakeBounds | None = None,
    books: Sequence[str] = (),
    pocket_folder: Path | None = None,
    hides_cards: bool = False,
) -> Iterator[Served]:
    """Serve a ledger while a test runs."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        app = build_application(
            ledger,
            "x.ledger",
            KEYS,
            [f"127.0.0.1:{port}"],
            is_writable=writes,
            intake_bounds=bounds,
            books=books,
            pocket_folder=pocket_folder,
            hides_cards=hides_cards,
        )
        with listening(app, sock):
            yield Served(ledger, port)


def multipart(fields: dict[str, str], files: list[tuple[str, str, bytes]]) -> tuple[bytes, str]:
    """A form with files, and its content type."""
    mark = "x7d81f"
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    parts += [
        f'--{mark}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\n\r\n'.encode()
        + data
        + b"\r\n"
        for name, filename, data in files
    ]
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"
