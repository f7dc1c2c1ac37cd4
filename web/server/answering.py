"""Questions answered: a page or a document, made once for all who ask the same, and what goes wrong with it."""

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
from projections.reports import owed_report
from web.rendering import Told, environment
from web.server import case_forms, case_pages, look_pages, pages, refusing
from web.server.bodies import size
from web.server.documents import Site, Wrong
from web.server.judging_worker import STILL
from web.server.keep_page import keep, presets, round_of
from web.server.remembering import Answered
from web.server.roles import Right, may, needed

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.store import Ledger
    from web.api.tables import Tables
    from web.server.bodies import Bounds
    from web.server.live import Growth
    from web.server.presence import Presence
    from web.server.remembering import Remembered

Answer: TypeAlias = Callable[[pages.Asking], Site]
Answerable = TypeVar("Answerable", bound=Site | Wrong)


class Page(NamedTuple):
    """A page: what answers, and which right it needs. `lasts`: it may be remembered as long as the log has not grown."""

    answer: Answer
    right: Right = Right.TABLES
    lasts: bool = True


PAGES: Final[dict[str, Page]] = {
    "tables": Page(pages.tables),
    "table": Page(pages.table),
    "log": Page(pages.log),
    "hand": Page(pages.hand),
    "findings": Page(pages.findings, Right.FINDINGS),
    "rules": Page(pages.rules),
    "imports": Page(pages.imports, Right.IMPORTS),
    "results": Page(pages.sums),
    "cases": Page(case_pages.cases, Right.CASES),
    "case": Page(case_pages.case, Right.CASES),
    "keep": Page(keep, Right.RECORD, lasts=False),
    "looks": Page(look_pages.who_looked, Right.OPENINGS),
    "open-case": Page(case_pages.open_case, Right.WORK, lasts=False),
}
"""Each page by its address; with `.json` behind it, its document."""
_NAV: Final = ("tables", "log", "findings", "cases", "results", "rules", "imports", "looks")


