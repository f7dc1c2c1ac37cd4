"""The server: addresses, pages and files, what goes wrong as a page, and the log as it grows."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlencode

import anyio
import msgspec
from jinja2 import Environment, TemplateError
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ledger import __version__, safe
from ledger.clocks import minute
from ledger.errors import (
    AddressError,
    HandledgerError,
    NothingFoundError,
    QueryError,
    RulebookError,
    StoreError,
    UsageError,
)
from projections.reports import owed
from web.rendering import Told, environment, static
from web.server import pages
from web.server.documents import Site, Wrong
from web.server.guarding import Guard, Key
from web.server.live import Growth
from web.server.remembering import Answered, Remembered

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.store import Ledger

Answer = Callable[[pages.Asking], Site]

PAGES: Final[dict[str, Answer]] = {
    "tables": pages.tables,
    "table": pages.table,
    "log": pages.log,
    "hand": pages.hand,
    "findings": pages.findings,
    "rules": pages.rules,
    "imports": pages.imports,
    "results": pages.sums,
}
"""Each page by its address; with `.json` behind it, its document."""
_NAV: Final = ("tables", "log", "findings", "results", "rules", "imports")
_NOT_FOR_VIEWERS: Final = frozenset({"findings", "imports"})
"""Pages that may tell of cards, or of lines, that were not shown at the table."""
_FILES: Final = {
    "page.css": "text/css",
    "site.css": "text/css",
    "replay.js": "text/javascript",
    "live.js": "text/javascript",
    "vendor/htmx-2.0.11.min.js": "text/javascript",
}


def application(ledger: Ledger, name: str, keys: list[Key], names: Iterable[str]) -> Starlette:
    """Return the server of a ledger: `name` is what it is called, `names` the hosts (with ports) it answers under."""
    growth = Growth(ledger)
    server = _Server(ledger, name, growth, Remembered())

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        with growth:
            yield

    routes = [
        Route("/", lambda _: RedirectResponse("/tables", status_code=303)),
        Route("/favicon.ico", lambda _: Response(status_code=204)),
        Route("/live", partial(_live, growth)),
        *(Route(f"/static/{file}", partial(_file, file, kind)) for file, kind in _FILES.items()),
        *(Route(f"/{path}", partial(_page, server, path)) for path in PAGES),
        *(Route(f"/{path}.json", partial(_document, server, path)) for path in PAGES),
    ]
    app = Starlette(routes=routes, lifespan=living, exception_handlers={404: _nowhere})
    app.add_middleware(Guard, names=frozenset(one.lower() for one in names), keys=keys)
    return app


async def _file(name: str, kind: str, _: Request) -> Response:
    return Response(static(name), media_type=kind)


class _Server(NamedTuple):
    """What every answer needs: the ledger, what it is called, how far it has come, the last answers."""

    ledger: Ledger
    name: str
    growth: Growth
    remembered: Remembered


async def _page(server: _Server, path: str, request: Request) -> Response:
    answered = await run_in_threadpool(_once, server, f"{path}.html", request, partial(_html, server, path, request))
    return Response(answered.body, answered.status, media_type="text/html")


async def _document(server: _Server, path: str, request: Request) -> Response:
    answered = await run_in_threadpool(_once, server, path, request, partial(_json, server, path, request))
    return Response(answered.body, answered.status, media_type="application/json")


def _once(server: _Server, what: str, request: Request, make: Callable[[], Answered]) -> Answered:
    asked = (what, request.scope["role"], request.url.query)
    return server.remembered.answer(asked, server.ledger.head()[0], make)


def _html(server: _Server, path: str, request: Request) -> Answered:
    status, told = _answered(server.ledger, path, request)
    role = request.scope["role"]
    around = {
        "path": path,
        "nav": [one for one in _NAV if not (role == "viewer" and one in _NOT_FOR_VIEWERS)],
        "here": _here(request, path),
        "json": _here(request, f"{path}.json"),
        "ledger": server.name,
        "role": role,
        "version": __version__,
        "given": dict(request.query_params),
    }
    template = "site/error.html" if isinstance(told, Wrong) else f"site/{path}.html"
    try:
        return Answered(status, _site().get_template(template).render(page=told, **around).encode())
    except (TemplateError, ValueError, TypeError, LookupError, ArithmeticError) as error:
        _noted(path, error)
        return Answered(500, b"This page could not be drawn. That is a fault of ours: please report it.\n")


def _json(server: _Server, path: str, request: Request) -> Answered:
    status, told = _answered(server.ledger, path, request)
    data = json.dumps(msgspec.to_builtins(told, str_keys=True), ensure_ascii=True)
    return Answered(status, f"{data}\n".encode("ascii"))


def _answered(ledger: Ledger, path: str, request: Request) -> tuple[int, Site | Wrong]:
    """Return a page's document, or what was wrong; nothing that goes wrong ends the server."""
    role = request.scope["role"]
    if role == "viewer" and path in _NOT_FOR_VIEWERS:
        return 403, Wrong(403, "This page may tell of cards that were not shown.", "It is for the floor and auditors.")
    try:
        return 200, PAGES[path](pages.Asking(ledger, role, dict(request.query_params)))
    except HandledgerError as error:
        status = _status(error)
        return status, Wrong(status, error.message, error.hint)
    except SQLAlchemyError as error:
        sys.stderr.write(f"handledger: {safe.terminal(str(error), 300)}\n")
        return 503, Wrong(503, "the ledger cannot be read now", "Ask again; `handledger verify` looks at the ledger.")
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        _noted(path, error)
        return 500, Wrong(500, "this page could not be made", "That is a fault of ours: please report it.")


