"""Answer requests with pages or documents. Equal requests share one answer, and errors become answers too."""

from __future__ import annotations

import json
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlencode

import msgspec
from jinja2 import Environment, TemplateError
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from ledger import __version__, safe
from ledger.errors import HandledgerError
from ledger.text.language import language_in_force, phrase
from projections.reports import owed_report
from projections.sentences.statistics import describe_left_out, describe_unknown_showdowns, describe_untimed
from web.charts import page_charts
from web.charts.dues_felt import draw_dues
from web.charts.winnings_chart import build_winnings_chart, format_day
from web.pages.html import SafeText, template_environment
from web.server import error_pages, finding_pages, keep_words, look_pages, page_errors, pages, player_pages, user_pages
from web.server.access.bodies import format_size
from web.server.access.roles import WRITING_RIGHTS, AccessRight, has_right, require_right
from web.server.answer_cache import RenderedAnswer
from web.server.cases import case_forms, case_pages
from web.server.count_cache import CountCache
from web.server.documents import Site, Wrong
from web.server.house_rules_page import AGAINST_BASE, AGAINST_FORCE, build_house_rules_page, sections
from web.server.judging_worker import UNFINISHED_HAND
from web.server.keep_page import bet_presets, build_keep_page, currency_sign, page_json
from web.server.page_request import PageRequest
from web.server.plain_hints import drop_command_hints
from web.server.request_page import build_requests_page
from web.server.search_page import build_search_page
from web.server.start_page import build_start_page

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from web.api.tables import RecordedTables
    from web.log_growth import LogGrowth
    from web.server.access.approval_requests import ApprovalRequests
    from web.server.access.bodies import IntakeBounds
    from web.server.access.ledger_presence import LedgerFileCheck
    from web.server.access.roles import Role
    from web.server.access.user_directory import UserDirectory
    from web.server.answer_cache import AnswerCache
    from web.server.count_cache import CountCache

PageBuilder: TypeAlias = Callable[[PageRequest], Site]
Answerable = TypeVar("Answerable", bound=Site | Wrong)


class PageSpec(NamedTuple):
    """A page: its builder and the right that it needs. `is_cacheable`: the answer holds until the log grows."""

    build: PageBuilder
    required_right: AccessRight = AccessRight.TABLES
    is_cacheable: bool = True


PAGES: Final[dict[str, PageSpec]] = {
    "tables": PageSpec(pages.tables),
    "table": PageSpec(pages.table),
    "log": PageSpec(pages.log),
    "hand": PageSpec(pages.hand),
    "findings": PageSpec(finding_pages.findings, AccessRight.FINDINGS),
    "rules": PageSpec(pages.rules),
    "house-rules": PageSpec(build_house_rules_page, is_cacheable=False),
    "imports": PageSpec(pages.imports, AccessRight.IMPORTS),
    "results": PageSpec(player_pages.results),
    "person": PageSpec(player_pages.person),
    "counts": PageSpec(pages.counts),
    "cases": PageSpec(case_pages.cases, AccessRight.CASES),
    "case": PageSpec(case_pages.case, AccessRight.CASES),
    "keep": PageSpec(build_keep_page, AccessRight.RECORD, is_cacheable=False),
    "start": PageSpec(build_start_page, AccessRight.RECORD, is_cacheable=False),
    "looks": PageSpec(look_pages.build_looks_page, AccessRight.OPENINGS),
    "search": PageSpec(build_search_page),
    "open-case": PageSpec(case_pages.open_case, AccessRight.WORK, is_cacheable=False),
    "me": PageSpec(user_pages.build_me_page, is_cacheable=False),
    "requests": PageSpec(build_requests_page, AccessRight.RULE, is_cacheable=False),
    "approve": PageSpec(user_pages.build_approve_page, AccessRight.RECORD, is_cacheable=False),
}
"""Each page by its address. `.json` after the address gives its document."""
_ASKED_PAGES: Final = ("tables", "log", "findings", "results", "person")
"""Pages with a query: an error keeps what was typed."""
_NAV: Final = ("tables", "requests", "log", "findings", "cases", "results", "rules", "imports", "looks")


