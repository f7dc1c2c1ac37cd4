"""What the trace of a hand comes to."""

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
    later_runs: list[StreetDeal]  # of second boards, and of second runs of the rest
    betting_end: BettingEnd | None
    undone: set[int]  # versions of acts that were taken back before anybody else acted
    live: frozenset[Seat]  # who held a hand at the end, cleared away or not
    put_in: dict[Seat, Chips]  # before chips went back at the end without a word
    set_aside: dict[int, Chips]  # of chips that came back, what had never been bet: by version
