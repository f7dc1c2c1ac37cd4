"""Build the page that records a table: the table's state and the page's buttons."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ledger.house.events import DeviceEnrolled
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import phrase, translatable
from ledger.vocabulary import shown_decimals
from projections.amount_text import amount
from web.api.problems import ProblemError
from web.server.documents import KeepPage
from web.server.error_pages import RequestRefusedError

if TYPE_CHECKING:
    from web.server.page_request import PageRequest

PAGE_DEVICE: Final = DeviceEnrolled("the floor's page", "", cards=True)
"""The device that the record names for acts from this page."""


def build_keep_page(page_request: PageRequest) -> KeepPage:
    """Return the state of a table."""
    table_key = TableKey(
        page_request.parameters.get("venue", ""),
        page_request.parameters.get("tournament", ""),
        page_request.required("name"),
    )
    tables, live, position = page_request.tables, None, 0
    try:
        if tables is not None:
            live, position = tables.live_document_at(table_key, PAGE_DEVICE)
    except ProblemError as error:
        if error.status != 404:
            raise RequestRefusedError(error.status, error.title, error.hint) from None
    return KeepPage(
        finding_count=page_request.finding_count,
        venue=table_key.venue,
        tournament=table_key.tournament,
        table=table_key.table,
        live=live,
        position=position,
    )


def betting_round_json(page: KeepPage) -> str:
    """Return the betting round as JSON, so that the page's script can tell whose turn follows the waiting acts."""
    live = page.live
    seats = live.moment.seats if live is not None and live.moment is not None else []
    return json.dumps(
        {
            "seats": [
                {"seat": seat.seat, "name": seat.player, "stack": seat.stack, "bet": seat.bet, "status": seat.status}
                for seat in seats
            ],
            "toAct": [] if live is None else live.to_act,
            "exponent": 0 if live is None else live.exponent,
            "sign": "" if live is None else amount(0, live.unit, 0).removesuffix("0"),
        }
    )


def bet_presets(page: KeepPage) -> list[tuple[str, str]]:
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
