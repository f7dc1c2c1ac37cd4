"""Base class of hands in XML, read with a room's tables of tags (`ledger.readers.document_hand`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar, Final, Self

from ledger.hand.ending import RemarkNoted
from ledger.notation import Format
from ledger.people import People
from ledger.readers.document_hand import DocumentHand, DocumentHeader
from ledger.readers.hand import HandBuilder
from ledger.readers.marked import MarkupSource, Tag, parse_lowercase_attributes
from ledger.readers.markup import (
    COUNTS,
    HandTags,
    Markup,
    MarkupPart,
    TagNode,
    cut_markup,
    find_stretches_between,
    read_markup,
)
from ledger.readers.spans import Spans
from ledger.readers.text_format import read_in_unit
from ledger.vocabulary import Seat

_MAX_UNREAD_LENGTH: Final = 500


class XmlHand(DocumentHand):
    """A hand read from XML. Its parts are tag nodes; its places are tags and stretches of text.

    The names of tags and attributes are in lower case.
    """

    __slots__ = ("hand_place", "head", "lines", "shared", "sheet", "source", "spans")

    HAND_TAG: ClassVar[str]
    """The tag that begins a hand."""
    SHARED_TAG: ClassVar[str] = ""
    """The tag that begins the part that several hands share; "" = they share nothing."""
    ROOT_TAGS: ClassVar[tuple[str, ...]] = ()
    """Other tags that may contain the shared part."""
    MISSING_HINT: ClassVar[str] = ""
    """A hint for hands without their shared part."""
    SKIPPED_TAGS: ClassVar[frozenset[str]] = frozenset()
    """Tags without meaning, as written. They are skipped without being parsed."""
    FRAME_TAGS: ClassVar[frozenset[str]] = frozenset(("root", "?xml"))
    """Tags without meaning."""
    FIRST_CHAIR: ClassVar[int | None] = None
    """The number of the first chair if players are identified by chair; None = by name."""
    LINE_TAGS: ClassVar[tuple[str, ...]] = ()
    """The tags with meaning."""
    TEXT_TAGS: ClassVar[frozenset[str]] = frozenset()
    """The tags whose text has meaning too."""
    PARENT_TAGS: ClassVar[Mapping[str, frozenset[str]]] = {}
    """A tag → its possible parents."""

    @classmethod
    def sort_tags(cls, source: MarkupSource, part: MarkupPart) -> HandTags:
        """Sort a hand's tags."""
        inner, texts = part.inner, cls.TEXT_TAGS
        hand_tags = HandTags(
            parse_lowercase_attributes(source, inner[0]), {name: [] for name in cls.LINE_TAGS}, inner, part.stop
        )
        lines, parent_tags, frames = hand_tags.lines, cls.PARENT_TAGS, cls.FRAME_TAGS
        open_node: TagNode | None = None
        outer = end = ""
        for tag in inner[1:]:
            name, start, stop = tag
            if name in lines or name in parent_tags:
                line = TagNode(tag, parse_lowercase_attributes(source, tag), stop)
                if name in texts:
                    line.read_text(source, part.stop)
            if open_node is not None and name in parent_tags and outer in parent_tags[name]:
                open_node.add_child(name, line)
                open_node.stop = line.stop
            elif name in lines:
                open_node = line
                lines[name].append(open_node)
                outer, end = name, f"/{name}"
            elif name[0] == "/":
                if open_node is not None and name == end:
                    open_node.stop = stop
            elif name not in frames:
                hand_tags.unknown_tags.append((start, stop))
        return hand_tags

    @classmethod
    def read_hand(
        cls,
        source: MarkupSource,
        sheet: HandTags,
        shared: Any,  # noqa: ANN401 - what `read_shared` gave
        head: DocumentHeader,
        people: People,
    ) -> Self:
        """Return a hand. Raise `UnreadableHandError` if it's damaged."""
        hand = cls(source, sheet, shared, head, people)
        hand.read_parts()
        hand.open_with(head)
        return hand

    def __init__(
        self,
        source: MarkupSource,
        sheet: HandTags,
        shared: Any,  # noqa: ANN401 - as above
        head: DocumentHeader,
        people: People,
    ) -> None:
        """Begin a hand with the game of its header, and the tournament's price if there is one."""
        self.source, self.sheet, self.lines, self.head = source, sheet, sheet.lines, head
        self.shared = shared
        self.spans = Spans()
        super().__init__(self.spans, people, head.venue or self.VENUE, head.game, 0)
        self.hand_place = self.point_at_tag(sheet.inner[0])
        self.add_event(head.game)
        if head.costs:
            self.add_event(head.costs)

    def read_parts(self) -> None:
        """Add the events of all parts, in the hand's order."""

    def find_chair_seat(self, chair: str) -> Seat | None:
        """Return the seat of a chair's number, or None if the text isn't one."""
        chair_number = COUNTS.get(chair)
        return None if chair_number is None else chair_number + 1 - (self.FIRST_CHAIR or 0)

    def sort_by_chair(self, lines: Iterable[TagNode], chair: str) -> list[TagNode]:
        """Sort lines by their chair, the attribute `chair`. Lines without one come first."""
        return sorted(lines, key=lambda line: self.find_chair_seat(line.attributes[chair].strip()) or 0)

    def find_seat(self, player_name: str | None) -> Seat | None:
        """Return the seat of a player in the hand by name, or by chair; None if there is no such player."""
        if self.FIRST_CHAIR is None:
            return self.seats.get(player_name or "")
        chair_number = COUNTS.get(player_name or "")
        return (
            None if chair_number is None or (seat := chair_number + 1 - self.FIRST_CHAIR) not in self.stacks else seat
        )

    def point_at_tag(self, tag: Tag, stop: int = 0) -> int:
        """Add a tag, with its text up to `stop`, as the current place; return the place's number."""
        return self.point_at_stretch(tag.start, stop or tag.stop)

    def point_at_stretch(self, start: int, stop: int) -> int:
        """Add these characters as the current place; return the place's number."""
        self.place = self.spans.add(start, stop - start)
        return self.place

    def point_at(self, part: TagNode) -> None:
        """Use a line's place for the events that come next."""
        _, start, _ = part.tag
        starts, lengths = self.spans.starts, self.spans.lengths
        self.place = len(starts)
        starts.append(start)
        lengths.append(part.stop - start)

    def point_at_head(self, part: TagNode) -> None:
        """Use the place of a line's tag for the events that come next."""
        self.point_at_tag(part.tag)

    def keep_unknown(self, part: TagNode) -> None:
        """Keep an unknown line as unread."""
        self.add_unread_stretch(part.tag.start, part.stop)

    def add_unread_stretch(self, start: int, stop: int) -> None:
        """Keep unknown characters as unread, with uniform line ends."""
        self.point_at_stretch(start, stop)
        lines = self.source.decode_text(start, stop).splitlines()
        self.add_unread("\n".join(filter(None, lines))[:_MAX_UNREAD_LENGTH])

    def add_remark(self, part: TagNode) -> None:
        """Keep a tag as a remark, because no event can hold its content."""
        self.add_event(RemarkNoted(self.people.text(self.source.decode_text(part.tag.start, part.tag.stop))))

    def read_lines(self, lines: Iterable[TagNode], kind: str = "") -> int:
        """Read lines in order, all as `kind` if given. Keep unknown lines as unread. Return how many were read."""
        read_count = 0
        for line in lines:
            self.point_at(line)
            if self.read_as(kind, line.attributes, line) if kind else self.read_part(line.attributes, line):
                read_count += 1
            else:
                self.keep_unknown(line)
        return read_count

    def add_unknown_tags(self) -> None:
        """Keep the unknown tags and texts of the hand as unread."""
        for start, stop in self.sheet.unknown_tags + find_stretches_between(
            self.source, self.sheet.inner, self.sheet.stop
        ):
            self.add_unread_stretch(start, stop)


