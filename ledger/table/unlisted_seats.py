"""Find the seated players without cards whom a hand doesn't name, and players who got cards while away.

People seldom write a line for a player who gets no cards. They write that the player went away or came back. A player
who sat and didn't leave was left out of the hand.
"""

from __future__ import annotations

from typing import Final

import msgspec

from ledger.hand.opening import NotDealtIn
from ledger.presence import PlayerAway
from ledger.table.carry import fit_hand
from ledger.table.events import DealtIn, HandPlayed, LeftOut
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Seat, Witness

_SEATING: Final = int(Witness.SEATING)
_PRESENCE: Final = int(Witness.PRESENCE)
_WAITS: Final[dict[str, NotDealtIn]] = {
    "big-blind": "waiting-for-big-blind",
    "button": "waiting-for-button",
    "position": "moved",
}


def list_absent_players(state: TableState, hand: HandPlayed) -> HandPlayed:
    """Return `hand` with a `LeftOut` for each player who is known to sit here and isn't named.

    `state` is the table before the hand. A player who was dealt the last hand isn't added unless an event explains the
    absence.
    """
    seats = state.seats
    named_seat_count = sum([seat_entry.seat in seats for seat_entry in hand.dealt_in])
    named_seat_count += sum([seat_entry.seat in seats for seat_entry in hand.left_out])
    if named_seat_count == len(seats):
        return hand
    player_by_seat = {seat_entry.seat: seat_entry.player for seat_entry in hand.dealt_in}
    player_by_seat.update((seat_entry.seat, seat_entry.player) for seat_entry in hand.left_out)
    players = set(player_by_seat.values())
    left_out = tuple(
        [
            LeftOut(seat, seat_state.player, None, reason)
            for seat, seat_state in seats.items()
            if seat not in player_by_seat
            and seat_state.player not in players
            and (reason := _find_absence_reason(state, hand, seat_state)) is not None
        ]
    )
    if not left_out:
        return hand
    hand_fit = fit_hand(state, hand)
    listed_hand = msgspec.structs.replace(hand, left_out=(*hand.left_out, *left_out))
    state.cached_fit = hand_fit._replace(hand=listed_hand)  # `hand_fit` counts unnamed players as gone
    return listed_hand


def find_late_seats(state: TableState, hand: HandPlayed) -> frozenset[Seat]:
    """Return the seats whose players were away when the blinds fell, came back later, and got cards.

    `state` is the table before the hand.
    """
    if not hand.late:
        return frozenset()
    return frozenset(
        seat
        for seat in hand.late
        if (seat_state := state.seats.get(seat)) is not None
        and (seat_state.presence == "away" or _is_away_during_hand(hand, seat_state))
    )


def is_dealt_in_while_away(hand: HandPlayed, dealt_in: DealtIn) -> bool:
    """Whether a player who was away before the hand is still away after a hand that dealt the player in.

    Cards show that a cash player is back. A tournament deals in every stack: its player is away until a return is
    recorded, or more chips are in the pot than the posts. Hands that list who sits out record no returns: there, a
    player who isn't listed is back.
    """
    if hand.format != "tournament" or (hand.witnesses & _PRESENCE and not hand.witnesses & _SEATING):
        return False
    if dealt_in.before is None or dealt_in.after is None:
        return True
    own_posts = sum(post.live + post.dead for post in hand.posts if post.seat == dealt_in.seat)
    other_posts = sum(post.live + post.dead for post in hand.posts if post.seat != dealt_in.seat)
    return -own_posts <= dealt_in.after - dealt_in.before <= other_posts


def is_still_seated(hand: HandPlayed, seat_state: SeatState) -> bool:
    """Whether a player whom a hand doesn't name still sits there, by the source's records or recent events."""
    return bool(hand.witnesses & _SEATING) or seat_state.has_news


def _find_absence_reason(state: TableState, hand: HandPlayed, seat_state: SeatState) -> NotDealtIn | None:
    """Return why a seated player got no cards, or None if nothing explains it."""
    if not is_still_seated(hand, seat_state):
        return None
    if seat_state.is_busted or seat_state.stack == 0:
        return "no-chips"
    if seat_state.presence == "away" or _is_away_during_hand(hand, seat_state):
        return "away"
    if seat_state.has_asked_out:
        return "asked-to-be-dealt-out"
    if seat_state.awaited_position:
        return _WAITS.get(seat_state.awaited_position, "unknown")
    was_dealt_last_hand = seat_state.last_hand_dealt == state.number and seat_state.hand_before_seating != state.number
    return None if was_dealt_last_hand or seat_state.presence == "unknown" else "unknown"


def _is_away_during_hand(hand: HandPlayed, seat_state: SeatState) -> bool:
    """Whether the player was away during the hand, by its events."""
    return any(
        isinstance(event, PlayerAway)
        and event.why not in ("spectator", "next-hand")
        and (event.seat == seat_state.seat or event.player == seat_state.player)
        for event in hand.within
    )
