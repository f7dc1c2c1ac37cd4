"""Download the report of a case as one file. The export goes on record first."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.export.export_record import append_export
from ledger.store.requests.case_streams import find_case
from web.pages.case_heading import load_cited_books
from web.pages.hand_frames import Viewer
from web.pages.html import render_html
from web.pages.report_document import build_report, select_case
from web.server import error_pages
from web.server.access.roles import AccessRight
from web.server.page_drawer import describe_failure, encode_document
from web.server.plain_hints import drop_command_hints
from web.server.submissions import read_submission
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from web.pages.documents import ReportDocument
    from web.server.answers import Server
    from web.server.submissions import Submission


async def download_case_report(server: Server, request: Request) -> Response:
    """Return the file that `handledger report case:NUMBER` writes, or its document for programs."""
    async with read_submission(request, AccessRight.CASES) as submission:
        return await run_in_threadpool(_record_and_answer, server, request, submission)


def _record_and_answer(server: Server, request: Request, submission: Submission) -> Response:
    is_from_program = error_pages.is_from_program(request.scope)
    number = submission.get_text("number")
    try:
        document = _build_report(server, request, number)
        file_bytes = encode_document(document) if is_from_program else f"{render_html(document)}\n".encode()
        with open_for_writing(server) as ledger:
            append_export(
                ledger,
                "report",
                1 if document.summary is None else document.summary.hands,
                document.audience,
                sha256(file_bytes).hexdigest(),
                lossy=False,
                program="serve",
            )
    except Exception as error:  # noqa: BLE001 - each becomes an answer, and no file leaves unrecorded
        error_page = describe_failure("case", error)
        error_page.message, error_page.hint = map(drop_command_hints, (error_page.message, error_page.hint))
        return error_pages.build_error_response(request.scope, error_page)
    if is_from_program:
        return Response(file_bytes, media_type="application/json")
    file_name = f"case-{re.sub('[^A-Za-z0-9._-]+', '-', number)}.html"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"', "Cache-Control": "no-store"}
    return Response(file_bytes, media_type="text/html", headers=headers)


def _build_report(server: Server, request: Request, number: str) -> ReportDocument:
    """Return the report under the books that the case cites, else the server's, else the house's."""
    page_request = server.build_page_request(request, {"number": number})
    ledger = page_request.ledger
    cited_books, _ = load_cited_books(ledger, find_case(ledger, number).state)
    chosen_books = [] if cited_books else list(page_request.server_books)
    return build_report(ledger, select_case(ledger, number), chosen_books, Viewer(), ledger_name=server.name)
