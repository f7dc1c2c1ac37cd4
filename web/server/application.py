"""Assemble the server: its routes, its static files and the stream of the log's growth."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ledger.store import open as open_ledger
from web.api.application import ApiDispatcher
from web.api.application import build_api as api
from web.api.tables import RecordedTables
from web.log_growth import LogGrowth
from web.pages.html import list_static, read_static
from web.server import book_adopter, error_pages, page_errors, pocket_files
from web.server.access.access_guard import SIGN_IN_PATH, Guard
from web.server.access.approval_requests import ApprovalRequests
from web.server.access.bodies import IntakeBounds
from web.server.access.ledger_presence import LedgerFileCheck
from web.server.access.user_directory import UserDirectory
from web.server.access.visitors import Key
from web.server.answer_cache import AnswerCache, is_worth_keeping
from web.server.answers import Server
from web.server.cases.case_download import download_case_report
from web.server.cases.case_forms import FORMS
from web.server.cases.casework import Casework
from web.server.file_drop import import_files
from web.server.first_run import FirstRun, choose_first_address
from web.server.opening_cards import answer_open_cards
from web.server.page_drawer import PAGES, PageDrawer, SiteSettings, load_templates
from web.server.request_desk import RequestDesk
from web.server.sign_in import SignIn
from web.server.table_keeper import TableKeeper

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from ledger.store import Ledger

_FILES: Final = {
    "page.css": "text/css",
    "site.css": "text/css",
    "charts.css": "text/css",
    "replay.js": "text/javascript",
    "keep.css": "text/css",
    "keep_sheets.css": "text/css",
    "keep_worker.js": "text/javascript",
    "outbox.js": "text/javascript",
    "live.js": "text/javascript",
    "drop.js": "text/javascript",
    "palette.js": "text/javascript",
    "vendor/htmx-2.0.11.min.js": "text/javascript",
    "vendor/preact-11.2.0.min.js": "text/javascript",
    **dict.fromkeys(sorted(f"keep/{module_name}" for module_name in list_static("keep")), "text/javascript"),
}


_WORKER: Final = "keep_worker.js"
"""The script with which a browser opens the page of a kept table without a network."""


def build_application(
    ledger: Ledger,
    name: str,
    keys: list[Key],
    host_names: Iterable[str],
    *,
    is_writable: bool = False,
    intake_bounds: IntakeBounds | None = None,
    books: Sequence[str] = (),
    hides_cards: bool = False,
    is_secure: bool = False,
    pocket_folder: Path | None = None,
) -> ASGIApp:
    """Return the server of a ledger. `host_names`: the hosts (with ports) that it answers under.

    `is_writable`: roles with the right may work cases, import files, record tables and open hidden cards.
    Without it no request changes anything. `books`: rulebooks for dues and findings; without any, the house's.
    `hides_cards`: cards that were not shown are stored only as commitments. `is_secure`: it's served over TLS alone.
    `pocket_folder`: a folder of the page for phones, served at /pocket/.
    """
    growth, intake_bounds = LogGrowth(ledger), intake_bounds or IntakeBounds()
    tables = (
        RecordedTables(open_ledger(ledger.database.address.full_url, create=False), books, hides_cards=hides_cards)
        if is_writable
        else None
    )
    server = Server(
        ledger,
        PageDrawer(ledger, SiteSettings(name, is_writable, tuple(books), intake_bounds.file)),
        growth,
        AnswerCache(_MAX_ANSWERS, is_worth_keeping),
        LedgerFileCheck(ledger),
        intake_bounds,
        tables,
        UserDirectory(ledger),
        ApprovalRequests(ledger),
        OrderedDict(),
    )
    sign_in = None if tables is None else SignIn(server, tables, is_secure=is_secure)
    form_targets = {} if sign_in is None else _list_form_targets(server, sign_in)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        load_templates(needs_server=True)  # compiled later, one would hold up the acts of its moment
        try:
            with growth:
                yield
        finally:
            if tables is not None:
                tables.ledger.close()

    pocket_routes = [] if pocket_folder is None else pocket_files.list_routes(pocket_folder)
    app = Starlette(
        routes=[*_build_routes(server, sign_in, form_targets), *pocket_routes],
        lifespan=lifespan,
        exception_handlers={404: _answer_unknown_page, error_pages.RequestRefusedError: _answer_refusal},
    )
    max_bytes_by_path = {path: target.max_bytes for path, target in form_targets.items()}
    host_names = list(host_names)
    app.add_middleware(
        Guard,
        host_names=frozenset(host_name.lower() for host_name in host_names),
        keys=keys,
        max_bytes_by_path=max_bytes_by_path,
        intake_bounds=intake_bounds,
        directory=server.directory,
        is_secure=is_secure,
    )
    return app if tables is None else ApiDispatcher(app, api(tables, growth, host_names))


def _build_routes(server: Server, sign_in: SignIn | None, form_targets: Mapping[str, FormTarget]) -> list[Route]:
    threads, own_threads = anyio.CapacityLimiter(_MAX_PAGE_THREADS), anyio.CapacityLimiter(_MAX_PAGE_THREADS)
    threads_by_page = {path: own_threads if spec.needs_server else threads for path, spec in PAGES.items()}
    routes = [
        Route("/", lambda request: RedirectResponse(choose_first_address(server, request), status_code=303)),
        Route("/favicon.ico", lambda _: Response(status_code=204)),
        Route("/live", partial(_stream_growth, server)),
        *(
            Route(f"/static/{file}", partial(_answer_static_file, file, media_type))
            for file, media_type in _FILES.items()
        ),
        Route("/hand.svg", partial(_answer_picture, server, threads), methods=["GET"]),
        Route("/house-rules.toml", partial(_answer_draft_file, server), methods=["GET"]),
        *(
            Route(f"/{path}", partial(_answer_page, server, page_threads, path), methods=["GET"])
            for path, page_threads in threads_by_page.items()
        ),
        *(
            Route(f"/{path}.json", partial(_answer_document, server, page_threads, path), methods=["GET"])
            for path, page_threads in threads_by_page.items()
        ),
    ]
    if sign_in is not None:
        routes.append(Route(SIGN_IN_PATH, sign_in.show, methods=["GET"]))
    return [*routes, *(Route(path, target.answer, methods=["POST"]) for path, target in form_targets.items())]


class FormTarget(NamedTuple):
    """An address that accepts a form or files: its handler, and the most bytes that it takes."""

    answer: Callable[[Request], Awaitable[Response]]
    max_bytes: int


def _list_form_targets(server: Server, sign_in: SignIn) -> dict[str, FormTarget]:
    """Return every address that accepts input. `.json` after the address makes it answer with documents."""
    casework, max_form_bytes, max_file_bytes = Casework(server), server.intake_bounds.form, server.intake_bounds.file
    targets = {
        "/open-case": FormTarget(casework.open, max_form_bytes),
        "/imports": FormTarget(partial(import_files, server), max_file_bytes),
    }
    targets[f"/{book_adopter.PAGE}"] = FormTarget(partial(book_adopter.adopt_draft, server), max_form_bytes)
    targets["/case-report"] = FormTarget(partial(download_case_report, server), max_form_bytes)
    targets["/open-cards"] = FormTarget(partial(answer_open_cards, server), max_form_bytes)
    for case_form in FORMS.values():
        max_bytes = max_file_bytes if any(ask.kind == "file" for ask in case_form.asks) else max_form_bytes
        targets[f"/case/{case_form.name}"] = FormTarget(partial(casework.add, case_form), max_bytes)
    for path, answer in (
        (SIGN_IN_PATH, sign_in.sign_in),
        ("/sign-out", sign_in.sign_out),
        ("/me", sign_in.make_code),
        ("/dealer", sign_in.change_dealer),
        ("/approve", sign_in.approve),
    ):
        targets[path] = FormTarget(answer, max_form_bytes)
    if server.tables is not None:
        targets["/keep"] = FormTarget(TableKeeper(server, server.tables).answer, max_form_bytes)
        targets["/requests"] = FormTarget(RequestDesk(server, server.tables).answer, max_form_bytes)
        targets["/start"] = FormTarget(FirstRun(server, server.tables).answer, max_form_bytes)
    return targets | {f"{path}.json": target for path, target in targets.items()}


async def _answer_static_file(name: str, media_type: str, _: Request) -> Response:
    headers = {"service-worker-allowed": "/keep"} if name == _WORKER else None
    return Response(read_static(name), media_type=media_type, headers=headers)


_MAX_ANSWERS: Final = 64
"""Answers that are kept until the log grows."""
_MAX_PAGE_THREADS: Final = 4
"""How many pages are made at once. Further ones wait their turn, so that acts at tables wait for none of them.

