"""Split a chunk of a source into lines with their places in the original bytes."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable
from itertools import accumulate, repeat
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.notation import Chunk

MAX_LINES: Final = 1000
"""The maximum number of lines in a hand. The longest known hand has 240.

Some readers examine the full hand at each line. Without a limit, the time for a hand that never ends grows with the
square of its length.
"""

MAX_LINE_BYTES: Final = 100_000
"""The maximum number of bytes in a hand's line. The longest known line has fewer than 1,000."""


def too_many_parts(count: int, part_name: str = "lines") -> UnreadableHandError:
    """Return the error for a hand with too many lines or other parts."""
    return UnreadableHandError(
        f"a hand of {count:,} {part_name}: none has so many",
        kind="too-long",
        hint="Is the end of the hand missing, or that of many? Look at the file.",
    )


class SourceLines:
    """The lines of a chunk, without their line ends.

    Line number `line` begins at byte `starts[line]` of the chunk and has `lengths[line]` bytes.
    """

    __slots__ = ("_mark", "lengths", "longest", "nul", "size", "starts", "text")

    lengths: list[int]
    longest: int  # no line has more bytes
    text: list[str]

    def __init__(self, chunk: Chunk) -> None:
        """Split the chunk. Invalid bytes become U+FFFD; they never shift the places of later lines."""
        data, encoding = chunk.data, chunk.encoding
        self.size = len(data)
        self._mark = len(BOM_UTF8) if chunk.start == 0 and data.startswith(BOM_UTF8) else 0
        self._cut(data[self._mark :], encoding)
        self.longest = max(self.lengths, default=0) if len(data) > MAX_LINE_BYTES else len(data)
        if self.nul:
            self._without_ends_of_strings()

    def refuse_long(self, first_line: int, end_line: int) -> None:
        """Raise `UnreadableHandError` if there are too many of these lines for a hand, or if a line is too long."""
        if self.longest > MAX_LINE_BYTES and max(self.lengths[first_line:end_line], default=0) > MAX_LINE_BYTES:
            raise UnreadableHandError(
                f"a line of more than {MAX_LINE_BYTES:,} bytes: no hand has one",
                kind="too-long",
                hint="Were its line ends lost? Look at the file.",
            )
        if end_line - first_line > MAX_LINES:
            count = sum(1 for line in self.text[first_line:end_line] if line and not line.isspace())
            if count > MAX_LINES:
                raise too_many_parts(count)

    def _without_ends_of_strings(self) -> None:
        """Strip the NUL that some clients wrote at the end of a string: before a line, or after the last line.

        Several NULs in a row are a hole in the file. A line that holds only NULs, before other lines, becomes an
        unreadable line. Inside a line and at the end, where lines may be missing, they stay and damage the hand.
        """
        self.text = [line[1:] if line[:1] == "\0" and line[1:2] != "\0" else line for line in self.text]
        last = next((index for index in range(len(self.text) - 1, -1, -1) if self.text[index].strip()), 0)
        self.text[:last] = [
            _HOLE if line[:2] == "\0\0" and not line.strip("\0 \t") else line for line in self.text[:last]
        ]
        if self.text[last].endswith("\0") and not self.text[last].endswith("\0\0"):
            self.text[last] = self.text[last][:-1]

    def _cut(self, data: bytes, encoding: str) -> None:
        self.nul = b"\0" in data
        codec = "cp1252" if encoding == "cp1252" else "utf-8"
        has_byte_characters = codec == "cp1252" or data.isascii()  # each character is one byte
        text = data.decode(codec, "replace")
        end = _find_line_end(data)
        if end:
            self.text = text.split(end)
            raw = data.split(end.encode("ascii")) if not has_byte_characters else []
            self.lengths = list(map(len, raw or self.text))
            self._begin(len(end), self.lengths)
            return
        # Several kinds of line end, or repeated returns: returns before a line feed belong to it.
        raw_lines = text.split("\n")
        self.text = list(map(str.rstrip, raw_lines, repeat("\r")))
        self.lengths, raw_lengths = list(map(len, self.text)), list(map(len, raw_lines))
        if sum(raw_lengths) - sum(self.lengths) != data.count(b"\r"):
            # Classic Mac OS ends lines with returns. Every byte keeps its place.
            data = data.replace(b"\r", b"\n")
            self.text = data.decode(codec, "replace").split("\n")
            self.lengths = raw_lengths = list(map(len, self.text))
        if has_byte_characters:
            self._begin(1, raw_lengths)
        else:
            byte_lines = data.split(b"\n")
            self.lengths = [len(line.rstrip(b"\r")) for line in byte_lines]
            self._begin(1, map(len, byte_lines))

    def _begin(self, end: int, lengths: Iterable[int]) -> None:
        """Set where the lines begin. `lengths` exclude the `end` bytes of each line end."""
        self.starts = list(accumulate([length + end for length in lengths], initial=self._mark))


_HOLE: Final = "\ufffd" * 3
"""Replaces a line of NUL bytes."""


def _find_line_end(data: bytes) -> str:
    """Return the line end of these bytes, or "" if not all lines have the same."""
    first = data.find(b"\n")
    if data[max(first - 2, 0) : first] == b"\r\r":
        return ""
    returns = data.count(b"\r")
    if not returns:
        return "\n"
    ends = data.count(b"\n")
    return "\r\n" if returns == ends == data.count(b"\r\n") else ""
