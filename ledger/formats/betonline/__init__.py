"""BetOnline's text of 2011 to 2016, and that of its network's other rooms (Chico).

`docs/formats/betonline.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.betonline.header import HEADS, PREFACE, begins
from ledger.formats.betonline.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others(*HEADS)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, preface=PREFACE)


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="betonline",
    title="BetOnline text (Chico network)",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter((" Game #",), begins),
)
