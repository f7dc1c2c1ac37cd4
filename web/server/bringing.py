"""Files that are dropped on a page, or chosen in a form: read by the same intake as `handledger import`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.errors import HandledgerError
from ledger.intake.files import sources_in_stream
from ledger.intake.importing import import_sources
from projections.audit import house_audit
from projections.reports import import_breaks
from projections.reports.finding_changes import count_changes
from projections.tables import finding_events
from web.server import refusing
from web.server.answering import failed, json_of
from web.server.documents import ImportedPage, Site, Wrong
from web.server.judging_worker import STILL
from web.server.roles import Right
from web.server.taking import taken
from web.server.writing import writing

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile
    from starlette.requests import Request

    from ledger.house.events import FindingChanged
    from ledger.intake.files import IncomingSource
    from ledger.store import Ledger
    from web.server.answering import Server

_NAME: Final = 200
_NONE: Final = refusing.wrong(400, "No file was chosen.", "Choose one, or drop it on the page.")


async def bring(server: Server, request: Request) -> Response:
    """Take files in and say what became of each."""
    async with taken(request, Right.BRING) as said:
        return await run_in_threadpool(_brought, server, request, said.files)


def _brought(server: Server, request: Request, files: list[UploadFile]) -> Response:
    told: Site | Wrong
    try:
        told = _imported(server, request, files) if files else _NONE
    except Exception as error:  # noqa: BLE001 - each is told; what was stored before it stays
        told = failed("imports", error)
    if refusing.for_programs(request.scope):
        answered, kind = json_of(request, server.complete(request, told)), "application/json"
        return Response(answered.body, answered.status, media_type=refusing.PROBLEM if answered.status != 200 else kind)
    page = "imports" if isinstance(told, Wrong) else "imported"
    answered = server.html(page, request, told, {"path": "imports", "here": "/imports", "json": "/imports.json"})
    return Response(answered.body, answered.status, media_type="text/html")


def _imported(server: Server, request: Request, files: list[UploadFile]) -> ImportedPage:
    with writing(server) as ledger:
        before = ledger.head()[0]
        summary = import_sources(ledger, _sources(files))
        changed, unjudged = _judged(server, ledger)
        breaks = import_breaks.find_breaks_since(ledger, before, summary.total.new, max_tables=import_breaks.MAX_TABLES)
    return ImportedPage(
        open=server.asking(request, {}).open,
        files=summary.files,
        total=summary.total,
        breaks=breaks,
        findings=count_changes(changed),
        unjudged=unjudged,
    )


def _sources(files: list[UploadFile]) -> Iterator[IncomingSource]:
    for file in files:
        yield from sources_in_stream(_called(file.filename or ""), file.file)


def _called(name: str) -> str:
    r"""Return what a file is called, without the folders that some browsers tell of.

    >>> _called(r"C:\hands\night.txt"), _called("../../x"), _called("")
    ('night.txt', 'x', 'a file without a name')
    """
    return name.replace("\\", "/").rpartition("/")[2][-_NAME:] or "a file without a name"


def _judged(server: Server, ledger: Ledger) -> tuple[list[FindingChanged], str]:
    """Judge what is new under the books of the house; or say why it is not judged yet: the hands are stored."""
    if not house_audit.has_adopted_books(ledger):
        return [], ""
    try:
        if server.ledger.judging is not None:
            changed = server.ledger.judging.announce()
            return ([], f"still judging {STILL.get()}.") if changed is None else (changed, "")
        return finding_events.announce_new_findings(ledger), ""
    except HandledgerError as error:
        return [], error.message
