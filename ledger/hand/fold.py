"""Fold a hand's events into its state. Every event type has a handler."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias, get_args

from ledger.errors import UnknownEventError
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import ending_steps
from ledger.hand import opening as o
from ledger.hand import steps as s
from ledger.hand.events import HandEvent
from ledger.hand.state import HandState
from ledger.presence import PlayerBack, PresenceEvent

Handler: TypeAlias = Callable[[HandState, Any], None]


def begin() -> HandState:
    """Return the state of a hand before its first event."""
    return HandState()


def apply(state: HandState, event: HandEvent) -> None:
    """Apply `event` to `state`. Raise `UnknownEventError` for an unknown type."""
    step = HANDLERS.get(type(event))
    if step is None:
        raise UnknownEventError(f"{type(event).__name__} is no event of a hand")
    step(state, event)


def fold(events: Iterable[HandEvent]) -> HandState:
    """Return the state after all of `events`, in their order.

    A `CorrectionMade` is only counted here: `ledger.replay.list_corrected` applies it beforehand.
    """
    state = HandState()
    steps = HANDLERS
    try:
        for event in events:
            steps[type(event)](state, event)
    except KeyError:
        if type(event) in steps:
            raise
        raise UnknownEventError(f"{type(event).__name__} is no event of a hand") from None
    return state


def iterate_states(events: Iterable[HandEvent]) -> Iterator[HandState]:
    """Yield the state after each event. It's always the same object, so copy a state to keep it."""
    state = HandState()
    for event in events:
        apply(state, event)
        yield state


HANDLERS: Final[dict[type, Handler]] = {
    o.HandOpened: s.apply_hand_opened,
    o.GameSet: s.apply_game_set,
    o.OptionSet: s.apply_option_set,
    o.TournamentSet: s.apply_tournament_set,
    o.SeatDealtIn: s.apply_seat_dealt_in,
    o.SeatLeftOut: s.apply_seat_left_out,
    o.ButtonPlaced: s.apply_button_placed,
    o.BlindPositionPlaced: s.apply_blind_position_placed,
    o.BlindPosted: s.apply_blind_posted,
    o.StraddlePosted: s.apply_straddle_posted,
    o.AntePosted: s.apply_ante_posted,
    o.BringInPosted: s.apply_bring_in_posted,
    o.BlindSkipped: s.apply_blind_skipped,
    o.PostReturned: s.apply_post_returned,
    o.DeadMoneyTaken: s.apply_dead_money_taken,
    o.PotSeeded: s.apply_pot_seeded,
    o.PermissionGranted: s.keep_for_table,
    o.Agreed: s.keep_for_table,
    d.HoleCardsDealt: s.record_card_event,
    d.DealCompleted: s.apply_deal_completed,
    d.StreetDealt: s.apply_street_dealt,
    d.HoleCardsLearned: s.record_card_event,
    d.CardsOpened: s.record_card_event,
    d.CardBurned: s.record_card_event,
    d.BoardDealt: s.apply_board_dealt,
    d.BoardTurnedUp: s.record_card_event,
    d.BoardWithdrawn: s.apply_board_withdrawn,
    d.CardsDiscarded: s.record_card_event,
    d.CardsDrawn: s.record_card_event,
    d.StoodPat: s.record_card_event,
    d.CardExposed: s.record_card_event,
    d.CardReplaced: s.record_card_event,
    d.CardReturned: s.record_card_event,
    d.ExtraCardDealt: s.record_card_event,
    d.BoxedCardFound: s.record_card_event,
    d.JokerFound: s.record_card_event,
    d.WrongCountFound: s.record_card_event,
    d.MisdealDeclared: s.apply_misdeal_declared,
    d.ErrorNoticed: s.leave_unchanged,
    d.CardsViewed: s.leave_unchanged,
    d.DeckShuffled: s.record_card_event,
    d.DeckCut: s.record_card_event,
    d.RabbitShown: s.record_card_event,
    b.Folded: s.apply_fold,
    b.Checked: s.apply_check,
    b.Called: s.apply_call,
    b.Bet: s.apply_bet,
    b.Raised: s.apply_raise,
    b.Completed: s.apply_completion,
    b.Declared: s.leave_unchanged,
    b.ChipsMoved: s.apply_chips_moved,
    b.ChipsReturned: s.apply_chips_returned,
    b.BetReturned: s.apply_bet_returned,
    b.BettingClosed: s.apply_betting_closed,
    b.RaisesCapped: s.apply_raises_capped,
    b.HandKilled: s.apply_hand_killed,
    b.HandRetrieved: s.apply_hand_retrieved,
    b.ClockCalled: s.leave_unchanged,
    b.ClockExpired: s.leave_unchanged,
    b.TimeBankUsed: s.leave_unchanged,
    b.TimeWarned: s.leave_unchanged,
    b.RunsOffered: s.leave_unchanged,
    b.RunsAnswered: s.leave_unchanged,
    b.RunsAgreed: s.apply_runs_agreed,
    b.CashOutTaken: s.apply_cash_out_taken,
    b.InsuranceBought: s.apply_insurance_bought,
    b.InsurancePaid: s.apply_insurance_paid,
    e.ShowdownBegun: ending_steps.apply_showdown_begun,
    e.CardsShown: s.record_card_event,
    e.CardsMucked: s.record_card_event,
    e.CardsTurnedDown: s.leave_unchanged,
    e.BoardPlayDeclared: s.leave_unchanged,
    e.PotAwarded: ending_steps.apply_pot_awarded,
    e.PotTakenBack: ending_steps.apply_pot_taken_back,
    e.PotImpounded: ending_steps.apply_pot_impounded,
    e.DropTaken: ending_steps.apply_drop_taken,
    e.BountyWon: s.leave_unchanged,
    e.PlayerFinished: s.keep_for_table,
    e.ResultDeclared: ending_steps.apply_result_declared,
    e.HandVoided: ending_steps.apply_hand_voided,
    e.HandCompleted: ending_steps.apply_hand_completed,
    e.RemarkNoted: s.leave_unchanged,
    e.LineUnread: s.apply_line_unread,
    e.CorrectionMade: s.apply_correction_made,
    e.HandSealed: s.leave_unchanged,
    **dict.fromkeys(get_args(PresenceEvent), s.keep_for_table),
    PlayerBack: s.apply_player_back,
}
"""The handler of each event type. `tests/ledger/hand/test_fold.py` proves that none is missing."""
