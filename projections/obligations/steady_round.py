"""The short way to the positions of a hand: nobody came or went, and they move on by one player.

It gives what the long way gives; a test compares the two.
"""

from __future__ import annotations

from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from projections.obligations.button_round import Round, Where
from projections.obligations.dues import Due, DuePost, Method, Placement
from projections.obligations.game import BlindName, Structure
from projections.obligations.position_inputs import Cites
from projections.obligations.positions import big_moves, blind_after, button_moves, follows

_TWO: tuple[BlindName, ...] = ("small", "big")


def same_players(where: Where, hand: HandPlayed) -> bool:
    """Whether those dealt in are those of the last hand, in the same seats."""
    dealt, players = where.dealt, where.players
    if len(hand.dealt_in) != len(dealt):
        return False
    for at, one in enumerate(hand.dealt_in):  # noqa: SIM110 - asked of every hand: a generator costs more
        if one.seat != dealt[at] or one.player != players[at]:
            return False
    return True


def quiet(
    kept: Round,
    state: TableState,
    hand: HandPlayed,
    blinds: Structure,
    method: Method,
    cites: Cites,
    alike: tuple[Method, ...] = (),
) -> Placement | None:
    """Return the only placement of a hand at a quiet table; None if the long way is needed."""
    turn, where = kept.turn, kept.where
    if turn is None or blinds.roles != _TWO or state.bought is not None or hand.late:
        return None
    assert where is not None  # noqa: S101 - the turn follows from it
    small_amount, big_amount = blinds.amounts["small"], blinds.amounts["big"]
    if small_amount is None or big_amount is None or blinds.dead is not None:
        return None
    if not same_players(where, hand):
        return None
    dealt = hand.dealt_in
    for index, amount in ((turn.small, small_amount), (turn.big, big_amount)):
        stack = dealt[index].before
        if stack is not None and stack < amount + blinds.ante:
            return None
    seats, number = where.dealt, where.hand
    button, small, big = seats[turn.button], seats[turn.small], seats[turn.big]
    if method == "dead":
        big_why = (big_moves(number, "big", small, big, cites),)
        small_why = (follows(number, small, "blind", "big blind", cites),)
        button_why = (follows(number, button, "button", "small blind", cites),)
    else:
        button_why = (button_moves(where, seats[turn.button - 1], button, cites),)
        small_why = (blind_after(small, "button", button, cites),)
        big_why = (blind_after(big, "small blind", small, cites),)
    return Placement(
        method,
        button,
        small,
        big,
        opener=seats[turn.opener],
        first=small,
        last=button,
        posts=(DuePost(small, "small", small_amount, 0, small_why), DuePost(big, "big", big_amount, 0, big_why)),
        button_why=button_why,
        small_why=small_why,
        big_why=big_why,
        alike=alike,
        dealt=seats,
    )


def took(kept: Round, hand: HandPlayed, due: Due) -> Where | None:
    """Return where the positions of a hand were that went as a quiet table's; None: look closely."""
    turn, where = kept.turn, kept.where
    if turn is None or len(due.placements) != 1 or not hand.completed or hand.late:
        return None
    assert where is not None  # noqa: S101 - the turn follows from it
    place, seats = due.placements[0], where.dealt
    if place.button != seats[turn.button] or place.big != seats[turn.big]:
        return None  # went past somebody: who left and came back at once is a new player
    posts = hand.posts
    if len(posts) > 2:
        if any(post.role.startswith(("entry", "makeup", "button", "extra")) for post in posts):
            return None
        posts = tuple([post for post in posts if post.role in _TWO])
    if (
        len(posts) != 2
        or (hand.button is not None and hand.button != place.button)
        or (hand.small is not None and hand.small != place.small)
        or (hand.big is not None and hand.big != place.big)
        or posts[0].role != "small"
        or posts[0].seat != place.small
        or posts[1].role != "big"
        or posts[1].seat != place.big
        or not posts[0].live
        or not posts[1].live
        or len(place.posts) != 2
        or not same_players(where, hand)
    ):
        return None
    return Where(hand.number, place.button, place.small, place.big, None, where.dealt, where.players, _TWO)
