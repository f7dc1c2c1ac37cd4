"""The original bytes in a lake: a piece of a source is found without reading the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from ledger.errors import IntegrityError
from ledger.lake import layout
from ledger.store.log.stored_sources import BLOCK_BYTES

BLOCKS: Final = 16
"""Blocks of a row group: what is read to show one."""


class _Kept(NamedTuple):
    name: str
    sha256: str
    file: int  # which one
    row: int  # of its first block, there


class Sources:
    """The sources of a lake; of one that was written without them nothing is known."""

    def __init__(self, lake: Path) -> None:
        """Take the folder."""
        self._paths = [lake / one.name for one in layout.manifest(lake).all_sources]

    @cached_property
    def _files(self) -> list[Any]:
        with _named_damage():
            return [layout.open_parquet(path) for path in self._paths]

    @cached_property
    def _known(self) -> dict[str, _Kept]:
        known: dict[str, _Kept] = {}
        for number, path in enumerate(self._paths):
            batches = layout.batches(path, 10_000, ["digest", "sha256", "name"])
            rows = chain.from_iterable(
                zip(*(one.to_pylist() for one in batch.columns), strict=True) for batch in batches
            )
            for row, (digest, sha256, name) in enumerate(rows):
                known.setdefault(digest, _Kept(name, sha256, number, row))
        return known

    @property
    def sha256(self) -> dict[str, str]:
        """What the bytes of each source hash to, hex, by what the log names it; "" = unknown."""
        return {digest: one.sha256 for digest, one in self._known.items()}

    def lacking(self, shards: Iterable[Path]) -> list[str]:
        """Return what the log names the sources that hands were read from, and whose bytes aren't here."""
        named: set[str] = set()
        for shard in shards:
            for column in layout.columns(shard, "source"):
                named.update(one for one in column.to_pylist() if one)
        return sorted(named - self._known.keys())

    def piece(self, digest: str, start: int, length: int) -> bytes:
        """Return bytes of a source; fewer where it ends before, none if it is not kept."""
        first = start - start % BLOCK_BYTES
        blocks = [self._block(digest, at) for at in range(first, start + length, BLOCK_BYTES)]
        return b"".join(blocks)[start - first : start - first + length]

    def where(self, digest: str, offset: int) -> tuple[str, int] | None:
        """Return the name of a source's file, raw, and the line in which a byte stands; None if it is not kept."""
        known = self._known.get(digest)
        if known is None:
            return None
        lines = sum(self._block(digest, at)[: offset - at].count(b"\n") for at in range(0, offset, BLOCK_BYTES))
        return known.name, 1 + lines

    def _block(self, digest: str, start: int) -> bytes:
        known = self._known.get(digest)
        if known is None:
            return b""
        file, row = self._files[known.file], known.row + start // BLOCK_BYTES
        if row // BLOCKS >= file.num_row_groups:
            return b""
        with _named_damage():
            group = file.read_row_group(row // BLOCKS, columns=["digest", "data"], use_threads=False)
        at = row % BLOCKS
        same = at < group.num_rows and group.column(0)[at].as_py() == digest
        return bytes(group.column(1)[at].as_py()) if same else b""


@contextmanager
def _named_damage() -> Iterator[None]:
    """Raise `IntegrityError` where a file of sources can't be read."""
    try:
        yield
    except (OSError, ValueError, KeyError) as error:  # pyarrow's own errors are of these
        raise IntegrityError(f"the sources of the lake can't be read: {error}", layout.AGAIN) from None
