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

import os
import tempfile
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import file_digest
from importlib import import_module
from itertools import accumulate, islice
from itertools import chain as chained
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

from ledger import chain
from ledger.errors import IntegrityError, MissingExtraError, NothingFoundError, StorageFullError, UsageError
from ledger.files.key_files import sync_folder
from ledger.lake.arrow import Batch, Column
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey

SCHEMA: Final = "handledger/lake/1"
SEVERAL: Final = "handledger/lake/2"
"""A lake of several logs, which files went straight into."""
MANIFEST: Final = "lake.json"
DRAFT: Final = ".draft-"
"""How the name of a file begins that is not whole yet."""
AGAIN: Final = (
    "Write it again: handledger shard into the same folder; import --to-shards into a new one, of the same files."
)
"""The hint of a lake of which a file is not what was written."""
_PIECE: Final = 100_000
_LOOSE: Final = 1_000
"""Rows that are Python's own before they are packed."""
HANDS: Final = 500_000
"""Hands in a shard: some minutes of one core, so that what an engine adds to each task does not show."""


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file of a lake: what its bytes hash to, what is in it. `plan` is what it was made of."""

    name: str
    sha256: str
    bytes: int
    plan: str
    rows: int
    hands: int = 0
    tables: int = 0
    first: TableKey | None = None
    last: TableKey | None = None


class Log(msgspec.Struct, frozen=True, omit_defaults=True):
    """A log of its own, in a file of a lake: where it ends, and what binds all commits up to there."""

    name: str  # of the file
    position: int
    head: str  # hash of the chain, hex
    commits: int
    root: str  # of the Merkle tree, hex
    leaves: Receipt | None = None  # the file of its commits that stand in no other


class Account(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of all bytes of all files: `read + blank + rejected + not_read == bytes`."""

    files: int
    bytes: int
    read: int
    blank: int
    rejected: int
    not_read: int


