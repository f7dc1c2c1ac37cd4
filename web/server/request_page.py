"""Build the list of what dealers asked a floor to approve, over all tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.house.devices import may_use_table
from ledger.text.language import phrase, phrase_count
from web.api.api_errors import ProblemError
from web.server.documents import RequestLine, RequestsPage
from web.server.keep_page import page_device

if TYPE_CHECKING:
    from ledger.vocabulary import PlayerId
    from web.api.tables import RecordedTables
    from web.server.access.approval_requests import ApprovalRequest
    from web.server.page_request import PageRequest

_MINUTE: Final = 60_000
_STAYS: Final = 2 * _MINUTE
"""Milliseconds for which an answered request stays in its place, so that no other key moves under a finger."""


def build_requests_page(page_request: PageRequest) -> RequestsPage:
    """Return what waits for a floor, the oldest first, and what was answered just now."""
    visitor = page_request.visitor
    return RequestsPage(
        finding_count=page_request.finding_count,
        requests=[_describe(page_request, request) for request in _list_current(page_request)],
        may_answer=visitor is not None and bool(visitor.user),
    )


def _list_current(page_request: PageRequest) -> list[ApprovalRequest]:
    """Return the requests that a floor may see on this device. Those whose table went on leave the list."""
    requests, tables, now = page_request.requests, page_request.tables, page_request.ledger.now()
    if requests is None or tables is None or page_request.visitor is None:
        return []
    device = page_device(page_request.visitor)
    current = []
    for request in requests.list_requests():
        if request.state == "waiting" and has_gone_on(tables, request):
            requests.remove(request.id)
            continue
        is_here = may_use_table(device, request.table_key.venue, request.table_key.table)
        if is_here and (request.state == "waiting" or now - request.answered < _STAYS):
            current.append(request)
    return current


def has_gone_on(tables: RecordedTables, request: ApprovalRequest) -> bool:
    """Whether anything was recorded at a request's table since the dealer asked."""
    try:
        return tables.find_position(request.table_key) != request.position
    except ProblemError:  # nothing is known of it any more
        return True


def _describe(page_request: PageRequest, request: ApprovalRequest) -> RequestLine:
    def name_of(user: PlayerId) -> str:
        return (page_request.ledger.people.name(user) or user) if user else ""

    minutes = max(0, page_request.ledger.now() - request.moment) // _MINUTE
    return RequestLine(
        id=request.id,
        venue=request.table_key.venue,
        tournament=request.table_key.tournament,
        table=request.table_key.table,
        dealer=name_of(request.user),
        device=request.device,
        act=phrase(request.act),
        line=request.line,
        asked_at=request.moment,
        waited=phrase_count("{count} minute ago", "{count} minutes ago", minutes) if minutes else phrase("just now"),
        state=request.state,
        floor=name_of(request.floor),
    )
