"""Everleaf's text (and Partouche's, in French): chips added by each act, no rake, no returned bets.

`docs/formats/everleaf.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.everleaf.header import begins
from ledger.formats.everleaf.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others("Everleaf Gaming", "Partouche Poker")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="EP\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="everleaf",
    title="Everleaf text",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter(("Everleaf Gaming", "Partouche Poker"), begins),
)
