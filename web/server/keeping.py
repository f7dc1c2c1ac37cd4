"""Tables kept from pages: what was pressed or typed, recorded and judged at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.errors import UnreadableHandError
from ledger.store.hands.hand_accounts import TableKey
from web.api.asking import Lines, NewTable
from web.api.problems import ProblemError
from web.api.tables import Act, Receipt
from web.server import refusing
from web.server.answering import failed, json_of
from web.server.documents import KeepPage
from web.server.keep_page import PAGE, keep
from web.server.roles import Right
from web.server.taking import Taken, taken

if TYPE_CHECKING:
    from starlette.requests import Request

    from web.api.tables import Tables
    from web.server.answering import Server
    from web.server.documents import Wrong


class Keep:
    """Keeps tables from the pages of a server that may write."""

    def __init__(self, server: Server, tables: Tables) -> None:
        """Take the server, and the tables that devices record too."""
        self._server, self._tables = server, tables

    async def take(self, request: Request) -> Response:
        """Record what was pressed or typed."""
        async with taken(request, Right.RECORD) as said:
            return await run_in_threadpool(self._take, request, said)

    def _take(self, request: Request, said: Taken) -> Response:
        place = TableKey(said.one("venue"), said.one("tournament"), said.one("name"))
        address = {"venue": place.venue, "tournament": place.tournament, "name": place.table}
        try:
            self._server.presence.check()
            receipt = self._recorded(place, said)
        except ProblemError as error:
            wrong = refusing.wrong(error.status, error.title, error.hint)
            last = error.details.get("last")
            wrong.last = last if isinstance(last, int) else None
            return self._refused(request, address, said, wrong)
        except Exception as error:  # noqa: BLE001 - told on the page, what was typed beside it
            return self._refused(request, address, said, _wrong(error))
        if refusing.for_programs(request.scope):
            page = self._page_after(request, place, address, numbered=bool(_number(said, "number")))
            page.recorded, page.again, page.reached = receipt
            return Response(json_of(request, page).body, 200, media_type="application/json")
        return RedirectResponse(f"/keep?{urlencode(address)}", status_code=303)

    def _recorded(self, place: TableKey, said: Taken) -> Receipt:
        if said.one("game"):
            self._tables.open(place, PAGE, NewTable(said.one("game"), _seats(said)))
            return Receipt(recorded=False, again=False, position=0)
        if number := _number(said, "number"):
            after = _number(said, "after")
            act = Act(
                line_of(said),
                said.one("sender"),
                number,
                number - 1 if after is None else after,
                _number(said, "seat"),
                _number(said, "since"),
            )
            return self._tables.act(place, PAGE, act)
        answer = self._tables.lines(place, PAGE, Lines([line_of(said)], _number(said, "behind"), said.one("once")))
        return Receipt(recorded=True, again=answer.again, position=0)

    def _page_after(self, request: Request, place: TableKey, address: dict[str, str], *, numbered: bool) -> KeepPage:
        """Return where the table stands after an act. The act is recorded, whatever goes wrong with the page.

        Whoever numbers acts has more to send, and asks for the page when all is recorded.
        """
        if not numbered:
            try:
                return keep(self._server.asking(request, address))
            except Exception as error:  # noqa: BLE001 - noted; the page says it when it is asked for
                failed("keep", error)
        return KeepPage(open=None, venue=place.venue, tournament=place.tournament, table=place.table, live=None)

    def _refused(self, request: Request, address: dict[str, str], said: Taken, found: Wrong) -> Response:
        """Return the page once more with what was wrong, and with what was typed."""
        if refusing.for_programs(request.scope):
            return Response(refusing.problem(found), found.status, media_type=refusing.PROBLEM)
        where = f"?{urlencode(address)}"
        more = {"typed": said.fields, "wrong": found, "here": f"/keep{where}", "json": f"/keep.json{where}"}
        try:
            told: KeepPage | Wrong = keep(self._server.asking(request, address))
        except Exception as error:  # noqa: BLE001 - as above
            told = failed("keep", error)
        page = self._server.html("keep", request, told, more)
        return Response(page.body, max(page.status, found.status), media_type="text/html")


_DIGITS: Final = 18


def _number(said: Taken, name: str) -> int | None:
    """Return a field that holds a number; None where there is none."""
    text = said.one(name)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def _seats(said: Taken) -> int:
    """Return how many seats a table has, 0 where that isn't said."""
    text = said.one("seats")
    if text and _number(said, "seats") is None:
        raise ProblemError(422, f"{text[:20]!r} is no number of seats", "Write a number, such as 9.")
    return _number(said, "seats") or 0


_MAYBE: Final = re.compile(r"\[([^][{]{0,40})\{(\w{1,20})\}\]")
_TYPED: Final = re.compile(r"\{(\w+)\}")


def line_of(said: Taken) -> str:
    """Return the line that a form tells: a button's own, with what was typed beside it.

    `{amount}` in a button's line is where a field's text belongs, `{who}` a name, and of
    `[ stack {amount}]` nothing is left where nothing was typed.
    """

    def typed(name: str) -> str:
        text = said.one(name).strip()
        return text if name != "who" else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    line = _MAYBE.sub(lambda found: found[1] + typed(found[2]) if said.one(found[2]).strip() else "", said.one("line"))
    return _TYPED.sub(lambda found: typed(found[1]), line) or said.one("written")


def _wrong(error: Exception) -> Wrong:
    """Return why a line was not recorded, with the nearest line that can be."""
    if isinstance(error, UnreadableHandError):
        write = getattr(error, "write", "")
        return refusing.wrong(422, error.reason, f"Write: {write}" if write else error.hint)
    return failed("keep", error)
