"""Connections without a key take no place from those with one, and none waits for headers without end."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from ledger.store import open as open_ledger
from tests.laws import size
from tests.web.serving import AUDITOR, KEYS, listening
from web.server.access.connections import Connections
from web.server.application import build_application


class Watched:
    """The application, with what it let out: a traceback on the server's terminal."""

    def __init__(self, port: int, folder: Path) -> None:
        self.ledger = open_ledger(folder / "x.ledger")
        self.app = build_application(self.ledger, "x.ledger", KEYS, [f"127.0.0.1:{port}"], is_writable=True)
        self.faults: list[BaseException] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and note what the application raises."""
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            self.faults.append(error)
            raise


class Served:
    """Where a server listens, and its application."""

    def __init__(self, port: int, app: Watched) -> None:
        self.port, self.app = port, app

    def connect(self) -> socket.socket:
        """Open a connection and send nothing."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def status(self, key: str) -> int:
        """Ask for the first page."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=20)) as link:
            link.request("GET", "/", headers={"Host": f"127.0.0.1:{self.port}", "Cookie": f"handledger={key}"})
            return link.getresponse().status


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server with short patience."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        app = Watched(port, tmp_path)
        with listening(app, sock, Connections(header_seconds=0.3, keyless=8)):
            yield Served(port, app)
        app.ledger.close()


@pytest.mark.parametrize("request_start", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nX: "])
def test_a_request_that_does_not_become_whole_ends_its_connection(served: Served, request_start: bytes) -> None:
    with served.connect() as link:
        link.sendall(request_start)
        assert is_ended(link)


def test_a_second_request_on_a_connection_has_no_more_time(served: Served) -> None:
    with served.connect() as link:
        link.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode())
        assert link.recv(1).startswith(b"H")
        link.sendall(b"GET / HT")
        assert is_ended(link)


def test_who_has_a_key_is_answered_among_many_idle_connections(served: Served) -> None:
    with ExitStack() as stack:
        for number in range(60):
            stack.enter_context(served.connect())
            if number % 20 == 0:
                assert served.status(AUDITOR) == 303
        assert served.status(AUDITOR) == 303


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("request_start", [b"", b"5\r\nhello\r\n"])
def test_a_body_in_broken_chunks_reaches_no_terminal(served: Served, method: str, request_start: bytes) -> None:
    head = f"{method} / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with served.connect() as link:
        link.sendall(head.encode() + request_start)
        if request_start:
            time.sleep(0.1)  # the first chunk comes by itself
        link.sendall(b"ZZ\r\nabc\r\n")
        assert is_ended(link)
    assert served.app.faults == []


@pytest.mark.law
def test_a_thousand_idle_connections_shut_nobody_out(tmp_path: Path) -> None:
    """As the program is started: with its own bounds, and the many connections held open all the while."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as sock:
        app = Watched(sock.getsockname()[1], tmp_path)
        with listening(app, sock, Connections()), ExitStack() as stack:
            served = Served(sock.getsockname()[1], app)
            for number in range(size(200, 1_000)):
                stack.enter_context(served.connect())
                if number % 100 == 99:
                    assert served.status(AUDITOR) == 303
            assert served.status(AUDITOR) == 303
        app.ledger.close()


@pytest.mark.law
def test_nothing_that_is_sent_without_a_key_reaches_the_terminal_as_a_traceback(served: Served) -> None:
    rng = random.Random(7)
    for _ in range(size(300, 6_000)):
        with served.connect() as link:
            link.sendall(strange_request(rng, served.port))
            link.shutdown(socket.SHUT_WR)
            is_ended(link)
    assert served.app.faults == []


def strange_request(rng: random.Random, port: int) -> bytes:
    """Return a request as nobody's browser sends it."""
    digits = "9" * 5_000
    paths = [
        "/",
        "/findings",
        f"/findings?page={digits}",
        "/?key=",
        "/?key=%00",
        "/%ff",
        "/api/v1/tables",
        "//x",
        "/?" + "a&" * 800,
    ]
    lines = [
        f"{rng.choice(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'])} {rng.choice(paths)} HTTP/1.{rng.randint(0, 1)}",
        f"Host: {rng.choice([f'127.0.0.1:{port}', 'x', ''])}",
    ]
    extra = [
        "Cookie: handledger=\xff",
        "Cookie: a=b; handledger=x; ;=;",
        'Cookie: handledger="\\777',
        "Cookie: a,b=1",
        "Authorization: Bearer \xe9",
        "Authorization: Bearer",
        f"Content-Length: {digits}",
        "Content-Length: \xb2",
        "Content-Length: 5",
        "Transfer-Encoding: chunked",
        "Origin: http://127.0.0.1:" + str(port),
        "Origin: \xff",
        "Sec-Fetch-Site: same-origin",
        "Accept: application/json",
        "Content-Type: multipart/form-data; boundary=\xff",
    ]
    lines += rng.sample(extra, rng.randint(0, 4))
    body = rng.choice([b"", b"x" * 5, b"5\r\nhello\r\n0\r\n\r\n", b"\xff" * 40])
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def is_ended(link: socket.socket) -> bool:
    """Read to the end of a connection; False if it stays open."""
    try:
        while link.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass  # reset
    return True
