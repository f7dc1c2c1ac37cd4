"""Hands of a lake by themselves: found by number or id, and lent in a ledger as long as they are looked at."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Final

from ledger.chain import KIND_CODES
from ledger.errors import IntegrityError
from ledger.lake import layout
from ledger.lake.arrow import Batch, Column
from ledger.lake.layout import Receipt
from ledger.lake.proving import Log, whole
from ledger.lake.reading import Filling, Part, rulebooks
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.log_reader import is_storable

_PIECE: Final = 10_000
_MOST: Final = 20
"""Hands whose number or id begins in the same way: more need not be told apart, the address is ambiguous."""
_PLACE: Final = ["venue", "tournament", "name"]


@contextmanager
def lent(lake: Path, log: Log, names: Sequence[str], *, tables: bool = False) -> Iterator[Part]:
    """Lend hands in a ledger of their own: all accounts of the numbers that `names` are, or else begin, as numbers or ids.

    Their tables' streams are there where a number was told twice, the house's always. `tables`: the tables are there
    whole. Nothing is there of a name that no hand of the lake has. `IntegrityError` where a file is damaged.
    """
    wanted = {name for name in names if name and is_storable(name)}
    found = _found(lake, log.shards, wanted, exactly=True) or _found(lake, log.shards, wanted, exactly=False)
    with Filling(list(layout.rows(whole(lake, log.house))) if log.house else [], rulebooks(lake)) as filling:
        filling.ledger.id = log.ledger
        for shard, numbers in found.items():
            try:
                for place, rows in groupby(_rows(lake / shard, numbers, tables=tables), key=_place):
                    filling.add(place, rows)
            except (TypeError, ValueError, OverflowError, AttributeError) as error:
                raise IntegrityError(f"{shard} holds what is no commit: {error}") from None
        yield filling.part()


def holding(lake: Path, log: Log, names: Sequence[str]) -> list[Log]:
    """Return what of a lake may have the hands that `names` mean: all of it, or each shard that is a log of its own by itself.

    Positions of two logs may be the same, so their hands cannot be lent together.
    """
    if log.house is not None:
        return [log]
    wanted = {name for name in names if name and is_storable(name)}
    found = _found(lake, log.shards, wanted, exactly=True) or _found(lake, log.shards, wanted, exactly=False)
    return [log._replace(shards=[one]) for one in log.shards if one.name in found]


def _place(row: Row) -> TableKey:
    return TableKey(*row[:3])


def _found(
    lake: Path, shards: Sequence[Receipt], names: set[str], *, exactly: bool
) -> dict[str, dict[TableKey, set[str]]]:
    """Return the numbers that are meant, by shard and table; of those that only begin so a few."""
    found: dict[str, dict[TableKey, set[str]]] = {}
    count = 0
    for receipt in shards if names else ():
        path = whole(lake, receipt)
        for batch in layout.batches(path, _PIECE, [*_PLACE, "number", "stream"]):
            fits = batch.filter(_exact(batch, names) if exactly else _beginning(batch, names))
            for *place, number, _ in zip(*(column.to_pylist() for column in fits.columns), strict=True):
                found.setdefault(receipt.name, {}).setdefault(TableKey(*place), set()).add(number)
                count += 1
                if not exactly and count == _MOST:
                    return found
    return found


def _exact(batch: Batch, names: set[str]) -> Column:
    pyarrow, _ = layout.arrow()
    fits: Column = _compute().is_in(batch.column(3), value_set=pyarrow.array(sorted(names), pyarrow.string()))
    return fits


def _beginning(batch: Batch, names: set[str]) -> Column:
    """Return which rows are of hands whose number, or whose stream's id in hex, begins with one of these."""
    compute = _compute()
    fits: list[Column] = []
    for name in sorted(names):
        fits.append(compute.starts_with(batch.column(3), name))
        if 4 <= len(name) <= 32 and not set(name) - set("0123456789abcdef"):
            low, high = (bytes.fromhex(name.ljust(32, end)) for end in "0f")
            stream = batch.column(4)
            within = compute.and_(compute.greater_equal(stream, low), compute.less_equal(stream, high))
            fits.append(compute.and_(within, compute.is_valid(batch.column(3))))
    return reduce(compute.or_kleene, fits)


def _rows(shard: Path, numbers: dict[TableKey, set[str]], *, tables: bool) -> Iterator[Row]:
    """Yield the rows of all accounts of these numbers, and of their tables' streams where those are asked for or matter."""
    streams = set(numbers) if tables else _repeated(shard, numbers)
    known: set[bytes] = set()
    wanted = array("q")
    for at, (*place_, number, kind, stream) in _at(shard, numbers, "kind", "stream"):
        place = TableKey(*place_)
        if kind == _TABLE:
            if place in streams:
                wanted.append(at)
        elif place in numbers and (tables or stream in known or number in numbers[place]):
            known.add(stream)
            wanted.append(at)
    return layout.rows_at(shard, wanted)


def _repeated(shard: Path, numbers: dict[TableKey, set[str]]) -> set[TableKey]:
    """Return the tables at which one of these numbers was told more than once."""
    count = Counter((TableKey(*place), number) for _, (*place, number) in _at(shard, numbers) if number is not None)
    return {place for (place, number), told in count.items() if told > 1 and number in numbers.get(place, ())}


def _at(shard: Path, numbers: dict[TableKey, set[str]], *more: str) -> Iterator[tuple[int, Row]]:
    """Yield the rows of tables that are called so, with which row it is: place, number, and what else is asked for."""
    pyarrow, _ = layout.arrow()
    compute = _compute()
    names = pyarrow.array({place.table for place in numbers}, pyarrow.string())
    before = 0
    for batch in layout.batches(shard, _PIECE, [*_PLACE, "number", *more]):
        fits = compute.is_in(batch.column(2), value_set=names)
        where = compute.indices_nonzero(fits).to_pylist()
        rows = zip(*(column.to_pylist() for column in batch.filter(fits).columns), strict=True)
        yield from ((before + at, row) for at, row in zip(where, rows, strict=True))
        before += batch.num_rows


_TABLE: Final = KIND_CODES["table"]


def _compute() -> ModuleType:
    return import_module("pyarrow.compute")
