"""The server: its addresses, its files, and the log as it grows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ledger.store import open as open_ledger
from web.api.application import Beside
from web.api.application import application as api
from web.api.tables import Tables
from web.rendering import static
from web.server import refusing
from web.server.answering import PAGES, Server
from web.server.bodies import Bounds
from web.server.bringing import bring
from web.server.case_forms import FORMS
from web.server.casework import Casework
from web.server.guarding import Guard, Key
from web.server.keeping import Keep
from web.server.live import Growth
from web.server.opening_cards import open_cards
from web.server.presence import Presence
from web.server.remembering import Remembered

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from ledger.store import Ledger

_FILES: Final = {
    "page.css": "text/css",
    "site.css": "text/css",
    "replay.js": "text/javascript",
    "keep.js": "text/javascript",
    "outbox.js": "text/javascript",
    "turn.js": "text/javascript",
    "live.js": "text/javascript",
    "drop.js": "text/javascript",
    "vendor/htmx-2.0.11.min.js": "text/javascript",
}


def application(
    ledger: Ledger,
    name: str,
    keys: list[Key],
    names: Iterable[str],
    *,
    writes: bool = False,
    bounds: Bounds | None = None,
    books: Sequence[str] = (),
    hide: bool = False,
) -> ASGIApp:
    """Return the server of a ledger: `name` is what it is called, `names` the hosts (with ports) it answers under.

    `writes`: cases may be worked, files imported and hidden cards opened by roles that may; without it nothing is
    changed by asking. `bounds`: how much is taken in, and how slowly. `books`: what is due at tables, and what
    hands are judged by; without any, the house's. `hide`: cards that were not shown go in as commitments only.
    """
    growth, bounds = Growth(ledger), bounds or Bounds()
    tables = Tables(open_ledger(ledger.database.address.full_url, create=False), books, hide=hide) if writes else None
    server = Server(ledger, name, growth, Remembered(), Presence(ledger), bounds, writes, tables, books, OrderedDict())
    doors = _doors(server) if writes else {}

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        try:
            with growth:
                yield
        finally:
            if tables is not None:
                tables.ledger.close()

    routes = [
        Route("/", lambda _: RedirectResponse("/tables", status_code=303)),
        Route("/favicon.ico", lambda _: Response(status_code=204)),
        Route("/live", partial(_live, growth)),
        *(Route(f"/static/{file}", partial(_file, file, kind)) for file, kind in _FILES.items()),
        *(Route(f"/{path}", partial(_page, server, path), methods=["GET"]) for path in PAGES),
        *(Route(f"/{path}.json", partial(_document, server, path), methods=["GET"]) for path in PAGES),
    ]
    routes += [Route(path, door.answer, methods=["POST"]) for path, door in doors.items()]
    app = Starlette(routes=routes, lifespan=living, exception_handlers={404: _nowhere, refusing.RefusedError: _refused})
    takes = {path: door.most for path, door in doors.items()}
    names = list(names)
    app.add_middleware(Guard, names=frozenset(one.lower() for one in names), keys=keys, takes=takes, bounds=bounds)
    return app if tables is None else Beside(app, api(tables, growth, names))


class Door(NamedTuple):
    """An address that takes something in: what answers, and the most bytes."""

    answer: Callable[[Request], Awaitable[Response]]
    most: int


def _doors(server: Server) -> dict[str, Door]:
    """Return what takes something in, by its address; with `.json` behind it, it answers with documents."""
    work, form, file = Casework(server), server.bounds.form, server.bounds.file
    doors = {"/open-case": Door(work.open, form), "/imports": Door(partial(bring, server), file)}
    doors["/open-cards"] = Door(partial(open_cards, server), form)
    for one in FORMS.values():
        most = file if any(ask.kind == "file" for ask in one.asks) else form
        doors[f"/case/{one.name}"] = Door(partial(work.add, one), most)
    if server.tables is not None:
        doors["/keep"] = Door(Keep(server, server.tables).take, form)
    return doors | {f"{path}.json": door for path, door in doors.items()}


async def _file(name: str, kind: str, _: Request) -> Response:
    return Response(static(name), media_type=kind)


async def _page(server: Server, path: str, request: Request) -> Response:
    return await run_in_threadpool(server.page, path, request)


async def _document(server: Server, path: str, request: Request) -> Response:
    return await run_in_threadpool(server.document, path, request)


async def _nowhere(request: Request, _: Exception) -> Response:
    return refusing.answer(request.scope, refusing.wrong(404, "There is no such page.", "/tables lists the tables."))


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, refusing.RefusedError):
        raise error
    return refusing.answer(request.scope, error.wrong)


async def _live(growth: Growth, request: Request) -> Response:
    """Send the position of the log each time it has grown, and over how many milliseconds to spread what is asked then."""

    async def events() -> AsyncIterator[str]:
        growth.listeners += 1
        try:
            at = growth.position
            yield _grown(at, _SPREAD_MOST)  # a page that comes back after a restart is one of many that do
            while not await request.is_disconnected():
                with anyio.move_on_after(_STILL_THERE):
                    at = await growth.behind(at)
                    yield _grown(at, min(_SPREAD_MOST, _SPREAD * growth.listeners))
                    continue
                yield ": still here\n\n"
        finally:
            growth.listeners -= 1

    return StreamingResponse(events(), media_type="text/event-stream")


def _grown(position: int, spread: int) -> str:
    return f"id: {position}\ndata: {position} {spread}\n\n"


_SPREAD: Final = 5
_SPREAD_MOST: Final = 2_000
"""Milliseconds for each who listens, and at most: whoever is alone hears at once, many do not ask all at once."""
_STILL_THERE: Final = 15
"""Seconds after which a word is sent though nothing happened, so that a connection that is gone is noticed."""
