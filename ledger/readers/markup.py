"""Rooms' XML: where its hands begin, what stands before them for several, and what is none.

A source is parted at the tags with which hands begin, and at those of what several hands share (a
session, a description). Every byte belongs to one part, so nothing is lost that is no hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Generic, TypeVar

from ledger.account import Reject
from ledger.errors import UnreadableHandError
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import RemarkNoted
from ledger.hand.opening import ButtonPlaced, GameSet
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.lines import LINES_MOST, too_long
from ledger.readers.marked import Source, Tag, tags, values
from ledger.readers.reading import in_unit
from ledger.readers.spans import Spans
from ledger.vocabulary import Chips, Seat

_LARGE: Final = 6 * 1024 * 1024
_DTD: Final = ("<!DOCTYPE", "<!ENTITY", "<!ELEMENT", "<!ATTLIST", "<!doctype", "<!entity")
_BLANK: Final = " \t\r\n\0\x1a"
_MARK: Final = "\xef\xbb\xbf"
_AROUND: Final = _BLANK + _MARK
_TAGS_MOST: Final = 2 * LINES_MOST
_WORD_MOST: Final = 500
_VALUE_MOST: Final = 200

Sorted = TypeVar("Sorted")
"""A hand's tags as a format sorts them."""
Head = TypeVar("Head")
"""What a format keeps of the tags that several hands share."""


@dataclass(slots=True)
class Part:
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
class Markup(Generic[Head]):
    """How a format of this kind tells hands apart, and how it reads one. Tags in small letters."""

    hand: str  # the tag with which a hand begins
    head: str  # the tag with which begins what hands share; "" = they share nothing
    share: Callable[[Source, list[Tag]], Head | None]
    """Reads what hands share. What cannot be read raises `UnreadableHandError`."""
    tell: Callable[[Source, Part, Head | None, People], HandBuilder]
    frames: frozenset[str] = frozenset()  # tags that say nothing by themselves, as they are written
    missing: str = ""  # a hint where hands stand without what they share
    roots: tuple[str, ...] = ()  # other tags under which what they share may stand


def cut(hand: str, head: str, buffer: bytes, _encoding: str) -> int:
    """Return where the last `<head` begins, in more than 6 MiB without another where the last `<hand` does.

    A hand without what it shares says little of itself, so that is best read with all its hands.
    Where `head` is "" the hands share nothing. Offsets in bytes; 0 = nowhere.
    """
    at = buffer.rfind((head or hand).encode())
    if at > 0:
        before = buffer.rfind(b"<?xml", 0, at)
        found = before if before >= 0 and at - before < 200 else at
        if buffer[:found].strip(b"\xef\xbb\xbf \r\n\t\0"):
            return found
    return max(buffer.rfind(hand.encode()), 0) if len(buffer) > _LARGE else 0


