"""A hand's elements: each a tag with its attributes and the text behind it."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.formats.everest.words import chair
from ledger.telling.marked import Source, Tag, plain, values
from ledger.telling.markup import Part
from ledger.vocabulary import Seat

_BLANK = " \t\r\n\0\ufeff\x1a"


@dataclass(slots=True)
class Element:
    """A tag with the text behind it."""

    tag: Tag
    found: dict[str, str]
    text: str
    stop: int  # where the text ends

    def get(self, name: str) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")

    @property
    def seat(self) -> Seat | None:
        """The chair in `position`."""
        return chair(self.get("position"))


def elements(source: Source, part: Part) -> list[Element]:
    """Return a hand's elements, the one with which it begins first."""
    inner = part.inner
    stops = [*(tag.start for tag in inner[1:]), part.stop]
    found = []
    for tag, stop in zip(inner, stops, strict=True):
        words = source.bare[tag.stop : stop].rstrip(_BLANK)
        text = plain(source.meant(words)).strip() if words else ""
        found.append(Element(tag, values(source, tag), text, tag.stop + len(words)))
    return found
