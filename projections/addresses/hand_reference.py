"""Which hand something is said of."""

from __future__ import annotations

import msgspec


class Hand(msgspec.Struct, frozen=True):
    """Which hand a finding is about."""

    venue: str
    table: str
    number: str
    tournament: str = ""
    stream: str = ""  # id of the account's stream, hex; "" = not from a ledger
