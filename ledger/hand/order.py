"""Find whose turn it is: which seat opens a round, and which comes next.

Seats act clockwise by number. If a seat was skipped, it comes first once the others go on: an act out of turn doesn't
cost it its turn. If the record lacks what is needed, the answer is None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.hand import opening as o
from ledger.hand.state import HandState
from ledger.vocabulary import RANKS, SUITS, UNKNOWN_CARD, Chips, Seat

_OPENER_RANKS: Final = {"unknown": 0, "small": 1, "button": 2, "big": 3, "extra": 4}
"""The structure's blinds in order. Entry, make-up and kill posts don't change the order."""


def actor(state: HandState) -> Seat | None:
    """Return the seat whose turn it is. None: nobody is due, or the record doesn't show it."""
    seats_to_act = find_waiting_seats(state)
    if not seats_to_act:
        return None
    actions, wager_index = state.round.actions, state.round.last_wager
    if wager_index >= 0:
        able_seats = [seat for seat in state.live if state.can_bet(seat)]
        return _find_skipped_seat(state, able_seats, wager_index) or next_clockwise(seats_to_act, -actions[wager_index])
    bringer = find_bring_in_seat(state)
    return _find_first_seat(state, seats_to_act) if bringer is None else next_clockwise(seats_to_act, bringer)


def find_waiting_seats(state: HandState) -> list[Seat]:
    """Return the seats that have a decision left on the present street, in no order."""
    betting, live = state.round, state.live
    if state.showdown or state.completed or state.voided or betting.is_closed or len(live) < 2:
        return []
    actions, wager_index = betting.actions, betting.last_wager
    actions_since = actions[wager_index + 1 :] if wager_index >= 0 else actions
    start = -actions[wager_index] if wager_index >= 0 else find_bring_in_seat(state)
    waiting = [seat for seat in live if seat not in actions_since and seat != start]
    if waiting:
        waiting = [seat for seat in waiting if state.can_bet(seat)]
    if len(waiting) == 1 and _has_nothing_to_call(state, waiting[0]):
        return []
    return waiting


def _has_nothing_to_call(state: HandState, seat: Seat) -> bool:
    """Whether a seat faces only all-ins, and has bet as much as they have."""
    is_only_bettor = sum(map(state.can_bet, state.live)) == 1
    return is_only_bettor and state.street_bet(seat) >= _find_highest_other_bet(state, seat)


def find_opener(state: HandState) -> Seat | None:
    """Return the seat that opens the betting of the present street."""
    able_seats = [seat for seat in state.live if state.can_bet(seat)]
    if not able_seats:
        return None
    bringer = find_bring_in_seat(state)
    return next_clockwise(able_seats, bringer) if bringer is not None else _find_first_seat(state, able_seats)


def next_clockwise(seats: Iterable[Seat], start_seat: Seat) -> Seat | None:
    """Return the first of `seats` clockwise after `start_seat`, which itself is last."""
    next_seat = lowest_seat = None
    for seat in seats:
        if lowest_seat is None or seat < lowest_seat:
            lowest_seat = seat
        if seat > start_seat and (next_seat is None or seat < next_seat):
            next_seat = seat
    return next_seat if next_seat is not None else lowest_seat


def find_last_wager(actions: list[int]) -> int:
    """Return the index of the last bet or raise in a round's actions, or -1."""
    for index in range(len(actions) - 1, -1, -1):
        if actions[index] < 0:
            return index
    return -1


def find_bring_in_seat(state: HandState) -> Seat | None:
    """Return the seat that brought in on the present street; it has no option of its own."""
    if state.street != "third":
        return None
    for post in state.posts:
        if isinstance(post, o.BringInPosted):
            return post.seat
    return None


def _find_highest_other_bet(state: HandState, seat: Seat) -> Chips:
    return max((bet for bettor, bet in state.round.bets.items() if bettor != seat), default=0)


def _find_skipped_seat(state: HandState, able_seats: list[Seat], wager_index: int) -> Seat | None:
    """Return the first seat that the last wager passed and that hasn't acted since."""
    actions = state.round.actions
    raiser = -actions[wager_index]
    earlier_index = find_last_wager(actions[:wager_index])
    start = -actions[earlier_index] if earlier_index >= 0 else find_bring_in_seat(state)
    acted_seats = {abs(seat) for seat in actions[max(earlier_index, 0) :]}
    waiting = [seat for seat in able_seats if seat not in acted_seats and seat != start]
    if not waiting:
        return None
    if start is None:
        first_seat = _find_first_seat(state, [*waiting, raiser])
    else:
        first_seat = next_clockwise([*waiting, raiser], start)
    return None if first_seat == raiser else first_seat


