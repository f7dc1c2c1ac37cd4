"""Read the original bytes in a lake. A piece of a source is found without reading the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from ledger.lake import lake_errors, layout
from ledger.store.log.stored_sources import BLOCK_BYTES

BLOCKS_PER_GROUP: Final = 16
"""Blocks in a row group, which is read to show one of them."""


class _SourceEntry(NamedTuple):
    name: str
    sha256: str
    file_index: int  # which one
    row_index: int  # of its first block, there


class LakeSources:
    """The sources of a lake, or none if it was written without them."""

    def __init__(self, lake_folder: Path) -> None:
        """Take the folder."""
        self._file_paths = [lake_folder / receipt.name for receipt in layout.read_manifest(lake_folder).all_sources]

    @cached_property
    def _parquet_files(self) -> list[Any]:
        with _report_damage():
            return [layout.open_parquet(file_path) for file_path in self._file_paths]

    @cached_property
    def _entries(self) -> dict[str, _SourceEntry]:
        entries: dict[str, _SourceEntry] = {}
        for file_index, file_path in enumerate(self._file_paths):
            batches = layout.read_batches(file_path, 10_000, ["digest", "sha256", "name"])
            rows = chain.from_iterable(
                zip(*(column.to_pylist() for column in batch.columns), strict=True) for batch in batches
            )
            for row_index, (digest, sha256, file_name) in enumerate(rows):
                entries.setdefault(digest, _SourceEntry(file_name, sha256, file_index, row_index))
        return entries

    @property
    def sha256(self) -> dict[str, str]:
        """The SHA-256 of each source's bytes, hex, by its name in the log; "" = unknown."""
        return {digest: entry.sha256 for digest, entry in self._entries.items()}

    def find_missing_sources(self, shard_paths: Iterable[Path]) -> list[str]:
        """Return the names of sources that hands were read from and whose bytes aren't here."""
        named_digests: set[str] = set()
        for shard_path in shard_paths:
            for column in layout.read_column(shard_path, "source"):
                named_digests.update(digest for digest in column.to_pylist() if digest)
        return sorted(named_digests - self._entries.keys())

    def read_piece(self, digest: str, start: int, length: int) -> bytes:
        """Return bytes of a source; fewer if it ends earlier, none if it isn't stored."""
        first_block = start - start % BLOCK_BYTES
        blocks = [
            self._read_block(digest, block_start) for block_start in range(first_block, start + length, BLOCK_BYTES)
        ]
        return b"".join(blocks)[start - first_block : start - first_block + length]

    def find_line(self, digest: str, offset: int) -> tuple[str, int] | None:
        """Return the raw name of a source's file, and the line that contains a byte; None if it isn't stored."""
        entry = self._entries.get(digest)
        if entry is None:
            return None
        lines_before = sum(
            self._read_block(digest, block_start)[: offset - block_start].count(b"\n")
            for block_start in range(0, offset, BLOCK_BYTES)
        )
        return entry.name, 1 + lines_before

    def _read_block(self, digest: str, start: int) -> bytes:
        entry = self._entries.get(digest)
        if entry is None:
            return b""
        parquet_file, row_index = self._parquet_files[entry.file_index], entry.row_index + start // BLOCK_BYTES
        if row_index // BLOCKS_PER_GROUP >= parquet_file.num_row_groups:
            return b""
        with _report_damage():
            row_group = parquet_file.read_row_group(
                row_index // BLOCKS_PER_GROUP, columns=["digest", "data"], use_threads=False
            )
        index_in_group = row_index % BLOCKS_PER_GROUP
        is_same_source = index_in_group < row_group.num_rows and row_group.column(0)[index_in_group].as_py() == digest
        return bytes(row_group.column(1)[index_in_group].as_py()) if is_same_source else b""


@contextmanager
def _report_damage() -> Iterator[None]:
    """Raise `IntegrityError` if a file of sources can't be read."""
    try:
        yield
    except (OSError, ValueError, KeyError) as error:  # the bases of pyarrow's errors
        raise lake_errors.sources_unreadable(str(error)) from None
