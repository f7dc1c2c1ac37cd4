"""Winamax's text: names without colons, amounts with the euro behind them, posts out of position.

`docs/formats/winamax.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.account import Reject
from ledger.formats.winamax.header import begins
from ledger.formats.winamax.reading import tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers import reading
from ledger.readers.cutting import cutter
from ledger.readers.signatures import others, sniffer

_FOREIGN: Final = others("Winamax")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="W\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    for item in reading.read(_GRAMMAR, chunk, people):
        if isinstance(item, Reject) and item.code == "other-room" and "Winamax" in item.reason:
            item.code = "not-a-hand"  # this room's, but no hand
            item.reason = "a text of Winamax that holds no hand"
            item.hint = "Hands begin with a line that holds `HandId: #`."
        yield item


FORMAT: Final = Format(
    name="winamax",
    title="Winamax text",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cutter(("Winamax Poker - ",), begins),
)
