"""The lines of a chunk with their places in its original bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import accumulate, count
from operator import add
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.handscript.tokens import tokens
from ledger.notation import Chunk


class Line(NamedTuple):
    """One line. `start` and `length` are bytes of the source, without the line's end."""

    text: str
    start: int
    length: int
    number: int
    readable: bool = True

    def words(self) -> tuple[list[str], str]:
        """Return its words, and its comment."""
        if not self.readable:
            raise UnreadableHandError("bytes that are not text in this encoding", kind="encoding")
        return tokens(self.text)


def lines(chunk: Chunk) -> Iterator[Line]:
    """Return the lines of a chunk. A line ends with LF; a CR before it and a BOM belong to nothing."""
    data, encoding = chunk.data, chunk.encoding
    raw = data.split(b"\n") if not encoding.startswith("utf-16") else _wide(data, "\n".encode(encoding))
    if not raw[-1]:
        raw.pop()
    lengths = list(map(len, raw))
    starts = map(add, accumulate(lengths, initial=chunk.start), count(0, len("\n".encode(encoding))))
    try:
        text, readable = data.decode(encoding).split("\n")[: len(raw)], [True] * len(raw)
    except UnicodeDecodeError:
        text = [line.decode(encoding, "replace") for line in raw]
        readable = ["\ufffd" not in one or _is_text(line, encoding) for one, line in zip(text, raw, strict=True)]
    if b"\r" in data:
        text = [line.removesuffix("\r") for line in text]
    if chunk.start == 0 and text:
        text[0] = text[0].removeprefix("\ufeff")
    return map(_LINE, zip(text, starts, lengths, count(chunk.line), readable, strict=False))


_LINE: Final = partial(tuple.__new__, Line)
"""Makes a line of its fields: its own constructor takes three times as long."""


def _wide(data: bytes, newline: bytes) -> list[bytes]:
    """Return the lines of UTF-16, where only whole units count."""
    found, begin, at = [], 0, data.find(newline)
    while at >= 0:
        if at % 2 == 0:
            found.append(data[begin:at])
            begin = at + 2
        at = data.find(newline, at + 1)
    return [*found, data[begin:]]


def _is_text(line: bytes, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
