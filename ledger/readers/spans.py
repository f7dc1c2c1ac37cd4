"""Where the parts of a JSON document stand in its bytes: each event points at the text that told it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.errors import UnreadableHandError

_BETWEEN: Final = b" \t\r\n,"
_BRACKET: Final = re.compile(rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+([{}\[\]])', re.DOTALL)
"""Up to the next bracket that stands outside a string."""

_DEPTH_MOST: Final = 64
_elements = msgspec.json.Decoder(list[msgspec.Raw])
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Spans:
    """Places put down one by one: `starts` and `lengths` in bytes, as `Lines` has them."""

    __slots__ = ("lengths", "starts")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.lengths: list[int] = []

    def add(self, start: int, length: int) -> int:
        """Put a place down; return its number."""
        self.starts.append(start)
        self.lengths.append(length)
        return len(self.starts) - 1


def elements(data: bytes, start: int, length: int) -> list[tuple[int, int]]:
    """Return start and length of each element of the JSON array at these bytes of `data`.

    What is no array, or nests too deep, raises `UnreadableHandError`.
    """
    array = data[start : start + length]
    found: list[tuple[int, int]] = []
    at = array.find(b"[") + 1
    try:
        parts = _elements.decode(array)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _bad(error) from None
    for raw in parts:
        at = _skip(array, at)
        size = len(bytes(raw))
        found.append((start + at, size))
        at += size
    return found


def members(data: bytes, start: int, length: int) -> dict[str, tuple[int, int]]:
    """Return start and length of each member's value of the JSON object at these bytes of `data`.

    Of a name that stands there twice the last one counts, as it does for JSON's readers.
    """
    whole = data[start : start + length]
    try:
        parts = _members.decode(whole)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _bad(error) from None
    found: dict[str, tuple[int, int]] = {}
    at = whole.find(b"{") + 1
    for name, raw in parts.items():
        value = bytes(raw)
        place = _value(whole, at, name, value)
        found[name] = (start + place, len(value))
        at = place + len(value)
    return found


def whole_elements(data: bytes, at: int) -> tuple[list[tuple[int, int]], int]:
    """Return start and length of the elements of the array whose first byte is behind `at`.

    Only objects and arrays are elements here. A document that breaks off gives those that are
    whole. The second value is the byte behind the array, or where the element begins that breaks
    off. What nests too deep raises `UnreadableHandError`.
    """
    found: list[tuple[int, int]] = []
    depth, start = 0, at
    while (token := _BRACKET.match(data, at)) is not None:
        at = token.end()
        if token[1] in b"{[":
            if not depth:
                start = at - 1
            depth += 1
            if depth > _DEPTH_MOST:
                raise _bad(RecursionError())
        elif not depth:
            return found, at
        else:
            depth -= 1
            if not depth:
                found.append((start, at - start))
    if depth:
        return found, start
    return found, found[-1][0] + found[-1][1] if found else start


def each_whole(data: bytes, at: int, end: int, opening: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and length of the objects and arrays of a source, also behind a bracket that closes nothing.

    Of what breaks off, if it begins with one of the bytes of `opening`, the parts are yielded that are whole.
    """
    while at < end:
        found, behind = whole_elements(data, at)
        yield from found
        if at <= behind < end and data[behind] in opening:
            at = behind + 1
        elif at < behind < end and data[behind - 1] in b"]}":
            at = behind
        else:
            return


def _value(whole: bytes, at: int, name: str, value: bytes) -> int:
    """Return where the value of this member begins: behind its name and a colon, after byte `at`."""
    key = msgspec.json.encode(name)
    while True:
        found = whole.find(key, at)
        if found < 0:
            return max(whole.find(value, at), 0)  # the name is written with escapes
        behind = found + len(key)
        while whole[behind : behind + 1] in (b" ", b"\t", b"\r", b"\n", b":"):
            behind += 1
        if whole.startswith(value, behind):
            return behind
        at = found + 1


def _skip(data: bytes, at: int) -> int:
    while at < len(data) and data[at] in _BETWEEN:
        at += 1
    return at


def _bad(error: Exception) -> UnreadableHandError:
    if isinstance(error, RecursionError):
        return UnreadableHandError("nests too deep for a hand history", kind="too-deep")
    return UnreadableHandError(f"no JSON that can be read: {error}", kind="damaged")
