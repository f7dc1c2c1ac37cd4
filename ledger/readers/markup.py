"""Split rooms' XML into hands and the parts that several hands share, and reject everything else.

A source is split at the tags that begin hands and at the tags that begin shared parts (a session, a description).
Every byte belongs to a part, so that no text is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from ledger.account import Reject
from ledger.errors import UnreadableHandError
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers.hand import HandBuilder
from ledger.readers.lines import MAX_LINES, too_many_parts
from ledger.readers.marked import Attributes, MarkupSource, Tag, iter_tags

_MAX_BUFFER: Final = 6 * 1024 * 1024
_DTD: Final = ("<!DOCTYPE", "<!ENTITY", "<!ELEMENT", "<!ATTLIST", "<!doctype", "<!entity")
_BLANK: Final = " \t\r\n\0\x1a"
_MARK: Final = "\xef\xbb\xbf"
_IGNORED_CHARACTERS: Final = _BLANK + _MARK
_MAX_TAGS: Final = 2 * MAX_LINES
_MAX_WORD_LENGTH: Final = 500
_MAX_VALUE_LENGTH: Final = 200
_MAX_TEXT_LENGTH: Final = 200


@dataclass(slots=True)
class MarkupPart:
    """Part of a source: a shared part with the first of its hands, or a later hand."""

    start: int
    stop: int
    first: int  # where its hand begins; negative = no hand
    tags: list[Tag]

    @property
    def inner(self) -> list[Tag]:
        """The tags of its hand, beginning with the hand's own tag."""
        return [tag for tag in self.tags if tag.start >= self.first]


@dataclass(frozen=True, slots=True)
class Markup:
    """How a format in XML finds its hands and reads them. Tags are in lower case."""

    hand_tag: str  # begins a hand
    shared_tag: str  # begins the part that hands share; "" = they share nothing
    read_shared: Callable[[MarkupSource, list[Tag]], Any]
    """Reads the part that hands share. Raises `UnreadableHandError` if it can't be read."""
    read_hand: Callable[[MarkupSource, MarkupPart, Any, People], HandBuilder]
    frame_tags: frozenset[str] = frozenset()  # tags without meaning, as written
    missing_hint: str = ""  # a hint for hands without their shared part
    root_tags: tuple[str, ...] = ()  # other tags that may contain the shared part


def cut_markup(hand: str, head: str, buffer: bytes, _encoding: str) -> int:
    """Return where the last `<head` begins, or after more than 6 MiB without one, where the last `<hand` begins.

    A hand needs its shared part, so the shared part is read together with all its hands.
    If `head` is "", the hands share nothing. Offsets are in bytes; 0 = not found.
    """
    tag_start = buffer.rfind((head or hand).encode())
    if tag_start > 0:
        declaration = buffer.rfind(b"<?xml", 0, tag_start)
        document_start = declaration if declaration >= 0 and tag_start - declaration < 200 else tag_start
        if buffer[:document_start].strip(b"\xef\xbb\xbf \r\n\t\0"):
            return document_start
    return max(buffer.rfind(hand.encode()), 0) if len(buffer) > _MAX_BUFFER else 0


