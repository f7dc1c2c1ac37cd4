"""The reference to a hand that findings contain."""

from __future__ import annotations

import msgspec


class Hand(msgspec.Struct, frozen=True):
    """The hand that a finding is about."""

    venue: str
    table: str
    number: str
    tournament: str = ""
    stream: str = ""  # stream id of the hand's account, hex; "" = the hand isn't from a ledger
