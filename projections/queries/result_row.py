"""A row of results, as documents and pages show it."""

from __future__ import annotations

import msgspec


class ResultDocument(msgspec.Struct):
    """The results of a group of seats in one unit of money. Amounts are in units of 10^-exponent of `unit`."""

    name: str  # a player, a position, a table, ...
    hands: int  # counted once for each seat dealt in
    net: int
    rake: int  # the seats' share of the rake, by what they put in
    won: int  # hands with a positive net
    showdowns: int
    all_ins: int
    unit: str
    exponent: int
    format: str
    per_hundred: float | None = None  # big blinds won in a hundred hands; None: no hand has a big blind on record
    ids: list[str] = []  # of the player; [] if the group isn't a player
    room: str = ""  # set for a player who shares a name with another
    unsure: int = 0  # hands with a record that is cut off, has unread lines, or doesn't add up
    unraked: int = 0  # money hands with a flop but no rake on record: if rake was taken, net is before rake
