"""Makes a name unreadable in text and in the bytes of a source.

A name of six characters or more goes wherever it stands; a shorter one only as a word of its own, or
every "Al" would take the beginning of "Also" with it.

What is taken out is replaced by as many bytes, so that every other byte keeps its place: the hands
of a source still point at their own lines.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

_LONG: Final = 6
_ENCODINGS: Final = (
    ("utf-8", b"*"),
    ("utf-16-le", b"*\0"),
    ("utf-16-be", b"\0*"),
    ("cp1252", b"*"),
)


class Needle(NamedTuple):
    """A name as bytes of one encoding, and what stands for one unit of it."""

    data: bytes
    filler: bytes
    long: bool  # goes within words too


def needles(name: str) -> list[Needle]:
    """Return every spelling in which a source may hold a name."""
    found: dict[bytes, Needle] = {}
    for spelled in dict.fromkeys((name, json.dumps(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1])):  # fmt: skip
        for encoding, filler in _ENCODINGS:
            try:
                data = spelled.encode(encoding, "surrogatepass" if "utf" in encoding else "strict")
            except UnicodeEncodeError:
                continue
            if data:
                found.setdefault(data, Needle(data, filler, len(name) >= _LONG))
    return sorted(found.values(), key=lambda needle: -len(needle.data))


def blacken(data: bytes, wanted: list[Needle]) -> tuple[bytes, list[tuple[int, int]]]:
    """Return the bytes without the name, and the places (start, length) that were made unreadable."""
    out: bytearray | None = None
    places: list[tuple[int, int]] = []
    for needle in wanted:
        size, unit = len(needle.data), len(needle.filler)
        at = data.find(needle.data)
        while at >= 0:
            if needle.long or _alone(data, at, size, needle):
                out = bytearray(data) if out is None else out
                out[at : at + size] = needle.filler * (size // unit)
                places.append((at, size))
                at = data.find(needle.data, at + size)
            else:
                at = data.find(needle.data, at + 1)
        data = data if out is None else bytes(out)
    return data, sorted(places)


def in_words(words: str, name: str) -> str:
    """Return a text without the name."""
    data = words.encode("utf-8", "surrogatepass")
    return blacken(data, [n for n in needles(name) if n.filler == b"*"])[0].decode("utf-8", "surrogatepass")  # fmt: skip


def _alone(data: bytes, at: int, size: int, needle: Needle) -> bool:
    """Whether what was found is a word of its own: `Al` is not in `Also`."""
    unit = len(needle.filler)
    low = needle.filler.index(b"*")  # which byte of a unit holds an ASCII character
    first, last = needle.data[low], needle.data[len(needle.data) - unit + low]
    before = data[at - unit + low] if at >= unit and _plain(data, at - unit, unit, low) else 0
    behind = data[at + size + low] if at + size + unit <= len(data) and _plain(data, at + size, unit, low) else 0  # fmt: skip
    return not (_word(first) and _word(before)) and not (_word(last) and _word(behind))


def _plain(data: bytes, at: int, unit: int, low: int) -> bool:
    return unit == 1 or data[at + 1 - low] == 0


def _word(byte: int) -> bool:
    return 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122 or byte == 95
