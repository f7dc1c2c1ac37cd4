"""Draw pages and their documents from the ledger, in the server or in its worker process."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlencode

import msgspec
from jinja2 import Environment, TemplateError
from sqlalchemy.exc import SQLAlchemyError

from ledger import __version__, safe
from ledger.errors import HandledgerError
from ledger.text.language import phrase, use_language
from projections.reports import owed_report
from projections.sentences.statistics import describe_left_out, describe_unknown_showdowns, describe_untimed
from web.charts import page_charts
from web.charts.dues_felt import draw_dues
from web.charts.winnings_chart import build_winnings_chart, format_day
from web.pages.html import SafeText, build_template_environment
from web.server import error_pages, finding_pages, keep_words, look_pages, page_errors, pages, player_pages, user_pages
from web.server.access.bodies import format_size
from web.server.access.roles import WRITING_RIGHTS, AccessRight, has_right, require_right
from web.server.answer_cache import AnswerCache, RenderedAnswer
from web.server.cases import case_forms, case_pages
from web.server.count_cache import CountCache
from web.server.documents import Site, Wrong
from web.server.house_rules_page import AGAINST_BASE, AGAINST_FORCE, build_house_rules_page, list_sections
from web.server.keep_page import build_keep_page, find_currency_sign, list_bet_presets, page_json
from web.server.page_request import PageRequest
from web.server.plain_hints import drop_command_hints
from web.server.request_page import build_requests_page
from web.server.search_page import build_search_page
from web.server.start_page import build_start_page
from web.server.worker_jobs import UNFINISHED_HAND

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from web.server.access.roles import Role

PageBuilder: TypeAlias = Callable[[PageRequest], Site]
AnswerFormat: TypeAlias = Literal["html", "json", "svg"]
"""A page, its document, or the picture of a hand."""
Answerable = TypeVar("Answerable", bound=Site | Wrong)


class PageSpec(NamedTuple):
    """A page: its builder and the right that it needs. `is_cacheable`: the answer holds until the log grows.

    `needs_server`: the builder reads the tables, users or requests of the server, so no other process can draw the page.
    """

    build: PageBuilder
    required_right: AccessRight = AccessRight.TABLES
    is_cacheable: bool = True
    needs_server: bool = False


PAGES: Final[dict[str, PageSpec]] = {
    "tables": PageSpec(pages.build_tables_page),
    "table": PageSpec(pages.build_table_page),
    "log": PageSpec(pages.build_log_page),
    "hand": PageSpec(pages.build_hand_page),
    "findings": PageSpec(finding_pages.build_findings_page, AccessRight.FINDINGS),
    "rules": PageSpec(pages.build_rules_page),
    "house-rules": PageSpec(build_house_rules_page, is_cacheable=False),
    "imports": PageSpec(pages.build_imports_page, AccessRight.IMPORTS),
    "results": PageSpec(player_pages.build_results_page),
    "person": PageSpec(player_pages.build_person_page),
    "counts": PageSpec(pages.build_counts_page),
    "cases": PageSpec(case_pages.build_cases_page, AccessRight.CASES),
    "case": PageSpec(case_pages.build_case_page, AccessRight.CASES),
    "keep": PageSpec(build_keep_page, AccessRight.RECORD, is_cacheable=False, needs_server=True),
    "start": PageSpec(build_start_page, AccessRight.RECORD, is_cacheable=False, needs_server=True),
    "looks": PageSpec(look_pages.build_looks_page, AccessRight.OPENINGS),
    "search": PageSpec(build_search_page),
    "open-case": PageSpec(case_pages.open_case, AccessRight.WORK, is_cacheable=False),
    "me": PageSpec(user_pages.build_me_page, is_cacheable=False, needs_server=True),
    "requests": PageSpec(build_requests_page, AccessRight.RULE, is_cacheable=False, needs_server=True),
    "approve": PageSpec(user_pages.build_approve_page, AccessRight.RECORD, is_cacheable=False, needs_server=True),
}
"""Each page by its address. `.json` after the address gives its document."""
_ASKED_PAGES: Final = ("tables", "log", "findings", "results", "person")
"""Pages with a query: an error keeps what was typed."""
_NAV: Final = ("tables", "requests", "log", "findings", "cases", "results", "rules", "imports", "looks")
_MAX_DOCUMENTS: Final = 16
"""Documents that are kept for the next reader: that of a hand may be large."""


class SiteSettings(NamedTuple):
    """How a server was started, as far as its pages show it."""

    name: str  # of the ledger
    is_writable: bool = False
    books: tuple[str, ...] = ()  # named with -r
    max_upload_bytes: int = 0


class PageVisit(NamedTuple):
    """What a page depends on besides the ledger: who asks for it, in which language, and with which parameters."""

    role: Role
    parameters: Mapping[str, str]
    language: str
    user: PlayerId = ""
    device: str = ""
    token: str = ""  # of the page's forms
    address_query: str = ""  # of the page's own address; "" after a form
    notes: Sequence[str] = ()  # after a form


class PageDrawer:
    """Draws a server's pages. It keeps documents until the log grows: many clients read the same ones."""

    def __init__(self, ledger: Ledger, settings: SiteSettings) -> None:
        """`ledger`: read by any number of threads."""
        self.ledger, self.settings = ledger, settings
        self.count_cache = CountCache()
        self._documents: AnswerCache[Site | Wrong] = AnswerCache(_MAX_DOCUMENTS, _is_worth_keeping)

    def draw(
        self, page_name: str, answer_format: AnswerFormat, visit: PageVisit, page_request: PageRequest | None = None
    ) -> RenderedAnswer:
        """Return a page as its visitor may see it. No error ends the process: each becomes an answer.

        `page_request`: for a page that needs the server.
        """
        with use_language(visit.language):
            return self.render(page_name, answer_format, visit, self._document(page_name, visit, page_request))

    def render(
        self, page_name: str, answer_format: AnswerFormat, visit: PageVisit, document: Site | Wrong
    ) -> RenderedAnswer:
        """Return a document in the format that was asked for."""
        if answer_format == "html":
            return self.render_page(page_name, visit, document, {})
        return render_json(document) if answer_format == "json" else _render_picture(document)

    def _document(self, page_name: str, visit: PageVisit, page_request: PageRequest | None) -> Site | Wrong:
        """Return a page's document. Visitors of one role share it, so it's built without anybody's name."""
        if not PAGES[page_name].is_cacheable:
            return self._build_document(page_name, page_request or self._request(visit))
        key = (
            page_name,
            visit.role,
            visit.language,
            *(part for item in sorted(visit.parameters.items()) for part in item),
        )
        return self._documents.answer(
            key, self.ledger.head()[0], lambda: self._build_document(page_name, self._request(visit))
        )

    def _request(self, visit: PageVisit) -> PageRequest:
        settings = self.settings
        self.ledger.drop_erased()  # after the end of the log was read: a cached document names nobody erased before it
        return PageRequest(
            self.ledger, visit.role, visit.parameters, self.count_cache, settings.is_writable, books=settings.books
        )

    def _build_document(self, page_name: str, page_request: PageRequest) -> Site | Wrong:
        """Return a page's document, or an error page."""
        spec = PAGES[page_name]
        try:
            require_right(page_request.role, spec.required_right, is_writable=page_request.is_writable)
            UNFINISHED_HAND.set("")
            document = spec.build(page_request)
        except Exception as error:  # noqa: BLE001 - each becomes an answer; `describe_failure` logs our own faults
            error_page = describe_failure(page_name, error)
            with suppress(HandledgerError, SQLAlchemyError):  # for the header, as on any page
                error_page.finding_count = page_request.finding_count
            return add_unjudged(page_request, error_page)
        return add_unjudged(page_request, document)

    def render_page(
        self, page_name: str, visit: PageVisit, document: Site | Wrong, form_context: Mapping[str, object]
    ) -> RenderedAnswer:
        """Return a document as a page. `form_context`: the entries of a refused form, and the error."""
        role, settings = visit.role, self.settings
        context = {
            "path": page_name,
            "nav": [name for name in _NAV if self._is_open(name, role)],
            "page_address": _build_address(page_name, visit),
            "json_address": _build_address(f"{page_name}.json", visit),
            "ledger": settings.name,
            "role": role,
            "user": visit.user,
            "user_name": self.name_of(visit.user),
            "device": visit.device,
            "version": __version__,
            "parameters": visit.parameters,
            "can": {
                access_right.name.lower()
                for access_right in AccessRight
                if settings.is_writable and has_right(role, access_right)
            },
            "sees": {access_right.name.lower() for access_right in AccessRight if has_right(role, access_right)},
            "is_writable": settings.is_writable,
            "token": visit.token,
            "max_upload_bytes": settings.max_upload_bytes,
            "entered_fields": {},
            "sent_form": "",
            "error": None,
            "notes": visit.notes,
            **form_context,
        }
        template = "site/error.html" if isinstance(document, Wrong) else f"site/{page_name}.html"
        try:
            page = _site_environment().get_template(template).render(page=document, **context).encode()
        except (TemplateError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
            _log_failure(page_name, error)
            notice = phrase("This page couldn't be drawn. It's a fault of handledger: please report it.")
            return RenderedAnswer(500, f"{notice}\n".encode())
        return RenderedAnswer(document.status if isinstance(document, Wrong) else 200, page, _is_complete(document))

    def name_of(self, user: PlayerId) -> str:
        """Return the name of a user, "" for nobody; one who was forgotten has the id."""
        return (self.ledger.people.name(user) or user) if user else ""

    def _is_open(self, page_name: str, role: Role) -> bool:
        """Whether a role may open a page on this server."""
        required_right = PAGES[page_name].required_right
        return has_right(role, required_right) and (self.settings.is_writable or required_right not in WRITING_RIGHTS)


def draw_page(drawer: PageDrawer, page_name: str, answer_format: AnswerFormat, visit: PageVisit) -> RenderedAnswer:
    """Return a page that any process can draw."""
    return drawer.draw(page_name, answer_format, visit)


def load_templates(*, needs_server: bool) -> None:
    """Compile the templates of the pages that need the server, or of all others, so that nobody waits for that."""
    for page_name, spec in PAGES.items():
        if spec.needs_server == needs_server:
            _site_environment().get_template(f"site/{page_name}.html")


def add_unjudged(page_request: PageRequest, document: Answerable) -> Answerable:
    """Add what wasn't judged to a document, so that it doesn't look clean by mistake."""
    if document.finding_count is not None:
        with suppress(HandledgerError, SQLAlchemyError):
            document.overlong_hands = max(document.overlong_hands, page_request.overlong_hands)
    document.judging = UNFINISHED_HAND.get()
    return document


def _render_picture(document: Site | Wrong) -> RenderedAnswer:
    """Draw the opening frame. A hand that can't be drawn has an empty picture: its page has the reason."""
    hand_page = getattr(document, "hand", None)
    status = document.status if isinstance(document, Wrong) else 200
    picture = _site_environment().get_template("site/hand.svg").render(page=hand_page)
    return RenderedAnswer(status, picture.encode(), _is_complete(document))


def render_json(document: Site | Wrong) -> RenderedAnswer:
    """Return a document as JSON."""
    status = document.status if isinstance(document, Wrong) else 200
    return RenderedAnswer(status, encode_document(document), _is_complete(document))


def encode_document(document: msgspec.Struct) -> bytes:
    """Return a document as a line of JSON in ASCII."""
    return f"{json.dumps(msgspec.to_builtins(document, str_keys=True), ensure_ascii=True)}\n".encode("ascii")


def _is_complete(document: Site | Wrong) -> bool:
    return isinstance(document, Wrong) or not document.judging


def _is_worth_keeping(document: Site | Wrong) -> bool:
    return not isinstance(document, Wrong) and not document.judging


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


def _build_address(page_name: str, visit: PageVisit) -> str:
    return f"/{page_name}?{visit.address_query}" if visit.address_query else f"/{page_name}"


@cache
def _site_environment() -> Environment:
    """Return the templates with the functions that only the server's pages call."""
    templates = build_template_environment().overlay()
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
        "sections": list_sections,
        "against_base": AGAINST_BASE,
        "against_force": AGAINST_FORCE,
        "bet_presets": list_bet_presets,
        "script_words": lambda: SafeText(keep_words.encode_script_words()),
        "stage_label": keep_words.label_stage,
        "marker_label": keep_words.label_marker,
        "page_label": keep_words.label_page,
        "role_label": keep_words.label_role,
        "pot_label": keep_words.label_pot,
        "page_json": lambda page: SafeText(page_json(page)),
        "currency_sign": find_currency_sign,
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
