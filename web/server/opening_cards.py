"""Open hidden cards on a page. A name and a reason go on record first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.errors import UsageError
from ledger.export.audience import HOUSE
from ledger.store.requests.card_views import record_views
from projections.addresses import hand_address
from projections.cases.case_people import resolve_person
from web.pages.hand_frames import Viewer
from web.server import error_pages, page_errors, pages
from web.server.access.roles import AccessRight
from web.server.documents import Site, Wrong
from web.server.page_drawer import describe_failure, render_json
from web.server.submissions import read_submission
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from web.server.answers import Server
    from web.server.page_request import PageRequest
    from web.server.submissions import Submission


async def answer_open_cards(server: Server, request: Request) -> Response:
    """Record who opens the hidden cards and why, then show them. Each request is recorded."""
    async with read_submission(request, AccessRight.OPEN) as submission:
        return await run_in_threadpool(_record_and_answer, server, request, submission)


def _record_and_answer(server: Server, request: Request, submission: Submission) -> Response:
    page_request = server.build_page_request(request, {"id": submission.get_text("id")})
    document: Site | Wrong
    error_page: Wrong | None = None
    try:
        _record_view(server, page_request, submission)
        document = pages.build_hand_site(page_request, Viewer(HOUSE, opens_cards=True))
    except UsageError as error:
        document = error_page = error_pages.describe_error(error)
    except Exception as error:  # noqa: BLE001 - each becomes an answer, and no card is shown
        document = describe_failure("hand", error)
    if error_pages.is_from_program(request.scope):
        answer = render_json(server.complete(request, document))
        media_type = "application/json" if answer.status == 200 else error_pages.PROBLEM
        return Response(answer.body, answer.status, media_type=media_type)
    if error_page is not None and submission.get_text("id"):
        document = pages.build_hand_page(page_request)
    addresses = {
        "page_address": f"/hand?id={submission.get_text('id')}",
        "json_address": f"/hand.json?id={submission.get_text('id')}",
    }
    page = server.render_form_page(
        "hand", request, document, {"entered_fields": submission.fields, "error": error_page, **addresses}
    )
    return Response(page.body, error_page.status if error_page else page.status, media_type="text/html")


def _record_view(server: Server, page_request: PageRequest, submission: Submission) -> None:
    """Record who opens the cards. Raise `UsageError` without a name or a reason."""
    if not submission.get_text("person") or not submission.get_text("why"):
        raise page_errors.viewer_unnamed()
    row = hand_address.find(page_request.ledger, page_request.require_parameter("id")).row
    with open_for_writing(server) as ledger:
        person, _ = resolve_person(ledger, submission.get_text("person"), "", [])
        record_views(ledger, [row.stream], submission.get_text("why"), role="auditor", person=person, program="serve")
