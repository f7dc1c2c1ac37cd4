"""Texts that readers get in another form than their source has: spans are mapped back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TypeAlias

from ledger.account import Account, Amendment, Reject, TableAccount

_ReaderResult: TypeAlias = Account | TableAccount | Amendment | Reject


class RewrittenText(ABC):
    """A rewritten text; maps offsets in `data` back to the source's own bytes."""

    data: bytes
    _start: int  # offset of the text in its source

    @abstractmethod
    def offset(self, byte_index: int) -> int:
        """Return the source's byte offset for one in `data`, both from the text's beginning."""

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Return start and end in the source of these bytes of `data`."""
        return self.offset(start), self.offset(stop)

    def at_source(self, item: _ReaderResult) -> _ReaderResult:
        """Return an item with its spans in the source."""
        first_byte, last_byte = self.span(item.start, item.start + item.length)
        if isinstance(item, Reject | Amendment):
            return replace(item, start=self._start + first_byte, length=last_byte - first_byte)
        places: list[int] = []
        for start, count in zip(item.places[::2], item.places[1::2], strict=True):
            event_start = self.offset(item.start + start) if count else first_byte
            places += (event_start - first_byte, self.offset(item.start + start + count) - event_start if count else 0)
        return replace(item, start=self._start + first_byte, length=last_byte - first_byte, places=places)
