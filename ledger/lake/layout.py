"""How a lake lies in its folder: what a shard's rows are, the receipts, the manifest; files are made whole or not at all.

lake.json            the manifest, written last
shards/00001.parquet whole tables, a row for each commit of a table's stream and of its hands
shards/00001.json    its receipt
house.parquet        the house's own stream
rulebooks.parquet    the files of the rulebooks that the house made and adopted, where there are any
leaves.parquet       of all other commits of the ledger the leaf of the Merkle tree
sources.parquet      the original bytes, in blocks

Files that went straight into shards never were in one ledger: each shard is a log of its own there, and

shards/00001.leaves.parquet  of commits that are of no hand and no table of a hand the leaf, where there are any
sources/00001.parquet        the original bytes of some files
files.parquet                what became of each file, and of its bytes
rejects.parquet              what could not be read of them
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import accumulate, islice
from itertools import chain as chained
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

from ledger import chain
from ledger.decoders import decode_json
from ledger.errors import MissingExtraError
from ledger.lake import lake_errors
from ledger.lake.arrow import ArrowBatch, Column
from ledger.lake.atomic_files import hash_file
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey

ONE_LOG_SCHEMA: Final = "handledger/lake/1"
SEVERAL_LOGS_SCHEMA: Final = "handledger/lake/2"
"""The kind of a lake of several logs, which files were imported straight into."""
MANIFEST_FILE: Final = "lake.json"
_BATCH_ROWS: Final = 100_000
_UNPACKED_ROWS: Final = 1_000
"""Rows that are Python objects before they are packed."""
HANDS_PER_SHARD: Final = 500_000
"""Hands in a shard: a few minutes on one core, so the overhead of a task doesn't matter."""


class FileReceipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of a lake: its hash and its content. `plan` is the digest of what it was made from."""

    name: str
    sha256: str
    bytes: int
    plan: str
    rows: int
    hands: int = 0
    tables: int = 0
    first: TableKey | None = None
    last: TableKey | None = None


class ShardLog(msgspec.Struct, frozen=True, omit_defaults=True):
    """The log of one file of a lake: where it ends, and the hash that covers all its commits."""

    name: str  # of the file
    position: int
    head: str  # hash of the chain, hex
    commits: int
    root: str  # of the Merkle tree, hex
    leaves: FileReceipt | None = None  # the file with the leaves of its other commits


class ByteAccount(msgspec.Struct, frozen=True, omit_defaults=True):
    """The bytes of all files: `read + blank + rejected + not_read == bytes`."""

    files: int
    bytes: int
    read: int
    blank: int
    rejected: int
    not_read: int


class StraightImport(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part of a manifest for lakes that files were imported straight into."""

    logs: list[ShardLog]  # of the house, and of each shard
    root: str  # of the Merkle tree over the logs, the accounts and the sources, hex
    ids: str  # how ids are made, and a digest of their secret
    dealt: int  # number of shards that tables were divided into, some perhaps empty
    made_of: str  # digest of the list of files
    account: ByteAccount
    files: FileReceipt
    rejects: FileReceipt
    sources: list[FileReceipt]


class LakeManifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The manifest of a lake: its ledger, the end of the log, and its files.

    `query`: only tables with matching hands. In a lake of several logs, position and commits are sums, and head is the
    root over the logs.
    """

    schema: str
    ledger: str
    position: int
    head: str  # hash over all commits up to there, hex
    commits: int  # of the ledger up to there
    query: str
    shards: list[FileReceipt]
    house: FileReceipt
    leaves: FileReceipt | None = None
    sources: FileReceipt | None = None
    checkpoint: str = ""  # the newest signed one of the ledger, or the lake's own, as a note
    key: str = ""  # public key of the lake's own signature
    straight: StraightImport | None = None  # None: it has one log
    rulebooks: FileReceipt | None = None

    @property
    def all_sources(self) -> list[FileReceipt]:
        """The files of the original bytes."""
        return self.straight.sources if self.straight else [self.sources] if self.sources else []


def import_arrow() -> tuple[ModuleType, ModuleType]:
    """Import pyarrow and its Parquet; `MissingExtraError` without them.

    pyarrow uses the system's allocator here: its own keeps 30 MB more, and isn't faster.
    """
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    return pyarrow, parquet


COMMIT_COLUMNS: Final = (
    ("position", "int64"),
    ("count", "int32"),
    ("kind", "int8"),
    ("stream", "binary"),
    ("version", "int64"),
    ("at", "int64"),
    ("clock", "string"),
    ("by", "string"),
    ("source", "string"),
    ("start", "int64"),
    ("length", "int64"),
    ("key", "string"),
    ("marks", "binary"),
    ("hash", "binary"),
    ("data", "binary"),
)
"""The columns of a commit, with its bytes in `data`."""

SHARD_COLUMNS: Final = (
    ("venue", "string"),
    ("tournament", "string"),
    ("name", "string"),
    ("number", "string"),  # from here: of the first commit of a hand, as in the index of hands
    ("account", "int32"),
    ("started", "int64"),
    ("variant", "string"),
    ("betting", "string"),
    ("format", "string"),
    ("note", "string"),
    ("unread", "int8"),  # bits: unread lines within, before, after the hand
    *COMMIT_COLUMNS,
)
"""The columns of a commit of a table or of one of its hands."""

RULEBOOKS_FILE: Final = "rulebooks.parquet"
RULEBOOK_COLUMNS: Final = (("digest", "string"), ("base", "string"), ("data", "binary"))
"""The columns of a rulebook file, as a ledger has it (`ledger.store.requests.rulebook_files`)."""
LEAF_COLUMNS: Final = (("position", "int64"), ("leaf", "binary"))
FILE_COLUMNS: Final = (
    ("number", "int64"),
    ("name", "string"),
    ("source", "string"),  # its name in the logs
    ("sha256", "string"),
    ("bytes", "int64"),
    ("read", "int64"),
    ("blank", "int64"),
    ("rejected", "int64"),
    ("not_read", "int64"),
    ("account", "binary"),  # its summary, JSON
)
REJECT_COLUMNS: Final = (
    ("file", "int64"),  # its number
    ("source", "string"),
    ("line", "int64"),
    ("start", "int64"),
    ("length", "int64"),
    ("code", "string"),
    ("detail", "binary"),  # reason, hint and wrong lines, as a ledger stores them
    ("stands", "int8"),  # 0: a later import read it
)
SOURCE_COLUMNS: Final = (
    ("digest", "string"),  # its name in the log
    ("sha256", "string"),
    ("name", "string"),  # of the file, as it was imported
    ("start", "int64"),
    ("data", "binary"),
)


class ParquetSheet:
    """A Parquet file that is being written. Rows are tuples, and the file only appears once it is complete."""

    def __init__(self, file_path: Path, columns: tuple[tuple[str, str], ...], rows_per_group: int = 10_000) -> None:
        """Take the path, the columns, and the number of packed rows in memory, which form a row group."""
        self._arrow, parquet = import_arrow()
        self._schema = self._arrow.schema(
            [(column_name, getattr(self._arrow, column_type)()) for column_name, column_type in columns]
        )
        self._rows_per_group = rows_per_group
        self._waiting_rows: list[Row] = []
        self._packed_batches: list[ArrowBatch] = []
        if any(
            "\ud800" <= character <= "\udfff" for character in str(file_path.parent)
        ):  # Arrow only takes paths in UTF-8
            raise lake_errors.folder_not_utf8(file_path.parent)
        self._parquet_writer = parquet.ParquetWriter(
            str(file_path),
            self._schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=[column_name for column_name, column_type in columns if column_type == "string"],
            write_statistics=[column_name for column_name, column_type in columns if column_type != "binary"],
        )
        self._packed_rows = 0  # rows that are packed
        self.rows = 0

    def add_row(self, row: Row) -> None:
        """Add a row, with its values in the order of the columns."""
        self._waiting_rows.append(row)
        if len(self._waiting_rows) == min(_UNPACKED_ROWS, self._rows_per_group - self._packed_rows):
            self._pack_rows()
            if self._packed_rows == self._rows_per_group:
                self._write_group()

    def _pack_rows(self) -> None:
        """Turn the Python rows into columns, which take a fraction of the memory."""
        column_values = zip(*self._waiting_rows, strict=True) if self._waiting_rows else ([] for _ in self._schema)
        arrays = [
            self._arrow.array(values, field.type) for values, field in zip(column_values, self._schema, strict=True)
        ]
        self._packed_batches.append(self._arrow.record_batch(arrays, schema=self._schema))
        self._packed_rows += len(self._waiting_rows)
        self._waiting_rows.clear()

    def _write_group(self) -> None:
        """Write a row group. Each takes memory until the file is closed, so groups aren't small."""
        arrow_table = self._arrow.Table.from_batches(self._packed_batches, schema=self._schema)
        self._parquet_writer.write_table(arrow_table, row_group_size=self._rows_per_group)
        self.rows += self._packed_rows
        self._packed_batches.clear()
        self._packed_rows = 0

    def close(self) -> None:
        """Write the remaining rows and the end of the file."""
        self._pack_rows()
        if self._packed_rows or not self.rows:
            self._write_group()
        self._parquet_writer.close()