class Server(NamedTuple):
    """What every answer needs: the ledger, what it is called, how far it has come, the last answers, what is taken in."""

    ledger: Ledger
    name: str
    growth: Growth
    remembered: Remembered
    presence: Presence
    bounds: Bounds
    writes: bool
    tables: Tables | None  # those that are kept here
    books: Sequence[str]  # said with -r
    notes: OrderedDict[str, list[str]]  # what is to be said on the page that follows a form, by a word in its address

    def asking(self, request: Request, given: Mapping[str, str]) -> pages.Asking:
        """Return a question to a page."""
        return pages.Asking(self.ledger, request.scope["role"], given, self.writes, self.tables, self.books)

    def page(self, path: str, request: Request) -> Response:
        """Return a page."""
        return self._asked(f"{path}.html", path, request, "text/html", partial(self._html, path))

    def document(self, path: str, request: Request) -> Response:
        """Return the document that a page is made of."""
        return self._asked(path, path, request, "application/json", json_of)

    def _asked(
        self, what: str, path: str, request: Request, kind: str, make: Callable[[Request, Site | Wrong], Answered]
    ) -> Response:
        def made() -> Answered:
            return make(request, self._answered(path, request))

        try:
            self.presence.check()
            lasts = PAGES[path].lasts
            asked = (what, request.scope["role"], request.url.query)
            answered = self.remembered.answer(asked, self.ledger.head()[0], made) if lasts else made()
        except (HandledgerError, SQLAlchemyError) as error:  # the ledger does not even say how far it is
            answered = make(request, failed(path, error))
        wrong = answered.status != 200 and kind != "text/html"
        return Response(answered.body, answered.status, media_type=refusing.PROBLEM if wrong else kind)

    def _answered(self, path: str, request: Request) -> Site | Wrong:
        """Return a page's document, or what was wrong; nothing that goes wrong ends the server."""
        role, page = request.scope["role"], PAGES[path]
        asking = self.asking(request, dict(request.query_params))
        try:
            needed(role, page.right, writes=self.writes)
            STILL.set("")
            made = page.answer(asking)
        except Exception as error:  # noqa: BLE001 - each is told; `failed` says which are ours
            told = failed(path, error)
            with suppress(HandledgerError, SQLAlchemyError):
                told.open = asking.open  # what is wrong with hands stands in the header of this page, too
            return self.complete(request, told)
        return self.complete(request, made)

    def complete(self, request: Request, page: Answerable) -> Answerable:
        """Return a document with what wasn't judged, so that none looks clean that isn't."""
        if page.open is not None:
            with suppress(HandledgerError, SQLAlchemyError):
                page.overlong_hands = max(page.overlong_hands, self.asking(request, {}).overlong_hands)
        page.judging = STILL.get()
        return page

    def _html(self, path: str, request: Request, told: Site | Wrong) -> Answered:
        return self._drawn(path, request, told, {})

    def html(self, path: str, request: Request, told: Site | Wrong, more: Mapping[str, object]) -> Answered:
        """Return a document as a page. `more`: what a form that was refused held, and why."""
        return self._drawn(path, request, self.complete(request, told), more)

    def _drawn(self, path: str, request: Request, told: Site | Wrong, more: Mapping[str, object]) -> Answered:
        role = request.scope["role"]
        around = {
            "path": path,
            "nav": [one for one in _NAV if may(role, PAGES[one].right)],
            "here": _here(request, path),
            "json": _here(request, f"{path}.json"),
            "ledger": self.name,
            "role": role,
            "version": __version__,
            "given": dict(request.query_params),
            "can": {right.name.lower() for right in Right if self.writes and may(role, right)},
            "sees": {right.name.lower() for right in Right if may(role, right)},
            "token": request.scope["token"],
            "largest": self.bounds.file,
            "typed": {},
            "sent": "",
            "wrong": None,
            "notes": self.notes.get(request.query_params.get("said", ""), []),
            **more,
        }
        template = "site/error.html" if isinstance(told, Wrong) else f"site/{path}.html"
        try:
            page = _site().get_template(template).render(page=told, **around).encode()
        except (TemplateError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
            _noted(path, error)
            return Answered(500, b"This page could not be drawn. That is a fault of ours: please report it.\n")
        return Answered(told.status if isinstance(told, Wrong) else 200, page, _is_whole(told))


def json_of(_: Request, told: Site | Wrong) -> Answered:
    """Return a document as JSON."""
    data = f"{json.dumps(msgspec.to_builtins(told, str_keys=True), ensure_ascii=True)}\n".encode("ascii")
    return Answered(told.status if isinstance(told, Wrong) else 200, data, _is_whole(told))


def _is_whole(told: Site | Wrong) -> bool:
    return isinstance(told, Wrong) or not told.judging


def failed(path: str, error: Exception) -> Wrong:
    """Return what is said of an error; what is a fault of ours is noted at the terminal, too."""
    if isinstance(error, refusing.RefusedError):
        return error.wrong
    if isinstance(error, HandledgerError):
        return refusing.of(error)
    if isinstance(error, SQLAlchemyError):
        sys.stderr.write(f"handledger: {safe.terminal(str(error), 300)}\n")
        return refusing.wrong(503, "The ledger cannot be read now.", "Ask again. If it stays so: `handledger verify`.")
    _noted(path, error)
    return refusing.wrong(500, "This page could not be made.", "That is a fault of ours: please report it.")


def _noted(path: str, error: Exception) -> None:
    """Say at the terminal that a page was not made, and why."""
    sys.stderr.write(f"handledger: page {path}: {type(error).__name__}: {safe.terminal(str(error), 300)}\n")


def _here(request: Request, path: str) -> str:
    told = dict(request.query_params) if request.method in ("GET", "HEAD") else {}
    return f"/{path}?{urlencode(told)}" if told else f"/{path}"


@cache
def _site() -> Environment:
    """Return the templates, with what these pages call besides."""
    made = environment().overlay()
    made.globals = {
        **made.globals,
        "groups": pages.GROUPS,
        "link": lambda path, **given: f"/{path}?{urlencode(given)}",
        "owed": lambda due: Told(owed_report.format_screen(due, width=100)),
        "owed_call": lambda due: Told(owed_report.format_call(due)),
        "owed_short": lambda due: Told("\n".join(owed_report.format_summary(due, width=100, with_call=False))),
        "size": size,
        "presets": presets,
        "round_of": round_of,
        **case_forms.SHOWN,
    }
    return made
