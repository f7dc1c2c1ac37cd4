"""Descriptions and games of a source."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ledger.formats.merge import game
from ledger.formats.merge.header import Description, description
from ledger.formats.merge.parts import parts
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import markup
from ledger.readers.hand import HandBuilder
from ledger.readers.marked import Source
from ledger.readers.reading import in_unit


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Merge's XML: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace")[:8000]
    if '<game id="' not in text and "<description type=" not in text:
        return 0
    words = ("<description type=", "numholecards=", "<players dealer=", '<round id="')
    return (0, 40, 70, 95, 98)[sum(word in text for word in words)]


cut: Final = partial(markup.cut, "<game ", "<description")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the games of a chunk and, for what is none, rejects."""
    return markup.read(_GAMES, chunk, people)


def _tell(source: Source, part: markup.Part, known: Description | None, people: People) -> HandBuilder:
    assert known is not None  # noqa: S101 - the loop tells no game without its description
    found = parts(source, part)
    return in_unit(lambda exponent: game.tell(source, found, known, people, exponent))


_GAMES: Final = markup.Markup(
    "game",
    "description",
    description,
    _tell,
    missing="Which game is played, and for what, stands in the description before a file's games.",
)
