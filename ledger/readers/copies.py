"""Restore copied hands: texts from mails and message boards with quote marks before each line or typographic signs."""

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
"""This many marked lines in a row are a copy; fewer may be a room's own."""
_NARROW: Final = b" "
"""The mark that isn't a copy's: a room also writes it before the acts of a player without a name."""

_QUOTES: Final = {"‘": b"'", "’": b"'", "“": b'"', "”": b'"'}  # noqa: RUF001 - typographic signs
_DASHES: Final = {" – ": b" - ", " — ": b" - "}  # noqa: RUF001 - typographic signs
"""Typographic signs that word processors and message boards write → the plain characters."""
_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
_TIED_SHARE: Final = 3
"""Rooms may write no-break spaces between digits. More than one blank in three is a copy from a web page."""
_QUOTED: Final = ("Hold’em", "Hold’Em", "HOLD’EM", "Table ‘", "Table: ‘", "Стол ‘", "doesn’t show", "didn’t bet")  # noqa: RUF001 - typographic signs
"""Words that rooms write with plain characters: a typographic sign in one shows a copy."""

_Change: TypeAlias = tuple[int, int, bytes]
"""The first byte, the byte after the last, and the bytes that replace them."""


class Copy(RewrittenText):
    """A copied text in its original form."""

    def __init__(self, raw: bytes, changes: list[_Change], start: int = 0) -> None:
        """Apply `changes` to the bytes of the copy, which begin at byte `start` of the source."""
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
        """Return the copy's byte offset for one in `data`. Inside a change, it is the offset of the change."""
        change_index = bisect_right(self._plain_offsets, offset) - 1
        if change_index % 2:
            return self._copied_offsets[change_index]
        return self._copied_offsets[change_index] + offset - self._plain_offsets[change_index]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Return the copy's span of these lines, with the marks before them and empty marked lines after them."""
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
    """Return the original form of a copied text, or None if the text isn't a copy."""
    changes = list(_find_marks(raw))
    if not raw.isascii():
        changes += _find_all_printed_signs(raw, encoding)
    return Copy(raw, sorted(changes), start) if changes else None


def _find_all_printed_signs(raw: bytes, encoding: str) -> Iterator[_Change]:
    """Yield the changes that replace typographic signs by plain characters."""
    if b"'" not in raw and any(word.encode(encoding, "replace") in raw for word in _QUOTED):
        yield from _find_printed_signs(raw, _QUOTES, encoding)
    if b" - " not in raw:
        yield from _find_printed_signs(raw, _DASHES, encoding)
    tied = raw.count(_NO_BREAK_SPACE.encode(encoding))
    if tied and tied > raw.count(b" ") // _TIED_SHARE:
        yield from _find_printed_signs(raw, {_NO_BREAK_SPACE: b" "}, encoding)


def _find_marks(raw: bytes) -> Iterator[_Change]:
    """Yield the changes that remove blanks or quote marks before all lines of a block."""
    text_start = len(_BOM) if raw.startswith(_BOM) else 0
    marked = [match.end() - 1 for match in _MARKED.finditer(raw)]
    if raw[text_start : text_start + 1] in _MARKS:
        marked.insert(0, text_start)
    first = count = end = 0
    for line_start in marked if len(marked) >= _MIN_MARKED_LINES else ():
        if raw[end:line_start].strip(_BLANK_OR_NEWLINE):
            yield from _find_stretch_marks(raw, text_start, first, end, count)
            count = 0
        first, count = first if count else line_start, count + 1
        end = raw.find(b"\n", line_start) + 1 or len(raw)
    yield from _find_stretch_marks(raw, text_start, first, end, count)


def _find_stretch_marks(raw: bytes, text_start: int, first: int, end: int, count: int) -> Iterator[_Change]:
    """Yield the marks of a block with `count` marked lines. Blank lines around it belong to the block."""
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
    mark = _find_common_mark(filled)
    if mark == _NARROW:
        return
    for line_start, line in run:
        mark_length = len(mark) if line.strip(_BLANK) else len(line.rstrip(b"\r"))
        if mark_length:
            yield line_start, line_start + mark_length, b""


def _find_common_mark(lines: list[bytes]) -> bytes:
    """Return the longest mark with which all lines begin."""
    leads = [line[: len(line) - len(line.lstrip(_MARKS))] for line in lines]
    begin, last = min(leads), max(leads)  # the common prefix of these two is that of all
    return next((begin[:length] for length in range(len(begin)) if begin[length] != last[length]), begin)


def _find_printed_signs(raw: bytes, signs: Mapping[str, bytes], encoding: str) -> Iterator[_Change]:
    for sign, plain_sign in signs.items():
        word = sign.encode(encoding)
        sign_index = raw.find(word)
        while sign_index >= 0:
            yield sign_index, sign_index + len(word), plain_sign
            sign_index = raw.find(word, sign_index + len(word))