def _noted(path: str, error: Exception) -> None:
    """Say at the terminal that a page was not made, and why."""
    sys.stderr.write(f"handledger: page {path}: {type(error).__name__}: {safe.terminal(str(error), 300)}\n")


def _status(error: HandledgerError) -> int:
    if isinstance(error, NothingFoundError | RulebookError):
        return 404
    if isinstance(error, UsageError | AddressError | QueryError):
        return 400
    return 503 if isinstance(error, StoreError) else 500


async def _nowhere(_: Request, __: Exception) -> Response:
    return PlainTextResponse("There is no such page. /tables lists the tables.\n", 404)


async def _live(growth: Growth, request: Request) -> Response:
    """Send the position of the log each time it has grown, and over how many milliseconds to spread what is asked then."""

    async def events() -> AsyncIterator[str]:
        growth.listeners += 1
        try:
            at = growth.position
            yield _grown(at, growth)
            while not await request.is_disconnected():
                with anyio.move_on_after(_STILL_THERE):
                    at = await growth.behind(at)
                    yield _grown(at, growth)
                    continue
                yield ": still here\n\n"
        finally:
            growth.listeners -= 1

    return StreamingResponse(events(), media_type="text/event-stream")


def _grown(position: int, growth: Growth) -> str:
    return f"id: {position}\ndata: {position} {min(_SPREAD_MOST, _SPREAD * growth.listeners)}\n\n"


_SPREAD: Final = 5
_SPREAD_MOST: Final = 2_000
"""Milliseconds for each who listens, and at most: whoever is alone hears at once, many do not ask all at once."""
_STILL_THERE: Final = 15
"""Seconds after which a word is sent though nothing happened, so that a connection that is gone is noticed."""


def _here(request: Request, path: str, **more: str) -> str:
    told = {**dict(request.query_params), **more}
    return f"/{path}?{urlencode(told)}" if told else f"/{path}"


@cache
def _site() -> Environment:
    """Return the templates, with what these pages call besides."""
    made = environment().overlay()
    made.globals = {
        **made.globals,
        "minute": minute,
        "groups": pages.GROUPS,
        "link": lambda path, **given: f"/{path}?{urlencode(given)}",
        "owed": lambda due: Told(owed.text(due, width=100)),
    }
    return made
