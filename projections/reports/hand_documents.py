"""A hand and its states as documents: what commands, pages and programs are given of them.

Amounts are integers in units of 10^-exponent of the game's unit. Names and free text are what the
ledger knows, raw; printing them harmlessly is the writer's duty (`ledger.safe`).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ledger.vocabulary import Chips, Millis, Seat
from projections.addresses.source_names import SourcePlace


class HandTold(msgspec.Struct):
    """A hand in a list."""

    id: str  # of the stream, hex
    venue: str
    tournament: str
    table: str
    number: str
    started: Millis | None
    game: str
    format: str
    account: int  # 1 = the first account of this hand, 2 = another one, ...
    players: int
    board: str
    pot: Chips | None
    unit: str
    exponent: int
    won: list[tuple[str, Chips]]  # player, amount
    note: str
    place: SourcePlace
    local: str = ""  # when it began on the room's own clock: 2026-01-02T20:00:00; "" = no time is told
    zone: str = ""  # of that clock, as the source names it, or +01:00; "" = it does not say
    address: str = ""  # what every command, query and page takes: T7/408


class EventTold(msgspec.Struct):
    """One event of a hand; `data` is the event as stored."""

    version: int
    position: int
    topic: str
    told: str
    data: list[Any]
    derived: bool
    at: Millis | None
    place: SourcePlace | None
    void: bool = False  # a correction took it back


class SeatTold(msgspec.Struct):
    """A seat in a state. `bet` is live on this street, `put` all it has in the pot."""

    seat: Seat
    player: str
    stack: Chips | None
    bet: Chips
    put: Chips
    cards: str
    status: Literal["in", "folded", "all-in", "dead", "left-out"]
    roles: list[str]


class PotTold(msgspec.Struct):
    """A pot and who can win it."""

    amount: Chips
    seats: list[Seat]


class TurnTold(msgspec.Struct):
    """Who is due, and what is legal: `least` and `most` are totals a raise or bet may come to."""

    seat: Seat
    to_call: Chips
    may_raise: bool
    least: Chips | None
    most: Chips | None
    why: str


class MomentDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/moment/1"):
    """The state of a hand after one of its events."""

    hand: HandTold
    version: int
    told: str
    street: str
    boards: list[str]
    seats: list[SeatTold]
    pots: list[PotTold]
    turn: TurnTold | None
    notes: list[str]
