"""Add up the money of a shift: of each table, of each dealer, of all tables together, and of each tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ledger.clocks import LocalTime, format_wall_time
from ledger.table.events import TimeChargeTaken
from ledger.table.money_events import ChipsCredited, ChipsFilled, TrayCounted
from projections.addresses.room_days import find_local_start
from projections.money.shift_report import ShiftDealerSums, ShiftTableSums, ShiftTotal, ShiftTournamentSums

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.table.money_events import BoxKind
    from ledger.vocabulary import Chips
    from projections.money.drop import CountedBox, DroppedSums, ShiftDrops
    from projections.money.prizes import TournamentSums
    from projections.money.shift import ShiftTable


class ShiftTimes(NamedTuple):
    """The room's clock at the first and the last hand; "" = unknown."""

    first: str
    last: str


def read_times(ledger: Ledger, rows: Sequence[HandRow]) -> ShiftTimes:
    """Return when the first and the last of these hands began."""
    timed_rows = [row for row in rows if row.started is not None]
    if not timed_rows:
        return ShiftTimes("", "")
    first_row = min(timed_rows, key=lambda row: row.started or 0)
    last_row = max(timed_rows, key=lambda row: row.started or 0)
    return ShiftTimes(
        _format_local(find_local_start(ledger, first_row)), _format_local(find_local_start(ledger, last_row))
    )


def _format_local(local_start: LocalTime | None) -> str:
    return "" if local_start is None else format_wall_time(local_start.wall)[:16].replace("T", " ")


def sum_table(table: ShiftTable, times: ShiftTimes, drops: ShiftDrops) -> ShiftTableSums:
    """Return the sums of a table."""
    place = table.key._asdict()
    dropped = next((sums for sums in drops.tables if _belongs_to(sums, table)), None)
    box, box_difference = _sum_boxes(drops.boxes, table, "drop")
    jackpot_box, jackpot_difference = _sum_boxes(drops.boxes, table, "jackpot")
    unit, exponent = table.money_unit
    events = [entry.event for entry in table.shift_entries]
    tray_counts = [event.amount for event in events if isinstance(event, TrayCounted)]
    return ShiftTableSums(
        **place,
        first=times.first,
        last=times.last,
        hands=len(table.hands),
        unit=unit,
        exponent=exponent,
        rake=0 if dropped is None else dropped.amounts["drop"],
        time_charges=sum(event.amount for event in events if isinstance(event, TimeChargeTaken)),
        hands_without_drop=0 if dropped is None else dropped.hands_without_drop["drop"],
        box=box,
        box_difference=box_difference,
        jackpot=0 if dropped is None else dropped.amounts["jackpot"],
        jackpot_box=jackpot_box,
        jackpot_difference=jackpot_difference,
        fills=sum(event.amount for event in events if isinstance(event, ChipsFilled)),
        credits=sum(event.amount for event in events if isinstance(event, ChipsCredited)),
        tray=tray_counts[-1] if tray_counts else None,
    )


def _belongs_to(item: DroppedSums | CountedBox, table: ShiftTable) -> bool:
    return (item.venue, item.tournament, item.table) == table.key


def _sum_boxes(boxes: Iterable[CountedBox], table: ShiftTable, kind: BoxKind) -> tuple[Chips | None, Chips | None]:
    """Return what a table's boxes of a kind held, and how much more that is than their hands dropped."""
    counted_boxes = [box for box in boxes if box.kind == kind and _belongs_to(box, table)]
    if not counted_boxes:
        return None, None
    amount = sum(box.amount for box in counted_boxes)
    if any(box.hands_without_drop for box in counted_boxes):
        return amount, None
    return amount, amount - sum(box.expected for box in counted_boxes)


def sum_dealers(sums_by_table: Iterable[DroppedSums]) -> list[ShiftDealerSums]:
    """Return the sums of each dealer over all cash tables with one unit."""
    groups: dict[tuple[str, str, int], list[DroppedSums]] = {}
    for sums in sums_by_table:
        if not sums.tournament:
            groups.setdefault((sums.dealer, sums.unit, sums.exponent), []).append(sums)
    return [
        ShiftDealerSums(
            dealer=dealer,
            tables=[sums.table for sums in group],
            hands=sum(sums.hands for sums in group),
            unit=unit,
            exponent=exponent,
            rake=sum(sums.amounts["drop"] for sums in group),
            jackpot=sum(sums.amounts["jackpot"] for sums in group),
            hands_without_drop=sum(sums.hands_without_drop["drop"] for sums in group),
        )
        for (dealer, unit, exponent), group in sorted(groups.items())
    ]


def sum_total(tables: Iterable[ShiftTableSums]) -> list[ShiftTotal]:
    """Return the sums of all cash tables, by unit."""
    groups: dict[tuple[str, int], list[ShiftTableSums]] = {}
    for sums in tables:
        if sums.hands and not sums.tournament:
            groups.setdefault((sums.unit, sums.exponent), []).append(sums)
    return [
        ShiftTotal(
            unit=unit,
            exponent=exponent,
            tables=len(group),
            hands=sum(sums.hands for sums in group),
            rake=sum(sums.rake for sums in group),
            time_charges=sum(sums.time_charges for sums in group),
            hands_without_drop=sum(sums.hands_without_drop for sums in group),
            box=_sum_known([sums.box for sums in group]),
            box_difference=_sum_known([sums.box_difference for sums in group]),
            jackpot=sum(sums.jackpot for sums in group),
            jackpot_box=_sum_known([sums.jackpot_box for sums in group]),
            jackpot_difference=_sum_known([sums.jackpot_difference for sums in group]),
        )
        for (unit, exponent), group in sorted(groups.items())
    ]


def _sum_known(amounts: Sequence[Chips | None]) -> Chips | None:
    """Return the sum, or None if an amount is unknown."""
    known_amounts = [amount for amount in amounts if amount is not None]
    return sum(known_amounts) if len(known_amounts) == len(amounts) else None


def build_tournament_sums(
    venue: str, number: str, tables: Sequence[ShiftTable], sums: TournamentSums
) -> ShiftTournamentSums:
    """Return the sums of a tournament."""
    names = [table.key.table for table in tables if table.key[:2] == (venue, number) and table.key.table]
    return ShiftTournamentSums(venue=venue, tournament=number, tables=names, **sums._asdict())
