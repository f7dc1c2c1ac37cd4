"""A hand's elements: each a tag with its attributes and the text behind it."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.formats.everest.words import chair
from ledger.readers.marked import Source, Tag, plain, values
from ledger.readers.markup import Part
from ledger.vocabulary import Seat

_BLANK = " \t\r\n\0\ufeff\x1a"


@dataclass(slots=True)
class Element:
    """A tag with the text behind it."""

    tag: Tag
    found: dict[str, str]
    text: str
    stop: int  # where the text ends
    seat: Seat | None  # the chair in `position`

    def get(self, name: str) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")


def elements(source: Source, part: Part) -> list[Element]:
    """Return a hand's elements, the one with which it begins first; ends of tags only with a text behind."""
    inner, bare = part.inner, source.bare
    stops = [tag.start for tag in inner]
    stops.append(part.stop)
    found = []
    for tag, stop in zip(inner, stops[1:], strict=True):
        name, _, at = tag
        text, words = "", bare[at:stop]
        if words and not words.isspace():
            words = words.rstrip(_BLANK)
            text = plain(source.meant(words)).strip()
            at += len(words)
        elif name[0] == "/":
            continue  # an end says nothing
        said = values(source, tag)
        seat = chair(said["position"]) if "position" in said else None
        found.append(Element(tag, said, text, at, seat))
    return found
