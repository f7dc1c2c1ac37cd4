"""Explain why button and blinds are where they are, for the methods of moving them and the shortcut of `steady_round`."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.vocabulary import Seat
from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Basis, Ground
from projections.obligations.game import BlindName
from projections.obligations.position_inputs import Citations
from projections.sentences import positions as position_sentences
from projections.sentences import unknowns

BlindTitle: TypeAlias = Literal["small blind", "big blind", "third blind"]
Follower: TypeAlias = Literal["button"] | BlindTitle

BLIND_TITLES: Final[dict[str, BlindTitle]] = {"small": "small blind", "big": "big blind", "extra": "third blind"}


def explain_last_blind(
    hand: str, role: BlindName, old_seat: Seat, new_seat: Seat, citations: Citations, moved_from: Seat | None = None
) -> Ground:
    """Return why the last blind is where it is under the dead button."""
    sentence = (
        position_sentences.largest_blind_moves(hand, role, old_seat, new_seat)
        if moved_from is None
        else position_sentences.largest_blind_moves_from_mover(hand, role, moved_from, old_seat, new_seat)
    )
    return Ground(sentence, citations.method, hand=hand)


def explain_dead_position(
    hand: str, seat: Seat, follower: Follower, leader: BlindTitle, citations: Citations
) -> Ground:
    """Return why a position is where the position ahead of it was on the last hand, under the dead button."""
    return Ground(position_sentences.position_follows(hand, seat, follower, leader), citations.method, hand=hand)


def explain_moved_button(last_positions: HandPositions, old_seat: Seat, new_seat: Seat, citations: Citations) -> Ground:
    """Return why the button is where it is under the moving button."""
    basis: Basis = "assumed" if last_positions.assumed else "book"
    return Ground(
        position_sentences.button_moves(last_positions.hand, old_seat, new_seat, last_positions.assumed),
        citations.method,
        basis,
        last_positions.hand,
    )


def explain_moved_blind(seat: Seat, leader: Follower, leader_seat: Seat, citations: Citations) -> Ground:
    """Return why a blind is where it is after a moving button."""
    return Ground(position_sentences.next_after(seat, leader, leader_seat), citations.moved)


def explain_missing_position(hand: str, position: BlindName | Literal["button"]) -> str:
    """Return the missing fact: where a position was on the last hand."""
    return unknowns.position_of(hand, "button" if position == "button" else BLIND_TITLES[position])
