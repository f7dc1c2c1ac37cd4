"""Which positions the next hand follows from: several if the record or the book leaves open whether a hand counts."""

from __future__ import annotations

from typing import NamedTuple

from ledger.vocabulary import Seat
from projections.obligations.blindless_hands import NO_BLINDS
from projections.obligations.button_round import ButtonRound, HandPositions
from projections.obligations.dues import Ground, Method
from projections.obligations.first_button import repeat_positions
from projections.obligations.policy import Policy
from projections.obligations.position_inputs import Draft
from projections.sentences import positions as position_sentences


class PositionOrigin(NamedTuple):
    """The positions that the next hand follows from."""

    bases: list[HandPositions]
    repeated_draft: Draft | None = None  # the positions of a hand that didn't count, to be repeated
    is_certain: bool = True


def find_origin(
    policy: Policy, button_round: ButtonRound, positions: HandPositions, method: Method, dealt: tuple[Seat, ...]
) -> PositionOrigin:
    """Return the positions that the next hand follows from. The last hand may not count if it was voided or had no blinds."""
    void_positions = button_round.void
    if void_positions is None:
        return PositionOrigin([positions])
    is_misdeal = button_round.void_reason == "misdeal"
    ruling = policy.get("button.moves_after_misdeal") if is_misdeal else None
    if ruling is not None and ruling.value is True:
        return PositionOrigin([void_positions])
    repeated_draft = repeat_positions(
        void_positions,
        method,
        dealt,
        () if ruling is None else ruling.clauses,
        judged=True,
        reason=button_round.void_reason,
    )
    if is_misdeal:
        return PositionOrigin([positions], repeated_draft, is_certain=ruling is not None)
    is_certain = button_round.void_reason != NO_BLINDS  # no book says whether such a hand counts
    return PositionOrigin([void_positions, positions], repeated_draft, is_certain)


def state_counted_hand(draft: Draft, button_round: ButtonRound) -> Draft:
    """Return a draft that follows from the last hand; if that had no blinds, its reasons say that they count as posted."""
    if button_round.void is None or button_round.void_reason != NO_BLINDS:
        return draft
    sentence = position_sentences.counts_without_blinds(button_round.void.hand)
    ground = Ground(sentence, (), "fallback", button_round.void.hand)
    return draft._replace(button_grounds=(ground, *draft.button_grounds))
