"""Find the tags of rooms' XML without an XML parser.

The files are often cut off, unclosed, or in another encoding than they declare, so a strict parser would reject
readable hands. Only XML's five entities and character references are expanded. A document type or a declared entity
makes a part unreadable (`ledger.readers.markup`), so nothing grows and nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.notation import Chunk

_TAG: Final = re.compile(
    r"""<(/?[A-Za-z_?!][\w.:-]{0,60})[^<>"']*+(?:(?:"[^"<]{0,1000}+"|'[^'<]{0,1000}+')[^<>"']*+){0,30}+>"""
)
"""A tag. Every part is possessive and bounded, so that no text can make the search slow.

A value can't contain `<`, so the tag after a cut-off tag is found.
"""

_QUOTED_ATTRIBUTE: Final = re.compile(r'(?<!\w)(\w+)="([^"]*)"')  # within the bounds of a tag
_ANY_ATTRIBUTE: Final = re.compile(
    r"""([A-Za-z_][\w.:-]{0,60}+)\s{0,20}+=\s{0,20}+(?:"([^"]{0,1000}+)"|'([^']{0,1000}+)')"""
)
_UNUSUAL_SIGNS: Final = ("&", "='", "= ", " =", " No=", " Type=", " gameCode=")
"""Signs of entities, single quotes and capital attributes, which need the slow pattern."""

_DOCUMENT: Final = re.compile(r"<(?:\?xml|session|SESSION|root|ROOT|description)\b")
_ENTITY: Final = re.compile(r"&(#x[0-9A-Fa-f]{1,6}|#[0-9]{1,7}|amp|lt|gt|quot|apos);")
_ENTITY_CHARACTERS: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LAST_CODE_POINT: Final = 0x10FFFF
_MAX_CACHED_TAG: Final = 200
"""The maximum length of a tag whose attributes are cached."""


class Tag(NamedTuple):
    """`<name …>` or `</name>`; `start` and `stop` are character offsets of its brackets."""

    name: str  # lower case; "/game" for an end tag
    start: int
    stop: int


class MarkupSource:
    """A chunk decoded so that each character is one byte.

    In `without_comments`, blanks replace comments. Values are decoded on demand.
    """

    __slots__ = ("_codec", "_decoded", "data", "is_ascii", "text", "unusual_signs", "without_comments")

    def __init__(self, chunk: Chunk) -> None:
        self.data = chunk.data
        self._codec = chunk.encoding
        self.text = chunk.data.decode("latin-1")
        self.without_comments = _blank_comments(self.text)
        self._decoded: dict[str, str] = {}  # values that aren't ASCII; no more than the source contains
        self.unusual_signs = [sign for sign in _UNUSUAL_SIGNS if sign in self.text]
        self.is_ascii = self.text.isascii()

    def decode_text(self, start: int, stop: int) -> str:
        """Return these characters in the source's encoding. Entities aren't replaced."""
        return self.decode_value(self.text[start:stop])

    def decode_value(self, value: str) -> str:
        """Return a value in the source's encoding."""
        if value.isascii():
            return value
        decoded = self._decoded.get(value)
        if decoded is None:
            raw = value.encode("latin-1", "replace")
            decoded = raw.decode("cp1252" if self._codec == "cp1252" else "utf-8", "replace")
            self._decoded[value] = decoded
        return decoded


class Attributes(dict[str, str]):
    """The attributes of a tag by name; a missing attribute is ""."""

    def __missing__(self, _name: str) -> str:
        return ""


def iter_tags(text: str, frames: frozenset[str] = frozenset()) -> Iterator[Tag]:
    """Yield the tags of a text, except those named in `frames`. Other text is skipped."""
    new = tuple.__new__  # what `Tag` itself calls
    for match in _TAG.finditer(text):
        name = match[1]
        if name not in frames:
            yield new(Tag, (name.lower(), *match.span()))


def _blank_comments(text: str) -> str:
    """Replace comments by blanks. A comment that was cut off ends where another document begins."""
    comment_start = text.find("<!--")
    if comment_start < 0:
        return text
    pieces: list[str] = []
    copied_up_to = 0
    while comment_start >= 0:
        close = text.find("-->", comment_start + 4)
        end = close + 3 if close >= 0 else len(text)
        if (document_start := _DOCUMENT.search(text, comment_start, end)) is not None:
            end = document_start.start()
        pieces += (text[copied_up_to:comment_start], " " * (end - comment_start))
        copied_up_to = end
        comment_start = text.find("<!--", end)
    pieces.append(text[copied_up_to:])
    return "".join(pieces)


def parse_attributes(source: MarkupSource, tag: Tag) -> Attributes:
    """Return the attributes of a tag by their names in lower case."""
    text, start, stop = source.text, tag.start, tag.stop
    for sign in source.unusual_signs:
        if text.find(sign, start, stop) >= 0:
            return Attributes(
                (name.lower(), replace_entities(source.decode_value(value or other_value)))
                for name, value, other_value in _ANY_ATTRIBUTE.findall(text, start, stop)
            )
    tag_attributes = Attributes(_QUOTED_ATTRIBUTE.findall(text, start, stop))
    if not source.is_ascii and not text[start:stop].isascii():
        for name, value in tag_attributes.items():
            if not value.isascii():
                tag_attributes[name] = source.decode_value(value)
    return tag_attributes


def replace_entities(text: str) -> str:
    """Replace XML's own entities and character references; other entities stay."""
    return _ENTITY.sub(_replace_entity, text) if "&" in text else text


def _replace_entity(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] != "#":
        return _ENTITY_CHARACTERS[name]
    number = int(name[1:].replace("x", "0x"), 0 if name[1] == "x" else 10)
    if not 0 < number <= _LAST_CODE_POINT or 0xD800 <= number <= 0xDFFF:
        return match[0]
    return chr(number)


def parse_lowercase_attributes(source: MarkupSource, tag: Tag) -> Attributes:
    """Return the attributes of a tag by their names in lower case; in the source they may be capitals.

    Equal tags, such as those of folds, share the result.
    """
    text = source.text[tag.start : tag.stop]
    if len(text) <= _MAX_CACHED_TAG and text.isascii():
        return _parse_ascii_attributes(text)
    return Attributes((name.lower(), value) for name, value in parse_attributes(source, tag).items())


@lru_cache(maxsize=4096)
def _parse_ascii_attributes(text: str) -> Attributes:
    """Return the attributes in a tag's ASCII text, which doesn't depend on the encoding."""
    if any(sign in text for sign in _UNUSUAL_SIGNS):
        return Attributes(
            (name.lower(), replace_entities(double_quoted or single_quoted))
            for name, double_quoted, single_quoted in _ANY_ATTRIBUTE.findall(text)
        )
    return Attributes((name.lower(), value) for name, value in _QUOTED_ATTRIBUTE.findall(text))
