"""Check the chips, trays and funds of a shift: at every table, and between the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledger.store.requests.stored_hands import HandReader
from ledger.table.events import HandPlayed
from projections.addresses.address_book import AddressBook
from projections.money.chips import ChipsAfterHand, ChipsInput, check_chips, read_chips_input
from projections.money.difference import MoneyDifference, MoneyGap
from projections.money.funds import FundSums, FundTable, HandFunds, check_funds, read_hand_funds
from projections.money.table_moves import TableMove, check_moves
from projections.money.tray import TraySpan, check_tray

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.table.standing_accounts import TableEntry
    from projections.money.shift import ShiftTable


class TableChips(NamedTuple):
    """The chips at a table after each hand of a shift, and its tray between counts."""

    hands: list[ChipsAfterHand]
    tray: list[TraySpan]


class ShiftChips(NamedTuple):
    """The chips, trays and funds of a shift, and what doesn't add up. Differences and gaps don't name the shift."""

    tables: dict[TableKey, TableChips]
    funds: list[FundSums]
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def check_shift_chips(ledger: Ledger, shift_tables: Sequence[ShiftTable]) -> ShiftChips:
    """Return the chips, trays and funds of a shift's tables. Each table is walked from the beginning of its record."""
    address_book = AddressBook(ledger)
    tables: dict[TableKey, TableChips] = {}
    fund_tables: list[FundTable] = []
    moves: list[TableMove] = []
    differences: list[MoneyDifference] = []
    gaps: list[MoneyGap] = []
    for shift_table in shift_tables:
        if not any(isinstance(entry.event, HandPlayed) for entry in shift_table.entries):
            continue  # a tournament's own stream, which has only what was sold and paid
        chips_input = read_chips_input(ledger, shift_table.key, shift_table.entries, address_book)
        is_wanted = _build_version_filter(shift_table)
        chips = check_chips(chips_input, is_wanted)
        tray = check_tray(chips_input, chips, is_wanted)
        tables[shift_table.key] = TableChips(chips.hands, tray.spans)
        differences += [*tray.chip_differences, *tray.differences]
        gaps += [*chips.gaps, *tray.gaps]
        moves += chips.moves
        fund_tables.append(_build_fund_table(ledger, shift_table, chips_input))
    funds = check_funds(fund_tables)
    return ShiftChips(tables, funds.sums, [*differences, *check_moves(moves), *funds.differences], [*gaps, *funds.gaps])


def _build_version_filter(shift_table: ShiftTable) -> Callable[[TableEntry], bool]:
    """Return a predicate: whether an event belongs to the table's part of the shift."""
    versions = shift_table.versions
    return lambda entry: entry.version in versions


def _build_fund_table(ledger: Ledger, shift_table: ShiftTable, chips_input: ChipsInput) -> FundTable:
    """Return a table with what its hands took for funds. The hands are read in their order, a page at a time."""
    reader = HandReader(ledger, b"".join(bytes.fromhex(hand.hand) for hand in shift_table.hands))

    def read_funds(hand: HandPlayed) -> HandFunds:
        return read_hand_funds(reader.read_hand(bytes.fromhex(hand.hand)), hand)

    return FundTable(chips_input, _build_version_filter(shift_table), read_funds)
