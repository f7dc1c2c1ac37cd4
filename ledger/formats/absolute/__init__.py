"""Absolute Poker's and UltimateBet's text (the Cereus network, closed in 2011), as collectors keep it.

`docs/formats/absolute.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.absolute.header import begins
from ledger.formats.absolute.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others

_FOREIGN: Final = others("Stage #")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="S\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Absolute Poker's text: 0 no, 100 certain."""
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        if begins(line):
            return 95
        if line.startswith(_FOREIGN):
            return 0
    return 0


FORMAT: Final = Format(
    name="absolute",
    title="Absolute Poker text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter(("Stage #",), begins),
)