def read_markup(markup: Markup, chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, and rejects for all other text."""
    source = MarkupSource(chunk)
    shared_values: object = None
    refused = any(word in source.text for word in _DTD)
    barred = False
    for part in _split_parts(markup, source):
        start, stop = _trim_blanks(source, part)
        if stop <= start:
            continue
        try:
            if refused:
                barred = _declares_types(source.text, start, stop, barred)
                if barred:
                    raise _declaration_error()
            head = [tag for tag in part.tags if tag.start < part.first or part.first < 0]
            if markup.shared_tag and any(tag.name in (markup.shared_tag, *markup.root_tags) for tag in head):
                shared_values = markup.read_shared(source, head)
            builder = _read_hand(markup, source, part, shared_values, people)
        except UnreadableHandError as error:
            yield Reject(chunk.start + start, stop - start, chunk.line_at(start), error.kind, error.reason, error.hint)
            continue
        yield builder.build_account(chunk.start, start, stop - start)


def _declares_types(text: str, start: int, stop: int, was_declared: bool) -> bool:
    """Whether this part declares a document type, or an earlier part of the same document did."""
    if text.startswith("<?xml", start):
        was_declared = False
    return was_declared or any(text.find(word, start, stop) >= 0 for word in _DTD)


def _declaration_error() -> UnreadableHandError:
    return UnreadableHandError(
        "the file declares a document type or entities of its own",
        kind="dtd",
        hint="No room's files have one; nothing of it is expanded or fetched.",
    )


def _read_hand(
    markup: Markup, source: MarkupSource, part: MarkupPart, shared_values: object, people: People
) -> HandBuilder:
    if part.first < 0:
        has_shared_tag = bool(markup.shared_tag) and any(tag.name == markup.shared_tag for tag in part.tags)
        raise UnreadableHandError(
            f"a {markup.shared_tag} without a hand" if has_shared_tag else "no hand begins here", kind="not-a-hand"
        )
    if shared_values is None and markup.shared_tag:
        raise UnreadableHandError(f"a hand without its {markup.shared_tag}", kind="no-header", hint=markup.missing_hint)
    if len(part.tags) > _MAX_TAGS:
        raise too_many_parts(len(part.tags), "tags")
    if "\0" in source.text[part.first : part.stop]:
        raise UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
    return markup.read_hand(source, part, shared_values, people)


def _split_parts(markup: Markup, source: MarkupSource) -> Iterator[MarkupPart]:
    """Split a source where its hands and their shared parts begin."""
    text, hand = source.without_comments, markup.hand_tag
    part, beginnings = MarkupPart(0, 0, -1, []), frozenset((hand, markup.shared_tag, "?xml", *markup.root_tags))
    leading_tags = ("?", "!", *markup.root_tags)  # tags that may come before a shared part
    keep = part.tags.append
    for tag in iter_tags(text, markup.frame_tags):
        name = tag[0]
        if name in beginnings:
            if part.first >= 0 or (name != hand and _has_content(part, leading_tags)):
                part.stop = tag.start
                yield part
                part = MarkupPart(tag.start, 0, -1, [])
                keep = part.tags.append
            if name == hand:
                part.first = tag.start
        keep(tag)
    part.stop = len(text)
    yield part


def _has_content(part: MarkupPart, leading_tags: tuple[str, ...]) -> bool:
    """Whether the first or the last tag of a part is more than a leading tag."""
    outer_tags = (*part.tags[:1], *part.tags[-1:])
    return any(not tag.name.startswith(leading_tags) for tag in outer_tags)


def _trim_blanks(source: MarkupSource, part: MarkupPart) -> tuple[int, int]:
    text, start, stop = source.text, part.start, part.stop
    while start < stop and text[start] in _BLANK:
        start += 1
    while stop > start and text[stop - 1] in _BLANK:
        stop -= 1
    if text.startswith(_MARK, start):
        start += 3
    return start, stop


def find_stretches_between(source: MarkupSource, inner: list[Tag], end: int) -> list[tuple[int, int]]:
    """Return the stretches of text between these tags and up to `end`, without blanks and comments.

    They are the texts of elements, and damaged tags.
    """
    text = source.without_comments
    stretches = []
    stops = [*(tag.start for tag in inner[1:]), end]
    for tag, stop in zip(inner, stops, strict=True):
        words = text[tag.stop : stop]
        if words and not words.isspace() and words.strip(_IGNORED_CHARACTERS):
            start = tag.stop + len(words) - len(words.lstrip(_BLANK))
            stretches.append((start, start + len(words.strip(_BLANK))))
    return stretches


@dataclass(slots=True)
class TagNode:
    """A tag with its attributes and its child tags."""

    tag: Tag
    attributes: Attributes
    stop: int  # where it ends
    children: dict[str, list[TagNode]] | None = None
    text: str = ""

    def get(self, name: str, /) -> str:
        """Return an attribute, or "" if there is none."""
        return self.attributes[name]

    def count(self, name: str) -> int | None:
        """Return an attribute as a number of one or two digits, or None if it isn't one."""
        return COUNTS.get(self.attributes[name])

    def read_text(self, source: MarkupSource, limit: int) -> None:
        """Set the text between the tag and the next tag, at most up to character `limit`."""
        start = self.tag.stop
        if not source.text.endswith("/>", self.tag.start, start):
            self.stop = max(source.text.find("<", start, min(limit, start + _MAX_TEXT_LENGTH)), start)
            self.text = source.decode_text(start, self.stop)

    def add_child(self, name: str, line: TagNode) -> None:
        """Add a child tag of this name."""
        if self.children is None:
            self.children = {}
        if name in self.children:
            self.children[name].append(line)
        else:
            self.children[name] = [line]

    def get_children(self, name: str) -> list[TagNode]:
        """Return the child tags of this name."""
        return self.children.get(name, []) if self.children else []


COUNTS: Final = {
    text: parse_hand_number
    for parse_hand_number in range(100)
    for text in (str(parse_hand_number), f"{parse_hand_number:02}")
}

"""Numbers of one or two digits."""


def parse_hand_number(hand_attributes: Attributes, hand_word: str) -> str:
    """Return a hand's number from its tag's attributes. Raise `UnreadableHandError` if there is none."""
    number_text = hand_attributes["id"].strip()
    if not number_text or len(number_text) > 40 or not number_text.isascii():
        raise UnreadableHandError(f"the {hand_word} has no number", kind="header")
    return number_text


@dataclass(slots=True)
class HandTags:
    """A hand's tags, sorted by name."""

    attributes: Attributes
    lines: dict[str, list[TagNode]]
    inner: list[Tag]  # all tags; the first is the hand's own
    stop: int
    unknown_tags: list[tuple[int, int]] = field(default_factory=list)  # start and stop

    def get(self, name: str) -> str:
        """Return an attribute of the hand's tag, or "" if there is none."""
        return self.attributes[name].strip()[:_MAX_VALUE_LENGTH]

    def count(self, name: str) -> int | None:
        """Return an attribute of the hand's tag as a number of one or two digits, or None if it isn't one."""
        return COUNTS.get(self.attributes[name])


def build_sniffer(
    openings: tuple[str, ...], words: tuple[str, str, str, str], scores: tuple[int, ...] = (0, 0, 60, 90, 98)
) -> Callable[[bytes], int]:
    """Return a `Format.sniff`: a text with one of `openings` scores by how many of `words` it contains."""

    def sniff(head: bytes) -> int:
        text = head.decode("utf-8", "replace")[:8000]
        return scores[sum(word in text for word in words)] if any(opening in text for opening in openings) else 0

    return sniff
