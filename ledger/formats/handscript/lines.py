"""The lines of a chunk with their places in its original bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import accumulate, count
from operator import add
from typing import Final, NamedTuple

from ledger.formats.handscript.tokens import NO_TEXT
from ledger.notation import Chunk


class Line(NamedTuple):
    """One line. `start` and `length` are bytes of the source, without the line's end."""

    text: str
    start: int
    length: int
    number: int


def lines(chunk: Chunk) -> Iterator[Line]:
    """Return the lines of a chunk. A line ends with LF; a CR before it and a BOM belong to nothing."""
    data, encoding = chunk.data, chunk.encoding
    raw = data.split(b"\n")
    if not raw[-1]:
        raw.pop()
    lengths = list(map(len, raw))
    starts = map(add, accumulate(lengths, initial=chunk.start), count())
    try:
        text = data.decode(encoding).split("\n")[: len(raw)]
    except UnicodeDecodeError:
        text = [_text(line, encoding) for line in raw]
    if b"\r" in data:
        text = [line.removesuffix("\r") for line in text]
    if chunk.start == 0 and text:
        text[0] = text[0].removeprefix("\ufeff")
    return map(_LINE, zip(text, starts, lengths, count(chunk.line), strict=False))


_LINE: Final = partial(tuple.__new__, Line)
"""Makes a line of its fields: its own constructor takes three times as long."""


def _text(line: bytes, encoding: str) -> str:
    """Return the text of a line, marked where some of its bytes are none."""
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        return line.decode(encoding, "replace") + NO_TEXT
