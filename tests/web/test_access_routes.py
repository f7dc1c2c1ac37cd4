"""Who may open which address: every route of the server, for every role, and for nobody."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from tests.fuzz.asgi import shut_down
from tests.web.serving import KEYS
from tests.web.test_users import Tablet, enrolled, served, signed_in
from web.api.application import ApiDispatcher
from web.server.access.roles import RIGHTS, AccessRight, Role
from web.server.application import build_application
from web.server.cases.case_forms import FORMS
from web.server.page_drawer import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import Ledger
    from tests.web.serving import Served

__all__ = ["served"]

OPEN_TO_ALL: Final = {("GET", "/sign-in"), ("POST", "/sign-in")}
"""Addresses for who isn't signed in; style sheets and scripts are, too."""
READING: Final[dict[str, AccessRight]] = {
    **dict.fromkeys(("/", "/favicon.ico", "/live", "/hand.svg", "/house-rules.toml"), AccessRight.TABLES),
    **dict.fromkeys(("tables", "table", "log", "hand", "rules", "house-rules", "results"), AccessRight.TABLES),
    **dict.fromkeys(("person", "counts", "search", "me"), AccessRight.TABLES),
    **dict.fromkeys(("keep", "start", "approve"), AccessRight.RECORD),
    **dict.fromkeys(("cases", "case"), AccessRight.CASES),
    "findings": AccessRight.FINDINGS,
    "imports": AccessRight.IMPORTS,
    "looks": AccessRight.OPENINGS,
    "open-case": AccessRight.WORK,
    "requests": AccessRight.RULE,
}
"""The right that each page needs, written here once more: a new page is entered by hand."""
WRITING: Final[dict[str, AccessRight]] = {
    "/open-case": AccessRight.WORK,
    "/case-report": AccessRight.CASES,
    "/imports": AccessRight.BRING,
    "/house-rules": AccessRight.ADOPT,
    "/open-cards": AccessRight.OPEN,
    "/sign-out": AccessRight.TABLES,
    "/me": AccessRight.TABLES,
    "/dealer": AccessRight.RECORD,
    "/approve": AccessRight.RECORD,
    "/keep": AccessRight.RECORD,
    "/requests": AccessRight.RULE,
    "/start": AccessRight.RULE,
    **{f"/case/{name}": AccessRight.WORK for name in FORMS},
}
ROLES: Final[tuple[Role, ...]] = tuple(RIGHTS)
STREAM: Final = "/live"


def routes_of(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Yield method and path of each route of a writable server."""
    app = build_application(ledger, "x.ledger", KEYS, ["room:8000"], is_writable=True)
    shut_down(app)
    assert isinstance(app, ApiDispatcher)
    pages = app._pages
    assert isinstance(pages, Starlette)
    for route in pages.routes:
        assert isinstance(route, Route)
        yield from ((method, route.path) for method in sorted(route.methods or {"GET"}) if method in ("GET", "POST"))


def is_open(method: str, path: str) -> bool:
    return (method, path.removesuffix(".json")) in OPEN_TO_ALL


def right_of(method: str, path: str) -> AccessRight:
    if method == "POST":
        return WRITING[path.removesuffix(".json")]
    return READING[path if path in READING else path.removeprefix("/").removesuffix(".json")]


def test_each_page_needs_the_right_that_is_written_here() -> None:
    assert {name: spec.required_right for name, spec in PAGES.items()} == {
        name: READING[name] for name in READING if not name.startswith("/")
    }


@pytest.mark.parametrize("role", ROLES)
def test_every_route_is_open_to_the_roles_with_its_right_and_to_no_others(served: Served, role: Role) -> None:
    tablet = signed_in(served, "Pat", role)
    token = tablet.token()
    wrong = []
    for method, path in routes_of(served.ledger):
        if path.startswith(("/static/", "/sign-out")) or is_open(method, path) or path == STREAM:
            continue
        status = tablet.ask(path)[0] if method == "GET" else tablet.send(path, with_token=False, token=token)[0]
        may = right_of(method, path) in RIGHTS[role]
        if (status == 403) == may or status in (401, 405) or status >= 500:
            wrong.append(f"{method} {path}: {status}")
    assert not wrong


def test_who_is_not_signed_in_opens_nothing_but_the_way_in(served: Served) -> None:
    enrolled(served.ledger, "Pat", "floor")
    stranger, wrong = Tablet(served), []
    before = served.ledger.head()
    for method, path in routes_of(served.ledger):
        if is_open(method, path):
            continue
        status = stranger.ask(path)[0] if method == "GET" else stranger.send(path, with_token=False, token="x")[0]
        if status != (200 if path.startswith("/static/") else 401):
            wrong.append(f"{method} {path}: {status}")
    assert not wrong
    assert served.ledger.head() == before


def test_no_form_is_taken_without_its_token_or_from_another_page(served: Served) -> None:
    tablet = signed_in(served, "Pat", "floor")
    token, wrong = tablet.token(), []
    before = served.ledger.head()
    for method, path in routes_of(served.ledger):
        if method != "POST" or is_open(method, path):
            continue
        body = urlencode({"token": token}).encode()
        kind = "application/x-www-form-urlencoded"
        forged = tablet.ask(path, "POST", body, Content_Type=kind, Origin="http://evil.test")[0]
        unknown = tablet.ask(path, "POST", body, Content_Type=kind)[0]
        without = tablet.send(path, with_token=False, token=token[::-1])[0]
        as_json = tablet.ask(
            path, "POST", json.dumps({"token": ""}).encode(), Content_Type="application/json", Origin=served.origin
        )[0]
        if {forged, unknown, without, as_json} != {403}:
            wrong.append(f"{path}: {forged} {unknown} {without} {as_json}")
    assert not wrong
    assert served.ledger.head() == before
