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
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others("Stage #")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="S\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="absolute",
    title="Absolute Poker text",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter(("Stage #",), begins),
)
