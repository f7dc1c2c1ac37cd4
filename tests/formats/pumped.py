"""Texts in which one construct of a sample stands many times: what a reader's work is measured with.

Nothing here knows a room: lines, tags, words, signs and bracketed groups are found in whatever
samples a format has, so that a new room is measured as soon as it has a sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r"<[^<>\n]{1,200}>|\w+|[^\w\s]")
_DIGITS: Final = re.compile(r"\d+")
_NAME: Final = re.compile(r"\b[A-Z][a-z]+\b")
_BRACKETS: Final = {"{": "}", "[": "]", "(": ")"}
SIGNS: Final = ("[", "{", "(", "<", '"', "'", ",", ":", "-", "*", "#", "&", " ", "\t", "\n", "\\", "0", "<!--")
GROUP_MOST: Final = 4000


class Pump(NamedTuple):
    """`before`, then `unit` over and over, then `behind`. `counted`: each turn has numbers and names of its own."""

    what: str
    before: str
    unit: str
    behind: str
    counted: bool = False

    def text(self, size: int) -> str:
        """Return a text in which the units have about so many characters."""
        turns = max(size // len(self.unit), 2)
        if not self.counted:
            return self.before + self.unit * turns + self.behind
        pieces = _pieces(self.unit)
        return (
            self.before
            + "".join(
                "".join(piece if index % 2 == 0 else piece + str(turn) for index, piece in enumerate(pieces))
                for turn in range(turns)
            )
            + self.behind
        )


def _pieces(unit: str) -> list[str]:
    """Return what is between numbers and names, and these: every second piece is one of them."""
    return re.split(rf"({_DIGITS.pattern}|{_NAME.pattern})", unit)


def shape(text: str) -> str:
    """Return what is alike in two pieces that differ only in numbers, names and cards."""
    return re.sub(r"\b[2-9TJQKA][cdhs]\b", "Xx", _NAME.sub("Aa", _DIGITS.sub("0", text)))[:120]


def pumps(sample: str, shapes: set[tuple[str, ...]]) -> Iterator[Pump]:
    """Yield every construct of a sample whose shape is not in `shapes`, and put it there."""

    def fresh(*words: str) -> bool:
        count_before = len(shapes)
        shapes.add(tuple(map(shape, words)))
        return len(shapes) > count_before

    offset = 0
    for line in sample.splitlines(keepends=True):
        end = offset + len(line)
        if line.strip() and fresh("line", line):
            yield from _lines(sample, offset, end)
            yield from _words(sample, offset, end)
        offset = end
    for start, end in _groups(sample):
        if fresh("group", sample[start : start + 60]):
            unit = sample[start:end] + ("," if sample[end - 1] in "]}" else "")
            yield Pump(f"group {unit[:40]!r}", sample[:start], unit, sample[start:])
            yield Pump(f"group counted {unit[:40]!r}", sample[:start], unit, sample[start:], counted=True)


def _lines(sample: str, offset: int, end: int) -> Iterator[Pump]:
    """Yield what is made of a whole line: it comes again, others with other names come, nothing else comes."""
    line = sample[offset:end]
    unit = line if line.endswith("\n") else line + "\n"
    quoted_line = repr(line[:60])
    yield Pump(f"line {quoted_line}", sample[:end], unit, sample[end:])
    yield Pump(f"line counted {quoted_line}", sample[:end], unit, sample[end:], counted=True)
    yield Pump(f"line for ever {quoted_line}", sample[:end], unit, "")
    yield Pump(f"beginning up to {quoted_line}", "", sample[:end], "")
    yield Pump(f"beginning counted up to {quoted_line}", "", sample[:end], "", counted=True)
    yield Pump(f"head and line {quoted_line}", "", sample.splitlines(keepends=True)[0] + unit, "")
    for sign in SIGNS:
        yield Pump(
            f"sign {sign!r} behind {quoted_line}", sample[: offset + len(line.rstrip())], sign, sample[end - 1 :]
        )


def _words(sample: str, offset: int, end: int) -> Iterator[Pump]:
    """Yield what is made of a line's words: one again and again, and the line's beginning again and again."""
    line = sample[offset:end]
    tokens = list(_TOKEN.finditer(line))
    if len(tokens) > 24:
        tokens = tokens[:: len(tokens) // 24 + 1]
    shapes: set[str] = set()
    for token in tokens:
        place = offset + token.end()
        if shape(token[0]) not in shapes:
            shapes.add(shape(token[0]))
            unit = token[0] + line[token.end() : token.end() + 1].strip("\n")
            yield Pump(f"word {unit!r} in {line[:50]!r}", sample[:place], unit, sample[place:])
        unit = line[: token.end()]
        yield Pump(f"prefix {unit[-50:]!r}", sample[:offset], unit, sample[offset:])
        yield Pump(f"prefix for ever {unit[-50:]!r}", sample[:offset], unit, "")


def _groups(sample: str) -> Iterator[tuple[int, int]]:
    """Yield where bracketed groups begin and end, if they are not too long to be repeated."""
    stack: list[tuple[int, str]] = []
    for index, sign in enumerate(sample):
        if sign in _BRACKETS:
            stack.append((index, _BRACKETS[sign]))
        elif stack and sign == stack[-1][1]:
            start, _ = stack.pop()
            if 2 < index + 1 - start <= GROUP_MOST:
                yield start, index + 1
