"""Unibet's text (Relax Gaming): the form of 2021 to 2023 and that of 2026.

`docs/formats/unibet.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.unibet.header import HEADS, PREFACE, begins
from ledger.formats.unibet.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.telling import reading
from ledger.telling.cutting import cutter
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others("Unibet Hand #")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, PREFACE, initials="UG\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


FORMAT: Final = Format(
    name="unibet",
    title="Unibet text (Relax Gaming)",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter(HEADS, begins),
)
