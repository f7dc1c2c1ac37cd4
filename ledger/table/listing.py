"""Who sat at a table and got no cards, where a hand does not name them.

People seldom write a line for a player who gets no cards: they write that the player went away, and
that the player came back. Who sat and did not leave was left out of the hand.
"""

from __future__ import annotations

from typing import Final

import msgspec

from ledger.hand.opening import NotDealtIn
from ledger.presence import PlayerAway
from ledger.table.carry import fit_hand
from ledger.table.events import HandPlayed, LeftOut
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Seat, Witness

_SEATING: Final = int(Witness.SEATING)
_WAITS: Final[dict[str, NotDealtIn]] = {
    "big-blind": "waiting-for-big-blind",
    "button": "waiting-for-button",
    "position": "moved",
}


def list_absent_players(state: TableState, hand: HandPlayed) -> HandPlayed:
    """Return `hand` with a line for each player who is known to sit here and whom it does not name.

    `state` is the table before the hand. A player who got cards last time, and of whom nothing was
    """
    seats = state.seats
    here = sum([one.seat in seats for one in hand.dealt_in])
    here += sum([one.seat in seats for one in hand.left_out])
    if here == len(seats):
        return hand
    named = {one.seat: one.player for one in hand.dealt_in}
    named.update((one.seat, one.player) for one in hand.left_out)
    players = set(named.values())
    out = tuple(
        [
            LeftOut(seat, held.player, None, reason)
            for seat, held in seats.items()
            if seat not in named and held.player not in players and (reason := _reason(state, hand, held)) is not None
        ]
    )
    if not out:
        return hand
    known = fit_hand(state, hand)
    full = msgspec.structs.replace(hand, left_out=(*hand.left_out, *out))
    state.fitted = known._replace(hand=full)  # whoever was not named counts as gone there
    return full


def find_late_seats(state: TableState, hand: HandPlayed) -> frozenset[Seat]:
    """Return who was away when the blinds of `hand` fell, came back after that, and got cards.

    `state` is the table before the hand.
    """
    return (
        frozenset(
            seat
            for seat in hand.late
            if (held := state.seats.get(seat)) is not None and (held.presence == "away" or _goes_within(hand, held))
        )
        if hand.late
        else frozenset()
    )


def is_still_seated(hand: HandPlayed, held: SeatState) -> bool:
    """Whether a player whom a hand does not name sits there still: who leaves is told of, or nothing is."""
    return bool(hand.witnesses & _SEATING) or held.told


def _reason(state: TableState, hand: HandPlayed, held: SeatState) -> NotDealtIn | None:
    """Say why a player who sits here got no cards, as far as it was told; None: nothing was."""
    if not is_still_seated(hand, held):
        return None
    if held.busted or held.stack == 0:
        return "no-chips"
    if held.presence == "away" or _goes_within(hand, held):
        return "away"
    if held.asked_out:
        return "asked-to-be-dealt-out"
    if held.wait:
        return _WAITS.get(held.wait, "unknown")
    played_on = held.last_dealt == state.number and held.since_hand != state.number
    return None if played_on or held.presence == "unknown" else "unknown"


def _goes_within(hand: HandPlayed, held: SeatState) -> bool:
    """Whether a player was told to be away during the hand."""
    return any(
        isinstance(event, PlayerAway)
        and event.why not in ("spectator", "next-hand")
        and (event.seat == held.seat or event.player == held.player)
        for event in hand.within
    )
