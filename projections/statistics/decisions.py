"""Read the acts of a hand that were a player's own decisions, by betting round."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.hand.acts import Act
from ledger.hand.blind_round import is_bomb_pot
from ledger.hand.dealing import BoardDealt
from ledger.hand.ending import PotAwarded
from ledger.hand.opening import Agreed, PostReturned
from ledger.hand.variants import Variant
from ledger.replay import HandReplay

_ENDS_BETTING: Final = frozenset(("chop-blinds", "split-pot"))
"""Agreements that end the betting."""


class Decisions(NamedTuple):
    """The decisions of a hand, in order."""

    first_round: list[Act]
    later_rounds: list[Act]


def read_decisions(hand: HandReplay, variant: Variant) -> Decisions:
    """Return the acts that counted, without those taken back, without a hand, or after an agreement to split."""
    hand_trace = hand.trace
    agreement_version = find_agreement(hand)
    first_street = variant.streets[0].name
    state = hand_trace.state
    board_version = hand.events_of(BoardDealt)[0][0] if hand.events_of(BoardDealt) else None
    bomb_pot_version = board_version if is_bomb_pot(state.posts, state.options) else None
    decisions = Decisions([], [])
    for act in hand_trace.acts:
        is_settled = agreement_version is not None and act.version > agreement_version
        if act.version in hand_trace.undone or not act.has_hand or is_settled:
            continue
        is_later = act.street != first_street or (bomb_pot_version is not None and act.version > bomb_pot_version)
        betting_round = decisions.later_rounds if is_later else decisions.first_round
        betting_round.append(act)
    return decisions


def find_agreement(hand: HandReplay) -> int | None:
    """Return the version at which players chopped the blinds or split the pot, or None if they played on."""
    stated = next((version for version, event in hand.events_of(Agreed) if event.subject in _ENDS_BETTING), None)
    if stated is not None or not _is_chopped(hand):
        return stated
    return len(hand.recorded_events)


def _is_chopped(hand: HandReplay) -> bool:
    """Whether the blinds were chopped silently: the live seats never acted, saw no board, and all got chips back."""
    live = hand.trace.live
    if len(live) < 2 or hand.events_of(BoardDealt) or any(act.seat in live for act in hand.trace.acts):
        return False
    paid_seats = {event.seat for _, event in hand.events_of(PotAwarded) + hand.events_of(PostReturned)}
    return live <= paid_seats
