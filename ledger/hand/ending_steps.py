"""What each event does to a state from the showdown to the end of the hand. Part of `ledger.hand.fold`."""

# ruff: noqa: D103 - the names and the event types say what each function is for

from __future__ import annotations

from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand.agreement import find_unrecorded_return
from ledger.hand.seat_maps import NO_SEATS
from ledger.hand.state import HandState, Oddity
from ledger.hand.steps import bet_returned


def showdown_begun(state: HandState, _event: e.ShowdownBegun) -> None:
    state.showdown = True


def pot_awarded(state: HandState, event: e.PotAwarded) -> None:
    state.awards.append(event)
    state.chips.award(event.seat, event.amount)
    if event.seat not in state.dealt:
        state.oddities.append(Oddity("not-dealt-in", event))


def pot_taken_back(state: HandState, event: e.PotTakenBack) -> None:
    state.chips.award(event.seat, -event.amount)


def pot_impounded(state: HandState, event: e.PotImpounded) -> None:
    state.chips.impound(event.amount)


def drop_taken(state: HandState, event: e.DropTaken) -> None:
    state.drops.append(event)
    state.chips.take_drop(event.amount)


def result_declared(state: HandState, event: e.ResultDeclared) -> None:
    state.declarations.append(event)


def hand_voided(state: HandState, event: e.HandVoided) -> None:
    """Give every chip back: nobody put anything in and nobody won."""
    state.table_events.append(event)
    state.voided = True
    _return_all_chips(state)


def _return_all_chips(state: HandState) -> None:
    state.chips.void()
    state.round.forget_bets()
    state.awards, state.drops = [], []
    state.stated_all_in = NO_SEATS


def hand_completed(state: HandState, _event: e.HandCompleted) -> None:
    """End the hand; where it ended with a misdeal, every chip goes back, and what nobody called where no record tells it."""
    state.completed = True
    if state.misdealt and state.is_spoiled:
        _return_all_chips(state)
    elif (uncalled_bet := find_unrecorded_return(state)) is not None:
        bet_returned(state, b.BetReturned(*uncalled_bet))
