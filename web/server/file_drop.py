"""Import files that are dropped on a page or chosen in a form, as `handledger import` does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.errors import HandledgerError
from ledger.intake.files import open_stream_sources
from ledger.intake.import_loop import import_sources
from projections.audit import house_audit
from projections.reports import import_breaks
from projections.reports.finding_changes import count_changes
from projections.tables import finding_events
from web.server import error_pages, page_errors
from web.server.access.roles import AccessRight
from web.server.documents import ImportedPage, Site, Wrong
from web.server.page_drawer import describe_failure, render_json
from web.server.submissions import read_submission
from web.server.worker_jobs import UNFINISHED_HAND
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile
    from starlette.requests import Request

    from ledger.house.events import FindingChanged
    from ledger.intake.files import IncomingSource
    from ledger.store import Ledger
    from web.server.answers import Server

_MAX_NAME_LENGTH: Final = 200


async def import_files(server: Server, request: Request) -> Response:
    """Import files and report the result of each."""
    async with read_submission(request, AccessRight.BRING) as submission:
        return await run_in_threadpool(_import_and_answer, server, request, submission.files)


def _import_and_answer(server: Server, request: Request, files: list[UploadFile]) -> Response:
    document: Site | Wrong
    try:
        document = _import_uploads(server, request, files)
    except Exception as error:  # noqa: BLE001 - each becomes an answer; hands that were stored before it stay
        document = describe_failure("imports", error)
    if error_pages.is_from_program(request.scope):
        answer, media_type = render_json(server.complete(request, document)), "application/json"
        return Response(
            answer.body, answer.status, media_type=error_pages.PROBLEM if answer.status != 200 else media_type
        )
    page_name = "imports" if isinstance(document, Wrong) else "imported"
    answer = server.render_form_page(
        page_name, request, document, {"path": "imports", "page_address": "/imports", "json_address": "/imports.json"}
    )
    return Response(answer.body, answer.status, media_type="text/html")


def _import_uploads(server: Server, request: Request, files: list[UploadFile]) -> ImportedPage:
    """Import files and return what came of each. Raise `UsageError` without a file."""
    if not files:
        raise page_errors.file_missing()
    with open_for_writing(server) as ledger:
        end_before = ledger.head()[0]
        summary = import_sources(ledger, _list_sources(files))
        changes, not_judged_reason = _announce_findings(server, ledger)
        breaks = import_breaks.find_breaks_since(
            ledger, end_before, summary.total.new, max_tables=import_breaks.MAX_TABLES
        )
    return ImportedPage(
        finding_count=server.build_page_request(request, {}).finding_count,
        files=summary.files,
        total=summary.total,
        breaks=breaks,
        findings=count_changes(changes),
        unjudged=not_judged_reason,
    )


def _list_sources(files: list[UploadFile]) -> Iterator[IncomingSource]:
    for file in files:
        yield from open_stream_sources(_find_base_name(file.filename or ""), file.file)


def _find_base_name(name: str) -> str:
    r"""Return the base name of a file. Some browsers send the folders too.

    >>> _find_base_name(r"C:\hands\night.txt"), _find_base_name("../../x"), _find_base_name("")
    ('night.txt', 'x', 'a file without a name')
    """
    return name.replace("\\", "/").rpartition("/")[2][-_MAX_NAME_LENGTH:] or "a file without a name"


def _announce_findings(server: Server, ledger: Ledger) -> tuple[list[FindingChanged], str]:
    """Judge new hands under the house's books and return the changes, or [] and why they are not judged yet."""
    if not house_audit.has_adopted_books(ledger):
        return [], ""
    try:
        if server.ledger.judging is not None:
            changes = server.ledger.judging.announce()
            return ([], f"still judging {UNFINISHED_HAND.get()}.") if changes is None else (changes, "")
        return finding_events.announce_new_findings(ledger), ""
    except HandledgerError as error:
        return [], error.message
