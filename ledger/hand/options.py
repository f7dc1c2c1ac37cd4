"""The options of a house: what each means, and which values it takes.

No reader understands other values, so a notation that people write must reject them. Other notations have options of
their own, which are taken as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.hand.opening import HouseOption

ValueKind: TypeAlias = Literal["yes-no", "chips", "number", "word", "text"]

LIMIT_SCHEDULES: Final[Mapping[str, str]] = {
    "lower-all-streets": "the lower bet on every street",
    "upper-all-streets": "the upper bet on every street",
    "upper-from-flop": "the upper bet from the flop on",
    "upper-from-turn": "the upper bet from the turn on, as is usual",
    "upper-from-river": "the upper bet on the river alone",
    "posted": "another one, announced by a sign that the record doesn't have",
}
"""The streets of the two bets of a split limit, by schedule."""


class Option(NamedTuple):
    """An option: the kind of its value, its meaning, and its words if it takes some."""

    value_kind: ValueKind
    meaning: str
    words: Mapping[str, str] = {}
    minimum: int = 0

    @property
    def allowed(self) -> str:
        """A description of the values that it takes."""
        if self.value_kind == "word":
            return " or ".join(self.words)
        return {
            "yes-no": "0 (no) or 1 (yes)",
            "chips": "an amount of chips",
            "number": f"a whole number from {self.minimum} up",
            "text": "any word or number",
        }[self.value_kind]

    def takes_value(self, value: int | str) -> bool:
        """Whether the option takes this value."""
        if self.value_kind == "text":
            return True
        if isinstance(value, str):
            return self.value_kind == "word" and value in self.words
        if self.value_kind == "yes-no":
            return value in (0, 1)
        return value >= self.minimum and self.value_kind != "word"


def _yes_no_option(meaning: str) -> Option:
    return Option("yes-no", meaning)


def _chips_option(meaning: str) -> Option:
    return Option("chips", meaning)


OPTIONS: Final[Mapping[HouseOption, Option]] = {
    "straddle-allowed": _yes_no_option("whether this game allows straddles"),
    "straddle-amount": _chips_option("the one size of a straddle in this game"),
    "smallest-chip": _chips_option("the smallest chip of the antes and blinds"),
    "low-qualifier": Option("number", "the highest rank of a low that counts: 8 = eight or better, 0 = any low"),
    "joker-used": _yes_no_option("whether the deck has a joker"),
    "entry-post-required": _yes_no_option("whether a newcomer must post or wait for the big blind"),
    "makeup-option": _yes_no_option("whether all missed blinds are made up, live, up to the bring-in"),
    "button-method": Option(
        "word",
        "where button and blinds go when a player has left",
        {
            "dead": "the big blind moves on; button and small blind may be at an empty seat",
            "moving": "the button moves to the next player, and the blinds follow it",
        },
    ),
    "limit-schedule": Option("word", "the streets of the two bets of a split limit, by a posted sign", LIMIT_SCHEDULES),
    "bring-in": _chips_option("the minimum to come in before the flop, if it's more than the big blind"),
    "blind-dead": Option(
        "word",
        "the blind that is dead money by the structure of the game",
        {
            "small": "the small blind",
            "big": "the big blind",
            "extra": "the third blind",
            "button": "the blind of the button",
            "collection": "the blind for the house's collection",
        },
    ),
    "raise-cap": Option("number", "the most raises in a round", minimum=1),
    "bet-cap": _chips_option("the most that a player may put in during a hand"),
    "antes-count-as-blinds": _yes_no_option("whether antes are live like blinds"),
    "dealer-box": Option("number", "the seat at the house dealer's left, usually 1", minimum=1),
    "half-bet-rule": _yes_no_option("whether half a raise put in silently must be completed"),
    "minimum-open": _chips_option("the minimum opening bet of a round"),
    "bomb-pot": _chips_option("each player's ante in a bomb pot"),
    "trips-beat-straights": _yes_no_option("whether three of a kind beats a straight, in a deck without 2 to 5"),
    "other": Option("text", "anything else about the game; no finding rests on it"),
}
"""Every option, in the order of the vocabulary."""


def explain_bad_value(option: str, value: int | str) -> str:
    """Return the values that an option takes, if this isn't one of them; "" otherwise.

    >>> explain_bad_value("straddle-allowed", "no"), explain_bad_value("raise-cap", 3)
    ('0 (no) or 1 (yes) as the value of straddle-allowed', '')
    """
    known_option = OPTIONS.get(option)  # type: ignore[call-overload] # any text may come
    if known_option is None or known_option.takes_value(value):
        return ""
    return f"{known_option.allowed} as the value of {option}"
