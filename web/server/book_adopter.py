"""Adopt a house's own book from the page that writes it, and give its file away."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.clocks import format_minute
from ledger.errors import HandledgerError
from ledger.text.language import phrase
from projections.addresses.room_days import parse_moment
from projections.audit import house_audit
from projections.books.adoption import AdoptionScope, adopt_written_book
from projections.books.house_draft import name_draft_file
from projections.books.shelf import BOOK_NAME_PATTERN
from projections.reports.finding_changes import count_changes
from projections.tables import finding_events
from web.server import error_pages, page_errors
from web.server.access.roles import AccessRight, require_right
from web.server.house_rules_page import DraftForm, build_house_rules_page
from web.server.page_drawer import describe_failure, render_json
from web.server.plain_hints import drop_command_hints
from web.server.submissions import read_submission
from web.server.worker_jobs import UNFINISHED_HAND
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.store import Ledger
    from projections.books.adoption import AdoptionResult
    from web.server.answers import Server
    from web.server.documents import Site, Wrong
    from web.server.submissions import Submission

PAGE: Final = "house-rules"
_MAX_REMEMBERED: Final = 500
_MAX_FINDING_NOTES: Final = 20


async def adopt_draft(server: Server, request: Request) -> Response:
    """Adopt the book that a form's answers make."""
    async with read_submission(request, AccessRight.ADOPT) as submission:
        return await run_in_threadpool(_adopt_and_answer, server, request, submission)


def answer_draft_file(server: Server, request: Request) -> Response:
    """Return the file of a draft as a download."""
    try:
        require_right(request.scope["role"], AccessRight.TABLES, is_writable=server.is_writable)
        server.presence.check()
        form = DraftForm(server.ledger, dict(request.query_params))
        _require_sound(form, needs_name=False)
    except Exception as error:  # noqa: BLE001 - each becomes an answer
        return error_pages.build_error_response(request.scope, describe_failure(PAGE, error))
    name = form.name if BOOK_NAME_PATTERN.fullmatch(form.name) else ""
    disposition = f"attachment; filename*=UTF-8''{quote(name_draft_file(name))}"
    return Response(
        form.draft.write().encode(), headers={"content-disposition": disposition}, media_type="application/toml"
    )


def _adopt_and_answer(server: Server, request: Request, submission: Submission) -> Response:
    fields = {name: values[0] for name, values in submission.fields.items() if values}
    try:
        server.presence.check()
        with open_for_writing(server) as ledger:
            form = DraftForm(ledger, fields)
            _require_sound(form, needs_name=True)
            scope = _read_scope(ledger, form)
            version = _read_version(fields)
            result = adopt_written_book(ledger, form.draft.load(form.name), scope, version)
            notes = [_describe_adoption(result, scope), *_announce_findings(server, ledger)]
    except Exception as error:  # noqa: BLE001 - the page shows it above the answers
        return _answer_with_error(server, request, fields, describe_failure(PAGE, error))
    parameters = {"base": result.name}
    if error_pages.is_from_program(request.scope):
        page = build_house_rules_page(server.build_page_request(request, parameters))
        page.done = notes
        answer = render_json(server.complete(request, page))
        return Response(answer.body, 201, media_type="application/json")
    parameters["said"] = secrets.token_urlsafe(8)
    server.notes[parameters["said"]] = notes
    while len(server.notes) > _MAX_REMEMBERED:
        server.notes.popitem(last=False)
    return RedirectResponse(f"/{PAGE}?{urlencode(parameters)}", status_code=303)


def _read_version(fields: dict[str, str]) -> int:
    """Return the version of the adoptions that the form's author saw."""
    text = fields.get("version", "")
    if not (text.isascii() and text.isdigit() and len(text) <= len("9" * 18)):
        raise page_errors.version_missing()
    return int(text)


def _require_sound(form: DraftForm, *, needs_name: bool) -> None:
    """Raise `UsageError` unless the draft can be a book."""
    problems = {**form.problems, **(form.naming_problems if needs_name else {})}
    if problems:
        raise page_errors.draft_unsound(next(iter(problems.values())))
    if not form.draft.changes:
        raise page_errors.draft_unchanged()


