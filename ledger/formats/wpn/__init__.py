"""The Winning Poker Network (Americas Cardroom and its skins): two generations of text in one format.

`docs/formats/wpn.md` has the tables from line to event, and what the format cannot say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger.formats.wpn import numbered, started
from ledger.readers.hand import HandBuilder
from ledger.readers.reading import HandPage, TextGrammar, text_format
from ledger.readers.signatures import foreign_heads, sniffer

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
_PREFACE_MOST: Final = 2_000


def begins(line: str) -> bool:
    """Tell whether a hand of either generation begins with this line."""
    return started.begins(line) or numbered.begins(line)


def tell(page: HandPage) -> HandBuilder:
    """Read one hand of either generation."""
    mine = started.begins(page.lines.text[page.head_line])
    return started.tell(replace(page, first_line=page.head_line)) if mine else numbered.tell(page)


_FOREIGN: Final = foreign_heads("Game Hand #", "Game started at:", _INFORMATION)
_FORMAT: Final = text_format(
    "wpn",
    "Winning Poker Network text",
    TextGrammar(begins, (*_FOREIGN, _INFORMATION), tell, _PREFACE, initials="GH\ufeff \t"),
    ("Game started at:", "Game Hand #", "Hand #"),
    sniff=sniffer(begins, _FOREIGN),
)


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last hand of a buffer begins, with the preface that stands before it."""
    at = _FORMAT.cut(buffer, encoding)
    before = buffer.rfind(_INFORMATION.encode(), max(0, at - _PREFACE_MOST), at)
    if before <= 0:
        return at
    lines = buffer[before:at].decode("latin-1").splitlines()
    return before if all(not line or line.startswith(_PREFACE) for line in lines) else at


FORMAT: Final = replace(_FORMAT, cut=cut)
