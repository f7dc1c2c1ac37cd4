"""Build the money table of a hand: what each seat put in and won, and where other chips went. Nets sum to zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.pages.documents import Account, Money

if TYPE_CHECKING:
    from ledger.hand.state import HandState
    from ledger.vocabulary import Chips
    from projections.reports.event_text import EventDescriber


def build_money(state: HandState, describer: EventDescriber) -> Money:
    """Return a line for each seat, then one for each other place where chips went; none for a void hand."""
    if state.voided or state.is_spoiled:
        return Money([], void=True)
    accounts, start_stacks = [], state.start
    for seat in state.seats:
        paid_in = state.chips.put_in.get(seat, 0)
        won = state.chips.awarded.get(seat, 0) + state.cash_outs.get(seat, 0)
        accounts.append(Account(describer.name_seat(seat), seat, start_stacks.get(seat), paid_in, won, won - paid_in))
    pot = state.pot_size()
    unassigned = pot - sum(state.chips.awarded.values()) - state.chips.drop - state.chips.impounded
    cashed_total = sum(state.cash_outs.values())
    accounts += _list_other_account("the house, taken from the pot", state.chips.drop)
    accounts += _list_other_account("the house, for hands that were cashed out or insured", -cashed_total)
    accounts += _list_other_account("in the pot before the hand", -state.chips.seeded)
    accounts += _list_other_account("impounded", state.chips.impounded)
    accounts += _list_other_account("not given to anybody in the record", unassigned)
    return Money(accounts, void=False)


def _list_other_account(name: str, chips: Chips) -> list[Account]:
    """Return the line of an account without a seat; [] if no chips went there."""
    return [Account(name, None, None, max(0, -chips), max(0, chips), chips)] if chips else []