def _read_scope(ledger: Ledger, form: DraftForm) -> AdoptionScope:
    """Return where and from when the book is adopted. Raise `UsageError` for a place that has no hands."""
    venue, table, since = form.get_text("venue"), form.get_text("table"), form.get_text("since")
    rows = list(ledger.tables())
    if (venue or table) and not any(venue in ("", row.venue) and table in ("", row.table) for row in rows):
        raise page_errors.place_without_hands()
    return AdoptionScope(venue, table, parse_moment(since or None, phrase("From")))


def _describe_adoption(result: AdoptionResult, scope: AdoptionScope) -> str:
    words = {
        "book": result.name,
        "edition": result.book.edition,
        "place": _describe_place(scope),
        "start": phrase("for all hands") if scope.effective_at is None else _describe_start(scope.effective_at),
    }
    if not result.is_recorded:
        return phrase("{book} ({edition}) is adopted already, {place}, {start}.", **words)
    if result.next_adoption is not None:
        words["next_book"] = f"{result.next_adoption.book} ({result.next_adoption.edition})"
        words["end"] = format_minute(result.next_adoption.since or 0)
        return phrase(
            "{book} ({edition}) is adopted {place}, {start}. From {end} on {next_book} stays in force.", **words
        )
    if result.replaced:
        words["old_book"] = f"{result.replaced[-1].book} ({result.replaced[-1].edition})"
        return phrase(
            "{book} ({edition}) is adopted {place}, {start}. It replaces {old_book}, for past hands too.", **words
        )
    return phrase("{book} ({edition}) is adopted {place}, {start}.", **words)


def _describe_place(scope: AdoptionScope) -> str:
    if scope.table:
        return (
            phrase("at table {table} of {room}", table=scope.table, room=scope.venue)
            if scope.venue
            else phrase("at table {table}", table=scope.table)
        )
    return phrase("in {room}", room=scope.venue) if scope.venue else phrase("in every room")


def _describe_start(moment: int) -> str:
    return phrase("from {time} UTC on", time=format_minute(moment).removesuffix("Z"))


def _announce_findings(server: Server, ledger: Ledger) -> list[str]:
    """Judge all hands under the house's books, and return what that brings, as after `rules adopt`."""
    if not house_audit.has_adopted_books(ledger):
        return []
    try:
        judging = server.ledger.judging
        changes = finding_events.announce_new_findings(ledger) if judging is None else judging.announce()
    except HandledgerError as error:
        return [phrase("The hands aren't judged yet: {reason}", reason=error.message)]
    if changes is None:
        return [phrase("Still judging {hand}. The findings come as they are made.", hand=UNFINISHED_HAND.get())]
    counts = count_changes(changes)
    notes = [
        phrase(
            "{book} at table {table}: {found} new, {gone} no longer found, {other} changed.",
            book=count.book,
            table=count.table,
            found=count.found,
            gone=count.gone,
            other=count.other,
        )
        for count in counts[:_MAX_FINDING_NOTES]
    ]
    if len(counts) > _MAX_FINDING_NOTES:
        notes.append(phrase("More tables have new findings: {number}", number=len(counts) - _MAX_FINDING_NOTES))
    return notes or [phrase("No finding is new.")]


def _answer_with_error(server: Server, request: Request, fields: dict[str, str], error_page: Wrong) -> Response:
    """Return the page again with the error and every answer."""
    error_page.message, error_page.hint = drop_command_hints(error_page.message), drop_command_hints(error_page.hint)
    if error_pages.is_from_program(request.scope):
        return Response(error_pages.encode_problem(error_page), error_page.status, media_type=error_pages.PROBLEM)
    document: Site | Wrong
    try:
        document = build_house_rules_page(server.build_page_request(request, {**fields, "sent": "yes"}))
    except Exception as error:  # noqa: BLE001 - as above
        document = describe_failure(PAGE, error)
    addresses = {"page_address": f"/{PAGE}", "json_address": f"/{PAGE}.json"}
    page = server.render_form_page(PAGE, request, document, {"error": error_page, **addresses})
    return Response(page.body, max(page.status, error_page.status), media_type="text/html")
