"""Who is due to act: where a round opens, and who comes next.

Order is clockwise by seat number. A seat that was skipped comes first when the others go on: an act
out of turn does not cost it its turn. Where the record does not tell enough the answer is None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.hand import opening as o
from ledger.hand.state import HandState
from ledger.vocabulary import RANKS, SUITS, UNKNOWN_CARD, Chips, Seat

_MOVES_OPENER: Final = {"unknown": 0, "small": 1, "button": 2, "big": 3, "extra": 4}
"""Blinds of the structure by order; entry, make-up and kill posts leave the order as it is."""


def actor(state: HandState) -> Seat | None:
    """Return the seat whose turn it is; None where nobody is due or the record does not tell."""
    waiting = waiting_seats(state)
    if not waiting:
        return None
    actions, at = state.round.actions, state.round.last_wager
    if at >= 0:
        able = [seat for seat in state.live if state.can_bet(seat)]
        return _skipped(state, able, at) or next_of(waiting, -actions[at])
    start = bring_in_seat(state)
    return _first_in(state, waiting) if start is None else next_of(waiting, start)


def waiting_seats(state: HandState) -> list[Seat]:
    """Return the seats that have a decision left on the present street, in no order."""
    betting, live = state.round, state.live
    if state.showdown or state.completed or state.voided or betting.is_closed or len(live) < 2:
        return []
    actions, at = betting.actions, betting.last_wager
    since = actions[at + 1 :] if at >= 0 else actions
    start = -actions[at] if at >= 0 else bring_in_seat(state)
    waiting = [seat for seat in live if seat not in since and seat != start]
    if waiting:
        waiting = [seat for seat in waiting if state.can_bet(seat)]
    if len(waiting) == 1 and sum(map(state.can_bet, live)) == 1:
        (alone,) = waiting
        if state.street_bet(alone) >= _highest_other(state, alone):
            return []  # against all-ins, with nothing to call
    return waiting


def opener(state: HandState) -> Seat | None:
    """Return the seat that opens the betting of the present street."""
    able = [seat for seat in state.live if state.can_bet(seat)]
    if not able:
        return None
    bringer = bring_in_seat(state)
    return next_of(able, bringer) if bringer is not None else _first_in(state, able)


def next_of(seats: Iterable[Seat], after: Seat) -> Seat | None:
    """Return the first of `seats` clockwise after the seat `after`, itself last."""
    best = first = None
    for seat in seats:
        if first is None or seat < first:
            first = seat
        if seat > after and (best is None or seat < best):
            best = seat
    return best if best is not None else first


def last_wager(trail: list[int]) -> int:
    """Return the index of the last bet or raise in a round's trail, -1 if there was none."""
    for at in range(len(trail) - 1, -1, -1):
        if trail[at] < 0:
            return at
    return -1


def bring_in_seat(state: HandState) -> Seat | None:
    """Return the seat that brought in on the present street; it has no option of its own."""
    if state.street != "third":
        return None
    for post in state.posts:
        if isinstance(post, o.BringInPosted):
            return post.seat
    return None


def _highest_other(state: HandState, seat: Seat) -> Chips:
    return max((bet for other, bet in state.round.bets.items() if other != seat), default=0)


def _skipped(state: HandState, able: list[Seat], at: int) -> Seat | None:
    """Return the first seat that the last wager passed over and that has not acted since."""
    trail = state.round.actions
    raiser = -trail[at]
    before = last_wager(trail[:at])
    start = -trail[before] if before >= 0 else bring_in_seat(state)
    heard = {abs(seat) for seat in trail[max(before, 0) :]}
    waiting = [seat for seat in able if seat not in heard and seat != start]
    if not waiting:
        return None
    first = _first_in(state, [*waiting, raiser]) if start is None else None
    if start is not None:
        first = next_of([*waiting, raiser], start)
    return None if first == raiser else first


def _first_in(state: HandState, seats: Iterable[Seat]) -> Seat | None:
    """Return the one of `seats` that comes first where no wager has set the order."""
    game = state.known_variant
    if game is None:
        return None
    if state.street == game.streets[0].name:
        if game.opening != "blinds":
            return _door_card(state, seats, high=game.opening == "bring-in-high")
        after = _last_blind(state)
        return None if after is None else next_of(seats, after)
    if game.showing:
        return _best_showing(state, seats, high=game.showing == "high")
    after = _button_or_blind(state)
    return None if after is None else next_of(seats, after)


def _last_blind(state: HandState) -> Seat | None:
    """Return the seat after which the first street opens: the last live blind or straddle."""
    best: tuple[int, Chips] = (-1, 0)
    seat: Seat | None = None
    for post in state.posts:
        if isinstance(post, o.BlindPosted):
            rank = (_MOVES_OPENER.get(post.role, -1), 0)
        elif isinstance(post, o.StraddlePosted) and post.live and post.kind != "sleeper":
            rank = (5, post.amount)
        else:
            continue
        if rank >= best and rank[0] >= 0:
            best, seat = rank, post.seat
    big = state.positions.get("big")
    if big is not None and best[0] < _MOVES_OPENER["big"]:
        return big  # the big blind's place is known though nobody posts there
    if seat is None and not (state.game and any(state.game.blinds)):
        return state.button  # antes only
    return seat


def _button_or_blind(state: HandState) -> Seat | None:
    """Return the seat after which later streets open: the button, else told by the small blind."""
    if state.button is not None:
        return state.button
    for post in state.posts:
        if isinstance(post, o.BlindPosted) and post.role == "small":
            return post.seat if len(state.dealt) == 2 else post.seat - 1
    return None


def _door_card(state: HandState, seats: Iterable[Seat], *, high: bool) -> Seat | None:
    """Return the seat whose door card brings it in; suits break ties, clubs lowest."""
    found: list[tuple[int, int, Seat]] = []
    for seat in seats:
        cards = state.up_cards(seat)
        if len(cards) != 1 or cards[0] not in _ORDER:
            return None
        rank, suit = _ORDER[cards[0]]
        if high and rank == 12:
            rank = -1  # in razz the ace is low
        found.append((rank, suit, seat))
    if not found:
        return None
    return max(found)[2] if high else min(found)[2]


_ORDER: Final = {rank + suit: (at, SUITS.index(suit)) for at, rank in enumerate(RANKS) for suit in SUITS}


def _best_showing(state: HandState, seats: Iterable[Seat], *, high: bool) -> Seat | None:
    """Return the seat whose open cards are highest, or lowest; of equals the first clockwise."""
    wanted = set(seats)
    everybody = {seat: state.up_cards(seat) for seat in state.live}
    if any(UNKNOWN_CARD in cards or not cards for cards in everybody.values()):
        return None
    ranked = {seat: showing(cards, high=high) for seat, cards in everybody.items()}
    best = max(ranked.values()) if high else min(ranked.values())
    leader = min(seat for seat, rank in ranked.items() if rank == best)
    return leader if leader in wanted else next_of(wanted, leader)


def showing(cards: list[str], *, high: bool) -> tuple[tuple[int, ...], ...]:
    """Rank open cards by pairs, then ranks; more is higher. Low counts the ace as one."""
    counts: dict[int, int] = {}
    for card in cards:
        rank = RANKS.find(card[0])
        rank = -1 if rank == 12 and not high else rank
        counts[rank] = counts.get(rank, 0) + 1
    groups = sorted(((many, rank) for rank, many in counts.items()), reverse=True)
    return (tuple(many for many, _ in groups), tuple(rank for _, rank in groups))
