"""Cases worked from pages and by programs: a form that is sent, what becomes of it, and what was wrong with it."""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ledger.errors import ConflictError, NothingFoundError
from ledger.store.requests import case_streams as stored
from projections.addresses.address_grammar import split_addresses
from projections.cases import case_commands
from web.server import case_forms, case_pages, refusing
from web.server.answering import failed, json_of
from web.server.documents import Site, Wrong
from web.server.roles import Right
from web.server.taking import Taken, taken
from web.server.writing import writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.event import Event
    from projections.cases.case_commands import CaseChange, CaseEdit
    from web.server.answering import Server
    from web.server.case_forms import Form

_BLOCK: Final = 1024 * 1024
_MOST: Final = 500


class Casework:
    """Takes what is sent about cases. Remembers which forms opened one, and what was to be said of an addition."""

    def __init__(self, server: Server) -> None:
        """Take the server."""
        self._server = server
        self._lock = threading.Lock()
        self._opened: OrderedDict[str, str] = OrderedDict()  # the form's `once` → the case

    async def add(self, form: Form, request: Request) -> Response:
        """Add to a case what a form says."""
        async with taken(request, Right.WORK) as said:
            return await run_in_threadpool(self._add, form, request, said)

    async def open(self, request: Request) -> Response:
        """Open a case."""
        async with taken(request, Right.WORK) as said:
            return await run_in_threadpool(self._open, request, said)

    def _add(self, form: Form, request: Request, said: Taken) -> Response:
        number = said.one("number")
        try:
            added = self._added(form, number, said)
        except Exception as error:  # noqa: BLE001 - told on the page, what was typed beside it
            return self._refused(form, request, said, failed("case", error))
        return self._done(request, added, form)

    def _added(self, form: Form, number: str, said: Taken) -> CaseChange:
        said = _digested(said)
        with writing(self._server) as ledger:

            def deed(at: CaseEdit) -> list[Event]:
                _unchanged(at, said)
                return list(form.deed(at, said))

            return case_commands.add_to_case(ledger, number, deed, case_forms.named)

    def _open(self, request: Request, said: Taken) -> Response:
        once = said.one("once")
        try:
            with self._lock if once else threading.Lock():  # the same form sent twice opens one case
                if once and once in self._opened:
                    with writing(self._server) as ledger:
                        added = case_commands.CaseChange(stored.find_case(ledger, self._opened[once]), 0, [], [])
                else:
                    added = self._begun(said)
                    self._opened[once] = added.case.number
                    while len(self._opened) > _MOST:
                        self._opened.popitem(last=False)
        except Exception as error:  # noqa: BLE001 - as above
            return self._refused(case_forms.OPENING, request, said, failed("open-case", error))
        return self._done(request, added, case_forms.OPENING)

    def _begun(self, said: Taken) -> CaseChange:
        with writing(self._server) as ledger:
            hands = [one for line in said.every("hands") for one in split_addresses(line)]
            return case_commands.open_case(ledger, case_forms.claim(said), hands, case_forms.named)

    def _done(self, request: Request, added: CaseChange, form: Form) -> Response:
        """Lead to the case as it stands now, with what was done, or give it as a document."""
        notes = [*(f"{name} is somebody new to this ledger." for name in added.new_names), *added.notes]
        number = added.case.number
        if refusing.for_programs(request.scope):
            try:
                page = case_pages.case(self._server.asking(request, {"number": number}))
            except Exception as error:  # noqa: BLE001 - it is written down, whatever keeps the page from being made
                failed("case", error)
                return RedirectResponse(f"/case.json?{urlencode({'number': number})}", status_code=303)
            page.case.done, page.case.notes = form.done, notes
            page.case.added = [entry.version for entry in added.case.entries if entry.version > added.last_version]
            return Response(
                json_of(request, self._server.complete(request, page)).body, 201, media_type="application/json"
            )
        told = {"number": number, "done": form.name}
        if notes:
            told["said"] = secrets.token_urlsafe(8)
            self._server.notes[told["said"]] = notes
            while len(self._server.notes) > _MOST:
                self._server.notes.popitem(last=False)
        return RedirectResponse(f"/case?{urlencode(told)}", status_code=303)

    def _refused(self, form: Form, request: Request, said: Taken, found: Wrong) -> Response:
        """Return the page once more with what was wrong, and with what was typed."""
        hints = (hint for words, hint in _HINTS.items() if words in found.message)
        found.message, found.hint = plain(found.message), next(hints, plain(found.hint))
        if refusing.for_programs(request.scope):
            return Response(refusing.problem(found), found.status, media_type=refusing.PROBLEM)
        path = "open-case" if form is case_forms.OPENING else "case"
        asking = self._server.asking(request, {"number": said.one("number")})
        told: Site | Wrong
        try:
            told = case_pages.open_case(asking) if path == "open-case" else case_pages.case(asking)
        except NothingFoundError:
            told = found
        except Exception as error:  # noqa: BLE001 - as above
            told = failed(path, error)
        where = "" if path == "open-case" else f"?{urlencode({'number': said.one('number')})}"
        more: Mapping[str, object] = {
            "typed": said.fields,
            "sent": form.name,
            "wrong": found,
            "here": f"/{path}{where}",
            "json": f"/{path}.json{where}",
        }
        page = self._server.html(path, request, told, more)
        return Response(page.body, max(page.status, found.status), media_type="text/html")


def _digested(said: Taken) -> Taken:
    """Return what was said with the SHA-256 of the file that came with it, and its name if it was not called anything."""
    if not said.files:
        return said
    found = sha256()
    file = said.files[0].file
    file.seek(0)
    while block := file.read(_BLOCK):
        found.update(block)
    label = said.one("label") or (said.files[0].filename or "")
    return Taken({**said.fields, "digest": [found.hexdigest()], "label": [label]}, [])


def _unchanged(at: CaseEdit, said: Taken) -> None:
    """Refuse what was written in view of a case that has grown since: it may have been decided, or this may be twice."""
    seen = said.one("version")
    if seen and seen != str(len(at.case.entries)):
        raise ConflictError(
            "Something was added to this case since you opened the page.",
            "What is new stands in the record. If what you wrote still fits, send it again.",
        )


_HINTS: Final = {
    "do not add up": "Say who pays, or let the house pay what is left over.",
    "the house pays whom": "Say who receives, and how much.",
    "is closed": "It can be taken up again, with a reason.",
    "decided already": "Another ruling follows an appeal; one that was written down wrongly can be voided.",
    "nobody has ruled": "Rule first. Without a ruling a case ends as withdrawn, settled, referred or other.",
    "waits for its ruling": "Rule first.",
    "a case needs a hand or a table": "Name a hand, or a table.",
    "a clause of which rulebook": "Choose the rulebook.",
    "no finding": "Choose one from the list.",
    "names a person": "Name the office, the place or the thing: what stands here can never be erased.",
}
"""What to do, in the words of the forms, for errors whose hints speak of commands; by words of the message."""

_COMMANDED: Final = re.compile(r"handledger |(?<!\w)--?[a-z]|\b[A-Z]{4,}\b")


def plain(words: str) -> str:
    """Return what is said of an error without the sentences that tell what to type at a terminal.

    >>> plain("Say who pays, --pay 5=-15. A day is enough.")
    'A day is enough.'
    """
    sentences = re.split(r"(?<=[.:;?]) (?=[A-Z])|\n", words)
    return " ".join(one for one in sentences if not _COMMANDED.search(one))
