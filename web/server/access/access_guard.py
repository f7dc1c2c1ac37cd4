"""Decide which requests get through, by host name, key and origin.

Every page in a person's browser can reach a server on that person's machine. So the guard refuses requests
under another host name, from another page, or without the key that `serve` printed. Requests that write get
through only from our own pages, to addresses that accept input, within bounds of size and time.
`web.server.submissions` checks the role and the form's token.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import parse_qs, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from ledger.text.language import ENGLISH, find_language, preferred_language, use_language
from web.server import request_errors
from web.server.access.bodies import IntakeBounds, RequestBody
from web.server.access.visitors import Key, Visitor, build_form_token
from web.server.error_pages import RequestRefusedError, build_error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from web.server.access.user_directory import UserDirectory
    from web.server.documents import Wrong

COOKIE: Final = "handledger"
LANGUAGE_COOKIE: Final = "handledger-language"
LINK_COOKIE: Final = "handledger-link"
"""The secret of a person's link, from the link to the sign-in page."""
DEVICE_COOKIE: Final = "handledger-device"
SIGN_IN_PATH: Final = "/sign-in"
"""The page for people who aren't signed in."""
_LINK_SECONDS: Final = 10 * 60
_YEAR_SECONDS: Final = 365 * 24 * 60 * 60
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_TRANSLATED_PAGES: Final = frozenset({"/keep", "/start", SIGN_IN_PATH, "/me", "/approve", "/requests", "/house-rules"})
"""Pages that have no English left in another language. The others are wholly English until they are translated."""
_OPEN_PATHS: Final = ("/static/", "/pocket/")
"""Paths below which nothing is of the ledger: no key is needed."""
_TRUSTED_SITES: Final = {"same-origin", "none", None}
_MAX_ADDRESS_BYTES: Final = 32 * 1024
"""Bytes of an address with its headers."""