Pages that need the server don't wait for those of the other process: a floor answers requests however long they take.
"""
_LIVE_PAGE: Final = "keep"
"""The page of a table that is kept: a dealer waits for it, so it doesn't wait for other pages."""


async def _answer_page(server: Server, threads: anyio.CapacityLimiter, page_name: str, request: Request) -> Response:
    limiter = None if page_name == _LIVE_PAGE else threads
    return await anyio.to_thread.run_sync(server.answer_page, page_name, request, limiter=limiter)


async def _answer_picture(server: Server, threads: anyio.CapacityLimiter, request: Request) -> Response:
    return await anyio.to_thread.run_sync(server.answer_picture, request, limiter=threads)


async def _answer_draft_file(server: Server, request: Request) -> Response:
    return await run_in_threadpool(book_adopter.answer_draft_file, server, request)


async def _answer_document(
    server: Server, threads: anyio.CapacityLimiter, page_name: str, request: Request
) -> Response:
    limiter = None if page_name == _LIVE_PAGE else threads
    return await anyio.to_thread.run_sync(server.answer_document, page_name, request, limiter=limiter)


async def _answer_unknown_page(request: Request, _: Exception) -> Response:
    return error_pages.build_error_response(request.scope, error_pages.describe_error(page_errors.page_unknown()))


