"""The page on which a table is kept: where it stands, and what its buttons say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ledger.house.events import DeviceEnrolled
from ledger.store.accounts import Place
from projections.amount_text import amount
from web.api.problems import ProblemError
from web.server.documents import KeepPage
from web.server.refusing import RefusedError

if TYPE_CHECKING:
    from web.server.pages import Asking

PAGE: Final = DeviceEnrolled("the floor's page", "", cards=True)
"""Who records here, as the record says it."""


def keep(asking: Asking) -> KeepPage:
    """Return where a table stands."""
    place = Place(asking.given.get("venue", ""), asking.given.get("tournament", ""), asking.one_of("name"))
    tables, live, position = asking.tables, None, 0
    try:
        if tables is not None:
            live, position = tables.stands_at(place, PAGE)
    except ProblemError as error:
        if error.status != 404:
            raise RefusedError(error.status, error.title, error.hint) from None
    return KeepPage(
        open=asking.open,
        venue=place.venue,
        tournament=place.tournament,
        table=place.table,
        live=live,
        position=position,
    )


def round_of(page: KeepPage) -> str:
    """Return the round of betting as JSON, from which the page's script knows whose turn it is after what still waits."""
    live = page.live
    seats = live.moment.seats if live is not None and live.moment is not None else []
    return json.dumps(
        {
            "seats": [
                {"seat": one.seat, "name": one.player, "stack": one.stack, "bet": one.bet, "status": one.status}
                for one in seats
            ],
            "toAct": [] if live is None else live.to_act,
            "exponent": 0 if live is None else live.exponent,
            "sign": "" if live is None else amount(0, live.unit, 0).removesuffix("0"),
        }
    )


def presets(page: KeepPage) -> list[tuple[str, str]]:
    """Return usual bets or raises as label and amount to type: the least, half the pot, the pot, all-in."""
    live = page.live
    choice = next((one for one in live.choices if one.word in ("bet", "raise")), None) if live is not None else None
    if live is None or choice is None or choice.least is None or live.moment is None:
        return []
    pot = sum(one.amount for one in live.moment.pots)
    level = max((one.bet for one in live.moment.seats), default=0)
    turn = live.moment.turn
    call = turn.to_call if turn is not None else 0
    wanted = {
        "least": choice.least,
        "½ pot": level + (pot + call) // 2,
        "pot": level + pot + call,
        "twice the pot": level + 2 * (pot + call),
    }
    found: list[tuple[str, str]] = []
    whole = 10**live.exponent
    for label, exact in wanted.items():
        total = exact if label == "least" else exact // whole * whole  # as chips go in
        if total >= choice.least and (choice.most is None or total <= choice.most):
            told = amount(total, "", live.exponent)
            if all(told != other for _, other in found):
                found.append((label, told))
    return found
