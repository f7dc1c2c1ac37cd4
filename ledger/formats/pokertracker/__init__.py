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
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others(*HEADS)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="EGM*\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="pokertracker",
    title="PokerTracker export",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter(tuple(HEADS), begins),
)
