"""Take the steps of the first run: adopt a rulebook, open a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.errors import HandledgerError
from ledger.store.hands.hand_accounts import TableKey
from projections.books.adoption import adopt_rulebook
from projections.books.shelf import Shelf
from web.api.api_errors import ProblemError
from web.api.device_requests import NewTable
from web.server import error_pages, page_errors
from web.server.access.roles import AccessRight, has_right, require_right
from web.server.keep_page import PAGE_DEVICE
from web.server.page_drawer import describe_failure, render_json
from web.server.start_page import CHAIRS, EVERYWHERE, build_game_line, build_start_page, is_fresh
from web.server.start_words import BUTTON_METHODS, ENTRY_POSTS
from web.server.submissions import read_submission
from web.server.table_keeper import page_person
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from web.api.tables import RecordedTables
    from web.server.answers import Server
    from web.server.documents import StartPage, Wrong
    from web.server.submissions import Submission

_USUAL_CHAIRS: Final = 9
_RECORDED: Final = "dealer-notes,presence,seating"
"""What the page of a table always records: besides a dealer's notes, who sits there and who is away."""


def choose_first_address(server: Server, request: Request) -> str:
    """Return the page that the server's address leads to: of a fresh ledger the first steps, for those who may take them."""
    may_begin = server.is_writable and has_right(request.scope["role"], AccessRight.ADOPT)
    return "/start" if may_begin and is_fresh(server.ledger) else "/tables"


class FirstRun:
    """Takes the steps of the first run: adopts a rulebook, opens a table."""

    def __init__(self, server: Server, tables: RecordedTables) -> None:
        """`tables`: shared with the page that keeps a table."""
        self._server, self._tables = server, tables

    async def answer(self, request: Request) -> Response:
        """Take one step and lead on: to the same page, or to the table that was opened."""
        async with read_submission(request, AccessRight.RECORD) as submission:
            return await run_in_threadpool(self._take_and_answer, request, submission)

    def _take_and_answer(self, request: Request, submission: Submission) -> Response:
        try:
            self._server.presence.check()
            address = self._take_step(request, submission)
        except ProblemError as error:
            return self._answer_with_error(
                request, submission, error_pages.build_error(error.status, error.message, error.hint)
            )
        except Exception as error:  # noqa: BLE001 - each becomes an answer
            return self._answer_with_error(request, submission, describe_failure("start", error))
        if error_pages.is_from_program(request.scope):
            page = build_start_page(self._server.build_page_request(request, {}))
            return Response(render_json(page).body, 200, media_type="application/json")
        return RedirectResponse(address, status_code=303)

    def _take_step(self, request: Request, submission: Submission) -> str:
        if book := submission.get_text("book"):
            require_right(request.scope["role"], AccessRight.ADOPT, is_writable=True)
            with open_for_writing(self._server) as ledger:
                if book not in Shelf(ledger).list_names():  # a path would name a file of this machine
                    raise page_errors.rulebook_not_listed()
                adopt_rulebook(ledger, book, EVERYWHERE)
            self._tables.reload_books()
            return "/start#table"
        require_right(request.scope["role"], AccessRight.RULE, is_writable=True)
        table_key = TableKey(submission.get_text("venue"), "", submission.get_text("name"))
        if not table_key.table:
            raise page_errors.table_name_missing()
        new_table = NewTable(
            build_game_line(submission.get_text("game"), submission.get_text("stakes"), submission.get_text("unit")),
            _read_chairs(submission.get_text("seats")),
            records=_RECORDED,
            options=_list_options(submission),
        )
        self._tables.open(table_key, PAGE_DEVICE, new_table, page_person(request.scope["visitor"]))
        return f"/keep?{urlencode({'venue': table_key.venue, 'tournament': '', 'name': table_key.table})}"

    def _answer_with_error(self, request: Request, submission: Submission, error_page: Wrong) -> Response:
        if error_pages.is_from_program(request.scope):
            return Response(error_pages.encode_problem(error_page), error_page.status, media_type=error_pages.PROBLEM)
        document: StartPage | Wrong
        try:
            document = build_start_page(self._server.build_page_request(request, {}))
        except HandledgerError as error:
            document = describe_failure("start", error)
        context = {"entered_fields": submission.fields, "error": error_page}
        page = self._server.render_form_page("start", request, document, context)
        return Response(page.body, max(page.status, error_page.status), media_type="text/html")


def _read_chairs(text: str) -> int:
    return int(text) if text in {str(count) for count in CHAIRS} else _USUAL_CHAIRS


def _list_options(submission: Submission) -> list[str]:
    """Return the house's choices as lines of options."""
    method, entry = submission.get_text("method"), submission.get_text("entry")
    options = [f"option button-method {method}"] if method in BUTTON_METHODS else []
    return [*options, f"option entry-post-required {entry}"] if entry in ENTRY_POSTS else options
