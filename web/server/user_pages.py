"""Build the pages about the signed-in user, and about an act that a floor has to approve."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import phrase
from web.server import page_errors
from web.server.access.approval_requests import build_approval_address
from web.server.documents import ApprovePage, MePage, UserLine

if TYPE_CHECKING:
    from ledger.house.events import UserEnrolled
    from ledger.store import Ledger
    from web.server.access.visitors import Visitor
    from web.server.page_request import PageRequest


def build_me_page(page_request: PageRequest) -> MePage:
    """Return the page of the signed-in user, with the other users for whom a code may be made."""
    visitor, directory = page_request.visitor, page_request.directory
    users = directory.list_users() if directory is not None else []
    own = next((user for user in users if visitor is not None and user.user == visitor.user), None)
    return MePage(
        finding_count=page_request.finding_count,
        user=None if own is None else describe_user(page_request.ledger, own),
        device=visitor.device.device if visitor is not None and visitor.device is not None else "",
        others=[
            describe_user(page_request.ledger, user)
            for user in users
            if visitor is not None and user.user != visitor.user and may_make_code(visitor, user)
        ],
    )


def may_make_code(visitor: Visitor, user: UserEnrolled) -> bool:
    """Whether a visitor may make a code for a user: each for himself, and a floor who is signed in for dealers."""
    if not visitor.user:
        return False
    return visitor.user == user.user or (visitor.role == "floor" and user.role == "dealer")


def describe_user(ledger: Ledger, user: UserEnrolled) -> UserLine:
    """Return a user with the name."""
    return UserLine(user.user, ledger.people.name(user.user) or "", user.role)


def build_approve_page(page_request: PageRequest) -> ApprovePage:
    """Return the page of the act in the address. Raise `UsageError` if the address lacks an act."""
    parameters = page_request.parameters
    page = ApprovePage(
        finding_count=page_request.finding_count,
        venue=parameters.get("venue", ""),
        tournament=parameters.get("tournament", ""),
        table=page_request.require_parameter("name"),
        line=page_request.require_parameter("line"),
        seat=_read_number(parameters.get("seat", "")),
        position=_require_number(page_request.require_parameter("since")),
        once=secrets.token_urlsafe(9),
    )
    page.act = _find_asked_act(page_request, page)
    return page


def _find_asked_act(page_request: PageRequest, page: ApprovePage) -> str:
    """Return what the act of a page needs a floor for; "" if the visitor didn't ask for it, or its table went on."""
    if page_request.requests is None or page_request.visitor is None:
        return ""
    table_key = TableKey(page.venue, page.tournament, page.table)
    address = build_approval_address(table_key, page.line, page.position, page.seat)
    return next(
        (
            phrase(request.act)
            for request in page_request.requests.list_requests()
            if request.address == address and request.user == page_request.visitor.user
        ),
        "",
    )


_DIGITS = 15


def _read_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def _require_number(text: str) -> int:
    number = _read_number(text)
    if number is None:
        raise page_errors.act_address_damaged()
    return number