async def _answer_refusal(request: Request, error: Exception) -> Response:
    if not isinstance(error, error_pages.RequestRefusedError):
        raise error
    return error_pages.build_error_response(request.scope, error.error_page)


async def _stream_growth(server: Server, request: Request) -> Response:
    """Send the log's position each time it grows, and the milliseconds over which pages should spread their requests.

    The stream ends with its visitor's session.
    """
    growth, visitor = server.growth, request.scope["visitor"]

    async def iterate_messages() -> AsyncIterator[str]:
        growth.listeners += 1
        try:
            position = growth.position
            yield _format_growth_message(position, _MAX_SPREAD)  # after a restart many pages return at once
            while not await request.is_disconnected():
                with anyio.move_on_after(_HEARTBEAT_SECONDS):
                    position = await growth.wait_beyond(position)
                    if not await run_in_threadpool(server.directory.may_stay, visitor):
                        return
                    yield _format_growth_message(position, min(_MAX_SPREAD, _SPREAD * growth.listeners))
                    continue
                yield ": still here\n\n"
        finally:
            growth.listeners -= 1

    return StreamingResponse(iterate_messages(), media_type="text/event-stream")


def _format_growth_message(position: int, spread_milliseconds: int) -> str:
    return f"id: {position}\ndata: {position} {spread_milliseconds}\n\n"


_SPREAD: Final = 5
_MAX_SPREAD: Final = 2_000
"""Milliseconds of spread per listener, and at most: one page asks at once, many spread their requests."""
_HEARTBEAT_SECONDS: Final = 15
"""Seconds between messages on an idle stream, so that a lost connection is noticed."""
