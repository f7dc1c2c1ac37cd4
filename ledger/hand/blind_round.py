"""Hands without a blind round: bomb pots, and hands whose first betting comes after the flop or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import BoardDealt, MisdealDeclared
from ledger.hand.ending import HandCompleted, HandVoided
from ledger.hand.opening import Agreed, AntePosted, BlindPosted, BringInPosted, OptionSet, StraddlePosted

BlindRound: TypeAlias = Literal["held", "none", "unknown"]
"""Whether blinds were due in a hand. `none`: it was a bomb pot. `unknown`: nobody posted one, and nobody acted before the flop."""

REGULAR_ROLES: Final = frozenset({"small", "big", "extra", "button"})
"""Blinds that are posted in turn."""

_BOMB_POT: Final = "bomb pot"
_ACTS: Final = (Folded, Checked, Called, Bet, Raised, Completed)
_SKIPS_BLINDS: Final[frozenset[type[Event]]] = frozenset({HandVoided, MisdealDeclared})


def names_bomb_pot(options: Mapping[str, int | str]) -> bool:
    """Whether a hand's options name it a bomb pot."""
    return "bomb-pot" in options or options.get("other") == _BOMB_POT


def read_blind_round(events: Iterable[Event], event_types: frozenset[type[Event]]) -> BlindRound:
    """Return whether blinds were due in a hand, judged by its events. `event_types`: their types."""
    if AntePosted not in event_types and OptionSet not in event_types and BlindPosted in event_types:
        return "held"  # nearly every hand
    has_blind = has_acted = is_named = False
    for event in events:
        if isinstance(event, AntePosted):
            if event.kind == "bomb-pot":
                return "none"
        elif isinstance(event, OptionSet):
            is_named = is_named or names_bomb_pot({event.option: event.value})
        elif isinstance(event, BlindPosted):
            has_blind = has_blind or event.role in REGULAR_ROLES
        elif isinstance(event, StraddlePosted | BringInPosted):
            has_blind = True
        elif isinstance(event, _ACTS):
            has_acted = True
            break
        elif isinstance(event, Agreed) or type(event) in _SKIPS_BLINDS:
            return "held"  # the players chopped, or the hand was over: other rules judge that
        elif isinstance(event, BoardDealt):
            break
    if has_blind or (has_acted and not is_named):
        return "held"
    if is_named:
        return "none"
    is_over = HandCompleted in event_types and not event_types & _SKIPS_BLINDS
    return "unknown" if is_over else "held"


def is_bomb_pot(posts: Iterable[Event], options: Mapping[str, int | str]) -> bool:
    """Whether posts and options are those of a bomb pot: everybody antes for a flop, and no blind is due."""
    has_blind = False
    for post in posts:
        if isinstance(post, AntePosted) and post.kind == "bomb-pot":
            return True
        has_blind = has_blind or (isinstance(post, BlindPosted) and post.role in REGULAR_ROLES)
    return names_bomb_pot(options) and not has_blind
