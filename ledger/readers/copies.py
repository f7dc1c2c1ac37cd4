"""Copies: hands out of mails, message boards and programs, with marks before their lines and printers' quotation marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from ledger.source.rewritten_bytes import RewrittenText

_MARKS: Final = b" \t>"
_BLANK: Final = b" \t>\r\0"
_ENDED: Final = _BLANK + b"\n"
_MARKED: Final = re.compile(rb"\n[ \t>]")
_LINE: Final = re.compile(rb"[^\n]+")
_BOM: Final = b"\xef\xbb\xbf"
_LEAST: Final = 5
"""So many lines with a mark, one after the other, are a copy; fewer may be a room's own."""
_NARROW: Final = b" "
"""What stands before all acts of a player without a name, too."""

_QUOTES: Final = {"‘": b"'", "’": b"'", "“": b'"', "”": b'"'}  # noqa: RUF001 - as they are printed
_DASHES: Final = {" – ": b" - ", " — ": b" - "}  # noqa: RUF001 - as they are printed
"""What word processors and message boards put in the place of plain characters."""
_TIED: Final = "\N{NO-BREAK SPACE}"
_SELDOM: Final = 3
"""Rooms tie the digits of an amount together, perhaps; who ties more blanks than every third is a page on the web."""
_QUOTED: Final = ("Hold’em", "Hold’Em", "HOLD’EM", "Table ‘", "Table: ‘", "Стол ‘", "doesn’t show", "didn’t bet")  # noqa: RUF001 - as they are printed
"""Words of rooms, all of which write plain characters: one of these shows such a copy."""

_Change: TypeAlias = tuple[int, int, bytes]
"""From which byte to which, and what stands there instead."""


class Copy(RewrittenText):
    """A copied text as it was written first."""

    def __init__(self, raw: bytes, changes: list[_Change], start: int = 0) -> None:
        """Take the bytes of the copy, what is otherwise in it, and at which byte of their source they begin."""
        self._start = start
        self._raw = raw
        parts: list[bytes] = []
        self._plain_offsets, self._copied_offsets = [0], [0]
        behind = size = 0
        for first, stop, instead in changes:
            parts += (raw[behind:first], instead)
            size += first - behind
            self._plain_offsets += (size, size + len(instead))
            self._copied_offsets += (first, stop)
            size += len(instead)
            behind = stop
        self.data = b"".join([*parts, raw[behind:]])

    def offset(self, at: int) -> int:
        """Return which byte of the copy a byte of `data` is; one within a change is where that begins."""
        near = bisect_right(self._plain_offsets, at) - 1
        if near % 2:
            return self._copied_offsets[near]
        return self._copied_offsets[near] + at - self._plain_offsets[near]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Let marks before these lines, and lines that hold nothing else behind them, belong to them."""
        raw, first, last = self._raw, self.offset(start), self.offset(stop)
        top = len(_BOM) if raw.startswith(_BOM) else 0
        line = max(raw.rfind(b"\n", 0, first) + 1, top)
        first = line if not raw[line:first].strip(_BLANK) else first
        if not raw[top:first].strip(_BLANK + b"\n"):
            first = len(raw) - len(raw[top:].lstrip(b" \t\r\n"))
        rest = raw[last:]
        marks = rest[: len(rest) - len(rest.lstrip(_BLANK + b"\n"))]
        behind = marks if len(marks) == len(rest) else marks[: marks.rfind(b"\n") + 1]
        return first, last + len(behind.rstrip(b" \t\r\n"))


def restore_copy(raw: bytes, encoding: str = "utf-8", start: int = 0) -> Copy | None:
    """Return a copied text as it was written first, None if nothing shows that it is a copy."""
    changes = list(_marks(raw))
    if not raw.isascii():
        changes += _signs(raw, encoding)
    return Copy(raw, sorted(changes), start) if changes else None


def _signs(raw: bytes, encoding: str) -> Iterator[_Change]:
    """Yield what is printed in the place of plain characters."""
    if b"'" not in raw and any(word.encode(encoding, "replace") in raw for word in _QUOTED):
        yield from _printed(raw, _QUOTES, encoding)
    if b" - " not in raw:
        yield from _printed(raw, _DASHES, encoding)
    tied = raw.count(_TIED.encode(encoding))
    if tied and tied > raw.count(b" ") // _SELDOM:
        yield from _printed(raw, {_TIED: b" "}, encoding)


def _marks(raw: bytes) -> Iterator[_Change]:
    """Yield the blanks or marks of quotation that stand before all lines of a stretch."""
    top = len(_BOM) if raw.startswith(_BOM) else 0
    marked = [found.end() - 1 for found in _MARKED.finditer(raw)]
    if raw[top : top + 1] in _MARKS:
        marked.insert(0, top)
    first = count = end = 0
    for at in marked if len(marked) >= _LEAST else ():
        if raw[end:at].strip(_ENDED):
            yield from _of_stretch(raw, top, first, end, count)
            count = 0
        first, count = first if count else at, count + 1
        end = raw.find(b"\n", at) + 1 or len(raw)
    yield from _of_stretch(raw, top, first, end, count)


def _of_stretch(raw: bytes, top: int, first: int, end: int, count: int) -> Iterator[_Change]:
    """Yield the marks of a stretch of so many lines with one, which blank lines around it belong to."""
    if count < _LEAST:
        return
    while first > top and not raw[(before := max(raw.rfind(b"\n", top, first - 1) + 1, top)) : first].strip(_ENDED):
        first = before
    while end < len(raw) and not raw[end : (behind := raw.find(b"\n", end) + 1 or len(raw))].strip(_ENDED):
        end = behind
    run = [(first + found.start(), found[0]) for found in _LINE.finditer(raw[first:end])]
    filled = [line for _, line in run if line.strip(_BLANK)]
    if len(filled) < _LEAST:
        return
    leads = [line[: len(line) - len(line.lstrip(_MARKS))] for line in filled]
    begin, last = min(leads), max(leads)  # what these two begin with, all do
    mark = next((begin[:k] for k in range(len(begin)) if begin[k] != last[k]), begin)
    if mark == _NARROW:
        return
    for at, line in run:
        gone = len(mark) if line.strip(_BLANK) else len(line.rstrip(b"\r"))
        if gone:
            yield at, at + gone, b""


def _printed(raw: bytes, signs: Mapping[str, bytes], encoding: str) -> Iterator[_Change]:
    for sign, plain in signs.items():
        word = sign.encode(encoding)
        at = raw.find(word)
        while at >= 0:
            yield at, at + len(word), plain
            at = raw.find(word, at + len(word))
