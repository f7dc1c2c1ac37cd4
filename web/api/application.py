"""Assemble the routes of the append API."""

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
from web.api import api_errors, problems
from web.api.device_requests import Devices, Events, Lines, NewTable, Undo, read_body, require_table
from web.api.openapi import build_openapi

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from ledger.house.events import DeviceEnrolled
    from web.api.tables import RecordedTables
    from web.log_growth import LogGrowth

ROOT: Final = "/api/1"
_HEARTBEAT_SECONDS: Final = 15
"""Seconds between messages on an idle stream."""
_MAX_STREAMS: Final = 500
_HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


class ApiContext:
    """What every answer needs: the tables, the devices and the log's growth."""

    def __init__(self, tables: RecordedTables, growth: LogGrowth, host_names: Iterable[str]) -> None:
        self.ledger = tables.ledger
        self.growth = growth
        self.names = frozenset(host_name.lower() for host_name in host_names)
        self.tables = tables
        self.devices = Devices(tables.ledger)
        self.streams = 0


Answer = Callable[[ApiContext, "Request"], Awaitable[Response]]


def build_api(tables: RecordedTables, growth: LogGrowth, host_names: Iterable[str]) -> Starlette:
    """Return the API of some tables. `host_names`: the hosts (with ports) that it answers under."""
    context = ApiContext(tables, growth, host_names)
    post_routes: dict[str, tuple[type[msgspec.Struct], Callable[..., object]]] = {
        "": (NewTable, tables.open),
        "/lines": (Lines, tables.record_lines),
        "/events": (Events, tables.record_events),
        "/undo": (Undo, tables.undo),
    }
    routes = [
        Route(f"{ROOT}/openapi.json", partial(_answer, context, _answer_openapi), methods=["GET"]),
        Route(f"{ROOT}/me", partial(_answer, context, _answer_identity), methods=["GET"]),
        Route(f"{ROOT}/table", partial(_answer, context, _answer_table_state), methods=["GET"]),
        Route(f"{ROOT}/table/live", partial(_answer, context, _stream_table), methods=["GET"]),
        *(
            Route(
                f"{ROOT}/table{path}", partial(_answer, context, partial(_append, body_type, handler)), methods=["POST"]
            )
            for path, (body_type, handler) in post_routes.items()
        ),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _answer_unknown_address})


class ApiDispatcher:
    """Dispatch requests to two applications: paths under /api/ to the API, all others to the pages."""

    def __init__(self, pages: ASGIApp, api: ASGIApp) -> None:
        """`pages` also handles the start and end of the server."""
        self._pages, self._api = pages, api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to its application."""
        api = scope["type"] == "http" and scope["path"].startswith("/api/")
        await (self._api if api else self._pages)(scope, receive, send)


async def _answer_unknown_address(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return problems.describe_error(api_errors.address_unknown() if status == 404 else api_errors.method_wrong(status))


async def _answer(context: ApiContext, handler: Answer, request: Request) -> Response:
    """Answer a request. Errors become answers too."""
    try:
        _check_host(context, request)
        response = await handler(context, request)
    except Exception as error:  # noqa: BLE001 - a device learns of every error
        response = problems.describe_error(error)
    response.headers.update(_HEADERS)
    return response


def _check_host(context: ApiContext, request: Request) -> None:
    """Refuse a request under another host name than ours."""
    host_headers = request.headers.getlist("host")
    if len(host_headers) != 1 or host_headers[0].lower() not in context.names:
        raise api_errors.host_name_wrong()


def _respond_json(document: object) -> Response:
    text = json.dumps(msgspec.to_builtins(document, str_keys=True), ensure_ascii=True)
    return Response(f"{text}\n", media_type="application/json")


async def _answer_openapi(_: ApiContext, __: Request) -> Response:
    return Response(_encode_openapi(), media_type="application/json")


@cache
def _encode_openapi() -> str:
    return json.dumps(build_openapi(ROOT), ensure_ascii=True) + "\n"


async def _answer_identity(context: ApiContext, request: Request) -> Response:
    device = await run_in_threadpool(context.devices.authenticate, request)
    device_facts = {name: getattr(device, name) for name in ("device", "may", "venue", "table", "cards")}
    return _respond_json({**device_facts, "now": context.ledger.now()})


async def _answer_table_state(context: ApiContext, request: Request) -> Response:
    return _respond_json(await run_in_threadpool(_read_table_state, context, request))


def _read_table_state(context: ApiContext, request: Request) -> object:
    device, table_key = _require_device_and_table(context, request)
    return context.tables.build_live_document(table_key, device)


def _require_device_and_table(context: ApiContext, request: Request) -> tuple[DeviceEnrolled, TableKey]:
    """Return the device and the table that it names. Raise `ProblemError` if it may not record there."""
    device = context.devices.authenticate(request)
    parameters = request.query_params
    table_key = TableKey(
        parameters.get("venue", device.venue), parameters.get("tournament", ""), parameters.get("table", device.table)
    )
    if not table_key.venue or not table_key.table or len("".join(table_key)) > 300 or "\0" in "".join(table_key):
        raise api_errors.table_not_named()
    require_table(device, table_key.venue, table_key.table)
    return device, table_key


async def _append(
    body_type: type[msgspec.Struct], handler: Callable[..., object], context: ApiContext, request: Request
) -> Response:
    """Record what a device sends. Authenticate it before reading the body."""
    device, table_key = await run_in_threadpool(_require_device_and_table, context, request)
    document = await read_body(request, body_type)
    return _respond_json(await run_in_threadpool(handler, table_key, device, document))


async def _stream_table(context: ApiContext, request: Request) -> Response:
    """Send the table's state, and again whenever the log's growth changes it."""
    device, table_key = await run_in_threadpool(_require_device_and_table, context, request)
    if context.streams >= _MAX_STREAMS:
        raise api_errors.too_many_listeners()
    first_state = await run_in_threadpool(context.tables.build_live_document, table_key, device)

    async def iterate_messages() -> AsyncIterator[str]:
        context.streams += 1
        try:
            position, sent_state = context.growth.position, msgspec.json.encode(first_state).decode()
            yield f"data: {sent_state}\n\n"
            while not await request.is_disconnected():
                with anyio.move_on_after(_HEARTBEAT_SECONDS):
                    position = await context.growth.wait_beyond(position)
                    if not await run_in_threadpool(context.devices.is_enrolled, device):
                        return  # it was retired, or has another key or other limits since
                    current_state = msgspec.json.encode(
                        await run_in_threadpool(context.tables.build_live_document, table_key, device)
                    ).decode()
                    if current_state != sent_state:
                        sent_state = current_state
                        yield f"data: {sent_state}\n\n"
                    continue
                yield ": still here\n\n"
        finally:
            context.streams -= 1

    return StreamingResponse(iterate_messages(), media_type="text/event-stream")
