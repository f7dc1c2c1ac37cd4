"""A small client of the append API, for devices and programs in Python: the standard library, and nothing of a ledger.

It sends each request under a key of its own, and again under the same key where no answer came: what was
recorded then is not recorded twice.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode, urlsplit

Json: TypeAlias = dict[str, Any]
"""A document of the API, by its members."""

_TRIES: Final = 6
_WAIT: Final = 0.2
"""Seconds before the second try; each further one waits twice as long."""
_AGAIN: Final = (429, 503)


class RefusedError(Exception):
    """The server did not record what was sent. `status` and `problem` say why, and what to do."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(" ".join(str(problem[name]) for name in ("title", "detail") if name in problem))
        self.status, self.problem = status, problem


class Client:
    """One table, as one device records it.

    >>> Client("http://127.0.0.1:8713", "hld_...", venue="Riverside Cardroom", table="T7").table
    'T7'
    """

    def __init__(
        self, url: str, key: str, *, venue: str, table: str, tournament: str = "", timeout: float = 10.0
    ) -> None:
        """Take the server's address, the device's key, and the table."""
        parts = urlsplit(url)
        self._secure, self._host = parts.scheme == "https", parts.netloc
        self._key, self._timeout = key, timeout
        self.venue, self.table, self.tournament = venue, table, tournament
        self.live: Json = {}  # where the table stood at the last answer

    def stands(self) -> Json:
        """Return where the table stands."""
        self.live = self._ask("GET", "/table")
        return self.live

    def open(self, game: str, *, seats: int = 0, records: str = "dealer-notes") -> Json:
        """Say what is played at a table that has no hand yet."""
        self.live = self._ask("POST", "/table", {"game": game, "seats": seats, "records": records})
        return self.live

    def tell(self, *lines: str, behind: int | None = None) -> Json:
        """Record lines or keys; `behind`: the version that was seen last. `RefusedError` where a line is refused."""
        return self._append("/table/lines", {"lines": list(lines)}, behind)

    def append(
        self, events: Sequence[Sequence[object]], *, behind: int | None = None, at: Sequence[int | None] = ()
    ) -> Json:
        """Record events as stored, all or none; `at`: when each was, in milliseconds since 1970 by the device's clock."""
        return self._append("/table/events", {"events": list(events), "at": list(at)}, behind)

    def undo(self, why: str = "typing error", *, behind: int | None = None) -> Json:
        """Take back the last event."""
        return self._append("/table/undo", {"why": why}, behind)

    def follow(self) -> Iterator[Json]:
        """Yield where the table stands, now and each time it stands otherwise, until the connection ends."""
        link = self._link(None)
        with closing(link):
            link.request("GET", self._address("/table/live"), headers=self._headers())
            answer = link.getresponse()
            if answer.status != 200:
                raise RefusedError(answer.status, _told(answer.read()))
            for line in answer:
                if line.startswith(b"data: "):
                    self.live = json.loads(line[6:])
                    yield self.live

    def _append(self, path: str, told: Json, behind: int | None) -> Json:
        told["key"] = secrets.token_urlsafe(12)
        if behind is not None:
            told["behind"] = behind
        answer = self._ask("POST", path, told)
        self.live = answer["live"]
        return answer

    def _ask(self, method: str, path: str, told: Json | None = None) -> Json:
        """Ask, and again where no answer came or the server was busy."""
        wait = _WAIT
        for left in reversed(range(_TRIES)):
            try:
                status, answer = self._once(method, path, told)
            except (OSError, HTTPException):
                if not left:
                    raise
            else:
                if status == 200:
                    return answer
                if status not in _AGAIN or not left:
                    raise RefusedError(status, answer)
            time.sleep(wait)
            wait *= 2
        raise AssertionError  # the last try returned or raised

    def _once(self, method: str, path: str, told: Json | None) -> tuple[int, Json]:
        link = self._link(self._timeout)
        with closing(link):
            if told is not None and "key" in told:
                told["sent"] = time.time_ns() // 1_000_000
            body = None if told is None else json.dumps(told)
            link.request(method, self._address(path), body, self._headers())
            answer = link.getresponse()
            return answer.status, _told(answer.read())

    def _link(self, timeout: float | None) -> HTTPConnection:
        return (HTTPSConnection if self._secure else HTTPConnection)(self._host, timeout=timeout)

    def _address(self, path: str) -> str:
        names = {"venue": self.venue, "table": self.table, "tournament": self.tournament}
        return f"/api/1{path}?{urlencode({name: told for name, told in names.items() if told})}"

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}


def _told(data: bytes) -> Json:
    try:
        found = json.loads(data)
    except ValueError:
        return {"title": "the answer is no JSON; is this handledger's address?"}
    return found if isinstance(found, dict) else {"title": str(found)}
