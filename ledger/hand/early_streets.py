"""Streets that were dealt before the betting was over: which of the two streets an act belongs to.

No book says so in general. The betting that was cut off goes on until an act shows that the new street is played.
"""

from __future__ import annotations

from ledger.hand.dealing import BoardDealt
from ledger.hand.order import next_of
from ledger.hand.state import HandState
from ledger.vocabulary import Seat


def begins_street(state: HandState, event: BoardDealt) -> bool:
    """Whether the betting of a street begins with these cards: not on a later run, nor while somebody has to act."""
    street = event.street
    if event.run != 1 or street in (state.round.street, state.early_street):
        return False
    return not seats_to_act(state)


def seats_to_act(state: HandState) -> list[Seat]:
    """Return who has a decision left on the present street; nobody, where nothing was bet and nobody acted."""
    betting, live = state.round, state.live
    level, actions, bets = betting.bet_to_call, betting.actions, betting.bets
    if len(live) < 2 or betting.is_closed or not (level or actions) or betting.street == "third":
        return []
    waiting = [
        seat
        for seat in live
        if (bets.get(seat, 0) < level or not (seat in actions or -seat in actions)) and state.can_bet(seat)
    ]
    if waiting and bets.get(waiting[0], 0) >= level and sum(map(state.can_bet, live)) == 1:
        return []  # alone against all-ins, with nothing to call
    return waiting


def belongs_to_early(state: HandState, kind: str, seat: Seat) -> bool:
    """Whether an act is the first of the street that lies there early; `kind` is fold, check, call, bet or raise."""
    waiting, betting = seats_to_act(state), state.round
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
