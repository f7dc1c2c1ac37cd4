"""A reference to a hand."""

from __future__ import annotations

import msgspec


class Hand(msgspec.Struct, frozen=True):
    """The hand that a finding is about."""

    venue: str
    table: str
    number: str
    tournament: str = ""
    stream: str = ""  # id of the account's stream, hex; "" = not from a ledger
