"""Where hands begin in the bytes of a source, before anything is decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from ledger.notation import Chunk, find_utf16_cut_too
from ledger.readers.signatures import HEADS, begins_other_hand

_BLOCK: Final = 64 * 1024
_LINE: Final = 400
"""Bytes of a hand's first line that are looked at."""
_MARKS: Final = " \t>"
"""What may stand before the lines of a copy."""


def cutter(
    words: Sequence[str], begins: Callable[[str], bool], head: int = 400, *, rule: Callable[[str], bool] | None = None
) -> Callable[[bytes, str], int]:
    """Return a `Format.cut`: it finds the last line with one of `words` in it that `begins` a hand.

    `head` is the most characters that stand in such a line before the word. A line that is a `rule` belongs to the
    hand behind it.
    """
    return partial(_cut, tuple(words), begins, head, rule)


def _cut(
    words: Sequence[str],
    begins: Callable[[str], bool],
    head: int,
    rule: Callable[[str], bool] | None,
    buffer: bytes,
    encoding: str,
) -> int:
    behind = {word.encode(encoding, "replace"): len(buffer) for word in words}
    end = len(buffer)
    while end > 0:
        for word, found in behind.items():
            if found >= end:
                behind[word] = buffer.rfind(word, 0, end)
        at = max(behind.values())
        if at < 0:
            return 0
        start = _line_start(buffer, at, head)
        if start > 0:
            line = buffer[start : at + head + 24].decode(encoding, "replace")
            if begins(line.split("\n", 1)[0].lstrip(_MARKS).rstrip("\r")):
                return start if rule is None else _with_rule(buffer, rule, start, head, encoding)
        end = at
    return 0


def _with_rule(buffer: bytes, rule: Callable[[str], bool], start: int, head: int, encoding: str) -> int:
    """Return where the rule before a hand begins, the hand's own beginning without one."""
    before = buffer[max(0, start - head) : start].decode(encoding, "replace").replace("\r", "\n")
    *earlier, last = before.rstrip().split("\n")
    if not rule(last.lstrip("\ufeff \t")):
        return start
    if not earlier:
        return 0 if start <= head else start
    return start - len(before[sum(len(line) + 1 for line in earlier) :].encode(encoding))


def _line_start(buffer: bytes, at: int, head: int) -> int:
    """Return where the line of byte `at` begins, 0 if too far away for a hand's first line."""
    least = max(0, at - head)
    found = buffer.rfind(b"\n", least, at)
    return 1 + (found if found >= 0 else buffer.rfind(b"\r", least, at))


@find_utf16_cut_too
def cut_at_any_room(buffer: bytes, encoding: str) -> int:
    """Return where the last hand of any room begins, 0 = none begins behind the first line."""
    end = len(buffer)
    while (start := buffer.rfind(b"\n", 0, end) + 1) > 0:
        if begins_other_hand(buffer[start : min(end, start + _LINE)].decode(encoding, "replace"), HEADS):
            return start
        end = start - 1
    return 0


def blocks(chunk: Chunk, begins: Callable[[str], bool], preface: tuple[str, ...]) -> Iterator[Chunk]:
    """Yield the chunk in pieces of whole hands small enough for the processor's cache.

    Of pieces of 32, 64, 128 KiB and a whole mebibyte, 64 KiB were read fastest, by about a tenth.
    """
    data = chunk.data
    if len(data) <= 2 * _BLOCK:
        yield chunk
        return
    start, line = 0, chunk.line
    while start < len(data):
        end = _next_hand(data, start + _BLOCK, chunk.encoding, begins, preface)
        block = data[start:end]
        yield Chunk(block, chunk.start + start, line, chunk.encoding, chunk.name, chunk.last)
        line += block.count(b"\n")
        start = end


def _next_hand(data: bytes, at: int, encoding: str, begins: Callable[[str], bool], preface: tuple[str, ...]) -> int:
    """Return where the first hand behind byte `at` begins, with what stands before it; the data's end if none does."""
    found, inside = 0, False  # where a preface began; in a hand, and not behind a preface that began before byte `at`
    at = data.find(b"\n", at) + 1
    while at:
        end = data.find(b"\n", at)
        line = data[at : end if end >= 0 else None].decode(encoding, "replace").rstrip("\r")
        if inside and begins(line):
            return found or at
        bare = line.lstrip("\ufeff \t")
        if bare and preface and bare.startswith(preface):
            found = found or at
        elif bare:
            found, inside = 0, True
        at = end + 1
    return len(data)


def never_cut(_buffer: bytes, _encoding: str) -> int:
    """Never cut: formats whose source is one document. The intake's bound on a hand bounds it."""
    return 0
