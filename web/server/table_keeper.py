"""Record tables from pages: store each pressed button or typed line, and judge it at once."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.errors import HandledgerError, UnreadableHandError
from ledger.hidden_cards import mentions_cards
from ledger.recording.author import Recording
from ledger.store.hands.hand_accounts import TableKey
from projections.live.line_advice import describe_unread_line
from web.api.api_errors import ApprovalNeededError, ProblemError
from web.api.device_requests import Lines, NewTable
from web.api.page_acts import ActReceipt, PageAct, PagePerson
from web.server import error_pages, request_errors
from web.server.access.approval_requests import build_approval_address
from web.server.access.floor_acts import find_floor_act, find_floor_act_of_line
from web.server.access.roles import AccessRight, has_right, require_right
from web.server.documents import KeepPage
from web.server.keep_page import build_keep_page, page_device, require_page_table
from web.server.page_drawer import describe_failure, render_json
from web.server.submissions import Submission, read_submission
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.formats.handscript.live import LineResult
    from ledger.recording.recorder import Recorder
    from web.api.tables import RecordedTables
    from web.server.access.visitors import Visitor
    from web.server.answers import Server
    from web.server.documents import Wrong


class TableKeeper:
    """Records tables from the pages of a writable server."""

    def __init__(self, server: Server, tables: RecordedTables) -> None:
        """`tables`: shared with the devices that record through the API."""
        self._server, self._tables = server, tables

    async def answer(self, request: Request) -> Response:
        """Record a pressed button or a typed line."""
        async with read_submission(request, AccessRight.RECORD) as submission:
            return await run_in_threadpool(self._record_and_answer, request, submission)

    def _record_and_answer(self, request: Request, submission: Submission) -> Response:
        table_key = TableKey(
            submission.get_text("venue"), submission.get_text("tournament"), submission.get_text("name")
        )
        address = {"venue": table_key.venue, "tournament": table_key.tournament, "name": table_key.table}
        visitor: Visitor = request.scope["visitor"]
        try:
            self._server.presence.check()
            require_page_table(visitor, table_key)
            receipt = self._record(table_key, visitor, submission)
        except ApprovalNeededError as error:
            error_page = error_pages.build_error(error.status, error.message, error.hint)
            error_page.approve = self._ask_floor(table_key, visitor, submission, error)
            return self._answer_with_error(request, address, submission, error_page)
        except ProblemError as error:
            error_page = error_pages.build_error(error.status, error.message, error.hint)
            last_number = error.details.get("last")
            error_page.last = last_number if isinstance(last_number, int) else None
            return self._answer_with_error(request, address, submission, error_page)
        except Exception as error:  # noqa: BLE001 - the page shows it above the entries
            return self._answer_with_error(request, address, submission, _describe_line_error(error))
        if error_pages.is_from_program(request.scope):
            page = self._page_after(request, table_key, address, is_numbered=bool(_read_number(submission, "number")))
            page.recorded, page.again, page.reached = receipt
            return Response(render_json(page).body, 200, media_type="application/json")
        return RedirectResponse(f"/keep?{urlencode(address)}", status_code=303)

    def _record(self, table_key: TableKey, visitor: Visitor, submission: Submission) -> ActReceipt:
        device, person = page_device(visitor), page_person(visitor)
        if submission.get_text("game"):
            require_right(visitor.role, AccessRight.RULE, is_writable=True)
            self._tables.open(
                table_key, device, NewTable(submission.get_text("game"), _read_seat_count(submission)), person
            )
            return ActReceipt(recorded=False, again=False, position=0)
        if number := _read_number(submission, "number"):
            previous_number = _read_number(submission, "after")
            act = PageAct(
                build_line(submission),
                submission.get_text("sender"),
                number,
                number - 1 if previous_number is None else previous_number,
                _read_number(submission, "seat"),
                _read_number(submission, "since"),
                submission.get_text("by"),
            )
            return self._tables.record_act(table_key, device, act, person)
        appended = self._tables.record_lines(
            table_key,
            device,
            Lines([build_line(submission)], _read_number(submission, "behind"), submission.get_text("once")),
            person,
        )
        return ActReceipt(recorded=True, again=appended.again, position=0)

    def _ask_floor(
        self, table_key: TableKey, visitor: Visitor, submission: Submission, error: ApprovalNeededError
    ) -> str:
        """Put an act on the floor's list; return the address of the page where a floor approves it with a code.

        An act that names cards isn't listed where hidden cards are stored only as commitments.
        """
        device = "" if visitor.device is None else visitor.device.device
        line, seat = build_line(submission), _read_number(submission, "seat")
        address = build_approval_address(table_key, line, error.position, seat)
        if self._tables.hides_cards and mentions_cards(line):  # the list keeps lines as they were typed
            return address
        # If the request can't be stored, a floor can still approve the act with a code.
        with suppress(HandledgerError), open_for_writing(self._server) as ledger:
            self._server.requests.ask(ledger, table_key, visitor.user, device, error.act, line, seat, error.position)
        return address

    def _page_after(
        self, request: Request, table_key: TableKey, address: dict[str, str], *, is_numbered: bool
    ) -> KeepPage:
        """Return the table's state after an act. The act is recorded even if the page fails.

        A page that numbers its acts may have more to send. It asks for the state when all are recorded.
        """
        if not is_numbered:
            try:
                return build_keep_page(self._server.build_page_request(request, address))
            except Exception as error:  # noqa: BLE001 - logged; the page reports it on the next request
                describe_failure("keep", error)
        return KeepPage(
            finding_count=None, venue=table_key.venue, tournament=table_key.tournament, table=table_key.table, live=None
        )

    def _answer_with_error(
        self, request: Request, address: dict[str, str], submission: Submission, error_page: Wrong
    ) -> Response:
        """Return the page again with the error and the entries of the form."""
        if error_pages.is_from_program(request.scope):
            return Response(error_pages.encode_problem(error_page), error_page.status, media_type=error_pages.PROBLEM)
        query = f"?{urlencode(address)}"
        context = {
            "entered_fields": submission.fields,
            "error": error_page,
            "page_address": f"/keep{query}",
            "json_address": f"/keep.json{query}",
        }
        try:
            document: KeepPage | Wrong = build_keep_page(self._server.build_page_request(request, address))
        except Exception as error:  # noqa: BLE001 - as above
            document = describe_failure("keep", error)
        page = self._server.render_form_page("keep", request, document, context)
        return Response(page.body, max(page.status, error_page.status), media_type="text/html")


def page_person(visitor: Visitor) -> PagePerson | None:
    """Return the person who records on a page; None for a printed key, which isn't a person's."""
    if not visitor.user:
        return None
    recording = Recording(visitor.user, "" if visitor.device is None else visitor.device.device)
    if has_right(visitor.role, AccessRight.RULE):
        return PagePerson(recording, "floor")
    return PagePerson(recording, "dealer", _describe_floor_act, _describe_floor_line)


def _describe_floor_act(facts: LineResult, recorder: Recorder, has_hands: bool) -> str:
    floor_act = find_floor_act(facts, recorder, has_hands=has_hands)
    return "" if floor_act is None else floor_act.value


def _describe_floor_line(line: str, recorder: Recorder, has_hands: bool) -> str:
    floor_act = find_floor_act_of_line(line, recorder, has_hands=has_hands)
    return "" if floor_act is None else floor_act.value


_DIGITS: Final = 18


def _read_number(submission: Submission, name: str) -> int | None:
    """Return a field's number, or None if it isn't a number."""
    text = submission.get_text(name)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def _read_seat_count(submission: Submission) -> int:
    """Return the number of seats, 0 if the field is empty."""
    text = submission.get_text("seats")
    if text and _read_number(submission, "seats") is None:
        raise request_errors.not_a_seat_count(text)
    return _read_number(submission, "seats") or 0


_OPTIONAL_PART: Final = re.compile(r"\[([^][{]{0,40})\{(\w{1,20})\}\]")
_FIELD_NAME: Final = re.compile(r"\{(\w+)\}")


def build_line(submission: Submission) -> str:
    """Return the line of a form: the button's line with the texts of its fields.

    `{amount}` stands for a field's text and `{who}` for a quoted name. `[ stack {amount}]` disappears if the
    field is empty.
    """

    def field_text(name: str) -> str:
        text = submission.get_text(name).strip()
        return text if name != "who" else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    line = _OPTIONAL_PART.sub(
        lambda match: match[1] + field_text(match[2]) if submission.get_text(match[2]).strip() else "",
        submission.get_text("line"),
    )
    return _FIELD_NAME.sub(lambda match: field_text(match[1]), line) or submission.get_text("written")


def _describe_line_error(error: Exception) -> Wrong:
    """Return why a line was not recorded, with the nearest readable line."""
    if isinstance(error, UnreadableHandError):
        return error_pages.build_error(422, *describe_unread_line(error))
    return describe_failure("keep", error)
