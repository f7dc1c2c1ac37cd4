"""Rooms' XML: where its hands begin, what stands before them for several, and what is none.

A source is parted at the tags with which hands begin, and at those of what several hands share (a
session, a description). Every byte belongs to one part, so nothing is lost that is no hand.
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
from ledger.readers.marked import Attributes, MarkupSource, Tag, tags

_MAX_BUFFER: Final = 6 * 1024 * 1024
_DTD: Final = ("<!DOCTYPE", "<!ENTITY", "<!ELEMENT", "<!ATTLIST", "<!doctype", "<!entity")
_BLANK: Final = " \t\r\n\0\x1a"
_MARK: Final = "\xef\xbb\xbf"
_IGNORED_CHARACTERS: Final = _BLANK + _MARK
_TAGS_MOST: Final = 2 * MAX_LINES
_WORD_MOST: Final = 500
_VALUE_MOST: Final = 200
_TEXT_MOST: Final = 200


@dataclass(slots=True)
class MarkupPart:
    """Part of a source: what several hands share with the first of them, or one of the others."""

    start: int
    stop: int
    first: int  # where its hand begins; below 0: there is none
    tags: list[Tag]

    @property
    def inner(self) -> list[Tag]:
        """The tags of its hand, the one with which it begins first."""
        return [tag for tag in self.tags if tag.start >= self.first]


@dataclass(frozen=True, slots=True)
class Markup:
    """How a format of this kind tells hands apart, and how it reads one. Tags in small letters."""

    hand_tag: str  # the tag with which a hand begins
    shared_tag: str  # the tag with which begins what hands share; "" = they share nothing
    read_shared: Callable[[MarkupSource, list[Tag]], Any]
    """Reads what hands share. What cannot be read raises `UnreadableHandError`."""
    read_hand: Callable[[MarkupSource, MarkupPart, Any, People], HandBuilder]
    frame_tags: frozenset[str] = frozenset()  # tags that say nothing by themselves, as they are written
    missing_hint: str = ""  # a hint where hands stand without what they share
    root_tags: tuple[str, ...] = ()  # other tags under which what they share may stand


def cut_markup(hand: str, head: str, buffer: bytes, _encoding: str) -> int:
    """Return where the last `<head` begins, in more than 6 MiB without another where the last `<hand` does.

    A hand without what it shares says little of itself, so that is best read with all its hands.
    Where `head` is "" the hands share nothing. Offsets in bytes; 0 = nowhere.
    """
    tag_start = buffer.rfind((head or hand).encode())
    if tag_start > 0:
        declaration = buffer.rfind(b"<?xml", 0, tag_start)
        document_start = declaration if declaration >= 0 and tag_start - declaration < 200 else tag_start
        if buffer[:document_start].strip(b"\xef\xbb\xbf \r\n\t\0"):
            return document_start
    return max(buffer.rfind(hand.encode()), 0) if len(buffer) > _MAX_BUFFER else 0


def read_markup(markup: Markup, chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    source = MarkupSource(chunk)
    shared_values: object = None
    refused = any(word in source.text for word in _DTD)
    barred = False
    for part in _parts(markup, source):
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
    """Tell whether a document type is declared in this stretch or, for the same document, before it."""
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
    if len(part.tags) > _TAGS_MOST:
        raise too_many_parts(len(part.tags), "tags")
    if "\0" in source.text[part.first : part.stop]:
        raise UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
    return markup.read_hand(source, part, shared_values, people)


def _parts(markup: Markup, source: MarkupSource) -> Iterator[MarkupPart]:
    """Part a source at the beginnings of its hands and of what they share."""
    text, hand = source.without_comments, markup.hand_tag
    part, beginnings = MarkupPart(0, 0, -1, []), frozenset((hand, markup.shared_tag, "?xml", *markup.root_tags))
    leading_tags = ("?", "!", *markup.root_tags)  # what may stand before all that hands share
    keep = part.tags.append
    for tag in tags(text, markup.frame_tags):
        name = tag[0]
        if name in beginnings:
            if part.first >= 0 or (
                name != hand
                and any(
                    not tag_before.name.startswith(leading_tags) for tag_before in (*part.tags[:1], *part.tags[-1:])
                )
            ):
                part.stop = tag.start
                yield part
                part = MarkupPart(tag.start, 0, -1, [])
                keep = part.tags.append
            if name == hand:
                part.first = tag.start
        keep(tag)
    part.stop = len(text)
    yield part


def _trim_blanks(source: MarkupSource, part: MarkupPart) -> tuple[int, int]:
    text, start, stop = source.text, part.start, part.stop
    while start < stop and text[start] in _BLANK:
        start += 1
    while stop > start and text[stop - 1] in _BLANK:
        stop -= 1
    if text.startswith(_MARK, start):
        start += 3
    return start, stop


def stretches_between(source: MarkupSource, inner: list[Tag], end: int) -> list[tuple[int, int]]:
    """Return the stretches between these tags and up to the `end` that are neither tags nor blank, comments left out.

    Among them are the texts of elements, and whatever is damaged so that it is no tag.
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
    """A tag with its attributes, and with the tags that stand in it."""

    tag: Tag
    attributes: Attributes
    stop: int  # where it ends
    children: dict[str, list[TagNode]] | None = None
    text: str = ""

    def get(self, name: str, /) -> str:
        """Return an attribute, "" if there is none."""
        return self.attributes[name]

    def count(self, name: str) -> int | None:
        """Return an attribute that is a number of one or two digits, None if it is none."""
        return COUNTS.get(self.attributes[name])

    def read_text(self, source: MarkupSource, limit: int) -> None:
        """Take in the text behind the tag, up to the next one, but no further than that character."""
        start = self.tag.stop
        if not source.text.endswith("/>", self.tag.start, start):
            self.stop = max(source.text.find("<", start, min(limit, start + _TEXT_MOST)), start)
            self.text = source.decoded_text(start, self.stop)

    def add_child(self, name: str, line: TagNode) -> None:
        """Take in a tag of that name that stands in it."""
        if self.children is None:
            self.children = {}
        if name in self.children:
            self.children[name].append(line)
        else:
            self.children[name] = [line]

    def children_named(self, name: str) -> list[TagNode]:
        """Return the tags of that name that stand in it."""
        return self.children.get(name, []) if self.children else []


