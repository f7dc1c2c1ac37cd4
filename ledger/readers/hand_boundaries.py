"""Find where hands begin in a source's bytes, before decoding them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from ledger.notation import Chunk, find_utf16_cut_too
from ledger.readers.signatures import HEADS, begins_other_hand

_BLOCK_SIZE: Final = 64 * 1024
_MAX_FIRST_LINE: Final = 400
"""The number of bytes of a first line that are examined."""
_MARKS: Final = " \t>"
"""Characters that may come before the lines of a copy."""


def build_cutter(
    words: Sequence[str],
    begins_hand: Callable[[str], bool],
    max_prefix: int = 400,
    *,
    rule: Callable[[str], bool] | None = None,
) -> Callable[[bytes, str], int]:
    """Return a `Format.find_cut`: it finds the last line that contains one of `words` and begins a hand.

    At most `max_prefix` characters come before the word. A line for which `rule` is true belongs to the hand after it.
    """
    return partial(_find_last_hand, tuple(words), begins_hand, max_prefix, rule)


def _find_last_hand(
    words: Sequence[str],
    begins_hand: Callable[[str], bool],
    max_prefix: int,
    rule: Callable[[str], bool] | None,
    buffer: bytes,
    encoding: str,
) -> int:
    last_positions = {word.encode(encoding, "replace"): len(buffer) for word in words}
    end = len(buffer)
    while end > 0:
        for word, position in last_positions.items():
            if position >= end:
                last_positions[word] = buffer.rfind(word, 0, end)
        word_start = max(last_positions.values())
        if word_start < 0:
            return 0
        start = _find_line_start(buffer, word_start, max_prefix)
        if start > 0:
            line = buffer[start : word_start + max_prefix + 24].decode(encoding, "replace")
            if begins_hand(line.split("\n", 1)[0].lstrip(_MARKS).rstrip("\r")):
                return start if rule is None else _start_with_rule(buffer, rule, start, max_prefix, encoding)
        end = word_start
    return 0


def _start_with_rule(buffer: bytes, rule: Callable[[str], bool], start: int, max_prefix: int, encoding: str) -> int:
    """Return where the rule before a hand begins, or where the hand begins if there is no rule."""
    text_before = buffer[max(0, start - max_prefix) : start].decode(encoding, "replace").replace("\r", "\n")
    *earlier, last = text_before.rstrip().split("\n")
    if not rule(last.lstrip("\ufeff \t")):
        return start
    if not earlier:
        return 0 if start <= max_prefix else start
    return start - len(text_before[sum(len(line) + 1 for line in earlier) :].encode(encoding))


def _find_line_start(buffer: bytes, offset: int, max_prefix: int) -> int:
    """Return where the line of byte `offset` begins, or 0 if that is too far away for a hand's first line."""
    search_start = max(0, offset - max_prefix)
    newline = buffer.rfind(b"\n", search_start, offset)
    return 1 + (newline if newline >= 0 else buffer.rfind(b"\r", search_start, offset))


@find_utf16_cut_too
def cut_at_any_room(buffer: bytes, encoding: str) -> int:
    """Return where the last hand of any room begins, or 0 if none begins after the first line."""
    end = len(buffer)
    while (start := buffer.rfind(b"\n", 0, end) + 1) > 0:
        if begins_other_hand(buffer[start : min(end, start + _MAX_FIRST_LINE)].decode(encoding, "replace"), HEADS):
            return start
        end = start - 1
    return 0


def split_into_blocks(chunk: Chunk, begins_hand: Callable[[str], bool], preface: tuple[str, ...]) -> Iterator[Chunk]:
    """Split the chunk into pieces of complete hands that fit the processor's cache.

    Pieces of 64 KiB are about a tenth faster than pieces of 32 KiB, 128 KiB or 1 MiB.
    """
    data = chunk.data
    if len(data) <= 2 * _BLOCK_SIZE:
        yield chunk
        return
    start, line = 0, chunk.line
    while start < len(data):
        end = _find_next_hand(data, start + _BLOCK_SIZE, chunk.encoding, begins_hand, preface)
        block = data[start:end]
        yield Chunk(block, chunk.start + start, line, chunk.encoding, chunk.name, chunk.last)
        line += block.count(b"\n")
        start = end


def _find_next_hand(
    data: bytes, offset: int, encoding: str, begins_hand: Callable[[str], bool], preface: tuple[str, ...]
) -> int:
    """Return where the first hand after `offset` begins, with its preface, or the end of the data if there is none."""
    preface_start = 0
    is_inside_hand = False  # not after a preface that began before `offset`
    offset = data.find(b"\n", offset) + 1
    while offset:
        end = data.find(b"\n", offset)
        line = data[offset : end if end >= 0 else None].decode(encoding, "replace").rstrip("\r")
        if is_inside_hand and begins_hand(line):
            return preface_start or offset
        stripped_line = line.lstrip("\ufeff \t")
        if stripped_line and preface and stripped_line.startswith(preface):
            preface_start = preface_start or offset
        elif stripped_line:
            preface_start, is_inside_hand = 0, True
        offset = end + 1
    return len(data)


def never_cut(_buffer: bytes, _encoding: str) -> int:
    """Return 0, for formats whose source is a single document. The intake limits its size."""
    return 0
