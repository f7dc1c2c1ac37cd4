"""Add up the jackpot and promotion funds: what hands took for them, what boxes held, and what was paid.

The record doesn't show what a fund held before it begins, so no balance is computed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

import msgspec

from ledger.hand.ending import DropTaken
from ledger.hand.opening import PotSeeded
from ledger.presence import ChipsAdded
from ledger.replay import HandReplay
from ledger.table.events import HandPlayed
from ledger.table.fold import apply_entry, begin
from ledger.table.money_events import BoxCounted, FundKind, FundPaid
from ledger.table.order import TableEntry
from ledger.table.state import TableState
from ledger.vocabulary import Chips, PlayerId, Witness
from projections.money.chip_notes import ChipNotes
from projections.money.chips import ChipsInput, find_money_format
from projections.money.difference import EventRef, MoneyDifference, MoneyGap
from projections.sentences import funds as say

_DROP: Final = int(Witness.DROP)
_FUND_OF_DROP: Final[Mapping[str, FundKind]] = {"jackpot": "jackpot", "bingo": "promotion", "fortune": "promotion"}
"""Which fund a drop goes to. Rake, taxes and the like go to none."""

_FUND_KINDS: Final[tuple[FundKind, ...]] = ("jackpot", "promotion")


class FundSums(msgspec.Struct, frozen=True):
    """A room's fund in one unit: what came in and what was paid, according to the selected events."""

    venue: str
    fund: FundKind
    unit: str
    exponent: int
    dropped: Chips  # by hands
    counted: Chips | None  # in the fund's boxes; None = no box was counted
    paid: Chips
    seeded: Chips  # that the promotion fund put into pots
    hands_without_drop: int  # hands whose drop isn't on record: the fund may have got more
    payments: list[EventRef]


class FundCheck(NamedTuple):
    """The funds of all tables, and what doesn't add up."""

    sums: list[FundSums]
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


class HandFunds(NamedTuple):
    """What a hand took for each fund, and put into its pot from the promotion fund."""

    drops: Mapping[FundKind, Chips]
    seeded: Chips
    is_drop_unknown: bool


def read_hand_funds(replay: HandReplay, hand: HandPlayed) -> HandFunds:
    """Return what a hand took for each fund."""
    drops: dict[FundKind, Chips] = {}
    for _, drop in replay.events_of(DropTaken):
        fund = _FUND_OF_DROP.get(drop.kind)
        if fund is not None:
            drops[fund] = drops.get(fund, 0) + drop.amount
    seeded = sum(event.amount for _, event in replay.events_of(PotSeeded) if event.kind == "promotion")
    return HandFunds(drops, seeded, not hand.witnesses & _DROP and not replay.events_of(DropTaken))


class FundTable(NamedTuple):
    """A table, and which of its events count. `read_funds` returns what a hand took for each fund."""

    chips_input: ChipsInput
    is_wanted: Callable[[TableEntry], bool]
    read_funds: Callable[[HandPlayed], HandFunds]


def check_funds(tables: Iterable[FundTable]) -> FundCheck:
    """Return the funds of some tables, room by room, and what doesn't add up.

    Whether a box holds what the hands dropped into it is another check (`projections.money.drop`).
    """
    totals: dict[tuple[str, FundKind, str, int], _FundTotal] = {}
    differences: list[MoneyDifference] = []
    gaps: list[MoneyGap] = []
    for table in tables:
        walk = _FundWalk(table)
        for entry in table.chips_input.entries:
            walk.add_entry(entry)
        walk.finish()
        differences += walk.differences
        gaps += walk.gaps
        for fund, total in walk.totals.items():
            key = (table.chips_input.table_key.venue, fund, walk.notes.money.unit, walk.notes.money.exponent)
            totals.setdefault(key, _FundTotal(walk.notes)).add(total)
    sums = []
    for (venue, fund, unit, exponent), total in sorted(totals.items(), key=lambda item: item[0]):
        if total.is_empty:
            continue
        sums.append(total.build_sums(venue, fund, unit, exponent))
        if total.paid > total.dropped:
            gaps.append(total.build_gap(fund))
    return FundCheck(sums, differences, gaps)


class _FundTotal:
    """What came into a fund and what it paid."""

    def __init__(self, notes: ChipNotes) -> None:
        self.dropped: Chips = 0
        self.counted: Chips | None = None
        self.paid: Chips = 0
        self.payments: list[EventRef] = []
        self.seeded: Chips = 0
        self.hands_without_drop = 0
        self._notes = notes

    def add(self, table_total: _FundTotal) -> None:
        """Add the total of another table."""
        self.dropped += table_total.dropped
        if table_total.counted is not None:
            self.counted = (self.counted or 0) + table_total.counted
        self.paid += table_total.paid
        self.payments += table_total.payments
        self.seeded += table_total.seeded
        self.hands_without_drop += table_total.hands_without_drop

    @property
    def is_empty(self) -> bool:
        """Whether nothing came in or went out."""
        return not (self.dropped or self.paid or self.seeded or self.counted is not None)

    def build_sums(self, venue: str, fund: FundKind, unit: str, exponent: int) -> FundSums:
        """Return the sums as a document."""
        return FundSums(
            venue,
            fund,
            unit,
            exponent,
            self.dropped,
            self.counted,
            self.paid,
            self.seeded,
            self.hands_without_drop,
            self.payments,
        )

    def build_gap(self, fund: FundKind) -> MoneyGap:
        """Return the gap for a fund that paid more than the hands took for it."""
        money = self._notes.money
        return self._notes.build_gap(
            say.paid_more_than_taken(fund, money(self.paid), money(self.dropped)), self.payments, is_of_table=False
        )


