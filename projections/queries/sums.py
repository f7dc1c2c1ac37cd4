"""Sum over the hands that match a query: results of seats, and rates of findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import ColumnElement, case, select

from ledger.vocabulary import Chips, PlayerId
from projections.addresses.room_days import DAY_MILLIS
from projections.tables.finding_tables import kept_findings
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.sittings import hand_dealers

if TYPE_CHECKING:
    from projections.queries.query_run import HandSelection

_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
MIN_EXPECTED_FINDINGS: Final = 5
"""If a group has so few hands that fewer findings than this are expected, its rate is mere chance."""


class Purse(NamedTuple):
    """Chips whose amounts can be added: of one unit, one scale and one format (cash or tournament)."""

    unit: str
    scale: int
    format: str


@dataclass
class GroupResult:
    """Results of a group of seats."""

    hands: int = 0
    net: Chips = 0
    rake: Chips = 0
    won: int = 0  # hands with a positive net
    showdowns: int = 0
    all_ins: int = 0
    blinds: Fraction = field(default_factory=Fraction)  # net in big blinds, over the hands with a big blind on record
    hands_with_blind: int = 0  # hands with a big blind on record
    unsure: int = 0  # hands with a record that is cut off, has unread lines, or doesn't add up
    unraked: int = 0  # money hands with a flop but no rake on record

    @property
    def per_hundred(self) -> float | None:
        """Big blinds won per hundred hands; None if no hand has a big blind on record."""
        return float(self.blinds * 100 / self.hands_with_blind) if self.hands_with_blind else None


GroupName = tuple[str, ...]
"""Parts of a group's name: a player's id, a position, a table, ..."""

HAND_GROUPS: Final = {
    "table": (hand_results.c.venue, hand_results.c.tournament, hand_results.c.name),
    "venue": (hand_results.c.venue,),
    "game": (hand_results.c.variant, hand_results.c.betting),
    "format": (hand_results.c.format,),
    "day": (hand_results.c.wall, hand_results.c.zone),
    "dealer": (
        select(hand_dealers.c.dealer)
        .where(hand_dealers.c.position == hand_results.c.position)
        .correlate(hand_results)
        .scalar_subquery(),
    ),
}
"""Groups of hands and the columns that name them."""

_IS_UNSURE: Final = case(
    (hand_results.c.voided == 1, 0),
    (hand_results.c.completed == 0, 1),
    (hand_results.c.unbalanced == 1, 1),
    (hand_results.c.unread == 1, 1),
    else_=0,
)
"""1 where the record is cut off, has unread lines, or doesn't add up: results may be wrong."""
_IS_UNRAKED: Final = case(
    (hand_results.c.completed == 0, 0),
    (hand_results.c.format == "tournament", 0),
    (hand_results.c.unit == "play", 0),
    (hand_results.c.rake != 0, 0),
    (hand_results.c.streets == 0, 0),
    else_=1,
)
"""1 where a flop was dealt for money but no rake is recorded: results may be before rake."""

SEAT_GROUPS: Final = {
    "player": (seat_results.c.player,),
    "position": (seat_results.c.place,),
    "seat": (seat_results.c.seat,),
}
"""Groups of seats and the columns that name them."""


def sum_results(
    selection: HandSelection,
    group_field: str,
    seat_condition: ColumnElement[bool] | None,
    day_start: int,
    main_ids: dict[PlayerId, PlayerId],
) -> dict[tuple[GroupName, Purse], GroupResult]:
    """Return the results of the matching hands' seats by group and purse.

    `seat_condition` limits the seats. `day_start`: milliseconds after midnight. `main_ids`: each id of a person → the
    id that stands for all of them.
    """
    group_columns = SEAT_GROUPS.get(group_field) or HAND_GROUPS[group_field]
    hand_columns = hand_results.c
    seat_columns = seat_results.c
    group_results: dict[tuple[GroupName, Purse], GroupResult] = {}
    result_columns = (
        seat_columns.net,
        seat_columns.rake,
        seat_columns.showdown,
        seat_columns.all_in,
        hand_columns.big_blind,
        hand_columns.unit,
        hand_columns.scale,
        hand_columns.format,
        _IS_UNSURE,
        _IS_UNRAKED,
    )
    for row in selection.iter_seat_values(*result_columns, *group_columns, seat_condition=seat_condition):
        net, rake, showdown, all_in, big_blind, unit, scale, hand_format, unsure, unraked, *group = row
        name = build_group_name(group_field, group, day_start)
        if group_field == "player":
            name = (main_ids.get(name[0], name[0]),)
        group_result = group_results.setdefault((name, Purse(unit, scale, hand_format)), GroupResult())
        group_result.hands += 1
        group_result.net += net
        group_result.rake += rake
        group_result.won += net > 0
        group_result.showdowns += showdown
        group_result.all_ins += all_in
        group_result.unsure += unsure
        group_result.unraked += unraked
        if big_blind:
            group_result.blinds += Fraction(net, big_blind)
            group_result.hands_with_blind += 1
    return group_results


