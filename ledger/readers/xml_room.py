"""A room's XML as tables: which tags a hand is made of, and what each of them tells (`ledger.readers.document_room`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, Final, Self

from ledger.hand.ending import RemarkNoted
from ledger.notation import Format
from ledger.people import People
from ledger.readers.document_room import DocumentRoom, Head
from ledger.readers.hand import HandBuilder
from ledger.readers.marked import Source, Tag, values
from ledger.readers.markup import COUNTS, Line, Markup, Part, Sheet, between, cut, read
from ledger.readers.reading import in_unit
from ledger.readers.spans import Spans
from ledger.vocabulary import Seat

_WORD_MOST: Final = 500


class XmlRoom(DocumentRoom):
    """A hand of such a source while it is told: its parts are lines, its places are tags and stretches of text.

    Tags are written in small letters here, and so are attributes.
    """

    __slots__ = ("head", "lines", "shared", "sheet", "source", "spans", "whole")

    HAND: ClassVar[str]
    """The tag with which a hand begins."""
    SHARED: ClassVar[str] = ""
    """The tag with which begins what several hands share; "" = they share nothing."""
    ROOTS: ClassVar[tuple[str, ...]] = ()
    """Other tags under which what they share may stand."""
    MISSING: ClassVar[str] = ""
    """A hint where hands stand without what they share."""
    SKIPPED: ClassVar[frozenset[str]] = frozenset()
    """Tags that say nothing by themselves, as they are written: they are not even looked at."""
    FRAMES: ClassVar[frozenset[str]] = frozenset(("root", "?xml"))
    """Tags that say nothing by themselves."""
    FIRST: ClassVar[int | None] = None
    """The number of the first chair, where chairs say who acts; None = names do."""
    LINES: ClassVar[tuple[str, ...]] = ()
    """The tags that say something."""
    TEXTS: ClassVar[frozenset[str]] = frozenset()
    """Those whose text says something, too."""
    INSIDE: ClassVar[Mapping[str, frozenset[str]]] = {}
    """A tag → those in which it stands."""

    @classmethod
    def sort(cls, source: Source, part: Part) -> Sheet:
        """Sort a hand's tags."""
        inner, texts = part.inner, cls.TEXTS
        found = Sheet(values(source, inner[0]), {name: [] for name in cls.LINES}, inner, part.stop)
        lines, within, frames = found.lines, cls.INSIDE, cls.FRAMES
        now: Line | None = None
        outer = end = ""
        for tag in inner[1:]:
            name, start, stop = tag
            if name in lines or name in within:
                line = Line(tag, values(source, tag), stop)
                if name in texts:
                    line.read_text(source, part.stop)
            if now is not None and name in within and outer in within[name]:
                now.take(name, line)
                now.stop = line.stop
            elif name in lines:
                now = line
                lines[name].append(now)
                outer, end = name, f"/{name}"
            elif name[0] == "/":
                if now is not None and name == end:
                    now.stop = stop
            elif name not in frames:
                found.unknown.append((start, stop))
        return found

    @classmethod
    def told(cls, source: Source, sheet: Sheet, shared: Any, head: Head, people: People) -> Self:  # noqa: ANN401 - what `share` gave
        """Tell a hand; what is damaged raises `UnreadableHandError`."""
        hand = cls(source, sheet, shared, head, people)
        hand.tell()
        hand.open_as(head)
        return hand

    def __init__(self, source: Source, sheet: Sheet, shared: Any, head: Head, people: People) -> None:  # noqa: ANN401 - as above
        """Begin a hand: the tag with which it begins tells the game, the second event, and what it costs."""
        self.source, self.sheet, self.lines, self.head = source, sheet, sheet.lines, head
        self.shared = shared
        self.spans = Spans()
        super().__init__(self.spans, people, head.venue or self.VENUE, head.game, 0)
        self.whole = self.place(sheet.inner[0])
        self.put(head.game)
        if head.costs:
            self.put(head.costs)

    def tell(self) -> None:
        """Tell all of a hand."""

    def number(self, chair: str) -> Seat | None:
        """Return the seat of a chair's number, None where it is none."""
        found = COUNTS.get(chair)
        return None if found is None else found + 1 - (self.FIRST or 0)

    def by_chair(self, lines: Iterable[Line], chair: str) -> list[Line]:
        """Return lines in the order of their chairs, the attribute of that name; first those without one."""
        return sorted(lines, key=lambda line: self.number(line.found[chair].strip()) or 0)

    def seat_by(self, who: str | None) -> Seat | None:
        """Return the seat of who is named so, or by the chair, None if that is nobody in the hand."""
        if self.FIRST is None:
            return self.seats.get(who or "")
        found = COUNTS.get(who or "")
        return None if found is None or (seat := found + 1 - self.FIRST) not in self.stacks else seat

    def place(self, tag: Tag, stop: int = 0) -> int:
        """Point at a tag, and at its text up to `stop`; return the place's number."""
        return self.stretch(tag.start, stop or tag.stop)

    def stretch(self, start: int, stop: int) -> int:
        """Point at these characters; return the place's number."""
        self.at = self.spans.add(start, stop - start)
        return self.at

    def point(self, part: Line) -> None:
        """Read a line: what is told of it has its place."""
        _, start, _ = part.tag
        starts, lengths = self.spans.starts, self.spans.lengths
        self.at = len(starts)
        starts.append(start)
        lengths.append(part.stop - start)

    def point_at_head(self, part: Line) -> None:
        """Read a line's tag."""
        self.place(part.tag)

    def refuse(self, part: Line) -> None:
        """Keep a line that nobody knows."""
        self.strange(part.tag.start, part.stop)

    def strange(self, start: int, stop: int) -> None:
        """Keep characters that nobody knows; however their lines end, they are the same words."""
        self.stretch(start, stop)
        lines = self.source.words(start, stop).splitlines()
        self.unread("\n".join(filter(None, lines))[:_WORD_MOST])

    def remark(self, part: Line) -> None:
        """Keep a tag as it is written, of which no event can say what it tells."""
        self.put(RemarkNoted(self.people.text(self.source.words(part.tag.start, part.tag.stop))))

    def play(self, lines: Iterable[Line], kind: str = "") -> int:
        """Tell lines in their order, all of a `kind` if that is said; what nobody knows is kept. Return how many were told."""
        told = 0
        for line in lines:
            self.point(line)
            if self.tell_as(kind, line.found, line) if kind else self.tell_part(line.found, line):
                told += 1
            else:
                self.refuse(line)
        return told

    def besides(self) -> None:
        """Keep the tags and texts of a hand that nobody knows."""
        for start, stop in self.sheet.unknown + between(self.source, self.sheet.inner, self.sheet.stop):
            self.strange(start, stop)


def xml_format(
    name: str,
    title: str,
    room: type[XmlRoom],
    head: Callable[[Sheet, Any, int | None], Head],
    sniff: Callable[[bytes], int],
    hand: str,
    shared: str = "",
    share: Callable[[Source, list[Tag]], Any] = lambda _source, _tags: None,
) -> Format:
    """Return the format of a room's XML: with `hand` a hand begins, with `shared` what several share.

    `head` reads what stands before a hand's parts, of its tags and what `share` kept; what they cannot read raises
    `UnreadableHandError`.
    """

    def tell(source: Source, part: Part, known: Any, people: People) -> HandBuilder:  # noqa: ANN401 - what `share` gave
        sheet = room.sort(source, part)
        return in_unit(lambda exponent: room.told(source, sheet, known, head(sheet, known, exponent), people))

    markup = Markup(room.HAND, room.SHARED, share, tell, room.SKIPPED, room.MISSING, room.ROOTS)
    return Format(
        name, title, (".xml", ".txt"), sniff, partial(read, markup), partial(cut, hand, shared), appended=False
    )