COUNTS: Final = {text: hand_number for hand_number in range(100) for text in (str(hand_number), f"{hand_number:02}")}

"""Numbers of one or two digits."""


def hand_number(hand_attributes: Attributes, hand_word: str) -> str:
    """Return the number of a hand, from the attributes of its own tag; without one it is unreadable."""
    number_text = hand_attributes["id"].strip()
    if not number_text or len(number_text) > 40 or not number_text.isascii():
        raise UnreadableHandError(f"the {hand_word} has no number", kind="header")
    return number_text


@dataclass(slots=True)
class HandTags:
    """A hand's tags, sorted by their names before anything of them is told."""

    attributes: Attributes
    lines: dict[str, list[TagNode]]
    inner: list[Tag]  # all of them; with the first one the hand begins
    stop: int
    unknown_tags: list[tuple[int, int]] = field(default_factory=list)  # tags that nobody knows

    def get(self, name: str) -> str:
        """Return an attribute of the tag with which the hand begins, "" if there is none."""
        return self.attributes[name].strip()[:_VALUE_MOST]

    def count(self, name: str) -> int | None:
        """Return an attribute of it that is a number of one or two digits, None if it is none."""
        return COUNTS.get(self.attributes[name])


def sniffer(
    openings: tuple[str, ...], words: tuple[str, str, str, str], scores: tuple[int, ...] = (0, 0, 60, 90, 98)
) -> Callable[[bytes], int]:
    """Return a `Format.sniff`: the score depends on how many of the words a text with one of `openings` has."""

    def sniff(head: bytes) -> int:
        text = head.decode("utf-8", "replace")[:8000]
        return scores[sum(word in text for word in words)] if any(opening in text for opening in openings) else 0

    return sniff
