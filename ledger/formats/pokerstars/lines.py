"""A chunk of a source as lines, each with its place in the original bytes."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from ledger.notation import Chunk

_WIDE: Final = ("utf-16-le", "utf-16-be")
_MARKS: Final = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)


class Lines:
    """The lines of a chunk, without their line ends.

    Line `k` begins at byte `before[k] + k * step` of the chunk and has `lengths[k]` bytes: the sum
    without the line ends is what the interpreter adds up fastest.
    """

    __slots__ = ("before", "lengths", "nul", "size", "step", "text")

    def __init__(self, chunk: Chunk) -> None:
        """Cut the chunk. Wrong bytes become U+FFFD; they never shift what comes after them."""
        data, encoding = chunk.data, chunk.encoding
        self.size = len(data)
        self.before: list[int] = []
        mark = b""
        if chunk.start == 0:
            mark = next((one for one in _MARKS if data.startswith(one)), b"")
            data = data[len(mark) :]
        if encoding in _WIDE:
            self._wide(data, encoding)
        else:
            self._narrow(data, encoding)
        if mark:
            self.before = list(map(len(mark).__add__, self.before))

    def start(self, k: int) -> int:
        """Return the byte of the chunk at which line `k` begins."""
        return self.before[k] + k * self.step

    def _narrow(self, data: bytes, encoding: str) -> None:
        self.nul = b"\0" in data
        codec = "cp1252" if encoding == "cp1252" else "utf-8"
        plain = codec == "cp1252" or data.isascii()  # a character is a byte
        text = data.decode(codec, "replace")
        end = _line_end(data)
        if not end:  # several kinds, or one repeated: a return before a line feed belongs to it
            text = text.replace("\r\r\n", "\n").replace("\r\n", "\n")
            if "\r" in text:  # ends of the old Macintosh: every byte keeps its place
                data = data.replace(b"\r", b"\n")
                text = data.decode(codec, "replace")
            self.text = text.split("\n")
            raw = data.split(b"\n")
            if plain:
                self.lengths = list(map(len, self.text))
            else:
                self.lengths = [len(line.rstrip(b"\r")) for line in raw]
            self._begin(1, map(len, raw))
            return
        self.text = text.split(end)
        if plain:
            self.lengths = list(map(len, self.text))
        else:
            self.lengths = list(map(len, data.split(end.encode("ascii"))))
        self._begin(len(end), self.lengths)

    def _wide(self, data: bytes, encoding: str) -> None:
        text = data.decode(encoding, "replace")
        if "\r" in text and text.count("\r") > text.count("\r\n"):
            text = text.replace("\r", "\n")
        self.nul = "\0" in text
        self.text = text.split("\n")
        if text.isascii() or max(text) <= "\uffff":
            self.lengths = [2 * len(line) for line in self.text]
        else:
            self.lengths = [len(line.encode(encoding, "replace")) for line in self.text]
        self._begin(2, self.lengths)

    def _begin(self, end: int, lengths: Iterable[int]) -> None:
        self.step = end
        self.before = list(accumulate(lengths, initial=0))


def _line_end(data: bytes) -> str:
    """Return what ends every line of these bytes, "" if it is not always the same."""
    returns = data.count(b"\r")
    if not returns:
        return "\n"
    ends = data.count(b"\n")
    return "\r\n" if returns == ends == data.count(b"\r\n") else ""
