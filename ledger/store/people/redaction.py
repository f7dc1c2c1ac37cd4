"""Makes a name unreadable in text and in the bytes of a source.

A name goes where it stands whole: `Al` is not in `Also`, `Seated` not in `Unseated`. What ends a word
follows Unicode: letters of any script, digits, marks and the underscore bind; scripts that put no
space between words (Chinese, Japanese, Korean with its particles, Thai ...) do not.

What is taken out is replaced by as many bytes, so that every other byte keeps its place: the hands
of a source still point at their own lines.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

_UTF_8: Final = "utf-8"
_CP1252: Final = "cp1252"
_ENCODINGS: Final = ((_UTF_8, b"*"), ("utf-16-le", b"*\0"), ("utf-16-be", b"\0*"), (_CP1252, b"*"))
_SPACELESS: Final = (
    "CJK ",
    "HIRAGANA ",
    "KATAKANA",
    "HANGUL ",
    "BOPOMOFO ",
    "YI ",
    "THAI ",
    "LAO ",
    "KHMER ",
    "MYANMAR ",
    "TIBETAN ",
    "HALFWIDTH KATAKANA",
    "HALFWIDTH HANGUL",
    "IDEOGRAPHIC",
)
_ESCAPE: Final = re.compile(r"\\(?:[abefnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})\Z")
_ESCAPE_REACH: Final = 10  # characters of the longest escape

AROUND: Final = 24
"""Bytes around a name that say whether it stands there whole."""


class Needle(NamedTuple):
    """A name as bytes of one encoding, and what stands for one unit of it."""

    data: bytes
    filler: bytes
    words: str
    encoding: str


def needles(name: str) -> list[Needle]:
    """Return every spelling in which a source may hold a name."""
    found: dict[bytes, Needle] = {}
    for spelled in _spellings(name):
        for encoding, filler in _ENCODINGS:
            try:
                data = spelled.encode(encoding, "strict" if encoding == _CP1252 else "surrogatepass")
            except UnicodeEncodeError:
                continue
            if data:
                found.setdefault(data, Needle(data, filler, spelled, encoding))
    return sorted(found.values(), key=lambda needle: -len(needle.data))


def _spellings(name: str) -> Iterator[str]:
    """Yield a name as it stands in plain text, JSON, TOML, XML and CSV, composed and decomposed."""
    told: dict[str, None] = {}
    for plain in (name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)):
        escaped = json.dumps(plain)[1:-1]
        upper = re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), escaped)
        for one in (
            plain,
            escaped,
            upper,
            json.dumps(plain, ensure_ascii=False)[1:-1],
            html.escape(plain),
            html.escape(plain, quote=False),
            html.escape(plain).replace("&#x27;", "&apos;"),
            html.escape(plain).replace("&#x27;", "&#39;"),
            plain.replace('"', '""'),
        ):
            told.setdefault(one)
    yield from told


def blacken(
    data: bytes, wanted: list[Needle], first: int = 0, last: int | None = None
) -> tuple[bytes, list[tuple[int, int]]]:
    """Return the bytes without the name, and the places (start, length) that were made unreadable.

    Only what lies from `first` to `last` is judged: of a piece of a source, what has `AROUND` bytes on
    either side, as a word may go on in the next piece.
    """
    last = len(data) if last is None else last
    out: bytearray | None = None
    places: list[tuple[int, int]] = []
    for needle in wanted:
        size, unit = len(needle.data), len(needle.filler)
        at = data.find(needle.data)
        while at >= 0:
            if first <= at and at + size <= last and _whole(data, at, needle):
                out = bytearray(data) if out is None else out
                out[at : at + size] = needle.filler * (size // unit)
                places.append((at, size))
                at = data.find(needle.data, at + size)
            else:
                at = data.find(needle.data, at + 1)
        data = data if out is None else bytes(out)
    return data, sorted(places)


def in_words(words: str, name: str) -> str:
    """Return a text without the name: a star for each byte that its UTF-8 took."""
    for spelled in sorted(_spellings(name), key=len, reverse=True):
        if not spelled:
            continue
        stars = "*" * len(spelled.encode(_UTF_8, "surrogatepass"))
        parts, done = [], 0
        at = words.find(spelled)
        while at >= 0:
            end = at + len(spelled)
            before = words[max(0, at - _ESCAPE_REACH) : at]
            if at >= done and _free(before, spelled, words[end : end + 1]):
                parts += [words[done:at], stars]
                done = end
            at = words.find(spelled, at + 1)
        words = "".join([*parts, words[done:]])
    return words


def _whole(data: bytes, at: int, needle: Needle) -> bool:
    """Whether what was found in bytes is the name, whole, and in this encoding."""
    end = at + len(needle.data)
    if needle.encoding == _CP1252 and not needle.data.isascii() and _is_utf_8(data, at, end):
        return False
    unit = len(needle.filler)
    reach = _ESCAPE_REACH * unit
    start = max(at - reach, at % unit)
    return _free(
        _decoded(data[start:at], needle.encoding, back=True),
        needle.words,
        _decoded(data[end : end + 4], needle.encoding, back=False)[:1],
    )


def _decoded(some: bytes, encoding: str, *, back: bool) -> str:
    """Decode what stands around a name; in a file that mixes encodings, as well as it goes."""
    if encoding in (_UTF_8, _CP1252):
        cut = range(4) if len(some) > 3 else range(len(some) + 1)
        for off in cut if encoding == _UTF_8 else ():
            try:
                return (some[off:] if back else some[: len(some) - off]).decode(_UTF_8)
            except UnicodeDecodeError:
                continue
        return some.decode(_CP1252, "replace")
    # ASCII in the one byte order reads as the other from one byte further on: there half a unit is left
    return (some + b"\0" * (len(some) % 2)).decode(encoding, "replace")


def _is_utf_8(data: bytes, at: int, end: int) -> bool:
    """Whether bytes that are no ASCII stand in UTF-8 here: then they are no letters of cp1252."""
    while at > 0 and data[at] & 0xC0 == 0x80:
        at -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    try:
        data[at:end].decode(_UTF_8)
    except UnicodeDecodeError:
        return False
    return True


def _free(before: str, name: str, behind: str) -> bool:
    """Whether no word goes on over either end of a name."""
    if before and _binds(before[-1], name[0]) and not _ESCAPE.search(before[-_ESCAPE_REACH:]):
        return False
    return not (behind and _binds(name[-1], behind[0]))


def _binds(left: str, right: str) -> bool:
    return _of_word(left) and _of_word(right) and not (_spaceless(left) or _spaceless(right))


def _of_word(one: str) -> bool:
    return one.isalnum() or one == "_" or unicodedata.category(one)[0] == "M"


def _spaceless(one: str) -> bool:
    return ord(one) > 0xDFF and unicodedata.name(one, "").startswith(_SPACELESS)
