"""Sources in UTF-16: readers get them as UTF-8, and every place is put back."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from ledger.rewritten import Rewritten

_STEP: Final = 512
"""Characters between two remembered offsets."""

_KEEP: Final = "surrogatepass"
"""Half a pair stays what it is: the reader sees it and says so."""


class Wide(Rewritten):
    """A text of which offsets in UTF-8 are known, and those in UTF-16 are wanted."""

    def __init__(self, data: bytes, encoding: str, start: int = 0) -> None:
        """Take bytes in this encoding, and at which byte of their source they begin."""
        even = len(data) & ~1
        text = data[:even].decode(encoding, _KEEP)
        self.data = text.encode("utf-8", _KEEP)
        self.half = data[even:].strip(b" \t\r\n\0")
        """The half of a character with which the bytes break off, if it is no half of a line's end."""
        self._size = even if self.half else len(data)
        self._start = start
        self._narrow, self._wide = [0], [0]
        self._ascii = text.isascii()
        for at in range(0, 0 if self._ascii else len(text), _STEP):
            part = text[at : at + _STEP]
            self._narrow.append(self._narrow[-1] + len(part.encode("utf-8", _KEEP)))
            self._wide.append(self._wide[-1] + len(part.encode("utf-16-le", _KEEP)))

    def offset(self, narrow: int) -> int:
        """Return which byte of UTF-16 a byte of UTF-8 is, both counted from the text's beginning.

        A byte within a character is where that character begins.
        """
        if narrow == len(self.data):
            return self._size
        if self._ascii:
            return 2 * narrow
        while 0 < narrow < len(self.data) and self.data[narrow] & 0xC0 == 0x80:
            narrow -= 1
        near = bisect_right(self._narrow, narrow) - 1
        part = self.data[self._narrow[near] : narrow].decode("utf-8", _KEEP)
        return self._wide[near] + len(part.encode("utf-16-le", _KEEP))
