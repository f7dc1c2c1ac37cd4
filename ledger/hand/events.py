"""The list of all events of a hand. An event that is missing here can't be stored or replayed."""

from __future__ import annotations

from typing import TypeAlias

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import PresenceEvent

OpeningEvent: TypeAlias = (
    o.HandOpened
    | o.GameSet
    | o.OptionSet
    | o.TournamentSet
    | o.SeatDealtIn
    | o.SeatLeftOut
    | o.ButtonPlaced
    | o.BlindPositionPlaced
    | o.BlindPosted
    | o.StraddlePosted
    | o.AntePosted
    | o.BringInPosted
    | o.BlindSkipped
    | o.PostReturned
    | o.DeadMoneyTaken
    | o.PotSeeded
    | o.PermissionGranted
    | o.Agreed
)

DealingEvent: TypeAlias = (
    d.HoleCardsDealt
    | d.DealCompleted
    | d.StreetDealt
    | d.HoleCardsLearned
    | d.CardsOpened
    | d.CardBurned
    | d.BoardDealt
    | d.BoardTurnedUp
    | d.BoardWithdrawn
    | d.CardsDiscarded
    | d.CardsDrawn
    | d.StoodPat
    | d.CardExposed
    | d.CardReplaced
    | d.CardReturned
    | d.ExtraCardDealt
    | d.BoxedCardFound
    | d.JokerFound
    | d.WrongCountFound
    | d.MisdealDeclared
    | d.ErrorNoticed
    | d.CardsViewed
    | d.DeckShuffled
    | d.DeckCut
    | d.RabbitShown
)

BettingEvent: TypeAlias = (
    b.Folded
    | b.Checked
    | b.Called
    | b.Bet
    | b.Raised
    | b.Completed
    | b.Declared
    | b.ChipsMoved
    | b.ChipsReturned
    | b.BetReturned
    | b.BettingClosed
    | b.RaisesCapped
    | b.HandKilled
    | b.HandRetrieved
    | b.ClockCalled
    | b.ClockExpired
    | b.TimeBankUsed
    | b.TimeWarned
    | b.RunsOffered
    | b.RunsAnswered
    | b.RunsAgreed
    | b.CashOutTaken
    | b.InsuranceBought
    | b.InsurancePaid
)

EndingEvent: TypeAlias = (
    e.ShowdownBegun
    | e.CardsShown
    | e.CardsMucked
    | e.CardsTurnedDown
    | e.BoardPlayDeclared
    | e.PotAwarded
    | e.PotTakenBack
    | e.PotImpounded
    | e.DropTaken
    | e.BountyWon
    | e.PlayerFinished
    | e.ResultDeclared
    | e.HandVoided
    | e.HandCompleted
    | e.RemarkNoted
    | e.LineUnread
    | e.CorrectionMade
    | e.HandSealed
)

HandEvent: TypeAlias = OpeningEvent | DealingEvent | BettingEvent | EndingEvent | PresenceEvent
"""All events in the stream of an account of a hand."""
