"""The trace of a hand."""

from __future__ import annotations

from typing import NamedTuple

from ledger.hand.acts import Act, BettingEnd
from ledger.hand.state import HandState
from ledger.hand.street_deals import StreetDeal
from ledger.vocabulary import Chips, Seat


class HandTrace(NamedTuple):
    """A hand folded to its end, with its acts and streets."""

    state: HandState
    acts: list[Act]
    street_deals: list[StreetDeal]
    later_runs: list[StreetDeal]  # of second boards and second runs
    betting_end: BettingEnd | None
    undone: set[int]  # versions of acts that were undone before anybody else acted
    live: frozenset[Seat]  # seats with a hand at the end, cleared away or not
    put_in: dict[Seat, Chips]  # before chips went back at the end without an event
    set_aside: dict[int, Chips]  # returned chips that had never been bet, by version
