"""GGPoker's text: PokerStars' grammar with headers, posts, insurances and drops of its own.

`docs/formats/ggpoker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.ggpoker import clubs, header, lines
from ledger.formats.ggpoker.words import HEADS, WITNESSES
from ledger.formats.pokerstars.dialect import Dialect
from ledger.formats.pokerstars.reading import read as read_dialect
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.cutting import cutter
from ledger.readers.signatures import others, sniffer

DIALECT: Final = Dialect(
    name="ggpoker",
    begins=header.begins,
    head=header.head,
    setup=header.setup,
    foreign=others(*HEADS),
    breaks=(*HEADS, *others(*HEADS), "\ufeff", " ", "\t", "*****"),
    witnesses=WITNESSES,
    acts=lines.ACTS,
    line=lines.line,
    again=clubs.second_board,
    finish=clubs.finish,
    always_showdown=True,
)


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return read_dialect(chunk, people, DIALECT)


FORMAT: Final = Format(
    name="ggpoker",
    title="GGPoker text",
    suffixes=(".txt",),
    sniff=sniffer(header.begins, DIALECT.foreign),
    read=read,
    cut=cutter(("Poker Hand #",), header.begins),
)
