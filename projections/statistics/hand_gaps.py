"""Find the hands that statistics leave out, because the record can't show what everybody did."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.hand.blind_round import is_bomb_pot
from ledger.hand.seat_maps import FEW_SEATS
from ledger.replay import HandReplay
from ledger.vocabulary import Witness
from projections.statistics.decisions import find_agreement

RecordGap: TypeAlias = Literal["", "voided", "cut-off", "unread-lines", "unbalanced", "acts-missing", "game-unknown"]
"""Why a hand is left out; "" = it counts."""

NET_UNKNOWN: Final = frozenset({"cut-off", "unread-lines", "unbalanced"})
"""Gaps that also make winnings and losses unknown."""

_ACTS: Final = int(Witness.ACTS)


def find_record_gap(hand: HandReplay) -> RecordGap:
    """Return why a hand is left out of statistics, or "" if it counts."""
    state = hand.final_state
    if state.voided or state.is_spoiled:
        return "voided"
    if not state.completed:
        return "cut-off"
    if state.unread_lines:
        return "unread-lines"
    if state.conservation() != 0:
        return "unbalanced"
    if state.known_variant is None or len(state.dealt) > FEW_SEATS:
        return "game-unknown"
    return "acts-missing" if _lacks_acts(hand) else ""


def _lacks_acts(hand: HandReplay) -> bool:
    """Whether the source doesn't record every act, or a seat that had to act has none on record."""
    state, hand_trace = hand.final_state, hand.trace
    if state.opened is None or not state.opened.witnesses & _ACTS:
        return True
    deals = hand_trace.street_deals[1:] if is_bomb_pot(state.posts, state.options) else hand_trace.street_deals
    if any(deal.seats_to_act for deal in deals if deal.withdrawn is None):
        return True
    end = hand_trace.betting_end
    if end is None or find_agreement(hand) is not None:
        return False
    return bool(end.seats_to_act) and len(end.live_seats) > 1
