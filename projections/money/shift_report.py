"""The document of a shift's money: sums, differences, gaps and corrections.

Amounts are in units of `unit` with `exponent` decimals. Names and free text are raw.
"""

from __future__ import annotations

import msgspec

from ledger.vocabulary import Chips, Role
from projections.audit.audit_result import BookRef
from projections.findings.finding import Severity
from projections.money.difference import EventRef, MoneyDifference, MoneyGap
from projections.money.funds import FundSums


class ShiftTableSums(msgspec.Struct, kw_only=True, frozen=True):
    """The money of a table in a shift.

    The sums of drops cover the hands that show their drop; `hands_without_drop` don't. A box belongs to the hands since
    the previous box, some of which may have been played before the shift. Its difference is against those hands. None =
    nobody counted.
    """

    venue: str
    tournament: str
    table: str
    first: str  # the room's clock when the first hand began; "" = unknown
    last: str
    hands: int
    unit: str
    exponent: int
    rake: Chips = 0  # what the hands dropped
    time_charges: Chips = 0  # dealers drop them into the same box
    hands_without_drop: int = 0
    box: Chips | None = None  # what the drop boxes held
    box_difference: Chips | None = None  # more (positive) or less than their hands dropped
    jackpot: Chips = 0
    jackpot_box: Chips | None = None
    jackpot_difference: Chips | None = None
    fills: Chips = 0
    credits: Chips = 0
    tray: Chips | None = None  # at the last count


class ShiftDealerSums(msgspec.Struct, kw_only=True, frozen=True):
    """What the hands of a dealer dropped. `dealer` "" = nobody wrote down who dealt."""

    dealer: str
    tables: list[str]
    hands: int
    unit: str
    exponent: int
    rake: Chips = 0
    jackpot: Chips = 0
    hands_without_drop: int = 0


class ShiftTotal(msgspec.Struct, kw_only=True, frozen=True):
    """The sums of all tables of a shift that play for one unit. Boxes are None if any table's box wasn't counted."""

    unit: str
    exponent: int
    tables: int
    hands: int
    rake: Chips
    time_charges: Chips = 0  # of the cash tables
    hands_without_drop: int
    box: Chips | None
    box_difference: Chips | None
    jackpot: Chips
    jackpot_box: Chips | None
    jackpot_difference: Chips | None


class ShiftTournamentSums(msgspec.Struct, kw_only=True, frozen=True):
    """The money and chips of a tournament. Money is in hundredths."""

    venue: str
    tournament: str
    tables: list[str]
    entries: int
    further_entries: int  # re-entries, rebuys and add-ons
    pool: Chips | None  # from what was sold
    stated_pool: Chips | None
    paid: Chips | None
    chips_sold: Chips | None = None
    chips_in_play: Chips | None = None
    guaranteed: Chips | None = None  # the guaranteed prize pool
    added: Chips | None = None  # added money
    overlay: Chips | None = None  # what the house pays to reach the guaranteed pool

    @property
    def has_house_money(self) -> bool:
        """Whether the house adds, or may have to add, to what was sold."""
        return self.added is not None or self.guaranteed is not None

    @property
    def due_pool(self) -> Chips | None:
        """The sales with the added money and the overlay, or None if no sale is on record."""
        return None if self.pool is None else self.pool + (self.added or 0) + (self.overlay or 0)


class ShiftCorrection(msgspec.Struct, kw_only=True, frozen=True):
    """An event of the shift that somebody corrected later."""

    venue: str
    tournament: str
    table: str
    was: list[str]  # the void events, as sentences
    became: list[str]  # those that replace them
    by: Role
    person: str
    why: str
    recorded: str  # UTC
    event: EventRef


class ShiftFinding(msgspec.Struct, kw_only=True, frozen=True):
    """A finding of a rulebook in a hand of the shift that isn't about the money around the table."""

    clause: str  # with its book: "rrop4 blinds.3"
    severity: Severity
    saw: str
    asks: str
    event: EventRef


class ShiftReport(msgspec.Struct, kw_only=True):
    """The money of a shift."""

    shift: str  # as the user typed it
    venues: list[str]
    first: str  # the room's clock; "" = no time is recorded
    last: str
    hands: int
    answer: str  # whether the money adds up, as one sentence
    totals: list[ShiftTotal]
    tables: list[ShiftTableSums]
    dealers: list[ShiftDealerSums]
    tournaments: list[ShiftTournamentSums]
    funds: list[FundSums]
    differences: list[MoneyDifference]
    gaps: list[MoneyGap]
    corrections: list[ShiftCorrection]
    findings: list[ShiftFinding]
    books: list[BookRef]
