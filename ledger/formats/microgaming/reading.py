"""Games of a source."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ledger.formats.microgaming import game
from ledger.formats.microgaming.parts import parts
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import markup
from ledger.readers.hand import HandBuilder
from ledger.readers.marked import Source, Tag
from ledger.readers.reading import in_unit


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Microgaming's XML: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace")[:8000]
    if "<Game " not in text:
        return 0
    words = ("betlimit=", "gametypeid=", "<Seat num=", "unicodetablename=")
    return (0, 0, 60, 90, 98)[sum(word in text for word in words)]


cut: Final = partial(markup.cut, "<Game ", "")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the games of a chunk and, for what is none, rejects."""
    return markup.read(_GAMES, chunk, people)


def _tell(source: Source, part: markup.Part, _shared: None, people: People) -> HandBuilder:
    found = parts(source, part)
    return in_unit(lambda exponent: game.tell(source, found, people, exponent))


def _share(_source: Source, _head: list[Tag]) -> None:
    """Nothing is shared: each game tells all of itself."""


_GAMES: Final = markup.Markup("game", "", _share, _tell)
