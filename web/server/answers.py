"""Answer requests with pages or documents. Equal requests share one answer, and errors become answers too."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlencode

from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from ledger.errors import HandledgerError
from ledger.text.language import language_in_force
from web.server import error_pages
from web.server.judging_worker import JudgingWorker
from web.server.page_drawer import (
    PAGES,
    AnswerFormat,
    PageDrawer,
    PageVisit,
    add_unjudged,
    describe_failure,
    render_json,
)
from web.server.page_request import PageRequest

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from web.api.tables import RecordedTables
    from web.log_growth import LogGrowth
    from web.server.access.approval_requests import ApprovalRequests
    from web.server.access.bodies import IntakeBounds
    from web.server.access.ledger_presence import LedgerFileCheck
    from web.server.access.user_directory import UserDirectory
    from web.server.access.visitors import Visitor
    from web.server.answer_cache import AnswerCache, RenderedAnswer
    from web.server.documents import Site, Wrong

_MEDIA_TYPES: Final[dict[AnswerFormat, str]] = {"html": "text/html", "json": "application/json", "svg": "image/svg+xml"}


class Server(NamedTuple):
    """What every answer needs: the ledger and its growth, the drawer of pages, cached answers, the limits of requests."""

    ledger: Ledger
    drawer: PageDrawer
    growth: LogGrowth
    answer_cache: AnswerCache[RenderedAnswer]
    presence: LedgerFileCheck
    intake_bounds: IntakeBounds
    tables: RecordedTables | None  # tables that this server records; None if it is read-only
    directory: UserDirectory
    requests: ApprovalRequests  # what dealers asked a floor to approve
    notes: OrderedDict[str, list[str]]  # notes for the page after a form, by the key in its address

    @property
    def name(self) -> str:
        """The name of the ledger."""
        return self.drawer.settings.name

    @property
    def is_writable(self) -> bool:
        """Whether it was started with --write."""
        return self.drawer.settings.is_writable

    @property
    def books(self) -> Sequence[str]:
        """The rulebooks named with -r."""
        return self.drawer.settings.books

    def build_page_request(self, request: Request, parameters: Mapping[str, str]) -> PageRequest:
        """Return the request that a page builder takes."""
        self.ledger.drop_erased()
        return PageRequest(
            self.ledger,
            request.scope["role"],
            parameters,
            self.drawer.count_cache,
            self.is_writable,
            self.tables,
            request.scope["visitor"],
            self.directory,
            self.books,
            self.requests,
        )

    def name_of(self, user: PlayerId) -> str:
        """Return the name of a user, "" for nobody; one who was forgotten has the id."""
        return self.drawer.name_of(user)

    def answer_page(self, page_name: str, request: Request) -> Response:
        """Return a page."""
        return self._answer(page_name, "html", request)

    def answer_document(self, page_name: str, request: Request) -> Response:
        """Return the document behind a page."""
        return self._answer(page_name, "json", request)

    def answer_picture(self, request: Request) -> Response:
        """Return the drawn table of a hand at an event, as the page of the hand opens."""
        return self._answer("hand", "svg", request)

    def _answer(self, page_name: str, answer_format: AnswerFormat, request: Request) -> Response:
        visit = self._visit(request)
        try:
            self.presence.check()
            key: tuple[str, ...] = (page_name, answer_format, visit.role, request.url.query, visit.language)
            if answer_format == "html":  # a page names who is signed in and the device, and its forms have a token
                key = (*key, request.scope["visitor"].session, visit.device, visit.token)
            answer = (
                self.answer_cache.answer(
                    key, self.ledger.head()[0], lambda: self._draw(page_name, answer_format, visit, request)
                )
                if PAGES[page_name].is_cacheable
                else self._draw(page_name, answer_format, visit, request)
            )
        except (HandledgerError, SQLAlchemyError) as error:  # even the end of the log could not be read
            answer = self.drawer.render(page_name, answer_format, visit, describe_failure(page_name, error))
        is_problem = answer.status != 200 and answer_format != "html"
        return Response(
            answer.body, answer.status, media_type=error_pages.PROBLEM if is_problem else _MEDIA_TYPES[answer_format]
        )

    def _draw(self, page_name: str, answer_format: AnswerFormat, visit: PageVisit, request: Request) -> RenderedAnswer:
        """Draw a page in the other process, if there is one and the page needs nothing that only this one has."""
        worker = self.ledger.judging
        if isinstance(worker, JudgingWorker) and not PAGES[page_name].needs_server:
            return worker.draw_page(self.drawer.settings, page_name, answer_format, visit)
        return self.drawer.draw(page_name, answer_format, visit, self.build_page_request(request, visit.parameters))

    def _visit(self, request: Request) -> PageVisit:
        visitor: Visitor = request.scope["visitor"]
        parameters = dict(request.query_params)
        return PageVisit(
            visitor.role,
            parameters,
            language_in_force(),
            visitor.user,
            visitor.device.device if visitor.device else "",
            request.scope["token"],
            urlencode(parameters) if request.method in ("GET", "HEAD") else "",
            self.notes.get(parameters.get("said", ""), []),
        )

    def complete(self, request: Request, document: Site | Wrong) -> Site | Wrong:
        """Add what wasn't judged to a document, so that it doesn't look clean by mistake."""
        return add_unjudged(self.build_page_request(request, {}), document)

    def render_form_page(
        self, page_name: str, request: Request, document: Site | Wrong, form_context: Mapping[str, object]
    ) -> RenderedAnswer:
        """Return a document as a page. `form_context`: the entries of a refused form, and the error."""
        document = self.complete(request, document)
        return self.drawer.render_page(page_name, self._visit(request), document, form_context)

    def answer_form(self, page_name: str, request: Request, document: Site) -> Response:
        """Return a page after a form, or its document for a program."""
        if error_pages.is_from_program(request.scope):
            answer = render_json(self.complete(request, document))
            return Response(answer.body, answer.status, media_type="application/json")
        page = self.render_form_page(page_name, request, document, {})
        return Response(page.body, page.status, media_type="text/html")
