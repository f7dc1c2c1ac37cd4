"""What a line of notes says, before anybody knows whose turn it is or what a call costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from ledger.formats.handscript.lines import Line

Kind: TypeAlias = Literal[
    "act",
    "ante",
    "away",
    "back",
    "bare",  # a seat and a number: a post, before the first act
    "board",
    "button",
    "chips",
    "chop",
    "dead-small",
    "deal",
    "end",
    "everyone",
    "fact",  # of the table, within a hand
    "folds-to",
    "hand",
    "leaves",
    "level",
    "misdeal",
    "moves",
    "muck",
    "next",  # whoever is next does it: check check
    "odd-chip",
    "post",
    "pot",
    "posted",  # the blinds are in
    "rake",
    "remark",
    "returned",
    "same",
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


@dataclass(frozen=True, slots=True)
class Ref:
    """Whom a line means: a seat number, a name, a position, or `he`."""

    kind: Literal["seat", "name", "position", "pronoun", "me"]
    text: str
    seat: int = 0


@dataclass(slots=True)
class Statement:
    """One thing that a line says."""

    kind: Kind
    line: Line
    text: str = ""  # the words it was read from
    players: list[Ref] = field(default_factory=list)
    verb: str = ""
    amount: NotedAmount | None = None
    dead: NotedAmount | None = None
    cards: str = ""
    qualifier: str = ""  # raise: "to", "by" or ""; others say what they need
    all_in: bool = False
    unclear: bool = False  # the writer says that the amount is not known
    count: int = 1
    ends_round: bool = False  # nobody acts after this in the betting round
    name: str = ""
