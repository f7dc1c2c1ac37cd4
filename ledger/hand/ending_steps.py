"""Apply the events from the showdown to the end of a hand. Part of `ledger.hand.fold`."""

# ruff: noqa: D103 - the names and the event types say what each function is for

from __future__ import annotations

from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand.agreement import find_unrecorded_return
from ledger.hand.seat_maps import NO_SEATS
from ledger.hand.state import HandState, Oddity
from ledger.hand.steps import apply_bet_returned


def apply_showdown_begun(state: HandState, _event: e.ShowdownBegun) -> None:
    state.showdown = True


def apply_pot_awarded(state: HandState, event: e.PotAwarded) -> None:
    state.awards.append(event)
    state.chips.award(event.seat, event.amount)
    if event.seat not in state.dealt:
        state.oddities.append(Oddity("not-dealt-in", event))


def apply_pot_taken_back(state: HandState, event: e.PotTakenBack) -> None:
    state.chips.award(event.seat, -event.amount)


def apply_pot_impounded(state: HandState, event: e.PotImpounded) -> None:
    state.chips.impound(event.amount)


def apply_drop_taken(state: HandState, event: e.DropTaken) -> None:
    state.drops.append(event)
    state.chips.take_drop(event.amount)


def apply_result_declared(state: HandState, event: e.ResultDeclared) -> None:
    state.declarations.append(event)


def apply_hand_voided(state: HandState, event: e.HandVoided) -> None:
    """Give every chip back: nobody put anything in and nobody won."""
    state.table_events.append(event)
    state.voided = True
    _return_all_chips(state)


def _return_all_chips(state: HandState) -> None:
    state.chips.void()
    state.round.forget_bets()
    state.awards, state.drops = [], []
    state.stated_all_in = NO_SEATS


def apply_hand_completed(state: HandState, _event: e.HandCompleted) -> None:
    """End the hand. If it ended with a misdeal, return every chip.

    Otherwise return an uncalled bet that the record lacks.
    """
    state.completed = True
    if state.misdealt and state.is_spoiled:
        _return_all_chips(state)
    elif (uncalled_bet := find_unrecorded_return(state)) is not None:
        apply_bet_returned(state, b.BetReturned(*uncalled_bet))