class Guard:
    """Lets through only requests under our own host name and with a key."""

    def __init__(
        self,
        app: ASGIApp,
        host_names: frozenset[str],
        keys: list[Key],
        max_bytes_by_path: Mapping[str, int],
        intake_bounds: IntakeBounds,
        *,
        directory: UserDirectory,
        is_secure: bool = False,
    ) -> None:
        """`host_names`: with ports. `max_bytes_by_path`: addresses that accept input, with their limits.

        An empty `max_bytes_by_path` makes the server read-only. `directory`: who may sign in. `is_secure`: the server speaks TLS alone, so its pages'
        origin is https, and browsers send its cookies over TLS only.
        """
        self._is_secure, self._directory = is_secure, directory
        self._origins = frozenset(f"{'https' if is_secure else 'http'}://{host_name}" for host_name in host_names)
        self._app, self._host_names, self._keys, self._max_bytes_by_path, self._bounds = (
            app,
            host_names,
            keys,
            max_bytes_by_path,
            intake_bounds,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on with `role` and `token` in the scope."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        chosen_language = _find_chosen_language(scope)
        language = chosen_language or _read_language(headers)
        with use_language(language if _is_translated(scope["path"]) else ENGLISH):
            await self._serve(scope, receive, send, headers, chosen_language)

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, headers: Mapping[str, str], chosen_language: str | None
    ) -> None:
        """Serve a request in its language. `chosen_language`: the one in its address, kept in a cookie from now on."""
        body = RequestBody(receive, self._max_bytes_by_path.get(scope["path"], 0), self._bounds)
        began = time.perf_counter()

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present_headers = {name for name, _ in message["headers"]}
                missing_headers = [
                    (n.encode(), v.encode()) for n, v in _HEADERS.items() if n.encode() not in present_headers
                ]
                cookie_headers = [] if chosen_language is None else [self._build_language_cookie(chosen_language)]
                timing_header = b"server-timing", f"app;dur={1000 * (time.perf_counter() - began):.1f}".encode()
                message = {
                    **message,
                    "headers": [*message["headers"], *missing_headers, *cookie_headers, timing_header],
                }
            elif is_reading or message.get("more_body"):
                pass
            else:  # a client that still sends reads the answer only after its body is drained
                await send({**message, "more_body": True})
                await body.drain()
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        is_reading = scope["method"] in ("GET", "HEAD")
        try:
            self._check_origin(scope, headers)
            if is_reading:
                _refuse_body(headers)
            else:
                self._check_write(scope, headers)
                body.check_announced_length(headers.get("content-length"))
            parameters = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
            if is_reading and not {"key", "device"}.isdisjoint(parameters):
                redirect = await run_in_threadpool(self._move_key_to_cookie, scope["path"], parameters)
                await redirect(scope, receive, send_guarded)
                return
            if not scope["path"].startswith(_OPEN_PATHS):
                await self._authenticate(scope, headers)
            await self._app(scope, receive if is_reading else body.receive, send_guarded)
        except RequestRefusedError as refusal:
            await build_error_response(scope, refusal.error_page, _build_extra_headers(refusal.error_page))(
                scope, receive, send_guarded
            )

    async def _authenticate(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Set role and visitor of the request's key, and the token that a form must carry if a cookie held the key."""
        bearer_key = _read_bearer_key(headers)
        secret = read_key_cookie(headers) if bearer_key is None else bearer_key
        key = self._find_key(secret)
        device_key = read_cookie(headers, DEVICE_COOKIE)
        visitor = (
            Visitor(key.role)
            if key is not None and not device_key
            else await run_in_threadpool(self._find_visitor, key, secret, device_key)
        )
        if visitor is None:
            if scope["path"].removesuffix(".json") != SIGN_IN_PATH:
                raise await run_in_threadpool(self._unauthorized_error)
            return
        scope["role"], scope["visitor"] = visitor.role, visitor
        scope["token"] = build_form_token(secret) if bearer_key is None else ""

    def _find_visitor(self, key: Key | None, secret: str, device_key: str) -> Visitor | None:
        """Return the visitor of a printed key or a session, with the enrolled device; None if neither is valid."""
        device = self._directory.find_device(device_key) if device_key else None
        if key is not None:
            return Visitor(key.role, device=device)
        session = self._directory.find_session(secret) if secret else None
        if session is None:
            return None
        if session.device:  # its limits hold, whatever the browser sends
            device = self._directory.find_named_device(session.device)
        return Visitor(session.role, session.user, session.digest, device)

    def _unauthorized_error(self) -> RequestRefusedError:
        if self._directory.list_users():
            return request_errors.sign_in_needed(SIGN_IN_PATH)
        return request_errors.key_missing()

    def _check_origin(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Refuse a request under another host name, from another page, or with too long headers."""
        host_headers = [value for name, value in scope["headers"] if name == b"host"]
        if len(host_headers) != 1 or headers.get("host", "").lower() not in self._host_names:
            raise request_errors.wrong_host()
        if (
            sum(len(name) + len(value) for name, value in scope["headers"]) + len(scope["query_string"])
            > _MAX_ADDRESS_BYTES
        ):
            raise request_errors.address_too_long()
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._origins:
            raise request_errors.other_site()
        is_navigation = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        if headers.get("sec-fetch-site") not in _TRUSTED_SITES and not (
            is_navigation and scope["method"] in ("GET", "HEAD")
        ):
            raise request_errors.other_site()

    def _check_write(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Refuse a write by another method than POST, to a read-only address, or from an unknown page."""
        if scope["method"] != "POST" or scope["path"] not in self._max_bytes_by_path:
            raise request_errors.page_read_only(is_server_read_only=not self._max_bytes_by_path)
        is_from_our_page = "origin" in headers or headers.get("sec-fetch-site") == "same-origin"
        if not is_from_our_page and _read_bearer_key(headers) is None:
            raise request_errors.origin_missing()

    def _move_key_to_cookie(self, path: str, parameters: dict[str, list[str]]) -> RedirectResponse:
        """Move a key from the address, where people could see it, into a cookie.

        A role's key opens the page. A person's link leads to the page that asks before it signs in: no other page, and no
        preview of a message, can do that. A device's key stays with the browser.
        """
        query = urlencode(
            [(name, value) for name, values in parameters.items() if name not in ("key", "device") for value in values]
        )
        target = "/" + path.lstrip("/") + (f"?{query}" if query else "")
        if "device" in parameters:
            device = self._directory.find_device(parameters["device"][0])
            if device is None:
                raise request_errors.device_unknown()
            return self._redirect(target, DEVICE_COOKIE, parameters["device"][0], max_age=_YEAR_SECONDS)
        secret = parameters["key"][0]
        key = self._find_key(secret)
        if key is not None:
            return self._redirect(target, COOKIE, key.secret)
        if self._directory.find_user_of_link(secret) is None:
            raise request_errors.key_not_valid()
        page = urlencode({"next": target})
        # Lax: a link that somebody taps in a message is another site's, and has to reach the page that asks
        return self._redirect(f"{SIGN_IN_PATH}?{page}", LINK_COOKIE, secret, max_age=_LINK_SECONDS, samesite="lax")

    def _redirect(
        self,
        target: str,
        cookie: str,
        value: str,
        *,
        max_age: int | None = None,
        samesite: Literal["strict", "lax"] = "strict",
    ) -> RedirectResponse:
        redirect = RedirectResponse(target, status_code=303)
        redirect.set_cookie(
            cookie, value, httponly=True, samesite=samesite, path="/", secure=self._is_secure, max_age=max_age
        )
        return redirect

    def _build_language_cookie(self, language: str) -> tuple[bytes, bytes]:
        attributes = f"Path=/; Max-Age={_YEAR_SECONDS}; SameSite=Strict; HttpOnly{'; Secure' * self._is_secure}"
        return b"set-cookie", f"{LANGUAGE_COOKIE}={language}; {attributes}".encode("ascii")

    def _find_key(self, secret: str) -> Key | None:
        match = None
        for key in self._keys:  # compare with every key, so that the time reveals nothing
            if hmac.compare_digest(key.secret.encode(), secret.encode("utf-8", "replace")):
                match = key
        return match


def _refuse_body(headers: Mapping[str, str]) -> None:
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        raise request_errors.body_not_expected()


def _read_bearer_key(headers: Mapping[str, str]) -> str | None:
    """Return the key in a program's header, or None. No browser sends it for another page, so it needs no token."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def _build_extra_headers(error_page: Wrong) -> dict[str, str]:
    return {
        401: {"www-authenticate": "Bearer"},
        405: {"allow": "GET, HEAD"},
        408: {"connection": "close"},
        413: {"connection": "close"},
    }.get(error_page.status, {})


def _find_chosen_language(scope: Scope) -> str | None:
    """Return the language in the request's address, as in `?language=es`; None if it names none that we have."""
    parameters = parse_qs(scope["query_string"].decode("latin-1")[:_MAX_ADDRESS_BYTES])
    return find_language(parameters.get("language", [""])[0])


def _read_language(headers: Mapping[str, str]) -> str:
    """Return the language that was chosen before, or else the one that the browser prefers."""
    chosen_language = find_language(read_cookie(headers, LANGUAGE_COOKIE))
    return chosen_language or preferred_language(headers.get("accept-language", ""))


def _is_translated(path: str) -> bool:
    """Whether an address answers in the reader's language: a translated page, or a document with sentences in it."""
    return path in _TRANSLATED_PAGES or path.endswith(".json")


def read_key_cookie(headers: Mapping[str, str]) -> str:
    """Return the key in our cookie; "" if there is none."""
    return read_cookie(headers, COOKIE)


def read_cookie(headers: Mapping[str, str], cookie_name: str) -> str:
    """Return the value of a cookie; "" if there is none.

    It avoids `http.cookies`, which before Python 3.12.6 takes seconds for a quoted value of 60,000 backslashes.
    """
    for cookie in headers.get("cookie", "").split(";"):
        name, _, value = cookie.partition("=")
        if name.strip() == cookie_name:
            return value.strip()
    return ""
