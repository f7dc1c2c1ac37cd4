"""Why a player gets no cards, debts aside; and the absent player who is dealt in because the button is due there."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.table.events import HandPlayed
from ledger.table.state import SeatState
from ledger.vocabulary import Seat
from projections.obligations.debt_inputs import DebtInputs
from projections.obligations.dues import Ground
from projections.obligations.entry_terms import Terms
from projections.obligations.ring import is_between
from projections.obligations.tab import Tab
from projections.sentences import debts as debt_sentences
from projections.sentences import unknowns

AbsenceReason: TypeAlias = Literal["sitting out", "away", "reserved", "asked to be dealt out"]
_ABSENCE_REASONS: Final[dict[str, AbsenceReason]] = {
    "sitting-out": "sitting out",
    "away": "away",
    "reserved": "reserved",
    "asked-to-be-dealt-out": "asked to be dealt out",
}


class Undealt(NamedTuple):
    """Why a player gets no cards, debts aside."""

    status: Literal["away", "broke"]
    reason: Ground
    is_listed: bool = True  # False: the hand doesn't name the seat


def find_undealt_reason(inputs: DebtInputs, seat: Seat, seat_state: SeatState | None) -> Undealt | None:
    """Return why a player gets no cards, debts aside: away, asked out, or without chips. None if there is no such reason."""
    if inputs.hand is not None:
        if seat in inputs.dealt:
            return None
        undealt = _find_reason_in_hand(inputs.hand, seat)
        if undealt is not None:
            return undealt
    return None if seat_state is None else _find_reason_at_table(seat, seat_state, inputs.state.number)


def _find_reason_in_hand(hand: HandPlayed, seat: Seat) -> Undealt | None:
    """Return why a hand left a player out; None if it gives a reason of which the table's state says more."""
    reason = next((left_out_player.reason for left_out_player in hand.left_out if left_out_player.seat == seat), None)
    if reason is None:
        sentence = debt_sentences.unlisted(seat, hand.number)
        return Undealt("away", Ground(sentence, (), "record", hand.number), is_listed=False)
    if reason == "no-chips":
        return Undealt("broke", Ground(debt_sentences.no_chips(seat), (), "record", hand.number))
    if reason in _ABSENCE_REASONS:
        sentence = debt_sentences.absent(seat, hand.number, _ABSENCE_REASONS[reason])
        return Undealt("away", Ground(sentence, (), "record", hand.number))
    return None


def _find_reason_at_table(seat: Seat, seat_state: SeatState, last_hand: str) -> Undealt | None:
    """Return why the table's state keeps a player from getting cards; None if it doesn't."""
    if seat_state.is_busted or seat_state.stack == 0:
        return Undealt("broke", Ground(debt_sentences.no_chips(seat), (), "record", last_hand))
    if seat_state.presence != "present" or seat_state.has_asked_out:
        if seat_state.presence == "unknown":
            sentence = debt_sentences.not_present(seat, "unlisted")
        elif seat_state.has_asked_out:
            sentence = debt_sentences.not_present(seat, "asked out")
        else:
            sentence = debt_sentences.not_present(seat, "away")
        return Undealt("away", Ground(sentence, (), "record", seat_state.hand_before_absence))
    if seat_state.deferred_until in ("button-passed", "unknown"):
        sentence = debt_sentences.not_present(seat, "waiting for the button")
        return Undealt("away", Ground(sentence, (), "record", last_hand))
    return None


def find_absent_button_terms(inputs: DebtInputs, seat: Seat, seat_state: SeatState | None, tab: Tab) -> Terms | None:
    """Return the terms of an absent player who is dealt in because the button is due at the seat, or None for others.

    The rule is part of the moving button: a dead button needs nobody at its seat.
    """
    rule = inputs.policy.value("button.absent_due")
    if rule != "dealt-in-if-in-room" or seat_state is None or seat_state.presence != "away" or not tab.has_no_issues:
        return None
    last_spot, spot = inputs.player_tabs.spot, inputs.first_spot
    if seat_state.has_asked_out or seat_state.in_room is False or spot is None or last_spot is None:
        return None
    if spot.method == "dead":
        return None
    last_button, button = last_spot.button, spot.button
    if last_button is None or button is None or not _is_button_due_at(inputs, seat, last_button, button):
        return None
    reason = inputs.build_book_reason("button.absent_due", debt_sentences.due_the_button(seat))
    if seat_state.in_room is None:
        missing_fact = unknowns.in_room(seat)
        return Terms("open", reasons=(Ground(missing_fact, reason.clauses, "record"), reason))
    return Terms("yes", reasons=(reason,))


def _is_button_due_at(inputs: DebtInputs, seat: Seat, last_button: Seat, button: Seat) -> bool:
    """Whether a seat is the next one in the game after the last button."""
    if seat == button:
        return True
    return (
        last_button not in (seat, button)
        and is_between(last_button, seat, button)
        and not any(
            other_seat not in (last_button, seat) and is_between(last_button, other_seat, seat)
            for other_seat in inputs.dealt
        )
    )
