"""The statements of a line, before turns and call amounts are known."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from ledger.formats.handscript.lines import ScriptLine

Kind: TypeAlias = Literal[
    "act",
    "ante",
    "away",
    "back",
    "bare",  # a seat and a number: a post if no act came before
    "board",
    "button",
    "checks-to",
    "chips",
    "chop",
    "dead-small",
    "deal",
    "end",
    "everyone",
    "fact",  # about the table, within a hand
    "folds-to",
    "gap",  # a sentence that may hide an act
    "hand",
    "jackpot",  # what the hand drops for it
    "leaves",
    "level",
    "misdeal",
    "moves",
    "muck",
    "next",  # an act of the next player: check check
    "odd-chip",
    "post",
    "pot",
    "place",  # a player's position, beside the name
    "posted",  # the blinds are in
    "rake",
    "remark",
    "returned",
    "same",
    "same-button",
    "seats",
    "seats-in",
    "show",
    "sits",
    "straddle",
    "strict",
    "time",
    "unread",
    "waits",
    "win",
]


@dataclass(frozen=True, slots=True)
class NotedAmount:
    """An amount as written."""

    value: Decimal
    text: str
    approximate: bool = False
    in_blinds: bool = False  # `3bb`


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to a player: a seat number, a name, a position, or `he`."""

    kind: Literal["seat", "name", "position", "pronoun", "me"]
    text: str
    seat: int = 0


@dataclass(slots=True)
class Statement:
    """One statement of a line."""

    kind: Kind
    line: ScriptLine
    text: str = ""  # as written
    players: list[Ref] = field(default_factory=list)
    verb: str = ""
    amount: NotedAmount | None = None
    dead: NotedAmount | None = None
    cards: str = ""
    qualifier: str = ""  # raise: "to", "by" or ""; other kinds store a detail of their own
    all_in: bool = False
    unclear: bool = False  # the writer marked the amount as unknown
    count: int = 1
    ends_round: bool = False  # nobody acts after this in the betting round
    corrects: bool = False  # it corrects a statement before it
    name: str = ""
