"""Streets that were dealt before the betting was over: which of the two streets an act belongs to.

No book says so in general. The betting that was cut off goes on until an act shows that the new street is played.
"""

from __future__ import annotations

from ledger.hand.dealing import BoardDealt
from ledger.hand.order import next_of, waiting_seats
from ledger.hand.state import HandState
from ledger.vocabulary import Seat


def begins_street(state: HandState, event: BoardDealt) -> bool:
    """Whether the betting of a street begins with these cards: not on a later run, nor while somebody has to act.

    Where nothing was bet and nobody acted, as in a bomb pot, no betting is cut off.
    """
    betting = state.round
    if event.run != 1 or event.street in (betting.street, state.early_street):
        return False
    return not (betting.bet_to_call or betting.actions) or not waiting_seats(state)


def belongs_to_early(state: HandState, kind: str, seat: Seat) -> bool:
    """Whether an act is the first of the street that lies there early; `kind` is fold, check, call, bet or raise."""
    waiting, betting = waiting_seats(state), state.round
    bet, level = betting.bets.get(seat, 0), betting.bet_to_call
    if seat not in waiting or (kind == "bet" and level):
        return True
    if kind != "check":
        return False
    # A blind with its option may be finishing the round or opening the street that lies there.
    return bet < level or seat == _first_after_button(state)


def _first_after_button(state: HandState) -> Seat | None:
    able = [seat for seat in state.live if state.can_bet(seat)]
    return None if state.button is None else next_of(able, state.button)
