"""Signing in: whatever a stranger sends, no answer is a fault of ours, and nobody signs in without a code or a link."""

from __future__ import annotations

import json
from functools import cache
from typing import Final
from urllib.parse import unquote_plus, urlencode

from ledger.house import users
from ledger.house.events import DeviceEnrolled, SignInCodeIssued, UserEnrolled, UserSignedIn
from ledger.house.users import SESSION_MILLIS, hash_code, hash_secret
from ledger.store import Ledger
from ledger.streams import HOUSE
from tests.fuzz.asgi import BETWEEN
from tests.fuzz.served import HOST, Site
from tests.fuzz.target import Target
from web.server.access.visitors import build_form_token

_LINK: Final = "l" * 43
_SESSION: Final = "s" * 43
_FLOOR_SESSION: Final = "f" * 43
_DEVICE: Final = "t" * 43
_CODE: Final = "31415926"
_APPROVE: Final = {"venue": "Riverside", "tournament": "", "name": "T7", "line": "stop", "seat": "", "since": "1"}


def targets() -> list[Target]:
    """Return the one target."""
    modules = ("web.server.access", "web.server.sign_in", "web.server.submissions", "ledger.house.users")
    return [Target("sign_in", seeds, run, modules, work=3_000_000, work_per_byte=300)]


def seeds() -> list[bytes]:
    """Return each way in: a link, a code as a form and as JSON, a device's key, and what is open to who is signed in."""
    link = BETWEEN.join(
        (
            _ask("GET", f"/tables?key={_LINK}"),
            _ask("GET", "/sign-in?next=%2Ftables", f"handledger-link={_LINK}"),
            _form("/sign-in", {"link": "yes", "next": "/keep?venue=Riverside&name=T7"}, f"handledger-link={_LINK}"),
        )
    )
    device = _ask("GET", f"/keep?venue=Riverside&name=T7&device={_DEVICE}")
    both = f"handledger={_SESSION}; handledger-device={_DEVICE}; handledger-language=es"
    signed_in = [
        _ask("GET", path, both)
        for path in ("/me", "/me.json", "/tables", "/requests", f"/approve?{urlencode(_APPROVE)}")
    ]
    token = {"token": build_form_token(_SESSION)}
    forms = [
        _form("/sign-in", {"code": "3141 5926", "next": "/tables?q=%22"}),
        _form("/sign-in", {"code": "11111111", "next": "//evil.test"}, f"handledger-device={_DEVICE}"),
        _json("/sign-in.json", {"code": _CODE, "next": "/me"}),
        _json("/sign-in.json", {"code": ["31415926", 2], "link": True}),
        _form("/sign-out", {**token, "next": "/tables"}, f"handledger={_SESSION}"),
        _form("/me", {**token, "user": ""}, f"handledger={_SESSION}"),
        _form("/dealer", {**token, **_APPROVE}, f"handledger={_SESSION}"),
        _form("/approve", {**token, **_APPROVE, "code": _CODE, "once": "x"}, f"handledger={_SESSION}"),
        _form(
            "/requests",
            {"token": build_form_token(_FLOOR_SESSION), "id": "x", "answer": "approve"},
            f"handledger={_FLOOR_SESSION}",
        ),
        _form("/keep", {**token, **_APPROVE, "written": "u"}, f"handledger={_SESSION}"),
        _multipart("/sign-in", "code", _CODE),
    ]
    bearer = f"GET /me\nhost: {HOST}\nauthorization: Bearer {_SESSION}\n\n".encode()
    return [link, device, *signed_in, *forms, bearer]


def run(data: bytes) -> None:
    """Ask the server."""
    _site().run(data)


def _ask(method: str, target: str, cookie: str = "") -> bytes:
    return f"{method} {target}\nhost: {HOST}\ncookie: {cookie}\n\n".encode()


def _post(path: str, kind: str, body: bytes, cookie: str) -> bytes:
    head = f"POST {path}\nhost: {HOST}\norigin: http://{HOST}\ncookie: {cookie}\ncontent-type: {kind}\n\n"
    return head.encode() + body


def _form(path: str, fields: dict[str, str], cookie: str = "") -> bytes:
    return _post(path, "application/x-www-form-urlencoded", urlencode(fields).encode(), cookie)


def _json(path: str, fields: dict[str, object], cookie: str = "") -> bytes:
    return _post(path, "application/json", json.dumps(fields).encode(), cookie)


def _multipart(path: str, name: str, text: str) -> bytes:
    body = f'--x\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{text}\r\n--x--\r\n'
    return _post(path, "multipart/form-data; boundary=x", body.encode(), "")


def _prepare(ledger: Ledger) -> None:
    """Enrol a dealer who has a link, a session and a code, a floor with a session, and a tablet."""
    users.CODE_MILLIS = SESSION_MILLIS  # type: ignore[misc] # the code is good as long as the run
    maria, flo = (ledger.people.player("", name) for name in ("Maria", "Flo"))
    later = ledger.now() + SESSION_MILLIS
    events = [
        UserEnrolled(maria, "dealer", hash_secret(_LINK)),
        UserSignedIn(maria, hash_secret(_SESSION), "link", later),
        SignInCodeIssued(maria, hash_code(_CODE, ledger.id), later),
        UserEnrolled(flo, "floor", hash_secret("nobody has this")),
        UserSignedIn(flo, hash_secret(_FLOOR_SESSION), "link", later),
        DeviceEnrolled("tablet-7", hash_secret(_DEVICE)),
    ]
    ledger.append("house", HOUSE, events)


def _check_sign_ins(ledger: Ledger, data: bytes) -> None:
    """Refuse a session that was opened without the link or the code."""
    sign_ins = sum(1 for _ in ledger.entries_of_types(HOUSE, UserSignedIn))
    text = unquote_plus(data.decode("latin-1"))
    has_code = _CODE in "".join(letter for letter in text if letter.isdigit())
    knows_secret = has_code or _LINK in text
    assert sign_ins == _PREPARED_SESSIONS or knows_secret, "somebody signed in without a code or a link"


_PREPARED_SESSIONS: Final = 2


@cache
def _site() -> Site:
    return Site(_prepare, _check_sign_ins)