_COLUMNS_BY_NAME: Final = {
    "house.parquet": COMMIT_COLUMNS,
    "sources.parquet": SOURCE_COLUMNS,
    RULEBOOKS_FILE: RULEBOOK_COLUMNS,
    "files.parquet": FILE_COLUMNS,
    "rejects.parquet": REJECT_COLUMNS,
}
_COLUMNS_BY_FOLDER: Final = {"shards": SHARD_COLUMNS, "sources": SOURCE_COLUMNS}


def _find_columns(file_path: Path) -> tuple[tuple[str, str], ...] | None:
    """Return the columns of a lake's file by its name, or None for other files."""
    if file_path.name.endswith("leaves.parquet"):
        return LEAF_COLUMNS
    return _COLUMNS_BY_NAME.get(file_path.name) or _COLUMNS_BY_FOLDER.get(file_path.parent.name)


def open_parquet(file_path: Path) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Open a file. Raise `IntegrityError` if a column of a lake's file is missing or has another type."""
    parquet_file = import_arrow()[1].ParquetFile(str(file_path), pre_buffer=False)
    expected_columns = _find_columns(file_path)
    present_columns = {(field.name, str(field.type)) for field in parquet_file.schema_arrow}
    lost_columns = [
        column_name
        for column_name, column_type in expected_columns or ()
        if (column_name, column_type) not in present_columns
    ]
    if lost_columns:
        raise lake_errors.columns_lost(file_path, lost_columns)
    return parquet_file


def read_rows(file_path: Path, batch_size: int = 1_000) -> Iterator[Row]:
    """Yield the rows of a file, some in memory at a time. Raise `IntegrityError` if it can't be read."""
    for batch in read_batches(file_path, batch_size):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def read_batches(file_path: Path, batch_size: int, column_names: Sequence[str] | None = None) -> Iterator[ArrowBatch]:
    """Yield a file in pieces of at most `batch_size` rows, or some of its columns.

    Raise `IntegrityError` if it can't be read.

    Threads and read-ahead are off: each has memory of its own, and processes use further cores.
    """
    try:
        parquet_file = open_parquet(file_path)
        for batch in parquet_file.iter_batches(batch_size, columns=column_names, use_threads=False):
            yield batch.select(column_names) if column_names else batch
    except (OSError, ValueError, KeyError) as error:  # the bases of pyarrow's errors
        raise lake_errors.file_unreadable(file_path, str(error)) from None


def read_rows_at(file_path: Path, row_numbers: Sequence[int], batch_size: int = 1_000) -> Iterator[Row]:
    """Yield the rows of a file with these ascending indexes. Only groups with such a row are read."""
    try:
        parquet_file = open_parquet(file_path)
        group_sizes = [parquet_file.metadata.row_group(index).num_rows for index in range(parquet_file.num_row_groups)]
        group_starts = list(accumulate(group_sizes, initial=0))
        group_numbers = sorted({bisect_right(group_starts, index) - 1 for index in row_numbers})
        numbers_read = chained.from_iterable(
            range(group_starts[index], group_starts[index + 1]) for index in group_numbers
        )
        numbers_left = iter(row_numbers)
        next_number = next(numbers_left, None)
        for batch in parquet_file.iter_batches(batch_size, row_groups=group_numbers, use_threads=False):
            matching_indexes = []
            for index, row_number in enumerate(islice(numbers_read, batch.num_rows)):
                if row_number == next_number:
                    matching_indexes.append(index)
                    next_number = next(numbers_left, None)
            if matching_indexes:
                yield from zip(*(column.to_pylist() for column in batch.take(matching_indexes).columns), strict=True)
    except (OSError, ValueError, IndexError) as error:  # the bases of pyarrow's errors
        raise lake_errors.file_unreadable(file_path, str(error)) from None


