"""OnGame's text (bwin and others, closed in 2015): end stacks in every summary, pots before the rake.

`docs/formats/ongame.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.ongame.header import begins
from ledger.formats.ongame.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others("***** History for hand")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="*\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="ongame",
    title="OnGame text",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter(("History for hand ",), begins),
)