class Straight(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a lake has that files went straight into."""

    logs: list[Log]  # of the house, and of each shard
    root: str  # of the Merkle tree over the logs, the accounts and the sources, hex
    ids: str  # how ids are made, and a digest of their secret
    dealt: int  # into so many shards tables were dealt, of which some may have got none
    made_of: str  # digest of which files they were
    account: Account
    files: Receipt
    rejects: Receipt
    sources: list[Receipt]


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a lake is: of which ledger, as it stood where, and its files. `query`: only tables with hands that fit.

    Of a lake of several logs, position and commits are those of all together, head is the root over the logs.
    """

    schema: str
    ledger: str
    position: int
    head: str  # hash that binds all commits up to there, hex
    commits: int  # of the ledger up to there
    query: str
    shards: list[Receipt]
    house: Receipt
    leaves: Receipt | None = None
    sources: Receipt | None = None
    checkpoint: str = ""  # the newest signed one of the ledger, or the lake's own, as a note
    key: str = ""  # public, of who signed the lake's own
    straight: Straight | None = None  # None: it is of one log
    rulebooks: Receipt | None = None

    @property
    def all_sources(self) -> list[Receipt]:
        """The files of the original bytes."""
        return self.straight.sources if self.straight else [self.sources] if self.sources else []


def arrow() -> tuple[ModuleType, ModuleType]:
    """Return pyarrow and its Parquet; `MissingExtraError` without them.

    What pyarrow lets go of goes back to the system: its own allocator keeps some 30 MB more, and is no faster here.
    """
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    return pyarrow, parquet


COMMIT: Final = (
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
"""A commit as it stands in the log: its own bytes in `data`."""

SHARD: Final = (
    ("venue", "string"),
    ("tournament", "string"),
    ("name", "string"),
    ("number", "string"),  # this and what follows: of the first commit of a hand, as in the index of hands
    ("account", "int32"),
    ("started", "int64"),
    ("variant", "string"),
    ("betting", "string"),
    ("format", "string"),
    ("note", "string"),
    ("unread", "int8"),  # bits: lines within, before, behind the hand that nobody could read
    *COMMIT,
)
"""A commit of a table or of one of its hands."""

RULEBOOKS: Final = "rulebooks.parquet"
BOOK: Final = (("digest", "string"), ("base", "string"), ("data", "binary"))
"""A file of a rulebook, as a ledger keeps it (`ledger.store.requests.rulebook_files`)."""
LEAVES: Final = (("position", "int64"), ("leaf", "binary"))
FILES: Final = (
    ("number", "int64"),
    ("name", "string"),
    ("source", "string"),  # what the logs name it
    ("sha256", "string"),
    ("bytes", "int64"),
    ("read", "int64"),
    ("blank", "int64"),
    ("rejected", "int64"),
    ("not_read", "int64"),
    ("account", "binary"),  # all that is told of it, JSON
)
REJECTS: Final = (
    ("file", "int64"),  # its number
    ("source", "string"),
    ("line", "int64"),
    ("start", "int64"),
    ("length", "int64"),
    ("code", "string"),
    ("detail", "binary"),  # reason, hint and wrong lines, as a ledger keeps them
    ("stands", "int8"),  # 0: a later reading made it right
)
SOURCES: Final = (
    ("digest", "string"),  # what the log names it
    ("sha256", "string"),
    ("name", "string"),  # of the file, as it was imported
    ("start", "int64"),
    ("data", "binary"),
)


class Sheet:
    """A Parquet file on its way: rows go in as tuples, and it is there under its name only when all of it is."""

    def __init__(self, path: Path, columns: tuple[tuple[str, str], ...], rows: int = 10_000) -> None:
        """Take where, what the columns are, and how many rows are in memory at once, packed: they are one row group."""
        self._arrow, parquet = arrow()
        self._schema = self._arrow.schema([(name, getattr(self._arrow, kind)()) for name, kind in columns])
        self._most = rows
        self._waiting: list[Row] = []
        self._packed: list[Batch] = []
        if any("\ud800" <= char <= "\udfff" for char in str(path.parent)):  # Arrow takes paths in UTF-8 alone
            raise UsageError(f"{path.parent}: a lake lies in folders whose names are UTF-8", "Name another folder.")
        self._file = parquet.ParquetWriter(
            str(path),
            self._schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=[name for name, kind in columns if kind == "string"],
            write_statistics=[name for name, kind in columns if kind != "binary"],
        )
        self._group = 0  # rows that are packed
        self.rows = 0

    def add(self, row: Row) -> None:
        """Put a row in, its values in the order of the columns."""
        self._waiting.append(row)
        if len(self._waiting) == min(_LOOSE, self._most - self._group):
            self._pack()
            if self._group == self._most:
                self._flush()

    def _pack(self) -> None:
        """Take rows out of Python's hands: as columns they need a fraction of the memory."""
        columns = zip(*self._waiting, strict=True) if self._waiting else ([] for _ in self._schema)
        arrays = [self._arrow.array(values, field.type) for values, field in zip(columns, self._schema, strict=True)]
        self._packed.append(self._arrow.record_batch(arrays, schema=self._schema))
        self._group += len(self._waiting)
        self._waiting.clear()

    def _flush(self) -> None:
        """Write a row group: each takes memory until the file is closed, so they are not small."""
        table = self._arrow.Table.from_batches(self._packed, schema=self._schema)
        self._file.write_table(table, row_group_size=self._most)
        self.rows += self._group
        self._packed.clear()
        self._group = 0

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        self._pack()
        if self._group or not self.rows:
            self._flush()
        self._file.close()


_NAMED: Final = {
    "house.parquet": COMMIT,
    "sources.parquet": SOURCES,
    RULEBOOKS: BOOK,
    "files.parquet": FILES,
    "rejects.parquet": REJECTS,
}
_IN_FOLDER: Final = {"shards": SHARD, "sources": SOURCES}


def _columns_of(path: Path) -> tuple[tuple[str, str], ...] | None:
    """Return the columns that a file of a lake has by its name; None for what else lies in Parquet."""
    if path.name.endswith("leaves.parquet"):
        return LEAVES
    return _NAMED.get(path.name) or _IN_FOLDER.get(path.parent.name)


def open_parquet(path: Path) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Open a file; `IntegrityError` where a lake's file has lost a column, or its type."""
    file = arrow()[1].ParquetFile(str(path), pre_buffer=False)
    wanted = _columns_of(path)
    columns = {(field.name, str(field.type)) for field in file.schema_arrow}
    lost = [name for name, kind in wanted or () if (name, kind) not in columns]
    if lost:
        raise IntegrityError(f"{path} has lost columns, or their types: {', '.join(lost)}", AGAIN)
    return file


def rows(path: Path, most: int = 1_000) -> Iterator[Row]:
    """Yield the rows of a file, some in memory at once; `IntegrityError` where it is no such file."""
    for batch in batches(path, most):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def batches(path: Path, most: int, names: Sequence[str] | None = None) -> Iterator[Batch]:
    """Yield a file in pieces of so many rows, or some columns of it; `IntegrityError` where it is no such file.

    Neither threads nor reading ahead: each has memory of its own, and processes are what makes use of further cores.
    """
    try:
        file = open_parquet(path)
        for batch in file.iter_batches(most, columns=names, use_threads=False):
            yield batch.select(names) if names else batch
    except (OSError, ValueError, KeyError) as error:  # pyarrow's own errors are of these
        raise IntegrityError(f"{path} cannot be read: {error}") from None


def rows_at(path: Path, wanted: Sequence[int], most: int = 1_000) -> Iterator[Row]:
    """Yield some rows of a file by their numbers, 0 = the first, which ascend; only the groups that have one are read."""
    try:
        file = open_parquet(path)
        sizes = [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)]
        starts = list(accumulate(sizes, initial=0))
        groups = sorted({bisect_right(starts, at) - 1 for at in wanted})
        there = chained.from_iterable(range(starts[at], starts[at + 1]) for at in groups)
        left = iter(wanted)
        next_ = next(left, None)
        for batch in file.iter_batches(most, row_groups=groups, use_threads=False):
            here = []
            for at, number in enumerate(islice(there, batch.num_rows)):
                if number == next_:
                    here.append(at)
                    next_ = next(left, None)
            if here:
                yield from zip(*(column.to_pylist() for column in batch.take(here).columns), strict=True)
    except (OSError, ValueError, IndexError) as error:  # pyarrow's own errors are of these
        raise IntegrityError(f"{path} cannot be read: {error}") from None


def leaf(commit: Row) -> bytes:
    """Return the Merkle leaf of a commit as its row tells it, in the order of `COMMIT`."""
    position, count, kind, stream, version, at, clock, by, source, start, length, key, marks, _, data = commit
    head = position, count, kind, stream, version, at, clock.encode(), by.encode(), (key or "").encode()
    digest = bytes.fromhex(source) if source else b""
    return chain.leaf(chain.entry(*head, digest, start or 0, length or 0, marks, data))


def plain(name: str) -> str:
    """Return the name of a file as a column of texts holds it: what is no UTF-8 in it is a question mark."""
    return name.encode("utf-8", "replace").decode()


def columns(path: Path, name: str) -> Iterator[Column]:
    """Yield one column of a file, piece by piece, as pyarrow has it."""
    for batch in batches(path, _PIECE, [name]):
        yield batch.column(0)


def ordered(found: Column) -> Iterator[int]:
    """Yield where the numbers of an array stand, from the lowest to the highest; eight bytes of each are in memory."""
    order = import_module("pyarrow.compute").sort_indices(found)
    for at in range(0, len(order), _PIECE):
        yield from order.slice(at, _PIECE).to_pylist()


def ascending(found: Column) -> Iterator[int]:
    """Yield numbers in their order."""
    order = import_module("pyarrow.compute").sort_indices(found)
    for at in range(0, len(order), _PIECE):
        yield from found.take(order.slice(at, _PIECE)).to_pylist()


@contextmanager
def draft_in(folder: Path) -> Iterator[Path]:
    """Lend the path of a file that is gone when the block ends, unless it was `placed`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=DRAFT)
    except OSError as error:
        raise _unwritten(folder, error) from error
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def placed(draft: Path, path: Path) -> None:
    """Give a whole draft its name, durably."""
    try:
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.chmod(0o644)
        draft.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise _unwritten(path, error) from error


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """Lend the path of a draft, which takes the place of `path` when the block ends well."""
    with draft_in(path.parent) as draft:
        yield draft
        placed(draft, path)


def _unwritten(path: Path, error: OSError) -> StorageFullError:
    return StorageFullError(f"{path} cannot be written: {error.strerror or error}")


def damaged(path: Path) -> IntegrityError:
    """Return the error of a file that is not what was written."""
    return IntegrityError(f"{path.name} is not the file that was written", AGAIN)


def write(path: Path, data: bytes) -> None:
    """Write a small file, whole or not at all."""
    with drafted(path) as draft:
        draft.write_bytes(data)


def sha256_of(path: Path) -> str:
    """Return what the bytes of a file hash to, hex."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def receipt_of(path: Path) -> Receipt | None:
    """Return the receipt of a file of a lake; None if there is none that can be read."""
    try:
        return msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Receipt)
    except (OSError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def damage(folder: Path, receipt: Receipt) -> str:
    """Return what is wrong with a file of a lake, in words; "" if it is what was written."""
    path = folder / receipt.name
    try:
        if path.stat().st_size != receipt.bytes:
            return f"it has {path.stat().st_size:,} bytes, not {receipt.bytes:,}"
        return "" if sha256_of(path) == receipt.sha256 else "its bytes are not those that were written"
    except OSError as error:
        return (error.strerror or str(error)).lower()


def is_lake(folder: Path) -> bool:
    """Whether a folder holds a lake."""
    return (folder / MANIFEST).is_file()


def manifest(folder: Path) -> Manifest:
    """Return what a lake says of itself; `NothingFoundError` where there is none."""
    try:
        data = (folder / MANIFEST).read_bytes()
    except OSError:
        raise NothingFoundError(f"there is no lake in {folder}", "handledger shard -o FOLDER makes one.") from None
    try:
        found = msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise IntegrityError(f"{folder / MANIFEST} is no manifest of a lake: {error}") from None
    if found.schema not in (SCHEMA, SEVERAL):
        raise IntegrityError(
            f"{folder} is a lake of another kind: {found.schema[:80]!r}", "Install a newer handledger."
        )
    straight = found.straight
    if (found.schema == SEVERAL) != (straight is not None) or (straight is None) != (found.leaves is not None):
        raise IntegrityError(f"{folder / MANIFEST} lacks what a lake of its kind has")
    if straight is not None and [one.name for one in straight.logs] != [
        one.name for one in (found.house, *found.shards)
    ]:
        raise IntegrityError(f"{folder / MANIFEST} names other logs than files")
    return found
