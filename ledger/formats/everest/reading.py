"""Sessions and hands of a source."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ledger.formats.everest import game
from ledger.formats.everest.header import Session, session
from ledger.formats.everest.parts import elements
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import markup
from ledger.readers.hand import HandBuilder
from ledger.readers.marked import Source


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Everest's XML: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace")[:8000]
    if "<SESSION " not in text and "<HAND " not in text:
        return 0
    words = ("<SESSION time=", "<HAND time=", "<SEAT position=", "tableName=")
    return (0, 40, 70, 95, 98)[sum(word in text for word in words)]


cut: Final = partial(markup.cut, "<HAND ", "<SESSION")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return markup.read(_HANDS, chunk, people)


def _tell(source: Source, part: markup.Part, known: Session | None, people: People) -> HandBuilder:
    assert known is not None  # noqa: S101 - the loop tells no hand without its session
    return game.tell(source, elements(source, part), known, people)


_HANDS: Final = markup.Markup(
    "hand",
    "session",
    session,
    _tell,
    missing="Which game is played, and where, stands in the session before a file's hands.",
)
