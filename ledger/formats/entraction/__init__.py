"""Entraction's text (24hPoker, NoiQ and others, closed in 2012): columns of names, acts and amounts.

`docs/formats/entraction.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.entraction.header import HEAD, begins
from ledger.formats.entraction.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others(HEAD)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="G\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="entraction",
    title="Entraction text",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter((HEAD,), begins),
)
