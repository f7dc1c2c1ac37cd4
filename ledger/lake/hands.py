"""Read single hands of a lake: find them by number or id, and open them in a temporary ledger."""

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
from ledger.lake import lake_errors, layout
from ledger.lake.arrow import ArrowBatch, Column
from ledger.lake.lake_proof import SignedLog, require_intact
from ledger.lake.layout import FileReceipt
from ledger.lake.shard_reader import LakePart, PartBuilder, read_rulebooks
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.log_reader import is_storable

_BATCH_ROWS: Final = 10_000
_MOST_MATCHES: Final = 20
"""Matches to read for an ambiguous beginning of a number or id."""
_TABLE_COLUMNS: Final = ["venue", "tournament", "name"]


@contextmanager
def open_hands(
    lake_folder: Path, signed_log: SignedLog, addresses: Sequence[str], *, tables: bool = False
) -> Iterator[LakePart]:
    """Open a temporary ledger with all accounts of the numbers or ids in `addresses`, or of those that begin so.

    It contains the streams of tables that used a number twice, and always the house's. `tables`: include the complete
    tables. If no hand matches, it has no hands. Raises `IntegrityError` if a file is damaged.
    """
    storable_names = {address for address in addresses if address and is_storable(address)}
    numbers_by_shard = _find_numbers(lake_folder, signed_log.shards, storable_names, exactly=True) or _find_numbers(
        lake_folder, signed_log.shards, storable_names, exactly=False
    )
    with PartBuilder(
        list(layout.read_rows(require_intact(lake_folder, signed_log.house))) if signed_log.house else [],
        read_rulebooks(lake_folder),
    ) as builder:
        builder.ledger.id = signed_log.ledger
        for shard_name, numbers in numbers_by_shard.items():
            try:
                for table_key, rows in groupby(
                    _read_account_rows(lake_folder / shard_name, numbers, with_tables=tables), key=_read_table_key
                ):
                    builder.add_table(table_key, rows)
            except (TypeError, ValueError, OverflowError, AttributeError) as error:
                raise lake_errors.commit_damaged(shard_name, str(error)) from None
        yield builder.finish_part()


def find_logs_with_hands(lake_folder: Path, signed_log: SignedLog, addresses: Sequence[str]) -> list[SignedLog]:
    """Return the logs that may have the hands: the lake's log, or each shard with a log of its own.

    Two logs may use the same positions, so their hands can't be opened together.
    """
    if signed_log.house is not None:
        return [signed_log]
    storable_names = {address for address in addresses if address and is_storable(address)}
    numbers_by_shard = _find_numbers(lake_folder, signed_log.shards, storable_names, exactly=True) or _find_numbers(
        lake_folder, signed_log.shards, storable_names, exactly=False
    )
    return [signed_log._replace(shards=[receipt]) for receipt in signed_log.shards if receipt.name in numbers_by_shard]


def _read_table_key(shard_row: Row) -> TableKey:
    return TableKey(*shard_row[:3])


def _find_numbers(
    lake_folder: Path, shards: Sequence[FileReceipt], storable_names: set[str], *, exactly: bool
) -> dict[str, dict[TableKey, set[str]]]:
    """Return the matching hand numbers by shard and table. Of beginnings, return only the first few."""
    numbers_by_shard: dict[str, dict[TableKey, set[str]]] = {}
    match_count = 0
    for receipt in shards if storable_names else ():
        shard_path = require_intact(lake_folder, receipt)
        for batch in layout.read_batches(shard_path, _BATCH_ROWS, [*_TABLE_COLUMNS, "number", "stream"]):
            matching_rows = batch.filter(
                _mask_exact_matches(batch, storable_names) if exactly else _mask_beginnings(batch, storable_names)
            )
            for *table_columns, number, _ in zip(
                *(column.to_pylist() for column in matching_rows.columns), strict=True
            ):
                numbers_by_shard.setdefault(receipt.name, {}).setdefault(TableKey(*table_columns), set()).add(number)
                match_count += 1
                if not exactly and match_count == _MOST_MATCHES:
                    return numbers_by_shard
    return numbers_by_shard


