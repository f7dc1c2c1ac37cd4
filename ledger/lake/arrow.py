"""Types for the parts of pyarrow that a lake uses: pyarrow itself has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Column(Protocol):
    """Values of one type, in one piece or several."""

    def __len__(self) -> int: ...

    def to_pylist(self) -> list[Any]:
        """Return the values."""

    def slice(self, offset: int, length: int) -> Column:
        """Return `length` values from `offset`."""

    def take(self, indices: Column) -> Column:
        """Return the values at these indices."""

    def unique(self) -> Column:
        """Return each value once."""


class ArrowBatch(Protocol):
    """Some rows of a file."""

    @property
    def num_rows(self) -> int:
        """The number of rows."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns, in their order."""

    def column(self, index: int) -> Column:
        """Return a column."""

    def filter(self, mask: Column) -> ArrowBatch:
        """Return the rows for which the mask is true."""
