"""Find facts that a hand's source usually records but left out of this hand."""

from __future__ import annotations

from typing import Protocol

from ledger.event import Event
from ledger.hand.betting_round import BettingRound
from ledger.hand.ending import HandCompleted, HandVoided
from ledger.hand.opening import GameSet
from ledger.vocabulary import Chips, Seat, Witness


class BuiltHand(Protocol):
    """The members of a hand that this module needs."""

    game: GameSet
    events: list[Event]
    betting: BettingRound
    total_awarded: Chips

    def get_bet(self, seat: Seat) -> Chips:
        """Return a seat's live chips of this street."""

    def list_seats_in_hand(self) -> list[Seat]:
        """Return the seats that were dealt in and have not folded."""

    def list_seats_able_to_bet(self) -> list[Seat]:
        """Return the seats that haven't folded and have chips left."""


def find_unseen(hand: BuiltHand) -> int:
    """Return the witness bits that the hand disproves: unknown stakes, and missing acts."""
    stakes = 0 if hand.game.blinds or hand.game.bets else int(Witness.BLIND_AMOUNTS)
    return stakes | (int(Witness.ACTS) if _lacks_acts(hand) else 0)


def _lacks_acts(hand: BuiltHand) -> bool:
    """Whether the hand ends with an unanswered bet and no award: people cut parts out of hand histories."""
    if hand.total_awarded or not hand.betting.bet_to_call or not isinstance(hand.events[-1], HandCompleted):
        return False
    unanswered = any(hand.get_bet(seat) < hand.betting.bet_to_call for seat in hand.list_seats_able_to_bet())
    return (
        unanswered
        and len(hand.list_seats_in_hand()) > 1
        and not any(isinstance(event, HandVoided) for event in hand.events)
    )
