"""Sign people in and out, make their codes, and record what a floor approves with one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.errors import HandledgerError
from ledger.house.events import DeviceEnrolled
from ledger.house.users import CODE_MILLIS, SESSION_MILLIS, format_code, read_code
from ledger.recording.author import Recording
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests import sign_ins
from web.api.api_errors import ProblemError
from web.api.page_acts import ApprovedAct, PagePerson
from web.pages.html import build_template_environment
from web.server import error_pages, request_errors, user_pages
from web.server.access.access_guard import COOKIE, DEVICE_COOKIE, LINK_COOKIE, SIGN_IN_PATH, read_cookie
from web.server.access.approval_requests import build_approval_address
from web.server.access.code_tries import LOCK_SECONDS, CodeTries
from web.server.access.roles import AccessRight, has_right
from web.server.error_pages import RequestRefusedError
from web.server.keep_page import page_device, require_page_table
from web.server.page_drawer import describe_failure
from web.server.submissions import read_fields, read_submission
from web.server.table_keeper import page_person
from web.server.write_access import open_for_writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.house.events import UserEnrolled
    from web.api.tables import RecordedTables
    from web.server.access.visitors import Visitor
    from web.server.answers import Server
    from web.server.documents import Wrong
    from web.server.submissions import Submission

_MINUTES: Final = CODE_MILLIS // 60_000
_BROWSER: Final = DeviceEnrolled("a dealer's page", "")


class SignIn:
    """Signs people in and out on the pages of a writable server."""

    def __init__(self, server: Server, tables: RecordedTables, *, is_secure: bool) -> None:
        """`is_secure`: cookies go over TLS only."""
        self._server, self._tables, self._is_secure = server, tables, is_secure
        self._directory = server.directory
        self._tries = CodeTries()

    # signing in

    async def show(self, request: Request) -> Response:
        """Show the page on which people sign in."""
        return await run_in_threadpool(
            self._render_page, request, _parse_local_address(request.query_params.get("next", ""))
        )

    async def sign_in(self, request: Request) -> Response:
        """Sign in a person with a code or a link."""
        async with read_fields(request) as submission:
            return await run_in_threadpool(self._sign_in, request, submission)

    def _sign_in(self, request: Request, submission: Submission) -> Response:
        target = _parse_local_address(submission.get_text("next"))
        try:
            device = self._find_device(request)
            user, code_digest = self._find_user(request, submission)
            with open_for_writing(self._server) as ledger:
                secret = sign_ins.open_session(ledger, user.user, "" if device is None else device.device, code_digest)
            if secret is None:
                raise _wrong_code_error()  # noqa: TRY301 - one answer for all refusals
            self._end_session_before(request)
        except Exception as error:  # noqa: BLE001 - the page shows it above the form
            error_page = describe_failure("sign-in", error)
            if error_pages.is_from_program(request.scope):
                return error_pages.build_error_response(request.scope, error_page)
            return self._render_page(request, target, error_page)
        if user.role == "dealer":
            self._sit_down(target, user, device)
        redirect = RedirectResponse(target, status_code=303)
        redirect.set_cookie(
            COOKIE,
            secret,
            httponly=True,
            samesite="strict",
            path="/",
            secure=self._is_secure,
            max_age=SESSION_MILLIS // 1000,
        )
        redirect.delete_cookie(LINK_COOKIE, path="/")
        return redirect

    def _end_session_before(self, request: Request) -> None:
        """End the earlier session on this browser: nobody could sign out of it any more."""
        visitor: Visitor | None = request.scope.get("visitor")
        if visitor is not None and visitor.session:
            with open_for_writing(self._server) as ledger:
                sign_ins.close_session(ledger, visitor.user, visitor.session)

    def _find_user(self, request: Request, submission: Submission) -> tuple[UserEnrolled, str]:
        """Return the user who signs in, and the digest of the code, "" for a link."""
        if submission.get_text("link"):
            user = self._directory.find_user_of_link(_read_cookie(request, LINK_COOKIE))
            if user is None:
                raise request_errors.link_not_valid()
            return user, ""
        return self._check_code(submission.get_text("code"), _find_address(request))

    def _check_code(self, text: str, address: str) -> tuple[UserEnrolled, str]:
        """Return the user of a code, and its digest. Wrong codes count against the network address, and lock it."""
        if not self._tries.spend(address):
            raise request_errors.too_many_codes(int(LOCK_SECONDS // 60))
        code = read_code(text)
        match = self._directory.find_user_of_code(code) if code else None
        if match is None:
            raise _wrong_code_error()
        self._tries.clear(address)
        return match

    def _find_device(self, request: Request) -> DeviceEnrolled | None:
        device_key = _read_cookie(request, DEVICE_COOKIE)
        return self._directory.find_device(device_key) if device_key else None

    def _sit_down(self, target: str, user: UserEnrolled, device: DeviceEnrolled | None) -> None:
        """Record that a dealer who signs in at a table deals there. Signing in doesn't fail with it."""
        parts = urlsplit(target)
        table_key = _find_table(parts.query)
        if parts.path != "/keep" or not table_key.table:
            return
        try:
            person = PagePerson(Recording(user.user, "" if device is None else device.device), "dealer")
            self._tables.change_dealer(table_key, device or _BROWSER, person)
        except (ProblemError, HandledgerError):
            return  # there is no such table yet, or the device is for another

    def _render_page(self, request: Request, target: str, error: Wrong | None = None) -> Response:
        link_user = self._directory.find_user_of_link(_read_cookie(request, LINK_COOKIE))
        device = self._find_device(request)
        page = (
            build_template_environment()
            .get_template("site/sign-in.html")
            .render(
                error=error,
                target=target,
                ledger=self._server.name,
                device="" if device is None else device.device,
                link_name="" if link_user is None else self._server.name_of(link_user.user),
                is_locked=self._tries.is_locked(_find_address(request)),
                has_users=bool(self._directory.list_users()),
                minutes=_MINUTES,
            )
        )
        return Response(page, 200 if error is None else error.status, media_type="text/html")

    # once somebody is signed in

    async def sign_out(self, request: Request) -> Response:
        """End the visitor's session."""
        async with read_submission(request, AccessRight.TABLES) as submission:
            return await run_in_threadpool(self._sign_out, request, submission)

    def _sign_out(self, request: Request, submission: Submission) -> Response:
        visitor: Visitor = request.scope["visitor"]
        if visitor.session:
            with open_for_writing(self._server) as ledger:
                sign_ins.close_session(ledger, visitor.user, visitor.session)
        page = urlencode({"next": _parse_local_address(submission.get_text("next"))})
        redirect = RedirectResponse(f"{SIGN_IN_PATH}?{page}", status_code=303)
        redirect.delete_cookie(COOKIE, path="/")
        return redirect

    async def make_code(self, request: Request) -> Response:
        """Make a code for the visitor, or for a dealer if the visitor is a floor."""
        async with read_submission(request, AccessRight.TABLES) as submission:
            return await run_in_threadpool(self._make_code, request, submission)

    def _make_code(self, request: Request, submission: Submission) -> Response:
        visitor: Visitor = request.scope["visitor"]
        wanted = submission.get_text("user") or visitor.user
        user = next((user for user in self._directory.list_users() if user.user == wanted), None)
        if user is None or not user_pages.may_make_code(visitor, user):
            raise request_errors.code_not_allowed()
        with open_for_writing(self._server) as ledger:
            issued = sign_ins.issue_code(ledger, user.user, visitor.user)
        page = user_pages.build_me_page(self._server.build_page_request(request, {}))
        page.code, page.code_for, page.minutes = format_code(issued.code), self._server.name_of(user.user), _MINUTES
        return self._server.answer_form("me", request, page)

    async def change_dealer(self, request: Request) -> Response:
        """Record that the visitor deals at a table from now on."""
        async with read_submission(request, AccessRight.RECORD) as submission:
            return await run_in_threadpool(self._change_dealer, request, submission)

    def _change_dealer(self, request: Request, submission: Submission) -> Response:
        visitor: Visitor = request.scope["visitor"]
        table_key = TableKey(
            submission.get_text("venue"), submission.get_text("tournament"), submission.get_text("name")
        )
        person = page_person(visitor)
        if person is None:
            raise request_errors.nobody_signed_in()
        require_page_table(visitor, table_key)
        try:
            self._tables.change_dealer(table_key, page_device(visitor), person)
        except ProblemError as error:
            raise RequestRefusedError(error.status, error.message, error.hint) from None
        return RedirectResponse(f"/keep?{urlencode(_build_address(table_key))}", status_code=303)

    # approving

    async def approve(self, request: Request) -> Response:
        """Record an act that a floor approves with a code, once."""
        async with read_submission(request, AccessRight.RECORD) as submission:
            return await run_in_threadpool(self._approve, request, submission)

    def _approve(self, request: Request, submission: Submission) -> Response:
        visitor: Visitor = request.scope["visitor"]
        fields = {name: submission.get_text(name) for name in ("venue", "tournament", "name", "line", "seat", "since")}
        table_key = TableKey(fields["venue"], fields["tournament"], fields["name"])
        try:
            self._server.presence.check()
            require_page_table(visitor, table_key)
            page = user_pages.build_approve_page(self._server.build_page_request(request, fields))
            act = ApprovedAct(page.line, submission.get_text("once") or page.once, page.position, page.seat)
            self._record_approved(request, table_key, act, submission.get_text("code"))
        except ProblemError as error:
            error_page = error_pages.build_error(error.status, error.message, error.hint)
            return self._answer_refused_approval(request, fields, error_page)
        except Exception as error:  # noqa: BLE001 - the page shows it above the act
            return self._answer_refused_approval(request, fields, describe_failure("approve", error))
        approved = build_approval_address(table_key, page.line, page.position, page.seat)
        fragment = urlencode({"approved": approved})  # the table's page then lists it no more as refused
        return RedirectResponse(f"/keep?{urlencode(_build_address(table_key))}#{fragment}", status_code=303)

    def _record_approved(self, request: Request, table_key: TableKey, act: ApprovedAct, code: str) -> None:
        """Check the code, then record the act and use the code up. A wrong code changes nothing."""
        visitor: Visitor = request.scope["visitor"]
        floor, digest = self._check_code(code, _find_address(request))
        if not has_right(floor.role, AccessRight.RULE):
            raise request_errors.not_a_floor_code()
        device = "" if visitor.device is None else visitor.device.device
        person = PagePerson(Recording(visitor.user, device, floor.user), "floor")
        spend = partial(self._spend_code, floor, digest)
        self._tables.record_approved(table_key, page_device(visitor), act, person, spend)

    def _spend_code(self, floor: UserEnrolled, digest: str) -> None:
        with open_for_writing(self._server) as ledger:
            if not sign_ins.use_code(ledger, floor.user, digest, "approval"):
                raise _wrong_code_error()

    def _answer_refused_approval(self, request: Request, fields: dict[str, str], error_page: Wrong) -> Response:
        if error_pages.is_from_program(request.scope):
            return error_pages.build_error_response(request.scope, error_page)
        try:
            page = user_pages.build_approve_page(self._server.build_page_request(request, fields))
        except HandledgerError:
            return error_pages.build_error_response(request.scope, error_page)
        query = urlencode(fields)
        context = {"error": error_page, "page_address": f"/approve?{query}", "json_address": f"/approve.json?{query}"}
        answer = self._server.render_form_page("approve", request, page, context)
        return Response(answer.body, error_page.status, media_type="text/html")


def _wrong_code_error() -> RequestRefusedError:
    return request_errors.code_not_valid(_MINUTES)


def _read_cookie(request: Request, name: str) -> str:
    """Return a cookie as the guard reads it: a long value costs no time."""
    return read_cookie({"cookie": request.headers.get("cookie", "")}, name)


def _find_address(request: Request) -> str:
    return request.client.host if request.client is not None else ""


def _parse_local_address(text: str) -> str:
    """Return a path on this server; for an address of another site, that of the tables: no redirect leads away."""
    parts = urlsplit(text if text.isprintable() else "")
    if (
        parts.scheme
        or parts.netloc
        or not parts.path.startswith("/")
        or parts.path.startswith(("//", "/\\", SIGN_IN_PATH))
    ):
        return "/tables"
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _find_table(query: str) -> TableKey:
    parameters = {name: values[0] for name, values in parse_qs(query).items()}
    return TableKey(*(parameters.get(name, "") for name in ("venue", "tournament", "name")))


def _build_address(table_key: TableKey) -> dict[str, str]:
    return {"venue": table_key.venue, "tournament": table_key.tournament, "name": table_key.table}
