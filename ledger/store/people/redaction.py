"""Make a name unreadable in text and in the bytes of a source.

Only whole names go: `Al` isn't in `Also`, nor `Seated` in `Unseated`. Words end as in Unicode: letters of
any script, digits, marks and the underscore join; scripts without spaces between words (Chinese, Japanese,
Korean with its particles, Thai ...) don't.

As many bytes replace the name, so that every other byte keeps its offset: the hands of a source still
point at their lines.
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
_SPACELESS_SCRIPTS: Final = (
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

CONTEXT_BYTES: Final = 24
"""Bytes around a name that show whether it's a whole word."""


class Needle(NamedTuple):
    """A name as bytes of one encoding, and the filler for one unit of it."""

    data: bytes
    filler: bytes
    words: str
    encoding: str


def find_needles(name: str) -> list[Needle]:
    """Return every spelling in which a source may hold a name."""
    needle_by_bytes: dict[bytes, Needle] = {}
    for spelling in _list_spellings(name):
        for encoding, filler in _ENCODINGS:
            try:
                data = spelling.encode(encoding, "strict" if encoding == _CP1252 else "surrogatepass")
            except UnicodeEncodeError:
                continue
            if data:
                needle_by_bytes.setdefault(data, Needle(data, filler, spelling, encoding))
    return sorted(needle_by_bytes.values(), key=lambda needle: -len(needle.data))


def _list_spellings(name: str) -> Iterator[str]:
    """Yield the spellings of a name in plain text, JSON, TOML, XML and CSV, composed and decomposed."""
    spellings: dict[str, None] = {}
    for plain_name in (name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)):
        escaped = json.dumps(plain_name)[1:-1]
        upper_escaped = re.sub(r"\\u[0-9a-f]{4}", lambda code_escape: "\\u" + code_escape[0][2:].upper(), escaped)
        for spelling in (
            plain_name,
            escaped,
            upper_escaped,
            json.dumps(plain_name, ensure_ascii=False)[1:-1],
            html.escape(plain_name),
            html.escape(plain_name, quote=False),
            html.escape(plain_name).replace("&#x27;", "&apos;"),
            html.escape(plain_name).replace("&#x27;", "&#39;"),
            plain_name.replace('"', '""'),
        ):
            spellings.setdefault(spelling)
    yield from spellings


def blacken(
    data: bytes, name_needles: list[Needle], first_byte: int = 0, last_byte: int | None = None
) -> tuple[bytes, list[tuple[int, int]]]:
    """Return the bytes without the name, and the blackened places (start, length).

    Only names from `first_byte` to `last_byte` count: in a piece of a source, those with `CONTEXT_BYTES`
    on either side, since a word may go on in the next piece.
    """
    last_byte = len(data) if last_byte is None else last_byte
    blackened: bytearray | None = None
    places: list[tuple[int, int]] = []
    for needle in name_needles:
        size, unit = len(needle.data), len(needle.filler)
        offset = data.find(needle.data)
        while offset >= 0:
            if first_byte <= offset and offset + size <= last_byte and _is_whole_name(data, offset, needle):
                blackened = bytearray(data) if blackened is None else blackened
                blackened[offset : offset + size] = needle.filler * (size // unit)
                places.append((offset, size))
                offset = data.find(needle.data, offset + size)
            else:
                offset = data.find(needle.data, offset + 1)
        data = data if blackened is None else bytes(blackened)
    return data, sorted(places)


def redact_text(words: str, name: str) -> str:
    """Return a text with a star for each UTF-8 byte of the name."""
    for spelling in sorted(_list_spellings(name), key=len, reverse=True):
        if not spelling:
            continue
        stars = "*" * len(spelling.encode(_UTF_8, "surrogatepass"))
        parts, copied_to = [], 0
        offset = words.find(spelling)
        while offset >= 0:
            end = offset + len(spelling)
            text_before = words[max(0, offset - _ESCAPE_REACH) : offset]
            if offset >= copied_to and _has_free_ends(text_before, spelling, words[end : end + 1]):
                parts += [words[copied_to:offset], stars]
                copied_to = end
            offset = words.find(spelling, offset + 1)
        words = "".join([*parts, words[copied_to:]])
    return words


def _is_whole_name(data: bytes, offset: int, needle: Needle) -> bool:
    """Return whether the bytes at an offset are the whole name in this encoding."""
    end = offset + len(needle.data)
    if needle.encoding == _CP1252 and not needle.data.isascii() and _is_utf_8(data, offset, end):
        return False
    unit = len(needle.filler)
    reach = _ESCAPE_REACH * unit
    start = max(offset - reach, offset % unit)
    return _has_free_ends(
        _decode_piece(data[start:offset], needle.encoding, is_before=True),
        needle.words,
        _decode_piece(data[end : end + 4], needle.encoding, is_before=False)[:1],
    )


def _decode_piece(piece: bytes, encoding: str, *, is_before: bool) -> str:
    """Decode the bytes around a name; in a file of mixed encodings, as well as possible."""
    if encoding in (_UTF_8, _CP1252):
        skips = range(4) if len(piece) > 3 else range(len(piece) + 1)
        for skipped_bytes in skips if encoding == _UTF_8 else ():
            try:
                return (piece[skipped_bytes:] if is_before else piece[: len(piece) - skipped_bytes]).decode(_UTF_8)
            except UnicodeDecodeError:
                continue
        return piece.decode(_CP1252, "replace")
    # ASCII of one byte order reads as the other's one byte further on: half a unit is left over
    return (piece + b"\0" * (len(piece) % 2)).decode(encoding, "replace")


def _is_utf_8(data: bytes, start: int, end: int) -> bool:
    """Return whether non-ASCII bytes are UTF-8 here: then they aren't letters of cp1252."""
    while start > 0 and data[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    try:
        data[start:end].decode(_UTF_8)
    except UnicodeDecodeError:
        return False
    return True


def _has_free_ends(text_before: str, name: str, text_after: str) -> bool:
    """Return whether no word continues over an end of the name."""
    if text_before and _is_joined(text_before[-1], name[0]) and not _ESCAPE.search(text_before[-_ESCAPE_REACH:]):
        return False
    return not (text_after and _is_joined(name[-1], text_after[0]))


def _is_joined(left_character: str, right_character: str) -> bool:
    return (
        _is_word_character(left_character)
        and _is_word_character(right_character)
        and not (_is_spaceless(left_character) or _is_spaceless(right_character))
    )


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _is_spaceless(character: str) -> bool:
    return ord(character) > 0xDFF and unicodedata.name(character, "").startswith(_SPACELESS_SCRIPTS)