class Server(NamedTuple):
    """What every answer needs: the ledger, its name and growth, the cached answers, the limits of requests."""

    ledger: Ledger
    name: str
    growth: LogGrowth
    answer_cache: AnswerCache
    count_cache: CountCache
    presence: LedgerFileCheck
    intake_bounds: IntakeBounds
    is_writable: bool
    tables: RecordedTables | None  # tables that this server records; None if it is read-only
    books: Sequence[str]  # named with -r
    directory: UserDirectory
    requests: ApprovalRequests  # what dealers asked a floor to approve
    notes: OrderedDict[str, list[str]]  # notes for the page after a form, by the key in its address

    def page_request(self, request: Request, parameters: Mapping[str, str]) -> PageRequest:
        """Return the request that a page builder takes."""
        return PageRequest(
            self.ledger,
            request.scope["role"],
            parameters,
            self.count_cache,
            self.is_writable,
            self.tables,
            request.scope["visitor"],
            self.directory,
            self.books,
            self.requests,
        )

    def _is_open(self, page_name: str, role: Role) -> bool:
        """Whether a role may open a page on this server."""
        required_right = PAGES[page_name].required_right
        return has_right(role, required_right) and (self.is_writable or required_right not in WRITING_RIGHTS)

    def name_of(self, user: PlayerId) -> str:
        """Return the name of a user, "" for nobody; one who was forgotten has the id."""
        return (self.ledger.people.name(user) or user) if user else ""

    def answer_page(self, page_name: str, request: Request) -> Response:
        """Return a page."""
        return self._answer(f"{page_name}.html", page_name, request, "text/html", partial(self._render_page, page_name))

    def answer_document(self, page_name: str, request: Request) -> Response:
        """Return the document behind a page."""
        return self._answer(page_name, page_name, request, "application/json", render_json)

    def answer_picture(self, request: Request) -> Response:
        """Return the drawn table of a hand at an event, as the page of the hand opens."""
        return self._answer("hand.svg", "hand", request, "image/svg+xml", self._render_picture)

    def _render_picture(self, _: Request, document: Site | Wrong) -> RenderedAnswer:
        """Draw the opening frame. A hand that can't be drawn has an empty picture: the page beside it has the reason."""
        hand_page = getattr(document, "hand", None)
        status = document.status if isinstance(document, Wrong) else 200
        picture = _site_environment().get_template("site/hand.svg").render(page=hand_page)
        return RenderedAnswer(status, picture.encode(), _is_complete(document))

    def _answer(
        self,
        answer_name: str,
        page_name: str,
        request: Request,
        media_type: str,
        render: Callable[[Request, Site | Wrong], RenderedAnswer],
    ) -> Response:
        def build_answer() -> RenderedAnswer:
            return render(request, self._build_document(page_name, request))

        try:
            self.presence.check()
            is_cacheable = PAGES[page_name].is_cacheable
            cache_key: tuple[str, ...] = (answer_name, request.scope["role"], request.url.query, language_in_force())
            if media_type == "text/html":  # a page names who is signed in, and its forms have a token
                cache_key = (*cache_key, request.scope["visitor"].session, request.scope["token"])
            answer = (
                self.answer_cache.answer(cache_key, self.ledger.head()[0], build_answer)
                if is_cacheable
                else build_answer()
            )
        except (HandledgerError, SQLAlchemyError) as error:  # even the end of the log could not be read
            answer = render(request, describe_failure(page_name, error))
        is_problem = answer.status != 200 and media_type != "text/html"
        return Response(answer.body, answer.status, media_type=error_pages.PROBLEM if is_problem else media_type)

    def _build_document(self, page_name: str, request: Request) -> Site | Wrong:
        """Return a page's document, or an error page. No error ends the server."""
        role, spec = request.scope["role"], PAGES[page_name]
        page_request = self.page_request(request, dict(request.query_params))
        try:
            require_right(role, spec.required_right, is_writable=self.is_writable)
            UNFINISHED_HAND.set("")
            document = spec.build(page_request)
        except Exception as error:  # noqa: BLE001 - each becomes an answer; `describe_failure` logs our own faults
            error_page = describe_failure(page_name, error)
            with suppress(HandledgerError, SQLAlchemyError):
                error_page.finding_count = (
                    page_request.finding_count
                )  # an error page shows the count of findings in its header too
            return self.complete(request, error_page)
        return self.complete(request, document)

    def complete(self, request: Request, document: Answerable) -> Answerable:
        """Add what wasn't judged to a document, so that it doesn't look clean by mistake."""
        if document.finding_count is not None:
            with suppress(HandledgerError, SQLAlchemyError):
                document.overlong_hands = max(document.overlong_hands, self.page_request(request, {}).overlong_hands)
        document.judging = UNFINISHED_HAND.get()
        return document

    def _render_page(self, page_name: str, request: Request, document: Site | Wrong) -> RenderedAnswer:
        return self._render(page_name, request, document, {})

    def render_form_page(
        self, page_name: str, request: Request, document: Site | Wrong, form_context: Mapping[str, object]
    ) -> RenderedAnswer:
        """Return a document as a page. `form_context`: the entries of a refused form, and the error."""
        return self._render(page_name, request, self.complete(request, document), form_context)

    def answer_form(self, page_name: str, request: Request, document: Site) -> Response:
        """Return a page after a form, or its document for a program."""
        if error_pages.is_from_program(request.scope):
            answer = render_json(request, self.complete(request, document))
            return Response(answer.body, answer.status, media_type="application/json")
        page = self.render_form_page(page_name, request, document, {})
        return Response(page.body, page.status, media_type="text/html")

    def _render(
        self, page_name: str, request: Request, document: Site | Wrong, form_context: Mapping[str, object]
    ) -> RenderedAnswer:
        role = request.scope["role"]
        context = {
            "path": page_name,
            "nav": [name for name in _NAV if self._is_open(name, role)],
            "page_address": _address_of(request, page_name),
            "json_address": _address_of(request, f"{page_name}.json"),
            "ledger": self.name,
            "role": role,
            "user": request.scope["visitor"].user,
            "user_name": self.name_of(request.scope["visitor"].user),
            "device": request.scope["visitor"].device.device if request.scope["visitor"].device else "",
            "version": __version__,
            "parameters": dict(request.query_params),
            "can": {
                access_right.name.lower()
                for access_right in AccessRight
                if self.is_writable and has_right(role, access_right)
            },
            "sees": {access_right.name.lower() for access_right in AccessRight if has_right(role, access_right)},
            "is_writable": self.is_writable,
            "token": request.scope["token"],
            "max_upload_bytes": self.intake_bounds.file,
            "entered_fields": {},
            "sent_form": "",
            "error": None,
            "notes": self.notes.get(request.query_params.get("said", ""), []),
            **form_context,
        }
        template = "site/error.html" if isinstance(document, Wrong) else f"site/{page_name}.html"
        try:
            page = _site_environment().get_template(template).render(page=document, **context).encode()
        except (TemplateError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
            _log_failure(page_name, error)
            notice = phrase("This page could not be drawn. That is a fault of ours: please report it.")
            return RenderedAnswer(500, f"{notice}\n".encode())
        return RenderedAnswer(document.status if isinstance(document, Wrong) else 200, page, _is_complete(document))


def render_json(_: Request, document: Site | Wrong) -> RenderedAnswer:
    """Return a document as JSON."""
    status = document.status if isinstance(document, Wrong) else 200
    return RenderedAnswer(status, encode_document(document), _is_complete(document))


def encode_document(document: msgspec.Struct) -> bytes:
    """Return a document as a line of JSON in ASCII."""
    return f"{json.dumps(msgspec.to_builtins(document, str_keys=True), ensure_ascii=True)}\n".encode("ascii")


def _is_complete(document: Site | Wrong) -> bool:
    return isinstance(document, Wrong) or not document.judging


def describe_failure(page_name: str, error: Exception) -> Wrong:
    """Return the error page of an exception. Our own faults go to the terminal too."""
    if isinstance(error, error_pages.RequestRefusedError):
        return error.error_page
    if isinstance(error, HandledgerError):
        return error_pages.describe_error(error)
    if isinstance(error, SQLAlchemyError):
        sys.stderr.write(f"handledger: {safe.terminal(str(error), 300)}\n")
        return error_pages.describe_error(page_errors.ledger_unreadable())
    _log_failure(page_name, error)
    return error_pages.describe_error(page_errors.page_failed())


def _log_failure(page_name: str, error: Exception) -> None:
    """Report at the terminal why a page failed."""
    sys.stderr.write(f"handledger: page {page_name}: {type(error).__name__}: {safe.terminal(str(error), 300)}\n")


def _address_of(request: Request, page_name: str) -> str:
    parameters = dict(request.query_params) if request.method in ("GET", "HEAD") else {}
    return f"/{page_name}?{urlencode(parameters)}" if parameters else f"/{page_name}"


@cache
def _site_environment() -> Environment:
    """Return the templates with the functions that only the server's pages call."""
    templates = template_environment().overlay()
    templates.globals = {
        **templates.globals,
        "result_groups": player_pages.RESULT_GROUPS,
        "link": lambda path, **parameters: f"/{path}?{urlencode(parameters)}",
        "owed": lambda owed_document: SafeText(owed_report.format_screen(owed_document, width=100)),
        "owed_call": lambda owed_document: SafeText(owed_report.format_call(owed_document)),
        "owed_short": lambda owed_document: SafeText(
            "\n".join(owed_report.format_summary(owed_document, width=100, with_call=False))
        ),
        "draw_dues": draw_dues,
        "finding_chips": finding_pages.build_chips,
        "sort_orders": finding_pages.SORT_ORDERS,
        "worst": page_charts.find_worst_severity,
        "format_size": format_size,
        "safe_lines": lambda text: SafeText(safe.lines(text)),
        "sections": sections,
        "against_base": AGAINST_BASE,
        "against_force": AGAINST_FORCE,
        "bet_presets": bet_presets,
        "script_words": lambda: SafeText(keep_words.script_words()),
        "stage_label": keep_words.stage_label,
        "marker_label": keep_words.marker_label,
        "page_label": keep_words.page_label,
        "role_label": keep_words.role_label,
        "pot_label": keep_words.pot_label,
        "page_json": lambda page: SafeText(page_json(page)),
        "currency_sign": currency_sign,
        "without_commands": drop_command_hints,
        "asked_pages": _ASKED_PAGES,
        "winnings_chart": build_winnings_chart,
        "format_day": format_day,
        "describe_left_out": describe_left_out,
        "describe_unknown_showdowns": describe_unknown_showdowns,
        "describe_untimed": describe_untimed,
        **case_forms.TEMPLATE_GLOBALS,
    }
    return templates
