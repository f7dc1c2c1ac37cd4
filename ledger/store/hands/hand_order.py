"""Hands listed in the order in which they were played: each table in its own order, the tables by time.

Tables whose hands all tell when they began are put in order by the database. Of the others the stream is
read: what it tells is what the table is walked by (`ledger.table.order`).
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
from ledger.store.hands.hand_accounts import Place
from ledger.store.hands.table_streams import told
from ledger.store.log import log_reader
from ledger.table.events import HandPlayed
from ledger.table.numbers import number_key
from ledger.table.order import in_order as arranged

if TYPE_CHECKING:
    from ledger.store.log.event_log import Log
    from ledger.store.log.log_reader import Condition

_LAST: Final = 1 << 62
"""The time of hands of which nothing tells any: behind all others, in the order in which they came."""


_NONE: Final = array("q", [-_LAST])
_TIMES: Final = frozenset(("since", "until"))
_NAMED: Final = 10_000
"""Hands that are named in one question at most; of more, all are read and the others left out."""
_TIES: Final = 200
"""So many more are read than are asked for: hands of the moment of the last one go by their numbers."""


class _Placed(NamedTuple):
    time: int
    table: tuple[str, ...]
    rank: int
    account: int
    position: int


def of_hands(ledger: Log, positions: Collection[int], *, newest_first: bool) -> Iterator[HandRow]:
    """Yield the accounts that the index has at these positions, in the order in which they were played."""
    wanted = dict.fromkeys(("venue", "tournament", "table", "since", "until"))
    among = frozenset(positions)
    few = [log_reader.among("h.position", sorted(among))] if len(among) <= _NAMED else []
    timed = partial(_timed, ledger, few, newest_first=newest_first, limit=None, joined=False)
    untimed = _untimed(ledger, wanted) if among else {}
    own = [one for number, place in untimed.items() for one in _of(ledger, few, number, place)]
    rows = _merged(ledger, timed(list(untimed)), own, newest_first=newest_first, among=among)
    return rows if untimed else _one_moment_by_number(rows, newest_first=newest_first)


def in_order(
    ledger: Log, wanted: log_reader.Wanted, known: Callable[[str], int | None], *, newest_first: bool, limit: int | None
) -> Iterator[HandRow]:
    """Yield the accounts of hands that fit. Those without a time are within any bounds of time."""
    if not all(log_reader.keepable(value) for value in wanted.values() if isinstance(value, str)):
        return  # nothing in a database can be called so
    timed = partial(
        _timed,
        ledger,
        log_reader.conditions(wanted, known),
        newest_first=newest_first,
        limit=limit,
        joined=any(value is not None for name, value in wanted.items() if name not in _TIMES),
    )
    bounded = wanted["since"] is not None or wanted["until"] is not None
    times, positions = timed([])
    untimed = _untimed(ledger, wanted) if bounded or times[:1] == _NONE else {}
    if not untimed:
        rows = log_reader.rows_at(ledger.database, positions)
        yield from islice(_one_moment_by_number(rows, newest_first=newest_first), limit)
        return
    times, positions = timed(list(untimed))
    fit = log_reader.conditions({**wanted, "since": None, "until": None}, known)
    own = [one for number, place in untimed.items() for one in _of(ledger, fit, number, place)]
    yield from islice(_merged(ledger, (times, positions), own, newest_first=newest_first), limit)


def _merged(
    ledger: Log,
    timed: tuple[array[int], array[int]],
    own: list[_Placed],
    *,
    newest_first: bool,
    among: Collection[int] | None = None,
) -> Iterator[HandRow]:
    """Yield hands that tell when they began and those of tables that go by their own order, by their times."""
    own.sort(reverse=newest_first)
    both = merge(
        zip(*timed, strict=True),
        ((one.time, one.position) for one in own),
        key=lambda one: one[0],
        reverse=newest_first,
    )
    positions = (position for _, position in both if among is None or position in among)
    return log_reader.rows_at(ledger.database, positions)


def _untimed(ledger: Log, wanted: log_reader.Wanted) -> dict[int, tuple[str, str, str]]:
    """Return the tables at which a hand was played that tells no time."""
    named = {name: wanted[name] for name in ("venue", "tournament", "table")}
    where, values = log_reader.both(log_reader.conditions(named, _nothing))
    with ledger.database.reading() as link:
        rows = link.execute(
            "SELECT p.id, p.venue, p.tournament, p.name FROM places AS p "
            f"WHERE p.id IN (SELECT DISTINCT place FROM hands WHERE started IS NULL) AND {where}",
            values,
        )
        return {number: (venue, tournament, name) for number, venue, tournament, name in rows}


def _nothing(_: str) -> None:
    """Know no source."""


def _timed(
    ledger: Log, fit: list[Condition], without: list[int], *, newest_first: bool, limit: int | None, joined: bool
) -> tuple[array[int], array[int]]:
    """Return when each hand began and where it stands in the log, in order; not those of some tables.

    Hands that tell no time come first (`_NONE`): so one question shows whether there are any.
    """
    apart, numbers = log_reader.among("h.place", without)
    where, values = log_reader.both([*fit, (f"NOT ({apart})", numbers)])
    turn = "DESC" if newest_first else "ASC"
    statement = (
        f"SELECT h.started, h.position FROM hands AS h {log_reader.JOINED if joined else ''} WHERE {where} "
        f"ORDER BY h.started {turn} NULLS FIRST, h.position {turn} {f'LIMIT {limit + _TIES}' if limit else ''}"
    )
    times, positions = array("q"), array("q")
    with ledger.database.reading() as link:
        for time, position in link.execute(statement, values):
            times.append(_NONE[0] if time is None else time)
            positions.append(position)
    return times, positions


def _one_moment_by_number(rows: Iterator[HandRow], *, newest_first: bool) -> Iterator[HandRow]:
    """Put hands of the same moment, which come in the order of the log, into that of table and number."""
    for _, some in groupby(rows, key=lambda row: row.started):
        found = list(some)
        if len(found) > 1:
            found.sort(key=_by_number, reverse=newest_first)
        yield from found


def _by_number(row: HandRow) -> tuple[object, ...]:
    return row.venue, row.tournament, row.table, number_key(row.number), row.account


def _of(ledger: Log, fit: list[Condition], number: int, place: tuple[str, str, str]) -> list[_Placed]:
    """Return the accounts of one table's hands, each with its place in the table's own order."""
    ranks: dict[str, int] = {}
    times: list[int] = []
    time = first = -_LAST
    for one in arranged(told(ledger, Place(*place))):
        event = one.event
        if isinstance(event, HandPlayed):
            own = event.started if event.started is not None else event.clock
            time = time if own is None else max(time, own)
            first = time if first == -_LAST else first
            ranks[event.hand] = len(times)
            ranks.setdefault(f"number {event.number}", len(times))
            times.append(time)
    times = [_LAST if first == -_LAST else max(one, first) for one in times]
    where, values = log_reader.both([*fit, ("h.place = ?", (number,))])
    statement = f"SELECT h.position, h.number, h.account, l.stream FROM hands AS h {log_reader.JOINED} WHERE {where}"
    found = []
    with ledger.database.reading() as link:
        for position, name, account, stream in link.execute(statement, values):
            rank = ranks.get(bytes(stream).hex(), ranks.get(f"number {name}", len(times)))
            found.append(_Placed(times[rank] if rank < len(times) else _LAST, place, rank, account, position))
    return found
