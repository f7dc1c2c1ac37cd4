"""Hidden cards opened on a page: with a name and a reason, on record before they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.errors import UsageError
from ledger.export.audience import HOUSE
from ledger.store.requests.card_views import record_views
from projections.addresses import hand_address
from projections.cases import claims
from web.frames import Eyes
from web.server import pages, refusing
from web.server.answering import failed, json_of
from web.server.documents import Site, Wrong
from web.server.roles import Right
from web.server.taking import taken
from web.server.writing import writing

if TYPE_CHECKING:
    from starlette.requests import Request

    from web.server.answering import Server
    from web.server.taking import Taken


async def open_cards(server: Server, request: Request) -> Response:
    """Show a hand with its hidden cards, after it is on record who looks, and why. Each time it is asked it is noted."""
    async with taken(request, Right.OPEN) as said:
        return await run_in_threadpool(_opened, server, request, said)


def _opened(server: Server, request: Request, said: Taken) -> Response:
    asking = server.asking(request, {"id": said.one("id")})
    told: Site | Wrong
    wrong: Wrong | None = None
    try:
        _note(server, asking, said)
        told = pages.hand_for(asking, Eyes(HOUSE, opening=True))
    except UsageError as error:
        told = wrong = refusing.of(error)
    except Exception as error:  # noqa: BLE001 - each is told, and no card is shown
        told = failed("hand", error)
    if refusing.for_programs(request.scope):
        answered = json_of(request, server.complete(request, told))
        kind = "application/json" if answered.status == 200 else refusing.PROBLEM
        return Response(answered.body, answered.status, media_type=kind)
    if wrong is not None and said.one("id"):
        told = pages.hand(asking)
    where = {"here": f"/hand?id={said.one('id')}", "json": f"/hand.json?id={said.one('id')}"}
    page = server.html("hand", request, told, {"typed": said.fields, "wrong": wrong, **where})
    return Response(page.body, wrong.status if wrong else page.status, media_type="text/html")


def _note(server: Server, asking: pages.Asking, said: Taken) -> None:
    """Write down who looks; without a name and a reason nobody does."""
    if not said.one("person") or not said.one("why"):
        raise UsageError("Hidden cards are opened with a name and a reason only.", "Say who you are, and what for.")
    row = hand_address.find(asking.ledger, asking.one_of("id")).row
    with writing(server) as ledger:
        person, _ = claims.resolve_person(ledger, said.one("person"), "", [])
        record_views(ledger, [row.stream], said.one("why"), role="auditor", person=person, program="serve")
