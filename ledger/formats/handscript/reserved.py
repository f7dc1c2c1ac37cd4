"""Words that are never a player's name without quotes: `2 sits out` doesn't seat a player called "out".

A player with such a name needs quotes, which the writer adds: `2 sits "out"`.
"""

from __future__ import annotations

import typing
from typing import Final

from ledger.presence import Origin, PlayerAway, SeatLeft

_PLACES: Final = "out down up in back away off on over"
_FUNCTION_WORDS: Final = (
    "to at by with for from and or the a an his her their its of is are was again now here early late soon "
    "after before new elsewhere home tonight today tomorrow broke reserved taken ready"
)
_BREAK_WORDS: Final = "break breaks lunch dinner supper smoke smoking"
_TABLE_NOUNS: Final = "table game seat seats chair player stack chips blind blinds hand hands card cards pot button board empty open opens"
_PERSON_WORDS: Final = "it him her them me you i dealer floor everybody everyone all nobody he she they who somebody"
_VERB_FORMS: Final = (
    "sits sit sat stands stand stood leaves leave left returns return returned waits wait waiting sitting standing "
    "leaving rebuys rebuy rebuying rebought tops buys buy bought buying reloads reload adds add quits quit busts bust "
    "folds fold checks check calls call bets bet raises raise shows show mucks muck wins win posts post antes ante "
    "gets get has have takes take puts put says say owes owe moves move goes go comes come plays play joins join "
    "exposes exposed burns burn misdeals misdeal shuffles shuffle cuts cut deals deal pushes push change changes changed"
)
_DETAIL_WORDS: Final = frozenset(("bounty", "reason", "until", "since", "rank", "prize", "amount", "next", "this"))

_REASONS: Final = (
    *typing.get_args(Origin),
    *typing.get_args(typing.get_type_hints(SeatLeft)["reason"]),
    *typing.get_args(typing.get_type_hints(PlayerAway)["why"]),
)

RESERVED_WORDS: Final = frozenset(
    (
        *_PLACES.split(),
        *_PLACES.title().split(),
        *_PLACES.upper().split(),
        *_FUNCTION_WORDS.split(),
        *_BREAK_WORDS.split(),
        *_TABLE_NOUNS.split(),
        *_PERSON_WORDS.split(),
        *_VERB_FORMS.split(),
        *_DETAIL_WORDS,
        *_REASONS,
    )
)
"""Plain words with another meaning in a line. With a capital they are names, except `Out`, `Back` and the like."""