class _PlayerPrizes:
    """What funds paid a player at a table, and the prizes that came to the player's stack."""

    def __init__(self) -> None:
        self.paid: Chips = 0
        self.prizes: Chips = 0
        self.fund: FundKind = "jackpot"  # of the last payment
        self.references: list[EventRef] = []
        self.prize_references: list[EventRef] = []


class _FundWalk:
    """Walks a table and collects what came into its funds and what they paid."""

    def __init__(self, table: FundTable) -> None:
        chips_input = table.chips_input
        money = find_money_format(chips_input.entries)
        self.notes = ChipNotes(chips_input.table_key, chips_input.people, chips_input.name_hand, money, "fund")
        self.totals: dict[FundKind, _FundTotal] = {fund: _FundTotal(self.notes) for fund in _FUND_KINDS}
        self.differences: list[MoneyDifference] = []
        self.gaps: list[MoneyGap] = []
        self._table = table
        self._state: TableState = begin()
        self._players: dict[PlayerId, _PlayerPrizes] = defaultdict(_PlayerPrizes)
        self._payments_since_hand: list[FundPaid] = []

    def add_entry(self, entry: TableEntry) -> None:
        """Add the next event in playing order."""
        event = entry.event
        self.notes.seat_players(self._state)
        is_wanted = self._table.is_wanted(entry)
        if isinstance(event, HandPlayed):
            self._payments_since_hand.clear()
            if is_wanted:
                self._add_hand(event)
        elif isinstance(event, FundPaid):
            if is_wanted:
                self._add_payment(event, self.notes.refer_to_fact(entry))
            self._payments_since_hand.append(event)
        elif is_wanted and isinstance(event, BoxCounted) and event.kind != "drop":
            total = self.totals[event.kind]
            total.counted = (total.counted or 0) + event.amount
        if is_wanted:
            self._add_prizes(entry)
        apply_entry(self._state, entry)

    def _add_hand(self, hand: HandPlayed) -> None:
        hand_funds = self._table.read_funds(hand)
        for fund, amount in hand_funds.drops.items():
            self.totals[fund].dropped += amount
        self.totals["promotion"].seeded += hand_funds.seeded
        for total in self.totals.values():
            total.hands_without_drop += hand_funds.is_drop_unknown

    def _add_payment(self, event: FundPaid, reference: EventRef) -> None:
        """Add a payment. Report it if the player isn't at the table, or if the same payment was just recorded."""
        total = self.totals[event.kind]
        total.paid += event.amount
        total.payments.append(reference)
        prizes = self._players[event.player]
        prizes.paid += event.amount
        prizes.fund = event.kind
        prizes.references.append(reference)
        name, amount = self.notes.describe_player(event.player), self.notes.money(event.amount)
        if event in self._payments_since_hand:
            self.gaps.append(self.notes.build_gap(say.paid_twice(event.kind, name, amount), [reference]))
        if self._state.seat_of(event.player) is None and event.player not in self._state.departures:
            self.gaps.append(self.notes.build_gap(say.paid_stranger(event.kind, name, amount), [reference]))

    def _add_prizes(self, entry: TableEntry) -> None:
        """Add the prizes that an event, or a fact within a hand, put in front of players."""
        facts = entry.event.within if isinstance(entry.event, HandPlayed) else (entry.event,)
        for fact in facts:
            if not isinstance(fact, ChipsAdded) or fact.kind != "prize":
                continue
            seat_state = self._state.seats.get(fact.seat or 0)
            player = fact.player or (seat_state.player if seat_state is not None else "")
            prizes = self._players[player]
            prizes.prizes += fact.amount
            prizes.prize_references.append(self.notes.refer(entry))

    def finish(self) -> None:
        """Compare what each player was paid with the prizes that were added to the player's stack, if any were."""
        for player, prizes in self._players.items():
            if not prizes.prize_references or prizes.prizes == prizes.paid:
                continue
            name = self.notes.describe_player(player)
            if not prizes.references:
                gap = say.prize_without_payment(name, self.notes.money(prizes.prizes))
                self.gaps.append(self.notes.build_gap(gap, prizes.prize_references))
                continue
            self.differences.append(
                self.notes.build_difference(
                    say.paid_and_got(prizes.fund, name, self.notes.money(prizes.prizes), self.notes.money(prizes.paid)),
                    expected=prizes.paid,
                    stated=prizes.prizes,
                    player=player,
                    events=[*prizes.references, *prizes.prize_references],
                )
            )
