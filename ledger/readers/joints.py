"""Joints: places within a line, or a record, where another begins, because a source was cut there and goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from ledger.notation import Chunk
from ledger.readers.signatures import longer_heads

_BEFORE: Final = 40
"""The most characters of a hand's first line before the word by which it is found."""
_LINE: Final = 400
"""As much of a first line is looked at."""
_FIRST: Final = 2
"""With so many words the lines before a hand may begin."""
_LEADS: Final = 2000
"""The most characters that stand before a hand and belong to it."""
_SIGN: Final = b"#"
_NEAR: Final = 200
"""Every word is shorter."""
_AROUND: Final = "\ufeff\xef\xbb\xbf \t>\0"  # a byte order mark, also one that was read as cp1252


def find_joints(
    chunk: Chunk, words: Sequence[str], begins: Callable[[str], bool], preface: tuple[str, ...]
) -> list[int]:
    """Return the bytes, within lines, at which a text begins that `begins` a hand or leads to one, in their order.

    One of `words` stands in each first line of a hand; lines that begin with `preface` may lead to one.
    Whether it is a hand, and no name or talk that reads so, this does not say.
    """
    found, whole = set(), {b""}
    for at, before in _places(chunk, (*words, *longer_heads(*words), *preface[:_FIRST]), whole):
        start = _start(chunk, at, begins, preface)
        if start is None:
            whole.add(before)
        elif start >= 0:
            found.add(start)
    return sorted(found)


def split_chunk(chunk: Chunk, places: Sequence[int]) -> Iterator[Chunk]:
    """Yield the parts of a chunk from each of these bytes up to the next."""
    for start, stop in zip(places, (*places[1:], len(chunk.data)), strict=True):
        line = chunk.line_at(start)
        yield Chunk(chunk.data[start:stop], chunk.start + start, line, chunk.encoding, chunk.name, chunk.last)


@cache
def _searched(words: tuple[str, ...], encoding: str) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the words that end with a number sign, and the others, each the longest first."""
    longest = [word.encode(encoding, "replace") for word in sorted(words, key=len, reverse=True)]
    numbered = tuple(word for word in longest if word.endswith(_SIGN))
    return numbered, tuple(word for word in longest if not word.endswith(_SIGN))


def _places(chunk: Chunk, words: tuple[str, ...], whole: set[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes at which words stand, of several at one end the longest, and what stands before them in the line.

    Those that end with a number sign are looked for by it, all at once. What has nothing before it that begins another
    line, as is known of what is `whole`, is passed over.
    """
    data = chunk.data
    numbered, others = _searched(words, chunk.encoding)
    settled: set[bytes] = set()  # lines up to their sign: most begin alike
    at = data.find(_SIGN) if numbered else -1
    while at >= 0:
        behind = at + len(_SIGN)
        line = _before(data, behind, _NEAR)
        if line not in settled:
            word = next(filter(line.endswith, numbered)) if line.endswith(numbered) else b""
            before = line[: len(line) - len(word)][-2 * _BEFORE :]
            if word and before not in whole:
                yield behind - len(word), before
            else:
                settled.add(line)
        at = data.find(_SIGN, behind)
    for word in others:
        at = data.find(word)
        while at >= 0:
            before = _before(data, at, 2 * _BEFORE)
            if before not in whole:
                yield at, before
            at = data.find(word, at + max(len(word) // 2, 1))  # `*** HEADER ***** HEADER ***` has it twice


def _before(data: bytes, at: int, most: int) -> bytes:
    """Return so many bytes at most of what stands before byte `at` in its line."""
    near = at - most if at > most else 0
    return data[data.rfind(b"\n", near, at) + 1 or near : at]


def _start(chunk: Chunk, at: int, begins: Callable[[str], bool], preface: tuple[str, ...]) -> int | None:
    """Return where in its line a hand begins in whose first line byte `at` is; None at its front, -1 nowhere."""
    line, _, behind = _text(chunk, at, at + _LINE + _LEADS).partition("\n")
    before = _text(chunk, max(0, at - _LINE), at).rpartition("\n")[2]
    if line.startswith(preface) and _leads(behind, begins, preface):
        k = min(found for one in preface[:_FIRST] if (found := (before + line).find(one)) >= 0)
    else:
        nearest = range(len(before), max(len(before) - _BEFORE, 0) - 1, -1)
        heads = ((k, (before[k:] + line)[:_LINE]) for k in nearest)
        k = next((k for k, head in heads if head[:1] not in _AROUND and begins(head)), -1)
    if k < 0:
        return -1
    return at - len(before[k:].encode(chunk.encoding, "replace")) if before[:k].strip(_AROUND) else None


def _leads(behind: str, begins: Callable[[str], bool], preface: tuple[str, ...]) -> bool:
    """Tell whether the first line that is neither blank nor a preface begins a hand."""
    for line in behind.split("\n"):
        if line.strip(_AROUND) and not line.lstrip(_AROUND).startswith(preface):
            return begins(line)
    return False


def _text(chunk: Chunk, start: int, stop: int) -> str:
    text = chunk.data[start:stop].decode(chunk.encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
