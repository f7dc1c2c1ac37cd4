"""Recognise hands without a round of blinds: bomb pots, and hands without betting before the flop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import BoardDealt, MisdealDeclared
from ledger.hand.ending import HandCompleted, HandVoided
from ledger.hand.opening import Agreed, AntePosted, BlindPosted, BringInPosted, OptionSet, StraddlePosted

BlindRound: TypeAlias = Literal["held", "none", "unknown"]
"""Whether a hand had a round of blinds. `none`: it was a bomb pot.

`unknown`: nobody posted, and nobody acted before the flop.
"""

REGULAR_ROLES: Final = frozenset({"small", "big", "extra", "button"})
"""Blinds that are posted in turn."""

_BOMB_POT: Final = "bomb pot"
_ACTS: Final = (Folded, Checked, Called, Bet, Raised, Completed)
_POSTS: Final = (BlindPosted, StraddlePosted, BringInPosted)
_LEAVES_BLINDS_OPEN: Final = (Agreed, HandVoided, MisdealDeclared)
_SKIPS_BLINDS: Final[frozenset[type[Event]]] = frozenset({HandVoided, MisdealDeclared})


def names_bomb_pot(options: Mapping[str, int | str]) -> bool:
    """Whether the options say that the hand is a bomb pot."""
    return "bomb-pot" in options or options.get("other") == _BOMB_POT


def read_blind_round(events: Iterable[Event], event_types: frozenset[type[Event]]) -> BlindRound:
    """Return whether the hand had a round of blinds, by its events. `event_types`: their types."""
    if AntePosted not in event_types and OptionSet not in event_types and BlindPosted in event_types:
        return "held"  # the usual case
    has_blind = is_named = False
    for event in events:
        if isinstance(event, AntePosted) and event.kind == "bomb-pot":
            return "none"
        if isinstance(event, OptionSet):
            is_named = is_named or names_bomb_pot({event.option: event.value})
        elif isinstance(event, _POSTS):
            has_blind = has_blind or _is_turn_post(event)
        elif isinstance(event, _LEAVES_BLINDS_OPEN):
            return "held"  # chopped, or over before the flop; other rules judge that
        elif isinstance(event, _ACTS):
            return "none" if is_named and not has_blind else "held"
        elif isinstance(event, BoardDealt):
            break
    if has_blind:
        return "held"
    if is_named:
        return "none"
    is_over = HandCompleted in event_types and not event_types & _SKIPS_BLINDS
    return "unknown" if is_over else "held"


def _is_turn_post(post: BlindPosted | StraddlePosted | BringInPosted) -> bool:
    """Whether a post belongs to the round of blinds, unlike a newcomer's post."""
    return not isinstance(post, BlindPosted) or post.role in REGULAR_ROLES


def is_bomb_pot(posts: Iterable[Event], options: Mapping[str, int | str]) -> bool:
    """Whether the hand is a bomb pot: everybody antes for a flop, and no blind is due."""
    has_blind = False
    for post in posts:
        if isinstance(post, AntePosted) and post.kind == "bomb-pot":
            return True
        has_blind = has_blind or (isinstance(post, BlindPosted) and post.role in REGULAR_ROLES)
    return names_bomb_pot(options) and not has_blind