def build_xml_format(
    name: str,
    title: str,
    room: type[XmlHand],
    head: Callable[[HandTags, Any, int | None], DocumentHeader],
    sniff: Callable[[bytes], int],
    hand: str,
    shared: str = "",
    read_shared: Callable[[MarkupSource, list[Tag]], Any] = lambda _source, _tags: None,
) -> Format:
    """Build the format of a room's XML. `hand` begins a hand, and `shared` the part that several hands share.

    `head` reads the header from a hand's tags and the result of `read_shared`. Both raise `UnreadableHandError` if they
    can't read it.
    """

    def read(source: MarkupSource, part: MarkupPart, shared_values: Any, people: People) -> HandBuilder:  # noqa: ANN401 - what `read_shared` gave
        sheet = room.sort_tags(source, part)
        return read_in_unit(
            lambda exponent: room.read_hand(source, sheet, shared_values, head(sheet, shared_values, exponent), people)
        )

    markup = Markup(
        room.HAND_TAG, room.SHARED_TAG, read_shared, read, room.SKIPPED_TAGS, room.MISSING_HINT, room.ROOT_TAGS
    )
    return Format(
        name,
        title,
        (".xml", ".txt"),
        sniff,
        partial(read_markup, markup),
        partial(cut_markup, hand, shared),
        is_appended=False,
    )
