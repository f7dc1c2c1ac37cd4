"""Hands that PokerTracker exported: rooms that are gone, in the tracker's frames of their words.

`docs/formats/pokertracker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.pokertracker.header import begins
from ledger.formats.pokertracker.reading import tell
from ledger.formats.pokertracker.words import HEADS
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others

_FOREIGN: Final = others(*HEADS)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="EGM*\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a tracker's export: 0 no, 100 certain."""
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        if begins(line):
            return 95
        if line.startswith(_FOREIGN):
            return 0
    return 0


FORMAT: Final = Format(
    name="pokertracker",
    title="PokerTracker export",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter(tuple(HEADS), begins),
)
