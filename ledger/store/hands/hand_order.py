"""List hands in the order of play: each table in its own order, tables by time.

The database sorts tables whose hands all have a start time. For the others, the table's stream is read:
it has the order of play (`ledger.table.order`).
"""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator
from functools import partial
from heapq import merge
from itertools import groupby, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.commits import HandRow
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.store.log import log_reader
from ledger.table.events import HandPlayed
from ledger.table.numbers import number_key
from ledger.table.order import put_in_order as arranged

if TYPE_CHECKING:
    from ledger.store.log.event_log import EventLog
    from ledger.store.log.log_reader import Condition

_LAST_TIME: Final = 1 << 62
"""The time of hands without any: after all others, in the order of import."""


_NO_TIME: Final = array("q", [-_LAST_TIME])
_TIME_FILTERS: Final = frozenset(("since", "until"))
_MAX_NAMED_HANDS: Final = 10_000
"""Hands named in one query at most; for more, all are read and filtered."""
_SPARE_TIES: Final = 200
"""Extra hands to read beyond a limit: hands of the last one's moment are sorted by number."""


class _OrderedHand(NamedTuple):
    time: int
    table: tuple[str, ...]
    rank: int
    account: int
    position: int


def order_hands(ledger: EventLog, positions: Collection[int], *, newest_first: bool) -> Iterator[HandRow]:
    """Yield the accounts at these positions, in the order of play."""
    empty_filter = dict.fromkeys(("venue", "tournament", "table", "since", "until"))
    wanted_positions = frozenset(positions)
    filter_conditions = (
        [log_reader.is_one_of("h.position", sorted(wanted_positions))]
        if len(wanted_positions) <= _MAX_NAMED_HANDS
        else []
    )
    read_timed = partial(
        _read_timed_hands, ledger, filter_conditions, newest_first=newest_first, limit=None, joined=False
    )
    untimed = _find_untimed_tables(ledger, empty_filter) if wanted_positions else {}
    ordered_hands = [
        ordered_hand
        for number, place in untimed.items()
        for ordered_hand in _order_table(ledger, filter_conditions, number, place)
    ]
    rows = _merge_hands(
        ledger, read_timed(list(untimed)), ordered_hands, newest_first=newest_first, wanted_positions=wanted_positions
    )
    return rows if untimed else _sort_moments_by_number(rows, newest_first=newest_first)


def iter_hands_in_order(
    ledger: EventLog,
    hand_filter: log_reader.HandFilter,
    number_of: Callable[[str], int | None],
    *,
    newest_first: bool,
    limit: int | None,
) -> Iterator[HandRow]:
    """Yield the matching accounts, in the order of play. Hands without a time match any bounds of time."""
    if not all(log_reader.is_storable(value) for value in hand_filter.values() if isinstance(value, str)):
        return  # no database can hold such a name
    read_timed = partial(
        _read_timed_hands,
        ledger,
        log_reader.build_conditions(hand_filter, number_of),
        newest_first=newest_first,
        limit=limit,
        joined=any(value is not None for name, value in hand_filter.items() if name not in _TIME_FILTERS),
    )
    is_bounded = hand_filter["since"] is not None or hand_filter["until"] is not None
    times, positions = read_timed([])
    untimed = _find_untimed_tables(ledger, hand_filter) if is_bounded or times[:1] == _NO_TIME else {}
    if not untimed:
        rows = log_reader.read_rows_at(ledger.database, positions)
        yield from islice(_sort_moments_by_number(rows, newest_first=newest_first), limit)
        return
    times, positions = read_timed(list(untimed))
    filter_conditions = log_reader.build_conditions({**hand_filter, "since": None, "until": None}, number_of)
    ordered_hands = [
        ordered_hand
        for number, place in untimed.items()
        for ordered_hand in _order_table(ledger, filter_conditions, number, place)
    ]
    yield from islice(_merge_hands(ledger, (times, positions), ordered_hands, newest_first=newest_first), limit)


def _merge_hands(
    ledger: EventLog,
    timed: tuple[array[int], array[int]],
    ordered_hands: list[_OrderedHand],
    *,
    newest_first: bool,
    wanted_positions: Collection[int] | None = None,
) -> Iterator[HandRow]:
    """Merge hands that have a time with hands of tables in their own order, by time."""
    ordered_hands.sort(reverse=newest_first)
    merged_hands = merge(
        zip(*timed, strict=True),
        ((hand.time, hand.position) for hand in ordered_hands),
        key=lambda hand: hand[0],
        reverse=newest_first,
    )
    positions = (position for _, position in merged_hands if wanted_positions is None or position in wanted_positions)
    return log_reader.read_rows_at(ledger.database, positions)