def hash_row_leaf(commit_row: Row) -> bytes:
    """Return the Merkle leaf of a commit from its row, in the order of `COMMIT_COLUMNS`."""
    (
        position,
        count,
        kind,
        stream,
        version,
        recorded_at,
        clock,
        writer,
        source,
        start,
        length,
        request_key,
        marks,
        _,
        data,
    ) = commit_row
    leading_fields = (
        position,
        count,
        kind,
        stream,
        version,
        recorded_at,
        clock.encode(),
        writer.encode(),
        (request_key or "").encode(),
    )
    digest = bytes.fromhex(source) if source else b""
    return chain.hash_leaf(chain.encode_entry(*leading_fields, digest, start or 0, length or 0, marks, data))


def replace_non_utf8(file_name: str) -> str:
    """Return a file's name for a column of texts, with question marks for what isn't UTF-8."""
    return file_name.encode("utf-8", "replace").decode()


def read_column(file_path: Path, column_name: str) -> Iterator[Column]:
    """Yield one column of a file, piece by piece."""
    for batch in read_batches(file_path, _BATCH_ROWS, [column_name]):
        yield batch.column(0)


def sort_indexes(numbers: Column) -> Iterator[int]:
    """Yield the indexes of an array's numbers, from the lowest number to the highest."""
    order = import_module("pyarrow.compute").sort_indices(numbers)
    for offset in range(0, len(order), _BATCH_ROWS):
        yield from order.slice(offset, _BATCH_ROWS).to_pylist()


def sort_values(numbers: Column) -> Iterator[int]:
    """Yield the numbers in ascending order."""
    order = import_module("pyarrow.compute").sort_indices(numbers)
    for offset in range(0, len(order), _BATCH_ROWS):
        yield from numbers.take(order.slice(offset, _BATCH_ROWS)).to_pylist()


def read_receipt(file_path: Path) -> FileReceipt | None:
    """Return the receipt of a lake's file, or None if there is no readable one."""
    try:
        return decode_json(file_path.with_suffix(".json").read_bytes(), FileReceipt)
    except (OSError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def describe_damage(folder: Path, receipt: FileReceipt) -> str:
    """Return the damage of a lake's file in words; "" if it is as it was written."""
    file_path = folder / receipt.name
    try:
        if file_path.stat().st_size != receipt.bytes:
            return f"it has {file_path.stat().st_size:,} bytes, not {receipt.bytes:,}"
        return "" if hash_file(file_path) == receipt.sha256 else "its bytes are not those that were written"
    except OSError as error:
        return (error.strerror or str(error)).lower()


def is_lake(folder: Path) -> bool:
    """Whether a folder contains a lake."""
    return (folder / MANIFEST_FILE).is_file()


def read_manifest(folder: Path) -> LakeManifest:
    """Return the manifest of a lake. Raise `NothingFoundError` if there is none."""
    try:
        manifest_bytes = (folder / MANIFEST_FILE).read_bytes()
    except OSError:
        raise lake_errors.no_lake(folder) from None
    try:
        lake_manifest = decode_json(manifest_bytes, LakeManifest)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise lake_errors.manifest_damaged(folder / MANIFEST_FILE, str(error)) from None
    if lake_manifest.schema not in (ONE_LOG_SCHEMA, SEVERAL_LOGS_SCHEMA):
        raise lake_errors.newer_lake(folder, lake_manifest.schema)
    straight = lake_manifest.straight
    if (lake_manifest.schema == SEVERAL_LOGS_SCHEMA) != (straight is not None) or (straight is None) != (
        lake_manifest.leaves is not None
    ):
        raise lake_errors.manifest_incomplete(folder / MANIFEST_FILE)
    if straight is not None and [entry.name for entry in straight.logs] != [
        entry.name for entry in (lake_manifest.house, *lake_manifest.shards)
    ]:
        raise lake_errors.manifest_contradictory(folder / MANIFEST_FILE)
    return lake_manifest
