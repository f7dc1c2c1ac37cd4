"""What a lake uses of pyarrow's columns and pieces of files: pyarrow itself has no types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Column(Protocol):
    """Values of one kind, in one piece or several."""

    def __len__(self) -> int: ...

    def to_pylist(self) -> list[Any]:
        """Return the values."""

    def slice(self, offset: int, length: int) -> Column:
        """Return so many values from an offset on."""

    def take(self, indices: Column) -> Column:
        """Return the values that stand there."""

    def unique(self) -> Column:
        """Return each value once."""


class ArrowBatch(Protocol):
    """Some rows of a file."""

    @property
    def num_rows(self) -> int:
        """How many rows there are."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns, in their order."""

    def column(self, index: int) -> Column:
        """Return a column."""

    def filter(self, mask: Column) -> ArrowBatch:
        """Return the rows for which the mask is true."""
