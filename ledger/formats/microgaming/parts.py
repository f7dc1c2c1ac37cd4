"""A game's tags, sorted into seats and actions before anything of them is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.readers.marked import Source, Tag, values
from ledger.readers.markup import Part, between
from ledger.vocabulary import Seat

_NOISE: Final = ("----PRIMA.DAT----",)
_EXTENDED: Final = "ExtendedTableName:"


@dataclass(slots=True)
class Line:
    """A seat or an action, with the cards and payments that stand in it."""

    tag: Tag
    found: dict[str, str]
    stop: int = 0  # where it ends
    cards: list[dict[str, str]] = field(default_factory=list)
    paid: list[Line] = field(default_factory=list)

    def get(self, name: str) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")

    @property
    def seat(self) -> Seat | None:
        """The chair in `seat` or `num`, None if that is no number."""
        text = self.found.get("seat", "") or self.found.get("num", "")
        told = text.isascii() and text.isdecimal() and len(text) < 3
        return int(text) if told else None


@dataclass(slots=True)
class Parts:
    """What a game's tags say."""

    tag: Tag
    found: dict[str, str]
    seats: list[Line] = field(default_factory=list)
    actions: list[Line] = field(default_factory=list)
    remarks: list[tuple[int, int]] = field(default_factory=list)  # the table's longer name
    unknown: list[tuple[int, int]] = field(default_factory=list)  # tags and texts that nobody knows


_FRAMES: Final = frozenset(("seats", "gameplay", "?xml", "games", "root"))
"""Tags that say nothing by themselves."""


def parts(source: Source, part: Part) -> Parts:
    """Take a game's tags apart."""
    inner = part.inner
    found = Parts(inner[0], values(source, inner[0]))
    for tag in inner[1:]:
        name = tag.name
        if name == "action":
            found.actions.append(Line(tag, values(source, tag), tag.stop))
        elif name == "card" and found.actions:
            found.actions[-1].cards.append(values(source, tag))
            found.actions[-1].stop = tag.stop
        elif name == "seat":
            line = Line(tag, values(source, tag), tag.stop)
            (found.actions[-1].paid if found.actions else found.seats).append(line)
        elif name == "/action" and found.actions:
            found.actions[-1].stop = tag.stop
        elif name[0] != "/" and name not in _FRAMES:
            found.unknown.append((tag.start, tag.stop))
    for start, stop in between(source, part, inner):
        _text(source, found, start, stop)
    return found


def _text(source: Source, found: Parts, start: int, stop: int) -> None:
    """Sort what stands between hands: the table's longer name, a frame of the client's."""
    at = start
    for line in source.text[start:stop].splitlines(keepends=True):
        words = line.strip(" \t\r\n\ufeff")
        first = at + line.find(words)
        at += len(line)
        if words.startswith(_EXTENDED):
            found.remarks.append((first, first + len(words)))
        elif words and words not in _NOISE:
            found.unknown.append((first, first + len(words)))
