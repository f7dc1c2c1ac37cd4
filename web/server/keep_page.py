"""Build the page that records a table: the table's state and the page's buttons."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.house.devices import may_use_table
from ledger.house.events import DeviceEnrolled
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import phrase, translatable
from ledger.vocabulary import shown_decimals
from projections.amount_text import amount
from projections.live.deal_drawing import parse_request
from web.api.api_errors import ProblemError
from web.server import request_errors
from web.server.access.visitors import Visitor
from web.server.documents import AskedAct, KeepPage
from web.server.error_pages import RequestRefusedError

if TYPE_CHECKING:
    from web.server.page_request import PageRequest

PAGE_DEVICE: Final = DeviceEnrolled("the floor's page", "", cards=True)
"""The device that the record names for acts from a page that a printed key opened."""
DEALER_PAGE_DEVICE: Final = DeviceEnrolled("a dealer's page", "")
"""The device of a dealer whose browser isn't enrolled."""


def page_device(visitor: Visitor) -> DeviceEnrolled:
    """Return the device of a visitor, with its limits. A browser that isn't enrolled has those of the role."""
    if visitor.device is not None:
        return visitor.device
    return DEALER_PAGE_DEVICE if visitor.role == "dealer" else PAGE_DEVICE


def require_page_table(visitor: Visitor, table_key: TableKey) -> None:
    """Raise `RequestRefusedError` if the device that a visitor is on may not be used at a table."""
    device = page_device(visitor)
    if not may_use_table(device, table_key.venue, table_key.table):
        raise request_errors.other_table(" / ".join(filter(None, (device.venue, device.table))))


def build_keep_page(page_request: PageRequest) -> KeepPage:
    """Return the state of a table."""
    table_key = TableKey(
        page_request.parameters.get("venue", ""),
        page_request.parameters.get("tournament", ""),
        page_request.require_parameter("name"),
    )
    visitor = page_request.visitor or Visitor(page_request.role)
    require_page_table(visitor, table_key)
    tables, live, offers, position, dealer = page_request.tables, None, None, 0, ""
    deal_request = parse_request(page_request.parameters.get("plan", ""), page_request.parameters.get("button", ""))
    try:
        if tables is not None:
            live, offers, position, dealer = tables.build_table_view(table_key, page_device(visitor), deal_request)
    except ProblemError as error:
        if error.status != 404:
            raise RequestRefusedError(error.status, error.message, error.hint) from None
    return KeepPage(
        finding_count=None,  # to count them, all new hands must be judged: a dealer can't wait for that
        venue=table_key.venue,
        tournament=table_key.tournament,
        table=table_key.table,
        live=live,
        position=position,
        offers=offers,
        dealer=(page_request.ledger.people.name(dealer) or dealer) if dealer else "",
        deals=bool(dealer) and dealer == visitor.user,
        approvals=_list_approvals(page_request, table_key, visitor),
    )


def _list_approvals(page_request: PageRequest, table_key: TableKey, visitor: Visitor) -> list[AskedAct]:
    """Return what a dealer asked a floor to approve at a table, with the answers."""
    if page_request.requests is None or not visitor.user:
        return []
    return [
        AskedAct(request.address, request.state, page_request.ledger.people.name(request.floor) or "")
        for request in page_request.requests.list_requests()
        if request.table_key == table_key and request.user == visitor.user
    ]


def page_json(page: KeepPage) -> str:
    """Return the page's document as JSON, from which its script draws the table."""
    return json.dumps(msgspec.to_builtins(page, str_keys=True))


def find_currency_sign(page: KeepPage) -> str:
    """Return the sign before an amount of the table, "" without one."""
    return "" if page.live is None else amount(0, page.live.unit, 0).removesuffix("0")


def list_bet_presets(page: KeepPage) -> list[tuple[str, str]]:
    """Return usual bets or raises, as label with the amount, and amount: the least, half the pot, the pot, twice the pot."""
    live = page.live
    if live is None or live.moment is None:
        return []
    bet_choice = next((choice for choice in live.choices if choice.word in ("bet", "raise")), None)
    if bet_choice is None or bet_choice.least is None:
        return []
    pot_total = sum(pot.amount for pot in live.moment.pots)
    bet_to_call = max((seat.bet for seat in live.moment.seats), default=0)
    turn = live.moment.turn
    call_amount = turn.to_call if turn is not None else 0
    exact_totals = {
        translatable("least {amount}"): bet_choice.least,
        translatable("½ pot {amount}"): bet_to_call + (pot_total + call_amount) // 2,
        translatable("pot {amount}"): bet_to_call + pot_total + call_amount,
        translatable("twice the pot {amount}"): bet_to_call + 2 * (pot_total + call_amount),
    }
    presets: list[tuple[str, str]] = []
    whole_unit = 10 ** shown_decimals(live.exponent)
    for message, exact in exact_totals.items():
        total = exact if exact == bet_choice.least else exact // whole_unit * whole_unit  # as chips go in
        if total >= bet_choice.least and (bet_choice.most is None or total <= bet_choice.most):
            total_text = amount(total, "", live.exponent)
            if all(total_text != other_text for _, other_text in presets):
                presets.append((phrase(message, amount=total_text), total_text))
    return presets
