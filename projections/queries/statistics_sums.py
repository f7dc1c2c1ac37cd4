"""Sum statistics over the seats of matching hands, in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select

from ledger.vocabulary import PlayerId
from projections.queries.sums import HAND_GROUPS, SEAT_GROUPS, GroupName, build_group_name
from projections.statistics.hand_gaps import NET_UNKNOWN
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.statistics_tables import hand_statistics, seat_statistics

if TYPE_CHECKING:
    from projections.queries.query_run import HandSelection

STATISTICS_GROUPS: Final = {
    **{name: SEAT_GROUPS[name] for name in ("player", "position", "seat")},
    "stakes": (hand_statistics.c.stakes, hand_statistics.c.stakes_unit, hand_results.c.betting),
    "players": (hand_results.c.players,),
    **{name: HAND_GROUPS[name] for name in ("game", "table", "venue", "day", "dealer")},
}
"""Groups of seats and the columns that name them."""

COUNTED: Final = (
    *("preflop", "vpip", "pfr", "three_bet_chance", "three_bet"),
    *("bets", "raises", "calls", "checks", "folds"),
    *("saw_flop", "showdown", "showdown_judged", "showdown_won"),
)
"""Columns of `seat_statistics` that are added up."""

_POSITIONS_IN_QUERY: Final = 500


class Currency(NamedTuple):
    """Chips that may be added: of one unit and one format (cash or tournament)."""

    format: str
    unit: str


@dataclass
class StatisticsSum:
    """The sums of a group's seats."""

    hands: int = 0
    net: Fraction = field(default_factory=Fraction)  # in whole units
    exponent: int = 0  # the largest among its hands
    big_blinds: Fraction = field(default_factory=Fraction)  # net in big blinds, over the hands with one on record
    hands_with_blind: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    showdown_unknown: int = 0


def sum_statistics(
    selection: HandSelection,
    group_field: str,
    seat_condition: ColumnElement[bool] | None,
    day_start: int,
    main_ids: dict[PlayerId, PlayerId],
) -> dict[tuple[GroupName, Currency], StatisticsSum]:
    """Return the sums of the matching hands' seats by group and currency.

    `seat_condition` limits the seats. `day_start`: milliseconds after midnight. `main_ids`: each id of a person → the
    id that stands for all of them.
    """
    group_columns = STATISTICS_GROUPS[group_field]
    sums: dict[tuple[GroupName, Currency], StatisticsSum] = {}
    statement = _build_statement(selection, group_columns, seat_condition)
    for sign, row in _iter_rows(selection, statement):
        group_values, values = row[: len(group_columns)], row[len(group_columns) :]
        name = build_group_name(group_field, group_values, day_start)
        if group_field == "player":
            name = (main_ids.get(name[0], name[0]),)
        hand_format, unit, *measures = values
        _add_measures(sums.setdefault((name, Currency(hand_format, unit)), StatisticsSum()), sign, measures)
    return {key: statistics_sum for key, statistics_sum in sums.items() if statistics_sum.hands}


def _build_statement(
    selection: HandSelection, group_columns: Sequence[ColumnElement[Any]], seat_condition: ColumnElement[bool] | None
) -> Select[Any]:
    """Return the query that adds up the seats, a row for each group, currency, big blind and gap."""
    hand_columns, gap = hand_results.c, hand_statistics.c.gap
    keys = (hand_columns.format, hand_columns.unit, hand_columns.scale, hand_columns.big_blind, gap)
    measures = [func.count(), func.sum(seat_results.c.net), func.sum(hand_statistics.c.showdown_unknown)]
    measures += [func.coalesce(func.sum(seat_statistics.c[name]), 0) for name in COUNTED]
    seat_line = (seat_statistics.c.position == seat_results.c.position) & (
        seat_statistics.c.seat == seat_results.c.seat
    )
    statement = (
        select(*group_columns, *keys, *measures)
        .join_from(hand_results, seat_results, hand_columns.position == seat_results.c.position)
        .join(hand_statistics, hand_statistics.c.position == hand_columns.position)
        .outerjoin(seat_statistics, seat_line)
        .where(selection.conditions.with_seats)
        .group_by(*group_columns, *keys)
    )
    return statement if seat_condition is None else statement.where(seat_condition)


def count_left_out(selection: HandSelection, seat_condition: ColumnElement[bool] | None) -> tuple[dict[str, int], int]:
    """Return how many matching hands aren't counted, by reason, and how many have an unknown showdown."""
    columns = hand_statistics.c
    statement = (
        select(columns.gap, columns.showdown_unknown, func.count(hand_results.c.position.distinct()))
        .join_from(hand_results, seat_results, hand_results.c.position == seat_results.c.position)
        .join(hand_statistics, columns.position == hand_results.c.position)
        .where(selection.conditions.with_seats, (columns.gap != "") | (columns.showdown_unknown == 1))
        .group_by(columns.gap, columns.showdown_unknown)
    )
    statement = statement if seat_condition is None else statement.where(seat_condition)
    left_out: Counter[str] = Counter()
    unknown_showdowns = 0
    for sign, (gap, showdown_unknown, hands) in _iter_rows(selection, statement):
        if gap:
            left_out[gap] += sign * int(hands)
        elif showdown_unknown:
            unknown_showdowns += sign * int(hands)
    return dict(sorted((gap, hands) for gap, hands in left_out.items() if hands)), unknown_showdowns


def _iter_rows(selection: HandSelection, statement: Select[Any]) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the rows with their sign: -1 for accounts that another account of the same hand superseded."""
    yield from ((1, row) for row in selection.fetch_rows(statement))
    positions = iter(sorted(selection.find_superseded_positions()))
    while chunk := list(islice(positions, _POSITIONS_IN_QUERY)):
        yield from ((-1, row) for row in selection.fetch_rows(statement.where(hand_results.c.position.in_(chunk))))


def _add_measures(statistics_sum: StatisticsSum, sign: int, measures: Sequence[Any]) -> None:
    scale, big_blind, gap, hands, net, showdown_unknown, *counts = measures
    hands, net = sign * int(hands), sign * int(net)
    statistics_sum.hands += hands
    statistics_sum.exponent = max(statistics_sum.exponent, len(str(scale)) - 1)
    is_net_known = gap not in NET_UNKNOWN
    if is_net_known:
        statistics_sum.net += Fraction(net, scale)
    if is_net_known and big_blind:
        statistics_sum.big_blinds += Fraction(net, big_blind)
        statistics_sum.hands_with_blind += hands
    if gap:
        statistics_sum.left_out[gap] += hands
    statistics_sum.showdown_unknown += sign * int(showdown_unknown)
    for name, count in zip(COUNTED, counts, strict=True):
        statistics_sum.counts[name] += sign * int(count)
