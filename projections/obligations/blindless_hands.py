"""Hands of a table in which nobody had to post a blind, such as bomb pots.

No book says whether such a hand counts for the button and blinds. So the next hand may follow from it, or from the
hand before it. Nobody misses a blind in it.
"""

from __future__ import annotations

from typing import Final

from ledger.hand.blind_round import REGULAR_ROLES, names_bomb_pot
from ledger.table.events import HandPlayed
from ledger.vocabulary import Witness

NO_BLINDS: Final = "no-blinds"
"""Why a hand may not count for button and blinds, beside the reasons why a hand is voided."""

_FORCED_ROLES: Final = REGULAR_ROLES | {
    "straddle",
    "sleeper",
    "button-straddle",
    "mississippi",
    "restraddle",
    "bring-in",
}
_POSTS: Final = int(Witness.POSTS)


def has_no_blinds(hand: HandPlayed) -> bool:
    """Whether nobody had to post a blind: a bomb pot, or a hand for which everybody anted and nobody posted a blind."""
    if not hand.blinds or not (hand.posts or hand.options):
        return False  # a game without blinds, or a hand whose blinds aren't recorded
    roles = {post.role for post in hand.posts}
    if "bomb-pot" in roles:
        return True
    if not roles.isdisjoint(_FORCED_ROLES):
        return False
    if hand.options and names_bomb_pot(dict(hand.options)):
        return True
    return _is_played_for_antes(hand)


def _is_played_for_antes(hand: HandPlayed) -> bool:
    """Whether the record of a cash hand shows an ante from everybody, and nobody in a blind."""
    is_witnessed = hand.completed and hand.witnesses & _POSTS and hand.format != "tournament"
    if not is_witnessed or hand.small is not None or hand.big is not None:
        return False
    ante_seats = {post.seat for post in hand.posts if post.role == "ante"}
    return bool(ante_seats) and all(dealt_player.seat in ante_seats for dealt_player in hand.dealt_in)