def _find_untimed_tables(ledger: EventLog, hand_filter: log_reader.HandFilter) -> dict[int, tuple[str, str, str]]:
    """Return the tables with a hand that has no time."""
    table_filter = {name: hand_filter[name] for name in ("venue", "tournament", "table")}
    condition, values = log_reader.join_conditions(log_reader.build_conditions(table_filter, _find_no_source))
    with ledger.database.reading() as link:
        rows = link.execute(
            "SELECT p.id, p.venue, p.tournament, p.name FROM places AS p "
            f"WHERE p.id IN (SELECT DISTINCT place FROM hands WHERE started IS NULL) AND {condition}",
            values,
        )
        return {number: (venue, tournament, name) for number, venue, tournament, name in rows}


def _find_no_source(_: str) -> None:
    """Find no source."""


def _read_timed_hands(
    ledger: EventLog,
    filter_conditions: list[Condition],
    excluded_tables: list[int],
    *,
    newest_first: bool,
    limit: int | None,
    joined: bool,
) -> tuple[array[int], array[int]]:
    """Return start times and positions of hands, in order, except those of excluded tables.

    Hands without a time come first (`_NO_TIME`): so one query shows whether there are any.
    """
    excluded_condition, numbers = log_reader.is_one_of("h.place", excluded_tables)
    condition, values = log_reader.join_conditions([*filter_conditions, (f"NOT ({excluded_condition})", numbers)])
    direction = "DESC" if newest_first else "ASC"
    statement = (
        f"SELECT h.started, h.position FROM hands AS h {log_reader.HAND_JOINS if joined else ''} WHERE {condition} "
        f"ORDER BY h.started {direction} NULLS FIRST, h.position {direction} {f'LIMIT {limit + _SPARE_TIES}' if limit else ''}"
    )
    times, positions = array("q"), array("q")
    with ledger.database.reading() as link:
        for time, position in link.execute(statement, values):
            times.append(_NO_TIME[0] if time is None else time)
            positions.append(position)
    return times, positions


def _sort_moments_by_number(rows: Iterator[HandRow], *, newest_first: bool) -> Iterator[HandRow]:
    """Sort hands of the same moment by table and number; they come in the log's order."""
    for _, same_moment in groupby(rows, key=lambda row: row.started):
        moment_rows = list(same_moment)
        if len(moment_rows) > 1:
            moment_rows.sort(key=_build_sort_key, reverse=newest_first)
        yield from moment_rows


def _build_sort_key(row: HandRow) -> tuple[object, ...]:
    return row.venue, row.tournament, row.table, number_key(row.number), row.account


def _order_table(
    ledger: EventLog, filter_conditions: list[Condition], number: int, place: tuple[str, str, str]
) -> list[_OrderedHand]:
    """Return the accounts of one table's hands, each with its rank in the table's own order."""
    ranks: dict[str, int] = {}
    times: list[int] = []
    time = first_time = -_LAST_TIME
    for entry in arranged(table_entries(ledger, TableKey(*place))):
        event = entry.event
        if isinstance(event, HandPlayed):
            own_time = event.started if event.started is not None else event.clock
            time = time if own_time is None else max(time, own_time)
            first_time = time if first_time == -_LAST_TIME else first_time
            ranks[event.hand] = len(times)
            ranks.setdefault(f"number {event.number}", len(times))
            times.append(time)
    times = [_LAST_TIME if first_time == -_LAST_TIME else max(entry, first_time) for entry in times]
    condition, values = log_reader.join_conditions([*filter_conditions, ("h.place = ?", (number,))])
    statement = (
        f"SELECT h.position, h.number, h.account, l.stream FROM hands AS h {log_reader.HAND_JOINS} WHERE {condition}"
    )
    ordered_hands = []
    with ledger.database.reading() as link:
        for position, name, account, stream in link.execute(statement, values):
            rank = ranks.get(bytes(stream).hex(), ranks.get(f"number {name}", len(times)))
            ordered_hands.append(
                _OrderedHand(times[rank] if rank < len(times) else _LAST_TIME, place, rank, account, position)
            )
    return ordered_hands
