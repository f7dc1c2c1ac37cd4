"""The JSON documents of hands, events and states; `states.py` builds them.

Amounts are integers in units of 10^-exponent of the game's unit. Names and free text are untrusted, so code that prints
a document must sanitize them with `ledger.safe`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ledger.vocabulary import Chips, Millis, Seat
from projections.addresses.source_names import SourcePlace


class HandTold(msgspec.Struct):
    """A hand in a list."""

    id: str  # stream id, hex
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
    unit: str  # a currency or "chips"
    exponent: int
    won: list[tuple[str, Chips]]  # player and amount
    note: str
    place: SourcePlace
    local: str = ""  # when it began on the room's clock: 2026-01-02T20:00:00; "" = unknown
    zone: str = ""  # of that clock, as in the source, or +01:00; "" = unknown
    address: str = ""  # accepted by every command, query and page: T7/408


class RecorderDocument(msgspec.Struct):
    """Who recorded an event on a page or a device, and who approved it. Names are raw; "" = nobody, unknown or erased."""

    user: str
    device: str
    approver: str


class EventDocument(msgspec.Struct):
    """An event of a hand; `data` is the stored event."""

    version: int
    position: int
    topic: str
    told: str  # one line in plain words
    data: list[Any]
    derived: bool  # the reader filled it in; the source doesn't have it
    at: Millis | None  # when it happened; None = not recorded
    place: SourcePlace | None
    void: bool = False  # voided by a correction
    recorder: RecorderDocument | None = None  # None: an import or a command recorded it


class SeatDocument(msgspec.Struct):
    """A seat in a state. `bet`: live chips on this street; `put`: all chips in the pot."""

    seat: Seat
    player: str
    stack: Chips | None  # None = unknown
    bet: Chips
    put: Chips
    cards: str
    status: Literal["in", "folded", "all-in", "dead", "left-out"]
    roles: list[str]


class PotDocument(msgspec.Struct):
    """A pot and who can win it."""

    amount: Chips
    seats: list[Seat]


class TurnDocument(msgspec.Struct):
    """The seat to act and its legal bets. `least` and `most` bound the total that it may bet or raise to."""

    seat: Seat
    to_call: Chips
    may_raise: bool
    least: Chips | None
    most: Chips | None
    why: str  # why it may not raise; "" = it may


class MomentDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/moment/1"):
    """The state of a hand after one of its events."""

    hand: HandTold
    version: int  # of that event, 1 = the first
    told: str  # that event in plain words
    street: str
    boards: list[str]
    seats: list[SeatDocument]
    pots: list[PotDocument]
    turn: TurnDocument | None
    notes: list[str]