def _mask_exact_matches(batch: ArrowBatch, storable_names: set[str]) -> Column:
    pyarrow, _ = layout.import_arrow()
    row_mask: Column = _import_arrow_compute().is_in(
        batch.column(3), value_set=pyarrow.array(sorted(storable_names), pyarrow.string())
    )
    return row_mask


def _mask_beginnings(batch: ArrowBatch, storable_names: set[str]) -> Column:
    """Return a mask of hands whose number, or whose stream's id in hex, begins with one of these."""
    compute = _import_arrow_compute()
    row_masks: list[Column] = []
    for storable_name in sorted(storable_names):
        row_masks.append(compute.starts_with(batch.column(3), storable_name))
        if 4 <= len(storable_name) <= 32 and not set(storable_name) - set("0123456789abcdef"):
            lowest_id, highest_id = (bytes.fromhex(storable_name.ljust(32, last_digit)) for last_digit in "0f")
            stream_column = batch.column(4)
            has_stream_in_range = compute.and_(
                compute.greater_equal(stream_column, lowest_id), compute.less_equal(stream_column, highest_id)
            )
            row_masks.append(compute.and_(has_stream_in_range, compute.is_valid(batch.column(3))))
    return reduce(compute.or_kleene, row_masks)


def _read_account_rows(shard_path: Path, numbers: dict[TableKey, set[str]], *, with_tables: bool) -> Iterator[Row]:
    """Yield the rows of all accounts of these numbers, and the streams of their tables if needed."""
    chosen_tables = set(numbers) if with_tables else _find_tables_with_repeats(shard_path, numbers)
    chosen_streams: set[bytes] = set()
    row_numbers = array("q")
    for row_number, (*table_columns, number, kind_code, stream) in _iter_numbered_rows(
        shard_path, numbers, "kind", "stream"
    ):
        table_key = TableKey(*table_columns)
        if kind_code == _TABLE_KIND:
            if table_key in chosen_tables:
                row_numbers.append(row_number)
        elif table_key in numbers and (with_tables or stream in chosen_streams or number in numbers[table_key]):
            chosen_streams.add(stream)
            row_numbers.append(row_number)
    return layout.read_rows_at(shard_path, row_numbers)


def _find_tables_with_repeats(shard_path: Path, numbers: dict[TableKey, set[str]]) -> set[TableKey]:
    """Return the tables at which one of these numbers has several accounts."""
    account_counts = Counter(
        (TableKey(*table_key), number)
        for _, (*table_key, number) in _iter_numbered_rows(shard_path, numbers)
        if number is not None
    )
    return {
        table_key
        for (table_key, number), account_count in account_counts.items()
        if account_count > 1 and number in numbers.get(table_key, ())
    }


def _iter_numbered_rows(
    shard_path: Path, numbers: dict[TableKey, set[str]], *further_columns: str
) -> Iterator[tuple[int, Row]]:
    """Yield the rows of tables with these names, each with its index: place, number, and the further columns."""
    pyarrow, _ = layout.import_arrow()
    compute = _import_arrow_compute()
    table_names = pyarrow.array({table_key.table for table_key in numbers}, pyarrow.string())
    rows_before = 0
    for batch in layout.read_batches(shard_path, _BATCH_ROWS, [*_TABLE_COLUMNS, "number", *further_columns]):
        row_mask = compute.is_in(batch.column(2), value_set=table_names)
        row_indexes = compute.indices_nonzero(row_mask).to_pylist()
        rows = zip(*(column.to_pylist() for column in batch.filter(row_mask).columns), strict=True)
        yield from ((rows_before + row_index, row) for row_index, row in zip(row_indexes, rows, strict=True))
        rows_before += batch.num_rows


_TABLE_KIND: Final = KIND_CODES["table"]


def _import_arrow_compute() -> ModuleType:
    return import_module("pyarrow.compute")
