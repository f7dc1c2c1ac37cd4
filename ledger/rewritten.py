"""Sources whose bytes readers get in another form: every place is put back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TypeAlias

from ledger.account import Account, Amendment, Reject, TableAccount

_Item: TypeAlias = Account | TableAccount | Amendment | Reject


class Rewritten(ABC):
    """A text of which the offsets in `data` are known, and those in the source's own bytes are wanted."""

    data: bytes
    _start: int  # of the text in its source

    @abstractmethod
    def offset(self, at: int) -> int:
        """Return which byte of the source a byte of `data` is, both counted from the text's beginning."""

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Return from where to where the source holds what stands in these bytes of `data`."""
        return self.offset(start), self.offset(stop)

    def placed(self, item: _Item) -> _Item:
        """Return an item with the places that it has in the source."""
        first, last = self.span(item.start, item.start + item.length)
        if isinstance(item, Reject | Amendment):
            return replace(item, start=self._start + first, length=last - first)
        places: list[int] = []
        for start, count in zip(item.places[::2], item.places[1::2], strict=True):
            at = self.offset(item.start + start) if count else first
            places += (at - first, self.offset(item.start + start + count) - at if count else 0)
        return replace(item, start=self._start + first, length=last - first, places=places)
