"""Who may ask: the address that was asked, the key, and what a browser says of where it asks from.

Whatever listens on a person's own machine is reached by every page that the person's browser shows. So
nothing is answered that was asked under another name than ours, from another page, or without the key
that the program printed when it was started; and nothing at all is changed by asking.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Mapping
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from urllib.parse import parse_qs, urlencode

from starlette.responses import PlainTextResponse, RedirectResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

Role = Literal["auditor", "floor", "viewer"]
COOKIE: Final = "handledger"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_ASKED: Final = {"same-origin", "none", None}
_MOST: Final = 64 * 1024
"""Bytes of an address with its headers; nothing else is taken in."""


class Key(NamedTuple):
    """What opens the pages, and to whom."""

    role: Role
    secret: str


def new_keys(roles: Iterable[Role]) -> list[Key]:
    """Return a new key for each role; it holds as long as the program runs."""
    return [Key(role, secrets.token_urlsafe(24)) for role in dict.fromkeys(roles)]


class Guard:
    """Lets requests through that come from a person's own browser, under our own name, with a key."""

    def __init__(self, app: ASGIApp, names: frozenset[str], keys: list[Key]) -> None:
        """Take what it guards, the host names (with ports) under which it is reached, and the keys."""
        self._app, self._names, self._keys = app, names, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let through with `role` in the scope."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name for name, _ in message["headers"]}
                more = [(n.encode(), v.encode()) for n, v in _HEADERS.items() if n.encode() not in there]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refused(scope, headers)
        if refused is not None:
            await refused(scope, receive, guarded)
            return
        given = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if "key" in given:
            await self._enter(scope["path"], given, scope, receive, guarded)
            return
        key = self._key(_cookie(headers))
        if key is None:
            await _said(
                401, "This page needs the key: open the address that handledger serve printed when it was started."
            )(scope, receive, guarded)
            return
        scope["role"] = key.role
        await self._app(scope, receive, guarded)

    def _refused(self, scope: Scope, headers: Mapping[str, str]) -> PlainTextResponse | None:
        """Return why nothing is answered; None: something is."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or headers.get("host", "").lower() not in self._names:
            return _said(421, "This server answers under its own name only.")
        if scope["method"] not in ("GET", "HEAD"):
            return _said(405, "These pages are for reading: nothing is taken in.", allow="GET, HEAD")
        if sum(len(name) + len(value) for name, value in scope["headers"]) + len(scope["query_string"]) > _MOST:
            return _said(413, "That is more than a question.")
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return _said(413, "A question has no body.")
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://").lower() not in self._names:
            return _said(403, "Another page asked.")
        top = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        if headers.get("sec-fetch-site") not in _ASKED and not top:
            return _said(403, "Another page asked.")
        return None

    async def _enter(self, path: str, given: dict[str, list[str]], scope: Scope, receive: Receive, send: Send) -> None:
        """Take the key out of the address, where it would be seen, into a cookie."""
        key = self._key(given["key"][0])
        if key is None:
            await _said(401, "This is not the key: it is another each time handledger serve is started.")(
                scope, receive, send
            )
            return
        rest = urlencode([(name, value) for name, values in given.items() if name != "key" for value in values])
        answer = RedirectResponse("/" + path.lstrip("/") + (f"?{rest}" if rest else ""), status_code=303)
        answer.set_cookie(COOKIE, key.secret, httponly=True, samesite="strict", path="/")
        await answer(scope, receive, send)

    def _key(self, given: str) -> Key | None:
        found = None
        for key in self._keys:  # each is compared, so that the time tells nothing
            if hmac.compare_digest(key.secret.encode(), given.encode("utf-8", "replace")):
                found = key
        return found


def _said(status: int, words: str, **headers: str) -> PlainTextResponse:
    return PlainTextResponse(f"{words}\n", status, headers=headers)


def _cookie(headers: Mapping[str, str]) -> str:
    """Return what our cookie holds, "" where there is none."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except ValueError:
        return ""
    return "" if found is None else found.value
