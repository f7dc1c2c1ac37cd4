"""A small client of the append API for devices and Python programs. It needs only the standard library.

Each request has its own key. If no answer comes, the client sends the request again under the same key,
so nothing is recorded twice.
"""

from __future__ import annotations

import json
import secrets
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode, urlsplit

Json: TypeAlias = dict[str, Any]
"""A document of the API, by its members."""

_MAX_TRIES: Final = 6
_FIRST_WAIT: Final = 0.2
"""Seconds before the second try. Each further try waits twice as long."""
_RETRY_STATUSES: Final = (429, 503)


class RefusedError(Exception):
    """The server recorded nothing. `status` and `problem` give the reason and what to do."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(" ".join(str(problem[name]) for name in ("title", "detail") if name in problem))
        self.status, self.problem = status, problem


class Client:
    """One table that one device records.

    >>> Client("http://127.0.0.1:8713", "hld_...", venue="Riverside Cardroom", table="T7").table
    'T7'
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        venue: str,
        table: str,
        tournament: str = "",
        timeout: float = 10.0,
        authority: str | None = None,
    ) -> None:
        """Take the server's address, the device's key, and the table.

        `authority`: the file of the room's own authority (PEM), if that made the server's certificate.
        """
        parts = urlsplit(url)
        self._host = parts.netloc
        self._tls = ssl.create_default_context(cafile=authority) if parts.scheme == "https" else None
        self._key, self._timeout = key, timeout
        self.venue, self.table, self.tournament = venue, table, tournament
        self.live: Json = {}  # the table's state at the last answer

    def stands(self) -> Json:
        """Return the table's current state."""
        self.live = self._request("GET", "/table")
        return self.live

    def open(self, game: str, *, seats: int = 0, records: str = "dealer-notes") -> Json:
        """Set the game of a table that has no hand yet."""
        self.live = self._request("POST", "/table", {"game": game, "seats": seats, "records": records})
        return self.live

    def tell(self, *lines: str, behind: int | None = None) -> Json:
        """Record lines or keys. Raise `RefusedError` if the server refuses a line.

        `behind`: the last version that the device has seen.
        """
        return self._append("/table/lines", {"lines": list(lines)}, behind)

    def append(
        self, events: Sequence[Sequence[object]], *, behind: int | None = None, at: Sequence[int | None] = ()
    ) -> Json:
        """Record events in their stored form, all or none.

        `at`: the time of each event by the device's clock, in milliseconds since 1970.
        """
        return self._append("/table/events", {"events": list(events), "at": list(at)}, behind)

    def undo(self, why: str = "typing error", *, behind: int | None = None) -> Json:
        """Take back the last event."""
        return self._append("/table/undo", {"why": why}, behind)

    def follow(self) -> Iterator[Json]:
        """Yield the table's state now and after each change, until the connection ends."""
        connection = self._connect(None)
        with closing(connection):
            connection.request("GET", self._build_address("/table/live"), headers=self._build_headers())
            response = connection.getresponse()
            if response.status != 200:
                raise RefusedError(response.status, _decode_answer(response.read()))
            for line in response:
                if line.startswith(b"data: "):
                    self.live = json.loads(line[6:])
                    yield self.live

    def _append(self, path: str, body: Json, behind: int | None) -> Json:
        body["key"] = secrets.token_urlsafe(12)
        if behind is not None:
            body["behind"] = behind
        answer = self._request("POST", path, body)
        self.live = answer["live"]
        return answer

    def _request(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send a request. Retry if no answer comes or the server is busy."""
        wait_seconds = _FIRST_WAIT
        for tries_left in reversed(range(_MAX_TRIES)):
            try:
                status, answer = self._send(method, path, body)
            except (OSError, HTTPException):
                if not tries_left:
                    raise
            else:
                if status == 200:
                    return answer
                if status not in _RETRY_STATUSES or not tries_left:
                    raise RefusedError(status, answer)
            time.sleep(wait_seconds)
            wait_seconds *= 2
        raise AssertionError  # the last try returned or raised

    def _send(self, method: str, path: str, document: Json | None) -> tuple[int, Json]:
        connection = self._connect(self._timeout)
        with closing(connection):
            if document is not None and "key" in document:
                document["sent"] = time.time_ns() // 1_000_000
            encoded = None if document is None else json.dumps(document)
            connection.request(method, self._build_address(path), encoded, self._build_headers())
            response = connection.getresponse()
            return response.status, _decode_answer(response.read())

    def _connect(self, timeout: float | None) -> HTTPConnection:
        if self._tls is None:
            return HTTPConnection(self._host, timeout=timeout)
        return HTTPSConnection(self._host, timeout=timeout, context=self._tls)

    def _build_address(self, path: str) -> str:
        parameters = {"venue": self.venue, "table": self.table, "tournament": self.tournament}
        return f"/api/1{path}?{urlencode({name: value for name, value in parameters.items() if value})}"

    def _build_headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}


def _decode_answer(payload: bytes) -> Json:
    try:
        answer = json.loads(payload)
    except ValueError:
        return {"title": "the answer is no JSON; is this handledger's address?"}
    return answer if isinstance(answer, dict) else {"title": str(answer)}
