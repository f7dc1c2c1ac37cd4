"""Split a chunk into lines with their places in the original bytes, and lines with several facts into parts.

Each part of `2 posts small 5; 3 posts big 10; deal done` has its own place; a comment belongs to the last part.
Semicolons in quotes, parentheses and comments don't separate parts, nor do those in a line with an unquoted text:
`remark he paid; 3 saw it` is a single remark. If a part can't be a line, the line isn't split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, count, islice, pairwise
from operator import add
from typing import Final, NamedTuple

from ledger.formats.handscript import phrases
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.shorthand import VERBS
from ledger.formats.handscript.tokens import NO_TEXT, replace_text
from ledger.notation import Chunk


class ScriptLine(NamedTuple):
    """A line. `start` and `length` are bytes of the source, without the line end."""

    text: str
    start: int
    length: int
    number: int


def iterate_lines(chunk: Chunk) -> Iterator[ScriptLine]:
    """Return the lines of a chunk. A line ends with LF; a CR before it and a BOM aren't part of the line."""
    data, encoding = chunk.data, chunk.encoding
    raw = data.split(b"\n")
    if not raw[-1]:
        raw.pop()
    lengths = list(map(len, raw))
    starts = map(add, accumulate(lengths, initial=chunk.start), count())
    try:
        text = data.decode(encoding).split("\n")[: len(raw)]
    except UnicodeDecodeError:
        text = [_decode_line(line, encoding) for line in raw]
    if b"\r" in data:
        text = [line.removesuffix("\r") for line in text]
    if chunk.start == 0 and text:
        text[0] = text[0].removeprefix("\ufeff")
    return map(_LINE, zip(text, starts, lengths, count(chunk.line), strict=False))


_LINE: Final = partial(tuple.__new__, ScriptLine)
"""Builds a line from its fields in a third of the constructor's time."""


def _decode_line(line: bytes, encoding: str) -> str:
    """Decode a line; mark it if some of its bytes are invalid."""
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        return line.decode(encoding, "replace") + NO_TEXT


PARTS_MOST: Final = 40
"""A line with more parts isn't split, and so is rejected."""
_CLOSING_WORDS: Final = frozenset(("end", "stop", "stacks"))
"""First words after a semicolon that aren't events."""
_UNQUOTED_TEXT: Final = re.compile(r'(?:^|;)[ \t]*(?:remark|note|comment|notice|unread) +[^" ]', re.IGNORECASE)
_UNQUOTED_WORDS: Final = re.compile(r' as +[^" ]')
"""An unquoted text in a line: `3 says other as I thought`."""
SHARED_ACTS: Final = {"fold": "folds", "check": "checks", "call": "calls", "muck": "mucks"}
"""Acts that several seats can share, because they need no amount."""
_BLANK: Final = ("", " ", "\t")
_SEATS: Final = re.compile(r"[0-9]{1,2}(?:,[0-9]{1,2})+,?")


def split_lines(chunk: Chunk) -> Iterator[ScriptLine]:
    """Return the lines of a chunk, with each fact on its own line."""
    chunk_lines = iterate_lines(chunk)
    return _split_lines(chunk_lines, chunk.encoding) if b";" in chunk.data else chunk_lines


def _split_lines(source_lines: Iterator[ScriptLine], encoding: str) -> Iterator[ScriptLine]:
    yield from islice(source_lines, 1)  # is the file's own: `handscript 1`, perhaps behind a byte order mark
    for line in source_lines:
        if ";" in line.text:
            yield from _split_line(line, encoding)
        else:
            yield line


def split_facts(text: str) -> list[str]:
    """Split a line into its facts.

    >>> split_facts("2 posts small 5; 3 posts big 10; deal done")
    ['2 posts small 5', '3 posts big 10', 'deal done']
    """
    split_parts = list(_split_line(ScriptLine(text, 0, len(text.encode()), 1), "utf-8")) if ";" in text else []
    return [line.text.strip() for line in split_parts] if len(split_parts) > 1 else [text]


def _split_line(line: ScriptLine, encoding: str) -> Iterator[ScriptLine]:
    """Yield the parts of a line, each with its own columns."""
    text = line.text
    cuts = _find_cuts(text)
    if cuts and text[cuts[-1] + 1 :].lstrip()[:1] in ("", "#"):  # the last semicolon ends the line
        last = cuts.pop()
        text = f"{text[:last]} {text[last + 1 :]}"
    bounds = [(begin + 1, end) for begin, end in pairwise([-1, *cuts, len(text)])]
    may_hold_text = "\u201c" in text or _UNQUOTED_TEXT.search(text) or (" say" in text and _UNQUOTED_WORDS.search(text))
    if (
        may_hold_text
        or text.endswith(NO_TEXT)
        or len(bounds) > PARTS_MOST
        or not all(_is_line_start(text[begin:end].split()) for begin, end in bounds)
    ):
        yield line
        return
    for begin, end in bounds:
        part_start = line.start + len(text[:begin].encode(encoding))
        part_end = line.start + (len(text[:end].encode(encoding)) if end < len(text) else line.length)
        yield ScriptLine(" " * begin + text[begin:end], part_start, part_end - part_start, line.number)


def _find_cuts(text: str) -> list[int]:
    """Return the indexes of the semicolons that separate a line's parts."""
    cuts: list[int] = []
    position = depth = 0
    while position < len(text):
        character = text[position]
        if character == '"':
            position = _find_quote_end(text, position)
        elif character == "#" and text[position - 1 : position] in _BLANK:
            break
        elif character == ";" and not depth and text[position + 1 : position + 2] in _BLANK:
            cuts.append(position)
        else:
            depth += (character == "(") - (character == ")")
        position += 1
    return cuts


def _find_quote_end(text: str, position: int) -> int:
    """Return where the quote that begins at `position` ends."""
    position += 1
    while position < len(text) and text[position] != '"':
        position += 2 if text[position] == "\\" else 1
    return position


def _is_line_start(words: list[str]) -> bool:
    """Whether words can be a line of their own, unlike part of a text."""
    if not words:
        return False
    first, second = words[0], words[1].lower() if len(words) > 1 else ""
    if first in _CLOSING_WORDS or first in BOOK.openers:
        return True
    if is_seat(first):
        return second[:1].isalpha() or bool(expand_seats(words))  # an unknown verb gets its own error
    if VERBS.get(second, second) in BOOK.verbs or expand_seats(words):
        return True
    seat_words = ["1", *words[1:]] if first[:1].isupper() else words  # the hand knows the player's seat
    return phrases.is_phrase(" ".join(seat_words)) or bool(_SEATS.fullmatch(first))


def expand_seats(words: Sequence[str]) -> list[list[str]]:
    """Expand `5, 6 and 8 fold` to a line for each seat; return [] if it isn't a shared act.

    >>> expand_seats("5 6 and 8 fold".split())
    [['5', 'folds'], ['6', 'folds'], ['8', 'folds']]
    """
    verb = SHARED_ACTS.get(words[-1])
    seats = [replace_text(word, seat_text) for word in words[:-1] if (seat_text := word.rstrip(",")) != "and"]
    if not verb or len(seats) < 2 or not all(is_seat(seat) for seat in seats):
        return []
    return [[seat, replace_text(words[-1], verb)] for seat in seats]
