"""Take a floor's answers to what dealers asked for: each is one tap on his own device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.errors import HandledgerError
from ledger.house.devices import may_use_table
from ledger.recording.author import Recording
from ledger.store.requests.approvals import record_answer
from web.api.api_errors import ProblemError
from web.api.page_acts import ApprovedAct, PagePerson
from web.server import error_pages, request_errors
from web.server.access.roles import AccessRight
from web.server.keep_page import DEALER_PAGE_DEVICE, page_device
from web.server.page_drawer import describe_failure
from web.server.request_page import build_requests_page, has_gone_on
from web.server.submissions import read_submission
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.house.events import ApprovalAnswer
    from web.api.tables import RecordedTables
    from web.server.access.approval_requests import ApprovalRequest
    from web.server.access.visitors import Visitor
    from web.server.answers import Server
    from web.server.documents import RequestsPage, Wrong
    from web.server.submissions import Submission


class RequestDesk:
    """Takes a floor's answers."""

    def __init__(self, server: Server, tables: RecordedTables) -> None:
        """`tables`: shared with the page that keeps a table."""
        self._server, self._tables = server, tables

    async def answer(self, request: Request) -> Response:
        """Approve a request and record it, or refuse it."""
        async with read_submission(request, AccessRight.RULE) as submission:
            return await run_in_threadpool(self._answer, request, submission)

    def _answer(self, request: Request, submission: Submission) -> Response:
        visitor: Visitor = request.scope["visitor"]
        try:
            self._decide(visitor, submission)
        except ProblemError as error:
            return self._answer_refused(request, error_pages.build_error(error.status, error.message, error.hint))
        except Exception as error:  # noqa: BLE001 - the page shows it above the list
            return self._answer_refused(request, describe_failure("requests", error))
        if error_pages.is_from_program(request.scope):
            return self._server.answer_form("requests", request, self._build_page(request))
        return RedirectResponse("/requests", status_code=303)

    def _build_page(self, request: Request) -> RequestsPage:
        return build_requests_page(self._server.build_page_request(request, {}))

    def _decide(self, visitor: Visitor, submission: Submission) -> None:
        self._server.presence.check()
        if not visitor.user:
            raise request_errors.nobody_signed_in()
        answer = submission.get_text("answer")
        if answer not in ("approve", "refuse"):
            raise request_errors.answer_missing()
        request_id = submission.get_text("id")
        waiting_request = next(
            (listed for listed in self._server.requests.list_requests() if listed.id == request_id), None
        )
        if waiting_request is not None and not may_use_table(
            page_device(visitor), waiting_request.table_key.venue, waiting_request.table_key.table
        ):
            waiting_request = None
        if waiting_request is None or not self._server.requests.claim(request_id):
            raise request_errors.request_answered()
        try:
            if answer == "approve":
                self._record(waiting_request, visitor)
            elif has_gone_on(self._tables, waiting_request):  # maybe with this act: a floor's code approves it, too
                raise request_errors.request_answered()
            self._record_answer(waiting_request, "approved" if answer == "approve" else "refused", visitor)
        finally:
            self._server.requests.release(request_id)

    def _record(self, request: ApprovalRequest, visitor: Visitor) -> None:
        """Record what a floor approves, for the dealer who asked, if the table is still as he saw it."""
        directory = self._server.directory
        is_enrolled = any(user.user == request.user for user in directory.list_users())
        device = directory.find_named_device(request.device) if request.device else DEALER_PAGE_DEVICE
        if not is_enrolled or device is None or not request.is_asker_current:
            raise request_errors.asker_revoked()
        person = PagePerson(Recording(request.user, request.device, visitor.user), "floor")
        act = ApprovedAct(request.line, request.id, request.position, request.seat)
        self._tables.record_approved(request.table_key, device, act, person, _spend_nothing)

    def _record_answer(self, request: ApprovalRequest, answer: ApprovalAnswer, visitor: Visitor) -> None:
        """Record the answer. An approved act is recorded at its table already, so nothing may look as if it weren't."""
        try:
            with open_for_writing(self._server) as ledger:
                is_first = record_answer(ledger, request.id, answer, visitor.user)
        except HandledgerError:
            if answer == "refused":
                raise
            return  # the table went on, and the request leaves the list with that
        if not is_first and answer == "refused":
            raise request_errors.request_answered()

    def _answer_refused(self, request: Request, error_page: Wrong) -> Response:
        if error_pages.is_from_program(request.scope):
            return error_pages.build_error_response(request.scope, error_page)
        context = {"error": error_page, "page_address": "/requests", "json_address": "/requests.json"}
        page = self._server.render_form_page("requests", request, self._build_page(request), context)
        return Response(page.body, error_page.status, media_type="text/html")


def _spend_nothing() -> None:
    """Spend no code: the floor is signed in himself."""
