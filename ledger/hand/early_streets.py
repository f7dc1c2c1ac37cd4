"""Decide which street an act belongs to if the next street was dealt before the betting was over.

No rulebook decides this in general. The interrupted betting goes on until an act shows that the new street is played.
"""

from __future__ import annotations

from typing import Final

from ledger.hand.blind_round import is_bomb_pot
from ledger.hand.dealing import BoardDealt
from ledger.hand.order import find_waiting_seats, next_clockwise
from ledger.hand.seat_maps import FEW_SEATS
from ledger.hand.state import HandState
from ledger.vocabulary import Seat, Witness

_MAX_ACTS: Final = 4 * FEW_SEATS
"""Seats that acted since a raise. In a round in progress, no seat acts twice."""

_PLAY_WITNESSES: Final = int(Witness.ACTS | Witness.DEAL_ERRORS)


def begins_street(state: HandState, event: BoardDealt) -> bool:
    """Whether these cards begin a street's betting: not on a later run, nor while somebody still has to act.

    Where nothing was bet and nobody acted, as in a bomb pot, no betting is cut off; and where the source need not
    record acts and errors of the deal, acts may only be missing: no online room deals too early.
    """
    betting = state.round
    if event.run != 1 or event.street in (betting.street, state.early_street):
        return False
    actions = betting.actions
    last_wager_index = betting.last_wager
    if len(actions) - last_wager_index > _MAX_ACTS or len(state.chips.put_in) > FEW_SEATS:
        return True  # no real table is this large
    if state.live.issubset(map(abs, actions[last_wager_index:] if last_wager_index > 0 else actions)):
        return True  # the usual case: all live seats acted since the last raise
    opened = state.opened
    if opened is None or opened.witnesses & _PLAY_WITNESSES != _PLAY_WITNESSES or not (betting.bet_to_call or actions):
        return True
    if not betting.actions and is_bomb_pot(state.posts, state.options):
        return True
    return not find_waiting_seats(state)


def belongs_to_early(state: HandState, kind: str, seat: Seat) -> bool:
    """Whether an act is the first of the street that was dealt early.

    `kind` is fold, check, call, bet or raise.
    """
    waiting, betting = find_waiting_seats(state), state.round
    bet, level = betting.bets.get(seat, 0), betting.bet_to_call
    if seat not in waiting or (kind == "bet" and level):
        return True
    if kind != "check":
        return False
    # A blind may check its option or open the early street.
    return bet < level or seat == _find_first_after_button(state)


def _find_first_after_button(state: HandState) -> Seat | None:
    able = [seat for seat in state.live if state.can_bet(seat)]
    return None if state.button is None else next_clockwise(able, state.button)
