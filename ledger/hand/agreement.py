"""Check whether a hand's recorded chips add up."""

from __future__ import annotations

from typing import Final

from ledger.hand.chips import UncalledBet
from ledger.hand.ending import ResultDeclared
from ledger.hand.opening import BlindPosted
from ledger.hand.state import HandState, Oddity
from ledger.presence import ChipsAdded
from ledger.vocabulary import Chips, Seat, Witness

_DROP: Final = int(Witness.DROP)
_PAYMENT_WITNESSES: Final = int(Witness.AWARDS | Witness.ACTS)
_RETURNS: Final = int(Witness.RETURNED_BETS)
_MAX_DROP_SHARE: Final = 0.25
"""The part of a pot: rooms take a tenth, and seldom more than this of the smallest pots."""


def may_hide_drop(state: HandState) -> bool:
    """Return whether chips that nobody was paid may be an unrecorded drop."""
    opened = state.opened
    is_drop_recorded = opened is not None and opened.witnesses & _DROP and state.completed
    return not is_drop_recorded and not state.chips.drop


def has_vanished_chips(state: HandState) -> bool:
    """Return whether more of the pot is missing than a drop, recorded or not, may take.

    The house didn't take that much, so an act or an award is missing or wrong.
    """
    opened = state.opened
    if opened is None or opened.witnesses & _PAYMENT_WITNESSES != _PAYMENT_WITNESSES or not state.chips.awarded:
        return False
    if state.voided or state.is_spoiled or state.chips.impounded or state.cash_outs:
        return False
    return state.conservation() > _MAX_DROP_SHARE * state.pot_size()


def find_unrecorded_return(state: HandState) -> UncalledBet | None:
    """Return an uncalled bet that went back without an event.

    It is recognised if just that amount wasn't paid: in notes, people write what the winner got from the others.
    """
    opened = state.opened
    if (
        opened is None
        or opened.witnesses & _RETURNS
        or opened.witnesses & _PAYMENT_WITNESSES != _PAYMENT_WITNESSES
        or len(state.chips.put_in) < 2
    ):
        return None
    if not state.chips.awarded or state.voided or state.chips.impounded or state.cash_outs:
        return None
    uncalled_bet = state.chips.find_unmatched_bet()
    return uncalled_bet if uncalled_bet is not None and uncalled_bet.amount == state.conservation() else None


def count_reposted_chips(state: HandState) -> Chips:
    """Return the chips posted for a void deal and recorded again for the next. The first posts may have gone back."""
    amount_by_post: dict[tuple[type, Seat, str], Chips] = {}
    reposted_chips = 0
    for post in state.posts:
        post_key = type(post), post.seat, getattr(post, "role", "")
        reposted_chips += amount_by_post.get(post_key, 0)
        amount_by_post[post_key] = post.live + post.dead if isinstance(post, BlindPosted) else post.amount
    return reposted_chips


def is_contradictory(state: HandState) -> bool:
    """Return whether the recorded chips of a finished hand contradict each other.

    They do if more or less came out than went in, if a declared total or end stack differs from the events, if a seat
    put in more than it had, or if it wasn't dealt in. Nothing else about such a hand is certain.
    """
    if state.voided or state.is_spoiled:
        return False
    if state.chips.awarded and do_payouts_disagree(state):
        return True
    if any(_is_stranger(state, oddity) for oddity in state.oddities):
        return True
    for declaration in state.declarations:
        if _is_declaration_wrong(state, declaration):
            return True
    put_in = state.chips.put_in
    for seat, dealt in state.dealt.items():
        stack = dealt.stack
        if stack is not None and put_in[seat] > stack and put_in[seat] > stack + _count_bought_chips(state, seat):
            return True
    return False


def do_payouts_disagree(state: HandState) -> bool:
    """Whether more or less was paid than went in, without an unrecorded drop or a repeated post."""
    opened = state.opened
    if opened is None or opened.witnesses & _PAYMENT_WITNESSES != _PAYMENT_WITNESSES:
        return False
    if state.chips.impounded or state.cash_outs:
        return False
    unpaid = state.conservation()
    if not unpaid or (state.misdealt and unpaid == count_reposted_chips(state)):
        return False
    return unpaid < 0 or not may_hide_drop(state) or has_vanished_chips(state)


def _is_declaration_wrong(state: HandState, declaration: ResultDeclared) -> bool:
    """Whether the record declares a total pot or an end stack that its events don't add up to."""
    amount, seat = declaration.amount, declaration.seat
    if amount is None:
        return False
    if declaration.what == "total-pot":
        pot = state.pot_size()
        return amount not in (pot, pot - state.chips.seeded)  # or only the players' chips
    if declaration.what == "end-stack" and seat is not None:
        stack = state.stack(seat)
        return stack is not None and stack != amount
    return False


def _is_stranger(state: HandState, oddity: Oddity) -> bool:
    """Return whether the seat of an odd event wasn't dealt in. A seat that folds twice was."""
    return oddity.reason == "not-dealt-in" or getattr(oddity.event, "seat", None) not in state.dealt


def _count_bought_chips(state: HandState, seat: Seat) -> Chips:
    return sum(event.amount for event in state.table_events if type(event) is ChipsAdded and event.seat == seat)
