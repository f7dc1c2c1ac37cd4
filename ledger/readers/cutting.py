"""Where hands begin in the bytes of a source, before anything is decoded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial


def cutter(words: Sequence[str], begins: Callable[[str], bool], head: int = 400) -> Callable[[bytes, str], int]:
    """Return a `Format.cut`: it finds the last line with one of `words` in it that `begins` a hand.

    `head` is the most characters that stand in such a line before the word.
    """
    return partial(_cut, tuple(words), begins, head)


def _cut(words: Sequence[str], begins: Callable[[str], bool], head: int, buffer: bytes, encoding: str) -> int:
    codec = encoding if encoding.startswith("utf-16") else "latin-1"
    width = 2 if encoding.startswith("utf-16") else 1
    behind = {word.encode(codec): len(buffer) for word in words}
    end = len(buffer)
    while end > 0:
        for word, found in behind.items():
            if found >= end:
                behind[word] = _last(buffer, word, end, width)
        at = max(behind.values())
        if at < 0:
            return 0
        start = _line_start(buffer, "\n".encode(codec), at, head * width, width)
        if start > 0:
            line = buffer[start : at + (head + 24) * width].decode(codec, "replace")
            if begins(line.split("\n", 1)[0].rstrip("\r")):
                return start
        end = at
    return 0


def _last(buffer: bytes, word: bytes, end: int, width: int) -> int:
    at = buffer.rfind(word, 0, end)
    while width == 2 and at > 0 and at % 2:
        at = buffer.rfind(word, 0, at)
    return at


def _line_start(buffer: bytes, newline: bytes, at: int, head: int, width: int) -> int:
    """Return where the line of byte `at` begins, 0 if too far away for a hand's first line."""
    least = max(0, at - head)
    found = buffer.rfind(newline, least, at)
    while width == 2 and found > 0 and found % 2:
        found = buffer.rfind(newline, least, found)
    if found < 0 and width == 1:
        found = buffer.rfind(b"\r", least, at)
    return found + width if found >= 0 else 0


def whole(_buffer: bytes, _encoding: str) -> int:
    """Never cut: formats whose source is one document. The intake's bound on a hand bounds it."""
    return 0
