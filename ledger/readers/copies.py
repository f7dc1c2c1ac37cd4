"""Copies: hands out of mails, message boards and programs, with marks before their lines and printers' quotation marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from ledger.source.rewritten_bytes import RewrittenText

_MARKS: Final = b" \t>"
_BLANK: Final = b" \t>\r\0"
_BLANK_OR_NEWLINE: Final = _BLANK + b"\n"
_MARKED: Final = re.compile(rb"\n[ \t>]")
_LINE: Final = re.compile(rb"[^\n]+")
_BOM: Final = b"\xef\xbb\xbf"
_MIN_MARKED_LINES: Final = 5
"""So many lines with a mark, one after the other, are a copy; fewer may be a room's own."""
_NARROW: Final = b" "
"""What stands before all acts of a player without a name, too."""

_QUOTES: Final = {"‘": b"'", "’": b"'", "“": b'"', "”": b'"'}  # noqa: RUF001 - as they are printed
_DASHES: Final = {" – ": b" - ", " — ": b" - "}  # noqa: RUF001 - as they are printed
"""What word processors and message boards put in the place of plain characters."""
_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
_TIED_SHARE: Final = 3
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
        copied_up_to = size = 0
        for first, stop, replacement in changes:
            parts += (raw[copied_up_to:first], replacement)
            size += first - copied_up_to
            self._plain_offsets += (size, size + len(replacement))
            self._copied_offsets += (first, stop)
            size += len(replacement)
            copied_up_to = stop
        self.data = b"".join([*parts, raw[copied_up_to:]])

    def offset(self, offset: int) -> int:
        """Return which byte of the copy a byte of `data` is; one within a change is where that begins."""
        change_index = bisect_right(self._plain_offsets, offset) - 1
        if change_index % 2:
            return self._copied_offsets[change_index]
        return self._copied_offsets[change_index] + offset - self._plain_offsets[change_index]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Let marks before these lines, and lines that hold nothing else behind them, belong to them."""
        raw, first, last = self._raw, self.offset(start), self.offset(stop)
        text_start = len(_BOM) if raw.startswith(_BOM) else 0
        line = max(raw.rfind(b"\n", 0, first) + 1, text_start)
        first = line if not raw[line:first].strip(_BLANK) else first
        if not raw[text_start:first].strip(_BLANK + b"\n"):
            first = len(raw) - len(raw[text_start:].lstrip(b" \t\r\n"))
        text_after = raw[last:]
        marks = text_after[: len(text_after) - len(text_after.lstrip(_BLANK + b"\n"))]
        empty_lines = marks if len(marks) == len(text_after) else marks[: marks.rfind(b"\n") + 1]
        return first, last + len(empty_lines.rstrip(b" \t\r\n"))


def restore_copy(raw: bytes, encoding: str = "utf-8", start: int = 0) -> Copy | None:
    """Return a copied text as it was written first, None if nothing shows that it is a copy."""
    changes = list(_marks(raw))
    if not raw.isascii():
        changes += _all_printed_signs(raw, encoding)
    return Copy(raw, sorted(changes), start) if changes else None


def _all_printed_signs(raw: bytes, encoding: str) -> Iterator[_Change]:
    """Yield what is printed in the place of plain characters."""
    if b"'" not in raw and any(word.encode(encoding, "replace") in raw for word in _QUOTED):
        yield from _printed_signs(raw, _QUOTES, encoding)
    if b" - " not in raw:
        yield from _printed_signs(raw, _DASHES, encoding)
    tied = raw.count(_NO_BREAK_SPACE.encode(encoding))
    if tied and tied > raw.count(b" ") // _TIED_SHARE:
        yield from _printed_signs(raw, {_NO_BREAK_SPACE: b" "}, encoding)


def _marks(raw: bytes) -> Iterator[_Change]:
    """Yield the blanks or marks of quotation that stand before all lines of a stretch."""
    text_start = len(_BOM) if raw.startswith(_BOM) else 0
    marked = [match.end() - 1 for match in _MARKED.finditer(raw)]
    if raw[text_start : text_start + 1] in _MARKS:
        marked.insert(0, text_start)
    first = count = end = 0
    for line_start in marked if len(marked) >= _MIN_MARKED_LINES else ():
        if raw[end:line_start].strip(_BLANK_OR_NEWLINE):
            yield from _stretch_marks(raw, text_start, first, end, count)
            count = 0
        first, count = first if count else line_start, count + 1
        end = raw.find(b"\n", line_start) + 1 or len(raw)
    yield from _stretch_marks(raw, text_start, first, end, count)


def _stretch_marks(raw: bytes, text_start: int, first: int, end: int, count: int) -> Iterator[_Change]:
    """Yield the marks of a stretch of so many lines with one, which blank lines around it belong to."""
    if count < _MIN_MARKED_LINES:
        return
    while first > text_start and not raw[
        (previous_line := max(raw.rfind(b"\n", text_start, first - 1) + 1, text_start)) : first
    ].strip(_BLANK_OR_NEWLINE):
        first = previous_line
    while end < len(raw) and not raw[end : (line_end := raw.find(b"\n", end) + 1 or len(raw))].strip(_BLANK_OR_NEWLINE):
        end = line_end
    run = [(first + match.start(), match[0]) for match in _LINE.finditer(raw[first:end])]
    filled = [line for _, line in run if line.strip(_BLANK)]
    if len(filled) < _MIN_MARKED_LINES:
        return
    mark = _common_mark(filled)
    if mark == _NARROW:
        return
    for line_start, line in run:
        mark_length = len(mark) if line.strip(_BLANK) else len(line.rstrip(b"\r"))
        if mark_length:
            yield line_start, line_start + mark_length, b""


def _common_mark(lines: list[bytes]) -> bytes:
    """Return the marks that all lines begin with."""
    leads = [line[: len(line) - len(line.lstrip(_MARKS))] for line in lines]
    begin, last = min(leads), max(leads)  # what these two begin with, all do
    return next((begin[:length] for length in range(len(begin)) if begin[length] != last[length]), begin)


def _printed_signs(raw: bytes, signs: Mapping[str, bytes], encoding: str) -> Iterator[_Change]:
    for sign, plain_sign in signs.items():
        word = sign.encode(encoding)
        sign_index = raw.find(word)
        while sign_index >= 0:
            yield sign_index, sign_index + len(word), plain_sign
            sign_index = raw.find(word, sign_index + len(word))
