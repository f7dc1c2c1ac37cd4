"""Sessions and games of a source, and where one ends because the next begins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ledger.formats.ipoker import game
from ledger.formats.ipoker.session import Session, session
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import markup
from ledger.readers.hand import HandBuilder
from ledger.readers.marked import Source
from ledger.readers.reading import in_unit

_FRAMES: Final = frozenset(("general", "players", "/general", "/players", "/round", "/action", "/cards", "/player"))


def sniff(head: bytes) -> int:
    """Return how sure it is that this is iPoker's XML: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace")
    if "<session" not in text[:4000] and "<game gamecode=" not in text[:4000]:
        return 0
    known = sum(word in text for word in ("sessioncode=", "<gametype>", "gamecode=", "<round no="))
    return (0, 40, 90, 95, 98)[known]


cut: Final = partial(markup.cut, "<game ", "<session")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the games of a chunk and, for what is none, rejects."""
    return markup.read(_GAMES, chunk, people)


def _tell(source: Source, part: markup.Part, known: Session | None, people: People) -> HandBuilder:
    assert known is not None  # noqa: S101 - the loop tells no game without its session
    parts = game.parts(source, part.inner, part.stop)
    return in_unit(lambda exponent: game.tell(source, parts, known, people, exponent))


_GAMES: Final = markup.Markup(
    "game",
    "session",
    session,
    _tell,
    _FRAMES,
    "What is played, for what and where stands at the beginning of a session.",
    ("root",),
)
