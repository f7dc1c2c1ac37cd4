"""The Winning Poker Network (Americas Cardroom and its skins): two generations of text in one format.

`docs/formats/wpn.md` has the tables from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.wpn.numbered import begins as begins_numbered
from ledger.formats.wpn.numbered import tell as tell_numbered
from ledger.formats.wpn.started import begins as begins_started
from ledger.formats.wpn.started import tell as tell_started
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.hand import Telling
from ledger.telling.heads import others

_FOREIGN: Final = others("Game Hand #", "Game started at:")


def begins(line: str) -> bool:
    """Tell whether a hand of either generation begins with this line."""
    return begins_started(line) or begins_numbered(line)


def tell(page: reading.Page) -> Telling:
    """Read one hand of either generation."""
    _trim(page)
    if begins_started(page.lines.text[page.first]):
        return tell_started(page)
    return tell_numbered(page)


def _trim(page: reading.Page) -> None:
    """Take the half of a line end off with which a wide file breaks off."""
    if page.encoding.startswith("utf-16") and page.after == len(page.lines.text):
        page.lines.text[-1] = page.lines.text[-1].rstrip("\r\ufffd")


_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="GH\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


def sniff(head: bytes) -> int:
    """Return how sure it is that this is the network's text: 0 no, 100 certain."""
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        if begins(line):
            return 95
        if line.startswith(_FOREIGN):
            return 0
    return 0


FORMAT: Final = Format(
    name="wpn",
    title="Winning Poker Network text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter(("Game started at:", "Hand #"), begins),
)
