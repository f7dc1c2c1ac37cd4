"""Findings and differences of an audit of any length: kept in their order on the disk, not in memory."""

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

from ledger.json_encoding import encode

Item = TypeVar("Item", bound=msgspec.Struct)

_SPOOL: Final = 4 * 1024 * 1024
"""Bytes that are kept in memory before the disk is asked for a file, which has no name."""


class Kept(Sequence[Item], Generic[Item]):
    """A list that only grows. Of each item eight bytes stay in memory: where it is in the file.

    What is taken out is equal to what was put in, and another object each time.
    """

    def __init__(self, kind: type[Item]) -> None:
        """Take what the items are: a struct of plain values."""
        self._kind = kind
        self._file: BinaryIO = BytesIO()  # most lists stay short
        self._on_disk = False
        self._ends = array("Q", [0])

    def append(self, item: Item) -> None:
        """Put an item behind the others."""
        data = encode(item)
        if self._file.tell() != self._ends[-1]:
            self._file.seek(self._ends[-1])
        self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))
        if self._ends[-1] > _SPOOL and not self._on_disk:
            self._move_to_disk()

    def extend(self, items: Iterable[Item]) -> None:
        """Put items behind the others, in their order."""
        for item in items:
            self.append(item)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[Item]:
        """Yield the items in their order; meanwhile others may be read, too."""
        return map(self._at, range(len(self)))

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> list[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | list[Item]:
        """Return the item at a place, or those of a slice."""
        found = range(len(self))[at]
        return self._at(found) if isinstance(found, int) else list(map(self._at, found))

    def raw(self) -> tuple[str, array[int]]:
        """Return all items as they lie in the file, and where each ends."""
        self._file.seek(0)
        return self._file.read(self._ends[-1]).decode(), self._ends[1:]

    @classmethod
    def again(cls, kind: type[Item], text: str, ends: Iterable[int]) -> Kept[Item]:
        """Return the list of which this is the raw form."""
        made = cls(kind)
        made._file.write(text.encode())
        made._ends.extend(ends)
        if made._ends[-1] > _SPOOL:
            made._move_to_disk()
        return made

    def _move_to_disk(self) -> None:
        """Write the items to a file, which is closed when nobody has the list."""
        held, self._on_disk = self._file, True
        self._file = TemporaryFile()  # noqa: SIM115 - closed by `finalize`
        finalize(self, self._file.close)
        held.seek(0)
        copyfileobj(held, self._file)

    def _at(self, at: int) -> Item:
        start, end = self._ends[at], self._ends[at + 1]
        if self._file.tell() != start:
            self._file.seek(start)
        return msgspec.convert(json.loads(self._file.read(end - start)), self._kind)
