"""The table of money of a hand: what each seat put in and got, and where the rest went. Its nets sum to zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.documents import Account, Money

if TYPE_CHECKING:
    from ledger.hand.state import HandState
    from ledger.vocabulary import Chips
    from projections.reports.event_text import EventDescriber


def money(state: HandState, teller: EventDescriber) -> Money:
    """Return the chips of a hand that is over as far as it is told; a line for each seat, then for who else had chips."""
    if state.voided or state.spoiled:
        return Money([], void=True)
    accounts, start = [], state.start
    for seat in state.seats:
        put = state.chips.put_in.get(seat, 0)
        won = state.chips.awarded.get(seat, 0) + state.cashed.get(seat, 0)
        accounts.append(Account(teller.name_seat(seat), seat, start.get(seat), put, won, won - put))
    pot = state.total_put()
    left = pot - sum(state.chips.awarded.values()) - state.chips.drop - state.chips.impounded
    cashed = sum(state.cashed.values())
    accounts += _other("the house, taken from the pot", state.chips.drop)
    accounts += _other("the house, for hands that were cashed out or insured", -cashed)
    accounts += _other("in the pot before the hand", -state.chips.seeded)
    accounts += _other("impounded", state.chips.impounded)
    accounts += _other("not given to anybody in the record", left)
    return Money(accounts, void=False)


def _other(who: str, chips: Chips) -> list[Account]:
    """Return a line of somebody without a seat; none if nothing went there."""
    return [Account(who, None, None, max(0, -chips), max(0, chips), chips)] if chips else []