class FindingRate(NamedTuple):
    """Findings, and the hands in which they were counted."""

    findings: int
    hands: int

    @property
    def per_thousand(self) -> float:
        """Findings per thousand hands."""
        return 1000 * self.findings / self.hands if self.hands else 0.0

    def has_too_few_hands(self, overall: FindingRate) -> bool:
        """Whether this group would have fewer than five findings at the overall rate."""
        return self.hands * overall.findings < MIN_EXPECTED_FINDINGS * overall.hands


def count_findings(
    selection: HandSelection, group_field: str, day_start: int
) -> tuple[dict[GroupName, FindingRate], FindingRate]:
    """Return the findings and hands of each group, and those of all matching hands.

    By clause, each clause counts all hands. By player, a finding counts for the player in the seat that it names.
    The query's terms about findings limit the findings, not the hands. `day_start`: milliseconds after midnight.
    """
    finding_counts: Counter[GroupName] = Counter()
    hand_counts: Counter[GroupName] = Counter()
    hand_columns, finding_columns = hand_results.c, kept_findings.c
    finding_conditions: list[ColumnElement[bool]] = [selection.counted_findings]
    if selection.conditions.findings is not None:
        finding_conditions.append(selection.conditions.findings)
    group_columns = HAND_GROUPS.get(group_field, ())
    selection = selection.without_finding_terms()
    superseded = selection.find_superseded_positions()
    statement = select(
        hand_columns.position, finding_columns.book, finding_columns.clause, finding_columns.seat, *group_columns
    ).join_from(hand_results, kept_findings, finding_columns.position == hand_columns.position)
    if group_field == "player":
        seat_join = (seat_results.c.position == hand_columns.position) & (seat_results.c.seat == finding_columns.seat)
        statement = statement.join(seat_results, seat_join).add_columns(seat_results.c.player)
    hand_total = selection.count_hands()
    for position, book, clause, _, *group_values in selection.fetch_rows(
        statement.where(selection.condition, *finding_conditions)
    ):
        if position in superseded:
            continue
        if group_field == "clause":
            name: GroupName = (f"{book} {clause}",)
        else:
            name = build_group_name(group_field, group_values, day_start)
        finding_counts[name] += 1
    if group_field == "clause":
        hand_counts.update(dict.fromkeys(finding_counts, hand_total))
    elif group_field == "player":
        hand_counts.update((player,) for (player,) in selection.iter_seat_values(seat_results.c.player))
    else:
        hand_counts.update(
            build_group_name(group_field, row, day_start) for row in selection.iter_hand_values(*group_columns)
        )
    overall = FindingRate(sum(finding_counts.values()), hand_total)
    return {name: FindingRate(finding_counts[name], hand_count) for name, hand_count in hand_counts.items()}, overall


def build_group_name(group_field: str, group_values: Sequence[object], day_start: int) -> GroupName:
    """Return the name of a group from its columns. A day is the gaming day by the room's clock.

    Times in UTC don't show the room's clock, so their day begins at midnight. The name of an unknown day is "".
    """
    if group_field != "day":
        return tuple("" if part is None else str(part) for part in group_values)
    wall, zone = group_values
    if not isinstance(wall, int):
        return ("",)
    is_room_time = zone not in ("", "UTC")
    day_ordinal = _EPOCH_DAY + (wall - day_start if is_room_time else wall) // DAY_MILLIS
    if not 0 < day_ordinal <= date.max.toordinal():
        return ("",)
    return (date.fromordinal(day_ordinal).isoformat(),)
