"""Work cases from pages and programs: apply a submitted form, or answer with its errors."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.case import case_errors
from ledger.errors import HandledgerError, NothingFoundError
from ledger.store.requests import case_streams as stored
from projections.addresses.address_grammar import split_addresses
from projections.cases import case_commands
from projections.sentences.cases import describe_new_person
from web.server import error_pages
from web.server.access.roles import AccessRight
from web.server.cases import case_forms, case_pages
from web.server.documents import Site, Wrong
from web.server.page_drawer import describe_failure, render_json
from web.server.plain_hints import drop_command_hints
from web.server.submissions import Submission, read_submission
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.event import Event
    from projections.cases.case_commands import CaseChange, CaseEdit
    from web.server.answers import Server
    from web.server.cases.case_forms import Form

_BLOCK_BYTES: Final = 1024 * 1024
_MAX_REMEMBERED: Final = 500


class Casework:
    """Applies the forms of cases. It remembers which forms opened a case."""

    def __init__(self, server: Server) -> None:
        """Take the server."""
        self._server = server
        self._lock = threading.Lock()
        self._cases_by_form: OrderedDict[str, str] = OrderedDict()  # form id → number of the case

    async def add(self, form: Form, request: Request) -> Response:
        """Add the entries of a form to a case."""
        async with read_submission(request, AccessRight.WORK) as submission:
            return await run_in_threadpool(self._add, form, request, submission)

    async def open(self, request: Request) -> Response:
        """Open a case."""
        async with read_submission(request, AccessRight.WORK) as submission:
            return await run_in_threadpool(self._open_case, request, submission)

    def _add(self, form: Form, request: Request, submission: Submission) -> Response:
        number = submission.get_text("number")
        try:
            change = self._append_to_case(form, number, submission)
        except Exception as error:  # noqa: BLE001 - the page shows it above the entries
            return self._answer_with_error(form, request, submission, error, describe_failure("case", error))
        return self._answer_with_case(request, change, form)

    def _append_to_case(self, form: Form, number: str, submission: Submission) -> CaseChange:
        submission = _with_file_digest(submission)
        with open_for_writing(self._server) as ledger:

            def make_events(edit: CaseEdit) -> list[Event]:
                _check_unchanged(edit, submission)
                return list(form.make_events(edit, submission))

            return case_commands.add_to_case(ledger, number, make_events, case_forms.quote_label)

    def _open_case(self, request: Request, submission: Submission) -> Response:
        form_id = submission.get_text("once")
        try:
            with self._lock if form_id else threading.Lock():  # the same form sent twice opens one case
                if form_id and form_id in self._cases_by_form:
                    with open_for_writing(self._server) as ledger:
                        change = case_commands.CaseChange(
                            stored.find_case(ledger, self._cases_by_form[form_id]), 0, [], []
                        )
                else:
                    change = self._open_new_case(submission)
                    self._cases_by_form[form_id] = change.case.number
                    while len(self._cases_by_form) > _MAX_REMEMBERED:
                        self._cases_by_form.popitem(last=False)
        except Exception as error:  # noqa: BLE001 - as above
            return self._answer_with_error(
                case_forms.OPENING_FORM, request, submission, error, describe_failure("open-case", error)
            )
        return self._answer_with_case(request, change, case_forms.OPENING_FORM)

    def _open_new_case(self, submission: Submission) -> CaseChange:
        with open_for_writing(self._server) as ledger:
            hands = [address for line in submission.list_texts("hands") for address in split_addresses(line)]
            return case_commands.open_case(ledger, case_forms.read_claim(submission), hands, case_forms.quote_label)

    def _answer_with_case(self, request: Request, change: CaseChange, form: Form) -> Response:
        """Redirect to the case with its notes, or return the case as a document."""
        notes = [*(describe_new_person(name) for name in change.new_names), *change.notes]
        number = change.case.number
        if error_pages.is_from_program(request.scope):
            try:
                page = case_pages.build_case_page(self._server.build_page_request(request, {"number": number}))
            except Exception as error:  # noqa: BLE001 - the case is stored, even if its page fails
                describe_failure("case", error)
                return RedirectResponse(f"/case.json?{urlencode({'number': number})}", status_code=303)
            page.case.done, page.case.notes = form.success_text, notes
            page.case.added = [entry.version for entry in change.case.entries if entry.version > change.last_version]
            return Response(render_json(self._server.complete(request, page)).body, 201, media_type="application/json")
        parameters = {"number": number, "done": form.name}
        if notes:
            parameters["said"] = secrets.token_urlsafe(8)
            self._server.notes[parameters["said"]] = notes
            while len(self._server.notes) > _MAX_REMEMBERED:
                self._server.notes.popitem(last=False)
        return RedirectResponse(f"/case?{urlencode(parameters)}", status_code=303)

    def _answer_with_error(
        self, form: Form, request: Request, submission: Submission, failure: Exception, error_page: Wrong
    ) -> Response:
        """Return the page again with the error and the entries of the form. `failure` gave the page of the error."""
        form_hint = failure.form_hint if isinstance(failure, HandledgerError) else ""
        error_page.message = drop_command_hints(error_page.message)
        error_page.hint = form_hint or drop_command_hints(error_page.hint)
        if error_pages.is_from_program(request.scope):
            return Response(error_pages.encode_problem(error_page), error_page.status, media_type=error_pages.PROBLEM)
        path = "open-case" if form is case_forms.OPENING_FORM else "case"
        page_request = self._server.build_page_request(request, {"number": submission.get_text("number")})
        document: Site | Wrong
        try:
            document = (
                case_pages.open_case(page_request) if path == "open-case" else case_pages.build_case_page(page_request)
            )
        except NothingFoundError:
            document = error_page
        except Exception as error:  # noqa: BLE001 - as above
            document = describe_failure(path, error)
        query = "" if path == "open-case" else f"?{urlencode({'number': submission.get_text('number')})}"
        context: Mapping[str, object] = {
            "entered_fields": submission.fields,
            "sent_form": form.name,
            "error": error_page,
            "page_address": f"/{path}{query}",
            "json_address": f"/{path}.json{query}",
        }
        page = self._server.render_form_page(path, request, document, context)
        return Response(page.body, max(page.status, error_page.status), media_type="text/html")


def _with_file_digest(submission: Submission) -> Submission:
    """Return a submission with its file's SHA-256 as digest, and the file's name if it has no label."""
    if not submission.files:
        return submission
    digest = sha256()
    file = submission.files[0].file
    file.seek(0)
    while block := file.read(_BLOCK_BYTES):
        digest.update(block)
    label = submission.get_text("label") or (submission.files[0].filename or "")
    return Submission({**submission.fields, "digest": [digest.hexdigest()], "label": [label]}, [])


def _check_unchanged(edit: CaseEdit, submission: Submission) -> None:
    """Refuse a form if its case has grown since: the case may be decided, or the form may be sent twice."""
    seen_version = submission.get_text("version")
    if seen_version and seen_version != str(len(edit.case.entries)):
        raise case_errors.changed_since_shown()
