"""The fold of a hand: the state after its events. Total over the vocabulary, pure in effect."""

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
    """Return the state of a hand of which nothing is known."""
    return HandState()


def apply(state: HandState, event: HandEvent) -> None:
    """Bring `state` to where it stands after `event`; `UnknownEventError` for a foreign type."""
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
    """Yield the state after each event.

    It is one state, which the next event changes: whoever keeps one keeps a copy.
    """
    state = HandState()
    for event in events:
        apply(state, event)
        yield state


HANDLERS: Final[dict[type, Handler]] = {
    o.HandOpened: s.hand_opened,
    o.GameSet: s.game_set,
    o.OptionSet: s.option_set,
    o.TournamentSet: s.tournament_set,
    o.SeatDealtIn: s.seat_dealt_in,
    o.SeatLeftOut: s.seat_left_out,
    o.ButtonPlaced: s.button_placed,
    o.BlindPositionPlaced: s.blind_position_placed,
    o.BlindPosted: s.blind_posted,
    o.StraddlePosted: s.straddle_posted,
    o.AntePosted: s.ante_posted,
    o.BringInPosted: s.bring_in_posted,
    o.BlindSkipped: s.blind_skipped,
    o.PostReturned: s.post_returned,
    o.DeadMoneyTaken: s.dead_money_taken,
    o.PotSeeded: s.pot_seeded,
    o.PermissionGranted: s.keep_for_table,
    o.Agreed: s.keep_for_table,
    d.HoleCardsDealt: s.cards,
    d.DealCompleted: s.deal_completed,
    d.StreetDealt: s.street_dealt,
    d.HoleCardsLearned: s.cards,
    d.CardsOpened: s.cards,
    d.CardBurned: s.cards,
    d.BoardDealt: s.board_dealt,
    d.BoardTurnedUp: s.cards,
    d.BoardWithdrawn: s.board_withdrawn,
    d.CardsDiscarded: s.cards,
    d.CardsDrawn: s.cards,
    d.StoodPat: s.cards,
    d.CardExposed: s.cards,
    d.CardReplaced: s.cards,
    d.CardReturned: s.cards,
    d.ExtraCardDealt: s.cards,
    d.BoxedCardFound: s.cards,
    d.JokerFound: s.cards,
    d.WrongCountFound: s.cards,
    d.MisdealDeclared: s.misdeal_declared,
    d.ErrorNoticed: s.leave_unchanged,
    d.CardsViewed: s.leave_unchanged,
    d.DeckShuffled: s.cards,
    d.DeckCut: s.cards,
    d.RabbitShown: s.cards,
    b.Folded: s.folded,
    b.Checked: s.checked,
    b.Called: s.apply_call,
    b.Bet: s.bet,
    b.Raised: s.raised,
    b.Completed: s.completed_bet,
    b.Declared: s.leave_unchanged,
    b.ChipsMoved: s.chips_moved,
    b.ChipsReturned: s.chips_returned,
    b.BetReturned: s.bet_returned,
    b.BettingClosed: s.betting_closed,
    b.RaisesCapped: s.raises_capped,
    b.HandKilled: s.hand_killed,
    b.HandRetrieved: s.hand_retrieved,
    b.ClockCalled: s.leave_unchanged,
    b.ClockExpired: s.leave_unchanged,
    b.TimeBankUsed: s.leave_unchanged,
    b.TimeWarned: s.leave_unchanged,
    b.RunsOffered: s.leave_unchanged,
    b.RunsAnswered: s.leave_unchanged,
    b.RunsAgreed: s.runs_agreed,
    b.CashOutTaken: s.cash_out_taken,
    b.InsuranceBought: s.insurance_bought,
    b.InsurancePaid: s.insurance_paid,
    e.ShowdownBegun: ending_steps.showdown_begun,
    e.CardsShown: s.cards,
    e.CardsMucked: s.cards,
    e.CardsTurnedDown: s.leave_unchanged,
    e.BoardPlayDeclared: s.leave_unchanged,
    e.PotAwarded: ending_steps.pot_awarded,
    e.PotTakenBack: ending_steps.pot_taken_back,
    e.PotImpounded: ending_steps.pot_impounded,
    e.DropTaken: ending_steps.drop_taken,
    e.BountyWon: s.leave_unchanged,
    e.PlayerFinished: s.keep_for_table,
    e.ResultDeclared: ending_steps.result_declared,
    e.HandVoided: ending_steps.hand_voided,
    e.HandCompleted: ending_steps.hand_completed,
    e.RemarkNoted: s.leave_unchanged,
    e.LineUnread: s.line_unread,
    e.CorrectionMade: s.correction_made,
    e.HandSealed: s.leave_unchanged,
    **dict.fromkeys(get_args(PresenceEvent), s.keep_for_table),
    PlayerBack: s.player_back,
}
"""What each event type does to the state; `tests/ledger/hand/test_fold.py` proves that none lacks."""
