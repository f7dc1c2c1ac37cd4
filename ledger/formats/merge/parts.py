"""A game's tags, sorted into players and rounds before anything of them is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.readers.marked import Source, Tag, values
from ledger.readers.markup import Part, between
from ledger.vocabulary import Millis, Seat

_MOMENT_MOST: Final = 15


@dataclass(slots=True)
class Line:
    """One element: a player, an event, cards or a winner."""

    tag: Tag
    found: dict[str, str]
    seat: Seat | None = None
    """The chair in `player` or `seat`, where the first one is 0; None if that is no number."""

    def __post_init__(self) -> None:
        text = self.found.get("player", "") or self.found.get("seat", "")
        if text.isascii() and text.isdecimal() and len(text) < 3:
            self.seat = int(text) + 1

    def get(self, name: str) -> str:
        """Return an attribute, "" if there is none."""
        return self.found.get(name, "")

    @property
    def moment(self) -> Millis | None:
        """When it was, None if that is not told."""
        text = self.found.get("timestamp", "")
        told = text.isascii() and text.isdecimal() and 0 < len(text) < _MOMENT_MOST
        return int(text) if told else None


@dataclass(slots=True)
class Round:
    """A round with its elements, each kind in its own order: cards stand behind all events."""

    name: str
    tag: Tag
    events: list[Line] = field(default_factory=list)
    cards: list[Line] = field(default_factory=list)
    winners: list[Line] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Line]:
        """Return the cards of these types."""
        return [line for line in self.cards if line.get("type") in kinds]


@dataclass(slots=True)
class Parts:
    """What a game's tags say."""

    tag: Tag
    found: dict[str, str]
    dealer: Line | None = None
    players: list[Line] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    unknown: list[tuple[int, int]] = field(default_factory=list)  # tags and texts that nobody knows

    def events(self, rounds: frozenset[str] | None = None) -> list[Line]:
        """Return the events of these rounds, of all if none are named."""
        return [line for one in self.rounds if rounds is None or one.name in rounds for line in one.events]


def parts(source: Source, part: Part) -> Parts:
    """Take a game's tags apart."""
    inner = part.inner
    found = Parts(inner[0], values(source, inner[0]))
    now = Round("", inner[0])
    for tag in inner[1:]:
        name = tag.name
        if name in ("event", "cards", "winner", "player"):
            line = Line(tag, values(source, tag))
            if name == "player":
                found.players.append(line)
            elif not found.rounds:
                found.unknown.append((tag.start, tag.stop))
            else:
                {"event": now.events, "cards": now.cards, "winner": now.winners}[name].append(line)
        elif name == "round":
            now = Round(values(source, tag).get("id", ""), tag)
            found.rounds.append(now)
        elif name == "players":
            found.dealer = Line(tag, {"seat": values(source, tag).get("dealer", "")})
        elif name[0] != "/":
            found.unknown.append((tag.start, tag.stop))
    found.unknown += between(source, part, inner)
    return found
