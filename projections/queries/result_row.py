"""The results of some seats, as documents and pages tell them."""

from __future__ import annotations

import msgspec


class ResultTold(msgspec.Struct):
    """What some seats came to, in one unit. Amounts in units of 10^-exponent of `unit`."""

    name: str  # a player, a position, a table, ...
    hands: int  # that a seat was dealt into, counted for each such seat
    net: int
    rake: int  # their share of it, by what they put in
    won: int  # hands in which they won more than they put in
    showdowns: int
    all_ins: int
    unit: str
    exponent: int
    format: str
    per_hundred: float | None = None  # big blinds won in a hundred hands; None: no hand tells its big blind
    ids: list[str] = []  # of a player
    room: str = ""  # of a player whose name others have too
    unsure: int = 0  # of the hands those whose record is cut off, does not add up, or has lines that nobody could read
    unraked: int = (
        0  # of the money hands with a flop those of which no rake is on record: if one was taken, net is before it
    )
