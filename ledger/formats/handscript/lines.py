"""The lines of a chunk with their places in its original bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.handscript.tokens import Token, tokens
from ledger.notation import Chunk


@dataclass(slots=True)
class Line:
    """One line. `start` and `length` are bytes of the source, without the line's end."""

    text: str
    start: int
    length: int
    number: int
    readable: bool = True
    comment: str = ""

    @property
    def blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.readable and not self.text.strip(" \t\r\ufeff")

    def tokens(self) -> list[Token]:
        """Return its tokens and keep its comment."""
        if not self.readable:
            raise UnreadableHandError("bytes that are not text in this encoding", kind="encoding")
        if "\0" in self.text:
            raise UnreadableHandError("a character U+0000", kind="encoding")
        text = self.text
        if "\u201c" in text and '"' not in text:  # as a word processor sets quotes
            text = text.translate(_QUOTES)
        found, self.comment = tokens(text)
        return found


_QUOTES: Final = str.maketrans("\u201c\u201d\u201e", '"""')


def lines(chunk: Chunk) -> Iterator[Line]:
    """Yield the lines of a chunk. A line ends with LF; a CR before it and a BOM belong to nothing."""
    newline = "\n".encode(chunk.encoding)
    start, number, data = chunk.start, chunk.line, chunk.data
    at, end = 0, len(data)
    while at < end:
        stop = _line_end(data, newline, at)
        raw = data[at:stop]
        try:
            text, readable = raw.decode(chunk.encoding), True
        except UnicodeDecodeError:
            text, readable = raw.decode(chunk.encoding, "replace"), False
        text = text.removesuffix("\r")
        bom = text.startswith("\ufeff") and start + at == 0
        yield Line(text[bom:], start + at, stop - at, number, readable)
        number += 1
        at = stop + len(newline)


def _line_end(data: bytes, newline: bytes, at: int) -> int:
    """Return where the line that begins at `at` ends; in UTF-16 only whole units count."""
    width = len(newline)
    stop = data.find(newline, at)
    while stop >= 0 and (stop - at) % width:
        stop = data.find(newline, stop + 1)
    return len(data) if stop < 0 else stop
