"""Spool the findings and differences of an audit to the disk, in order, so that any number fits."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import BinaryIO, Final, Generic, TypeVar, overload
from weakref import finalize

import msgspec

from ledger.decoders import convert
from ledger.text.json_encoding import encode_json

Item = TypeVar("Item", bound=msgspec.Struct)

_MEMORY_BYTES: Final = 4 * 1024 * 1024
"""Bytes kept in memory; beyond, the spool goes to a nameless file."""


class DiskSpool(Sequence[Item], Generic[Item]):
    """A growing list on the disk; memory holds eight bytes for each item, its offset in the file.

    An item read back equals the one appended, but is another object each time.
    """

    def __init__(self, item_type: type[Item]) -> None:
        """Take the items' type: a struct of plain values."""
        self._kind = item_type
        self._file: BinaryIO = BytesIO()  # most lists stay short
        self._on_disk = False
        self._ends = array("Q", [0])

    def append(self, item: Item) -> None:
        """Append an item."""
        data = encode_json(item)
        if self._file.tell() != self._ends[-1]:
            self._file.seek(self._ends[-1])
        self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))
        if self._ends[-1] > _MEMORY_BYTES and not self._on_disk:
            self._move_to_disk()

    def extend(self, items: Iterable[Item]) -> None:
        """Append items in order."""
        for item in items:
            self.append(item)

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[Item]:
        """Yield the items in order; other reads may come in between."""
        return map(self._read_item, range(len(self)))

    @overload
    def __getitem__(self, position: int) -> Item: ...
    @overload
    def __getitem__(self, position: slice) -> list[Item]: ...
    def __getitem__(self, position: int | slice) -> Item | list[Item]:
        """Return the item at an index, or those of a slice."""
        positions = range(len(self))[position]
        return self._read_item(positions) if isinstance(positions, int) else list(map(self._read_item, positions))

    def raw_items(self) -> tuple[str, array[int]]:
        """Return the text of the whole file, and the end of each item."""
        self._file.seek(0)
        return self._file.read(self._ends[-1]).decode(), self._ends[1:]

    @classmethod
    def from_raw(cls, item_type: type[Item], raw_text: str, ends: Iterable[int]) -> DiskSpool[Item]:
        """Return the list with these raw items."""
        spool = cls(item_type)
        spool._file.write(raw_text.encode())
        spool._ends.extend(ends)
        if spool._ends[-1] > _MEMORY_BYTES:
            spool._move_to_disk()
        return spool

    def _move_to_disk(self) -> None:
        """Write the items to a file, closed with the last reference to the list."""
        memory_file, self._on_disk = self._file, True
        self._file = TemporaryFile()  # noqa: SIM115 - closed by `finalize`
        finalize(self, self._file.close)
        memory_file.seek(0)
        copyfileobj(memory_file, self._file)

    def _read_item(self, position: int) -> Item:
        start, end = self._ends[position], self._ends[position + 1]
        if self._file.tell() != start:
            self._file.seek(start)
        return convert(json.loads(self._file.read(end - start)), self._kind)
