"""A hand's tags, sorted into players, actions and results before anything of them is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.formats.boss.words import CARDS
from ledger.readers.marked import Source, Tag, values
from ledger.readers.markup import Part, between


@dataclass(slots=True)
class Line:
    """A player, an action or a result, with the cards that stand in it."""

    tag: Tag
    found: dict[str, str]
    stop: int  # where it ends
    cards: list[str | None] = field(default_factory=list)  # None = no card

    def get(self, name: str) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")

    @property
    def name(self) -> str:
        """Whose line it is."""
        return self.found.get("player", "") or self.found.get("name", "")

    @property
    def known(self) -> str:
        """The cards one after the other, "" where all lie face down or one is no card."""
        if None in self.cards:
            return ""
        found = "".join(one or "" for one in self.cards)
        return found if found.strip("?") else ""


@dataclass(slots=True)
class Parts:
    """What a hand's tags say."""

    tag: Tag
    found: dict[str, str]
    players: list[Line] = field(default_factory=list)
    actions: list[Line] = field(default_factory=list)
    showdown: Line | None = None
    results: list[Line] = field(default_factory=list)
    unknown: list[tuple[int, int]] = field(default_factory=list)  # tags and texts that nobody knows


_FRAMES: Final = frozenset(("root", "?xml"))
"""Tags that say nothing by themselves."""


def parts(source: Source, part: Part) -> Parts:
    """Take a hand's tags apart."""
    inner = part.inner
    found = Parts(inner[0], values(source, inner[0]))
    now: Line | None = None
    for tag in inner[1:]:
        name = tag.name
        if name == "card" and now is not None:
            now.cards.append(CARDS.get(values(source, tag).get("link", "").strip()))
            now.stop = tag.stop
        elif name in ("player", "action", "result", "showdown"):
            now = Line(tag, values(source, tag), tag.stop)
            if name == "player":
                found.players.append(now)
            elif name == "action":
                found.actions.append(now)
            elif name == "result":
                found.results.append(now)
            else:
                found.showdown = now
        elif name in ("/action", "/result", "/player") and now is not None:
            now.stop = tag.stop
        elif name[0] != "/" and name not in _FRAMES:
            found.unknown.append((tag.start, tag.stop))
    found.unknown += between(source, part, inner)
    return found
