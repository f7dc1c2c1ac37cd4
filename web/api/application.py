"""The addresses of the append API, and who is let through to them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import cache, partial
from typing import TYPE_CHECKING, Final

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ledger.store.hands.hand_accounts import TableKey
from web.api import problems
from web.api.asking import Devices, Events, Lines, NewTable, Undo, at, body
from web.api.openapi import described
from web.api.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from ledger.house.events import DeviceEnrolled
    from web.api.tables import Tables
    from web.server.live import Growth

ROOT: Final = "/api/1"
_STILL_THERE: Final = 15
"""Seconds after which a word is sent though nothing happened."""
_STREAMS_MOST: Final = 500
_HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


class Asked:
    """What every answer needs: the tables, the devices, and the end of the log as it grows."""

    def __init__(self, tables: Tables, growth: Growth, names: Iterable[str]) -> None:
        self.ledger = tables.ledger
        self.growth = growth
        self.names = frozenset(one.lower() for one in names)
        self.tables = tables
        self.devices = Devices(tables.ledger)
        self.streams = 0


Answer = Callable[[Asked, "Request"], Awaitable[Response]]


def application(tables: Tables, growth: Growth, names: Iterable[str]) -> Starlette:
    """Return the API of some tables: `names` are the hosts (with ports) it answers under, `growth` tells of new events."""
    asked = Asked(tables, growth, names)
    posts: dict[str, tuple[type[msgspec.Struct], Callable[..., object]]] = {
        "": (NewTable, tables.open),
        "/lines": (Lines, tables.lines),
        "/events": (Events, tables.events),
        "/undo": (Undo, tables.undo),
    }
    routes = [
        Route(f"{ROOT}/openapi.json", partial(_answered, asked, _openapi), methods=["GET"]),
        Route(f"{ROOT}/me", partial(_answered, asked, _me), methods=["GET"]),
        Route(f"{ROOT}/table", partial(_answered, asked, _stands), methods=["GET"]),
        Route(f"{ROOT}/table/live", partial(_answered, asked, _live), methods=["GET"]),
        *(
            Route(f"{ROOT}/table{path}", partial(_answered, asked, partial(_append, kind, work)), methods=["POST"])
            for path, (kind, work) in posts.items()
        ),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _nowhere})


class Beside:
    """Two applications under one address: the API where an address begins as its own do, the pages elsewhere."""

    def __init__(self, pages: ASGIApp, api: ASGIApp) -> None:
        """Take both; what begins and ends with the server is the pages'."""
        self._pages, self._api = pages, api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request to the one that it is for."""
        api = scope["type"] == "http" and scope["path"].startswith("/api/")
        await (self._api if api else self._pages)(scope, receive, send)


async def _nowhere(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    hint = f"{ROOT}/openapi.json lists what there is."
    return problems.answer(
        status, "there is nothing under this address" if status == 404 else "that cannot be done here", hint
    )


async def _answered(asked: Asked, work: Answer, request: Request) -> Response:
    """Answer a request; whatever goes wrong is an answer, too."""
    try:
        _here(asked, request)
        answer = await work(asked, request)
    except Exception as error:  # noqa: BLE001 - a device is told of everything
        answer = problems.of(error)
    answer.headers.update(_HEADERS)
    return answer


def _here(asked: Asked, request: Request) -> None:
    """Refuse what was asked under another name than ours."""
    hosts = request.headers.getlist("host")
    if len(hosts) != 1 or hosts[0].lower() not in asked.names:
        raise ProblemError(421, "this server answers under its own name only")


def _json(document: object) -> Response:
    data = json.dumps(msgspec.to_builtins(document, str_keys=True), ensure_ascii=True)
    return Response(f"{data}\n", media_type="application/json")


async def _openapi(_: Asked, __: Request) -> Response:
    return Response(_described(), media_type="application/json")


@cache
def _described() -> str:
    return json.dumps(described(ROOT), ensure_ascii=True) + "\n"


async def _me(asked: Asked, request: Request) -> Response:
    device = await run_in_threadpool(asked.devices.of, request)
    told = {name: getattr(device, name) for name in ("device", "may", "venue", "table", "cards")}
    return _json({**told, "now": asked.ledger.now()})


async def _stands(asked: Asked, request: Request) -> Response:
    return _json(await run_in_threadpool(_where, asked, request))


def _where(asked: Asked, request: Request) -> object:
    device, place = _who(asked, request)
    return asked.tables.stands(place, device)


def _who(asked: Asked, request: Request) -> tuple[DeviceEnrolled, TableKey]:
    """Return the device that asks, and the table that it names, which it may record."""
    device = asked.devices.of(request)
    given = request.query_params
    place = TableKey(given.get("venue", device.venue), given.get("tournament", ""), given.get("table", device.table))
    if not place.venue or not place.table or len("".join(place)) > 300 or "\0" in "".join(place):
        raise ProblemError(422, "which table is not said", "?venue=...&table=... name it.")
    at(device, place.venue, place.table)
    return device, place


async def _append(kind: type[msgspec.Struct], work: Callable[..., object], asked: Asked, request: Request) -> Response:
    """Take in what a device sends: who it is comes first, what it says then."""
    device, place = await run_in_threadpool(_who, asked, request)
    told = await body(request, kind)
    return _json(await run_in_threadpool(work, place, device, told))


async def _live(asked: Asked, request: Request) -> Response:
    """Send where the table stands, and again each time the log has grown and it stands otherwise."""
    device, place = await run_in_threadpool(_who, asked, request)
    if asked.streams >= _STREAMS_MOST:
        raise ProblemError(503, "too many listen already", "Ask where the table stands instead.")
    first = await run_in_threadpool(asked.tables.stands, place, device)

    async def events() -> AsyncIterator[str]:
        asked.streams += 1
        try:
            position, told = asked.growth.position, msgspec.json.encode(first).decode()
            yield f"data: {told}\n\n"
            while not await request.is_disconnected():
                with anyio.move_on_after(_STILL_THERE):
                    position = await asked.growth.behind(position)
                    now = msgspec.json.encode(await run_in_threadpool(asked.tables.stands, place, device)).decode()
                    if now != told:
                        told = now
                        yield f"data: {told}\n\n"
                    continue
                yield ": still here\n\n"
        finally:
            asked.streams -= 1

    return StreamingResponse(events(), media_type="text/event-stream")
