"""Find the parts of a JSON document in its bytes, so that each event can point at its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError

_SEPARATORS: Final = b" \t\r\n,"
_BRACKET: Final = re.compile(rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+([{}\[\]])', re.DOTALL)
"""The text up to the next bracket outside a string."""

_MAX_DEPTH: Final = 64
_elements = build_json_decoder(list[msgspec.Raw])
_members = build_json_decoder(dict[str, msgspec.Raw])


class Spans:
    """A growing list of places: `starts` and `lengths` in bytes, as in `SourceLines`."""

    __slots__ = ("lengths", "starts")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.lengths: list[int] = []

    def add(self, start: int, length: int) -> int:
        """Add a place; return its number."""
        self.starts.append(start)
        self.lengths.append(length)
        return len(self.starts) - 1


def find_elements(data: bytes, start: int, length: int) -> list[tuple[int, int]]:
    """Return start and length of each element of the JSON array at these bytes of `data`.

    Raise `UnreadableHandError` if it isn't an array or is nested too deeply.
    """
    array = data[start : start + length]
    element_spans: list[tuple[int, int]] = []
    offset = array.find(b"[") + 1
    try:
        parts = _elements.decode(array)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _damaged(error) from None
    for raw in parts:
        offset = _skip_separators(array, offset)
        size = len(bytes(raw))
        element_spans.append((start + offset, size))
        offset += size
    return element_spans


def find_members(data: bytes, start: int, length: int) -> dict[str, tuple[int, int]]:
    """Return start and length of each member's value of the JSON object at these bytes of `data`.

    If a name occurs twice the last member counts, as in JSON parsers.
    """
    object_bytes = data[start : start + length]
    try:
        parts = _members.decode(object_bytes)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _damaged(error) from None
    member_spans: dict[str, tuple[int, int]] = {}
    offset = object_bytes.find(b"{") + 1
    for name, raw in parts.items():
        value = bytes(raw)
        place = _find_value_start(object_bytes, offset, name, value)
        member_spans[name] = (start + place, len(value))
        offset = place + len(value)
    return member_spans


def find_whole_elements(data: bytes, offset: int) -> tuple[list[tuple[int, int]], int]:
    """Return start and length of the complete elements of an array, and where to go on; its content is at `offset`.

    Only objects and arrays count as elements. The second value is the byte after the array or, if the document breaks
    off, the first byte of the incomplete element. Raise `UnreadableHandError` if it is nested too deeply.
    """
    element_spans: list[tuple[int, int]] = []
    depth, start = 0, offset
    while (token := _BRACKET.match(data, offset)) is not None:
        offset = token.end()
        if token[1] in b"{[":
            if not depth:
                start = offset - 1
            depth += 1
            if depth > _MAX_DEPTH:
                raise _damaged(RecursionError())
        elif not depth:
            return element_spans, offset
        else:
            depth -= 1
            if not depth:
                element_spans.append((start, offset - start))
    if depth:
        return element_spans, start
    return element_spans, element_spans[-1][0] + element_spans[-1][1] if element_spans else start


def iter_whole_values(data: bytes, offset: int, end: int, opening: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and length of a source's objects and arrays, even after an unmatched closing bracket.

    If a value breaks off and begins with one of the bytes of `opening`, yield its complete parts.
    """
    while offset < end:
        element_spans, next_offset = find_whole_elements(data, offset)
        yield from element_spans
        if offset <= next_offset < end and data[next_offset] in opening:
            offset = next_offset + 1
        elif offset < next_offset < end and data[next_offset - 1] in b"]}":
            offset = next_offset
        else:
            return


def _find_value_start(object_bytes: bytes, offset: int, name: str, value: bytes) -> int:
    """Return where the value of this member begins, after its name and a colon, from `offset` on."""
    key = msgspec.json.encode(name)
    while True:
        key_start = object_bytes.find(key, offset)
        if key_start < 0:
            return max(object_bytes.find(value, offset), 0)  # the source writes the name with escapes
        value_start = key_start + len(key)
        while object_bytes[value_start : value_start + 1] in (b" ", b"\t", b"\r", b"\n", b":"):
            value_start += 1
        if object_bytes.startswith(value, value_start):
            return value_start
        offset = key_start + 1


def _skip_separators(data: bytes, offset: int) -> int:
    while offset < len(data) and data[offset] in _SEPARATORS:
        offset += 1
    return offset


def _damaged(error: Exception) -> UnreadableHandError:
    if isinstance(error, RecursionError):
        return UnreadableHandError("nests too deep for a hand history", kind="too-deep")
    return UnreadableHandError(f"no JSON that can be read: {error}", kind="damaged")