def _find_first_seat(state: HandState, seats: Iterable[Seat]) -> Seat | None:
    """Return which of `seats` comes first before any wager."""
    game = state.known_variant
    if game is None:
        return None
    if state.street == game.streets[0].name:
        if game.opening != "blinds":
            return _find_bring_in(state, seats, high=game.opening == "bring-in-high")
        start_seat = _find_last_blind(state)
        return None if start_seat is None else next_clockwise(seats, start_seat)
    if game.showing:
        return _find_best_showing(state, seats, high=game.showing == "high")
    start_seat = _find_button_or_blind(state)
    return None if start_seat is None else next_clockwise(seats, start_seat)


def _find_last_blind(state: HandState) -> Seat | None:
    """Return the seat after which the first street opens: the last live blind or straddle."""
    best_rank: tuple[int, Chips] = (-1, 0)
    last_poster: Seat | None = None
    for post in state.posts:
        if isinstance(post, o.BlindPosted):
            post_rank = (_OPENER_RANKS.get(post.role, -1), 0)
        elif isinstance(post, o.StraddlePosted) and post.live and post.kind != "sleeper":
            post_rank = (5, post.amount)
        else:
            continue
        if post_rank >= best_rank and post_rank[0] >= 0:
            best_rank, last_poster = post_rank, post.seat
    big_seat = state.positions.get("big")
    if big_seat is not None and best_rank[0] < _OPENER_RANKS["big"]:
        return big_seat  # the big blind's position is known, but nobody posted there
    if last_poster is None and not (state.game and any(state.game.blinds)):
        return state.button  # antes only
    return last_poster


def _find_button_or_blind(state: HandState) -> Seat | None:
    """Return the seat after which later streets open: the button, or else by the small blind."""
    if state.button is not None:
        return state.button
    for post in state.posts:
        if isinstance(post, o.BlindPosted) and post.role == "small":
            return post.seat if len(state.dealt) == 2 else post.seat - 1
    return None


def _find_bring_in(state: HandState, seats: Iterable[Seat], *, high: bool) -> Seat | None:
    """Return the seat whose door card brings it in. Suits break ties, clubs lowest."""
    door_cards: list[tuple[int, int, Seat]] = []
    for seat in seats:
        cards = state.up_cards(seat)
        if len(cards) != 1 or cards[0] not in _CARD_ORDER:
            return None
        rank, suit = _CARD_ORDER[cards[0]]
        if high and rank == 12:
            rank = -1  # in razz the ace is low
        door_cards.append((rank, suit, seat))
    if not door_cards:
        return None
    return max(door_cards)[2] if high else min(door_cards)[2]


_CARD_ORDER: Final = {rank + suit: (index, SUITS.index(suit)) for index, rank in enumerate(RANKS) for suit in SUITS}


def _find_best_showing(state: HandState, seats: Iterable[Seat], *, high: bool) -> Seat | None:
    """Return the seat with the highest or lowest open cards. Of equals, return the first clockwise."""
    candidates = set(seats)
    cards_by_seat = {seat: state.up_cards(seat) for seat in state.live}
    if any(UNKNOWN_CARD in cards or not cards for cards in cards_by_seat.values()):
        return None
    rank_by_seat = {seat: rank_showing(cards, high=high) for seat, cards in cards_by_seat.items()}
    best_rank = max(rank_by_seat.values()) if high else min(rank_by_seat.values())
    leader = min(seat for seat, rank in rank_by_seat.items() if rank == best_rank)
    return leader if leader in candidates else next_clockwise(candidates, leader)


def rank_showing(cards: list[str], *, high: bool) -> tuple[tuple[int, ...], ...]:
    """Rank open cards by pairs, then by ranks; higher is better. For low, the ace counts as one."""
    counts: dict[int, int] = {}
    for card in cards:
        rank = RANKS.find(card[0])
        rank = -1 if rank == 12 and not high else rank
        counts[rank] = counts.get(rank, 0) + 1
    groups = sorted(((card_count, rank) for rank, card_count in counts.items()), reverse=True)
    return (tuple(card_count for card_count, _ in groups), tuple(rank for _, rank in groups))
