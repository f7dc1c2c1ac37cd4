"""The Winning Poker Network (Americas Cardroom and its skins): two generations of text in one format.

`docs/formats/wpn.md` has the tables from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.formats.wpn.numbered import begins as begins_numbered
from ledger.formats.wpn.numbered import tell as tell_numbered
from ledger.formats.wpn.started import begins as begins_started
from ledger.formats.wpn.started import tell as tell_started
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers import reading
from ledger.readers.cutting import cutter
from ledger.readers.hand import HandBuilder
from ledger.readers.signatures import others, sniffer

_FOREIGN: Final = others("Game Hand #", "Game started at:")
_INFORMATION: Final = "<Game Information>"
_PREFACE: Final = (
    _INFORMATION,
    "Title: ",
    "Entry #: ",
    "Begin Time: ",
    "Buyin to Payout: ",
    "Play Type: ",
    "Game Type: ",
    "Bet Limit Type: ",
    "<Hand History>",
    "----------",
)
"""What stands before the hands of each tournament in a file of many short ones."""


def begins(line: str) -> bool:
    """Tell whether a hand of either generation begins with this line."""
    return begins_started(line) or begins_numbered(line)


def tell(page: reading.Page) -> HandBuilder:
    """Read one hand of either generation."""
    _trim(page)
    if begins_started(page.lines.text[page.first]):
        return tell_started(page)
    return tell_numbered(page)


def _trim(page: reading.Page) -> None:
    """Take the half of a line end off with which a wide file breaks off."""
    if page.encoding.startswith("utf-16") and page.after == len(page.lines.text):
        page.lines.text[-1] = page.lines.text[-1].rstrip("\r\ufffd")


_GRAMMAR: Final = reading.Grammar(begins, (*_FOREIGN, _INFORMATION), tell, preface=_PREFACE, initials="GH\ufeff \t")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    return reading.read(_GRAMMAR, chunk, people)


_last_head: Final = cutter(("Game started at:", "Hand #"), begins)
_PREFACE_MOST: Final = 2_000


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last hand of a buffer begins, with the preface that stands before it."""
    at = _last_head(buffer, encoding)
    wide = encoding.startswith("utf-16")
    words = _INFORMATION.encode(encoding if wide else "ascii")
    before = buffer.rfind(words, max(0, at - _PREFACE_MOST), at)
    if before <= 0 or (wide and before % 2):
        return at
    lines = buffer[before:at].decode(encoding if wide else "latin-1", "replace").splitlines()
    return before if all(not line or line.startswith(_PREFACE) for line in lines) else at


FORMAT: Final = Format(
    name="wpn",
    title="Winning Poker Network text",
    suffixes=(".txt",),
    sniff=sniffer(begins, _FOREIGN),
    read=read,
    cut=cut,
)