def read(markup: Markup[Head], chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    source = Source(chunk)
    known: Head | None = None
    refused = any(word in source.text for word in _DTD)
    barred = False
    for part in _parts(markup, source):
        start, stop = _trim(source, part)
        if stop <= start:
            continue
        try:
            if refused:
                barred = _barred(source.text, start, stop, barred)
                if barred:
                    raise _declares()
            head = [tag for tag in part.tags if tag.start < part.first or part.first < 0]
            if markup.head and any(tag.name in (markup.head, *markup.roots) for tag in head):
                known = markup.share(source, head)
            told = _hand(markup, source, part, known, people)
        except UnreadableHandError as error:
            yield Reject(chunk.start + start, stop - start, chunk.line_at(start), error.kind, error.reason, error.hint)
            continue
        yield told.account(chunk.start, start, stop - start)


def _barred(text: str, start: int, stop: int, before: bool) -> bool:
    """Tell whether a document type is declared in this stretch or, for the same document, before it."""
    if text.startswith("<?xml", start):
        before = False
    return before or any(text.find(word, start, stop) >= 0 for word in _DTD)


def _declares() -> UnreadableHandError:
    return UnreadableHandError(
        "the file declares a document type or entities of its own",
        kind="dtd",
        hint="No room's files have one; nothing of it is expanded or fetched.",
    )


def _hand(markup: Markup[Head], source: Source, part: Part, known: Head | None, people: People) -> HandBuilder:
    if part.first < 0:
        named = bool(markup.head) and any(tag.name == markup.head for tag in part.tags)
        raise UnreadableHandError(
            f"a {markup.head} without a hand" if named else "no hand begins here", kind="not-a-hand"
        )
    if known is None and markup.head:
        raise UnreadableHandError(f"a hand without its {markup.head}", kind="no-header", hint=markup.missing)
    if len(part.tags) > _TAGS_MOST:
        raise too_long(len(part.tags), "tags")
    if "\0" in source.text[part.first : part.stop]:
        raise UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
    return markup.tell(source, part, known, people)


def _parts(markup: Markup[Head], source: Source) -> Iterator[Part]:
    """Part a source at the beginnings of its hands and of what they share."""
    text, hand = source.bare, markup.hand
    part, beginnings = Part(0, 0, -1, []), frozenset((hand, markup.head, "?xml", *markup.roots))
    before = ("?", "!", *markup.roots)  # what may stand before all that hands share
    keep = part.tags.append
    for tag in tags(text, markup.frames):
        name = tag[0]
        if name in beginnings:
            if part.first >= 0 or (
                name != hand and any(not one.name.startswith(before) for one in (*part.tags[:1], *part.tags[-1:]))
            ):
                part.stop = tag.start
                yield part
                part = Part(tag.start, 0, -1, [])
                keep = part.tags.append
            if name == hand:
                part.first = tag.start
        keep(tag)
    part.stop = len(text)
    yield part


def _trim(source: Source, part: Part) -> tuple[int, int]:
    text, start, stop = source.text, part.start, part.stop
    while start < stop and text[start] in _BLANK:
        start += 1
    while stop > start and text[stop - 1] in _BLANK:
        stop -= 1
    if text.startswith(_MARK, start):
        start += 3
    return start, stop


def between(source: Source, part: Part, inner: list[Tag]) -> list[tuple[int, int]]:
    """Return the stretches of a hand that are neither tags nor blank, comments left out.

    Among them are the texts of elements, and whatever is damaged so that it is no tag.
    """
    text = source.bare
    found = []
    stops = [*(tag.start for tag in inner[1:]), part.stop]
    for tag, stop in zip(inner, stops, strict=True):
        words = text[tag.stop : stop]
        if words and not words.isspace() and words.strip(_AROUND):
            start = tag.stop + len(words) - len(words.lstrip(_BLANK))
            found.append((start, start + len(words.strip(_BLANK))))
    return found


@dataclass(slots=True)
class Line:
    """A tag with its attributes, and with the tags that stand in it."""

    tag: Tag
    found: dict[str, str]
    stop: int  # where it ends
    inside: dict[str, list[Line]] | None = None
    text: str = ""

    def get(self, name: str, /) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")

    def count(self, name: str) -> int | None:
        """Return an attribute that is a number of one or two digits, None if it is none."""
        return count(self.found.get(name, ""))

    def take(self, name: str, line: Line) -> None:
        """Take in a tag of that name that stands in it."""
        if self.inside is None:
            self.inside = {}
        if name in self.inside:
            self.inside[name].append(line)
        else:
            self.inside[name] = [line]

    def those(self, name: str) -> list[Line]:
        """Return the tags of that name that stand in it."""
        return self.inside.get(name, []) if self.inside else []


_COUNTS: Final = {text: number for number in range(100) for text in (str(number), f"{number:02}")}


def count(text: str) -> int | None:
    """Return a number of one or two digits, None if it is none."""
    return _COUNTS.get(text)


def number(found: dict[str, str], what: str) -> str:
    """Return the number of a hand, from the attributes of its own tag; without one it is unreadable."""
    written = found.get("id", "").strip()
    if not written or len(written) > 40 or not written.isascii():
        raise UnreadableHandError(f"the {what} has no number", kind="header")
    return written


@dataclass(slots=True)
class Sheet:
    """A hand's tags, sorted by their names before anything of them is told."""

    tag: Tag
    found: dict[str, str]
    lines: dict[str, list[Line]]
    unknown: list[tuple[int, int]] = field(default_factory=list)  # tags that nobody knows
    texts: list[tuple[int, int]] = field(default_factory=list)  # what is neither a tag nor blank

    def get(self, name: str) -> str:
        """Return an attribute of the tag with which the hand begins, "" if there is none."""
        return self.found.get(name, "").strip()[:_VALUE_MOST]

    def count(self, name: str) -> int | None:
        """Return an attribute of it that is a number of one or two digits, None if it is none."""
        return count(self.found.get(name, ""))


def sheet(
    names: tuple[str, ...], inside: Mapping[str, frozenset[str]], frames: frozenset[str], source: Source, part: Part
) -> Sheet:
    """Take a hand's tags apart: lines of these names; `inside`: what stands in which of them; `frames` say nothing."""
    inner = part.inner
    found = Sheet(inner[0], values(source, inner[0]), {name: [] for name in names})
    now: Line | None = None
    outer = end = ""
    for tag in inner[1:]:
        name = tag.name
        if now is not None and outer in inside.get(name, ()):
            now.take(name, Line(tag, values(source, tag), tag.stop))
            now.stop = tag.stop
        elif name in found.lines:
            now = Line(tag, values(source, tag), tag.stop)
            found.lines[name].append(now)
            outer, end = name, f"/{name}"
        elif now is not None and name == end:
            now.stop = tag.stop
        elif name[0] != "/" and name not in frames:
            found.unknown.append((tag.start, tag.stop))
    found.texts = between(source, part, inner)
    return found


def alone(
    hand: str, sort: Callable[[Source, Part], Sheet], tell: Callable[[Source, Sheet, People, int | None], HandBuilder]
) -> Callable[[Chunk, People], Iterator[Item]]:
    """Return a reader of hands that share nothing; each is told in the unit that it needs."""

    def told(source: Source, part: Part, _shared: None, people: People) -> HandBuilder:
        found = sort(source, part)
        return in_unit(lambda exponent: tell(source, found, people, exponent))

    def nothing(_source: Source, _head: list[Tag]) -> None:
        """Share nothing: each hand tells all of itself."""

    return partial(read, Markup(hand, "", nothing, told))


def together(
    hand: str,
    head: str,
    share: Callable[[Source, list[Tag]], Head | None],
    sort: Callable[[Source, Part], Sorted],
    tell: Callable[[Source, Sorted, Head, People, int | None], HandBuilder],
    *,
    missing: str,
    frames: frozenset[str] = frozenset(),
    roots: tuple[str, ...] = (),
) -> Callable[[Chunk, People], Iterator[Item]]:
    """Return a reader of hands that share what stands before them; each is told in the unit that it needs."""

    def told(source: Source, part: Part, shared: Head | None, people: People) -> HandBuilder:
        assert shared is not None  # noqa: S101 - no hand is told without what it shares
        found = sort(source, part)
        return in_unit(lambda exponent: tell(source, found, shared, people, exponent))

    return partial(read, Markup(hand, head, share, told, frames, missing, roots))


def xml_format(
    name: str,
    title: str,
    read: Callable[[Chunk, People], Iterator[Item]],
    sniff: Callable[[bytes], int],
    hand: str,
    head: str = "",
) -> Format:
    """Return the format of a room's XML; with `hand` a hand begins, with `head` what several share."""
    return Format(name, title, (".xml", ".txt"), sniff, read, partial(cut, hand, head), appended=False)


def sniffer(
    begins: tuple[str, ...], words: tuple[str, str, str, str], sure: tuple[int, ...] = (0, 0, 60, 90, 98)
) -> Callable[[bytes], int]:
    """Return what tells how sure it is that a hand `begins` here that has none, one or more of these words."""

    def sniff(head: bytes) -> int:
        text = head.decode("utf-8", "replace")[:8000]
        return sure[sum(word in text for word in words)] if any(one in text for one in begins) else 0

    return sniff


class XmlHandBuilder(HandBuilder):
    """A hand of such a source while it is told: its places are tags and stretches of text."""

    __slots__ = ("dealt", "source", "spans", "whole")

    def __init__(self, source: Source, people: People, venue: str, game: GameSet, begins: Tag) -> None:
        """Begin a hand; the tag with which it `begins` tells the game, the second event."""
        spans = Spans()
        super().__init__(spans, people, venue, game, 0)
        self.source = source
        self.spans = spans
        self.dealt = False  # every seat has its cards
        self.whole = self.place(begins)
        self.put(game)

    def place(self, tag: Tag, stop: int = 0) -> int:
        """Point at a tag, and at its text up to `stop`; return the place's number."""
        return self.stretch(tag.start, stop or tag.stop)

    def stretch(self, start: int, stop: int) -> int:
        """Point at these characters; return the place's number."""
        self.at = self.spans.add(start, stop - start)
        return self.at

    def strange(self, start: int, stop: int) -> None:
        """Keep characters that nobody knows; however their lines end, they are the same words."""
        self.stretch(start, stop)
        lines = self.source.words(start, stop).splitlines()
        self.unread("\n".join(filter(None, lines))[:_WORD_MOST])

    def remark(self, tag: Tag) -> None:
        """Keep a tag as it is written, of which no event can say what it tells."""
        self.put(RemarkNoted(self.people.text(self.source.words(tag.start, tag.stop))))

    def amount_in(self, line: Line, name: str) -> Chips | None:
        """Return an attribute that is an amount, None where there is none."""
        written = line.get(name)
        return self.chips(written) if written else None

    def tell_lines(self, lines: Iterable[Line], acts: Mapping[str, Callable[[Any, Line], bool]]) -> None:
        """Tell lines in their order, each by its `type`; what nobody knows is kept."""
        for line in lines:
            self.place(line.tag, line.stop)
            act = acts.get(line.get("type"))
            if act is None or not act(self, line):
                self.strange(line.tag.start, line.stop)

    def deal_complete(self) -> None:
        """Say that every seat has its cards, once."""
        if not self.dealt:
            self.dealt = True
            self.put(DealCompleted())

    def sit_unlisted(self, acting: Iterable[tuple[Tag, Seat | None]], listed: set[Seat], number: str) -> None:
        """Seat who acts without standing among the players: nameless and without a stack, on the chair that acts."""
        for tag, seat in acting:
            if seat and seat < SEATS and seat not in listed:
                listed.add(seat)
                self.place(tag)
                self.inferred.append(len(self.events))
                self.sit(seat, f"? {number} {seat}", None)

    def sit_anywhere(self, tag: Tag, stop: int, name: str, taken: set[Seat]) -> None:
        """Seat who acts without standing among the players: on a free chair, without a stack."""
        free = next((seat for seat in range(1, SEATS) if seat not in taken), 0)
        taken.add(free)
        self.place(tag, stop)
        self.inferred.append(len(self.events))
        self.sit(free, name, None)

    def place_button(self, tag: Tag, seat: Seat | None) -> bool:
        """Say where the button lies; False where that is no chair."""
        self.place(tag)
        known = seat is not None and 0 < seat < SEATS
        if seat is not None and known:
            self.put(ButtonPlaced(seat))
        return known
