"""Enet's text: the rake of each street, cards without blanks, the limit in the table's name.

`docs/formats/enet.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.enet.header import HEAD, begins
from ledger.formats.enet.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = (*others(HEAD), "Game # ")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="G\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="enet",
    title="Enet text",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter((HEAD,), begins),
)
