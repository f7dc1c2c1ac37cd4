"""CoinPoker's text: PokerStars' grammar with headers, all-ins, returns and splashes of its own.

`docs/formats/coinpoker-text.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.cointext import header, lines
from ledger.formats.cointext.header import HEAD
from ledger.formats.pokerstars.dialect import Dialect
from ledger.formats.pokerstars.reading import read as read_dialect
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.cutting import cutter
from ledger.readers.signatures import others, sniffer
from ledger.vocabulary import Witness

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.DROP
    | Witness.RETURNED_BETS
    | Witness.RUNS
    | Witness.BLIND_AMOUNTS
)
"""No clocks, no presence, no pots apart; and not who a splash went to where several were paid."""

DIALECT: Final = Dialect(
    name="coinpoker-text",
    begins=header.begins,
    head=header.head,
    setup=header.setup,
    foreign=others(HEAD),
    breaks=(HEAD, *others(HEAD), "\ufeff", " ", "\t", "*****"),
    witnesses=WITNESSES,
    acts=lines.ACTS,
    line=lines.line,
    finish=lines.finish,
    always_showdown=True,
)


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return read_dialect(chunk, people, DIALECT)


FORMAT: Final = Format(
    name="coinpoker-text",
    title="CoinPoker text",
    suffixes=(".txt",),
    sniff=sniffer(header.begins, DIALECT.foreign),
    read=read,
    cut=cutter((HEAD,), header.begins),
)
