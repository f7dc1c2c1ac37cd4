"""The Winning Poker Network (Americas Cardroom and its skins): two generations of text in one format.

`docs/formats/wpn.md` has the tables from line to event, and lists what the format doesn't record.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger.formats.wpn import numbered, started
from ledger.readers.hand import HandBuilder
from ledger.readers.signatures import build_sniffer, list_foreign_heads
from ledger.readers.text_format import HandLines, TextGrammar, build_text_format

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
"""How the lines before a tournament's hands begin, in a file of many short tournaments."""
_MAX_PREFACE_BYTES: Final = 2_000


def is_first_line(line: str) -> bool:
    """Whether this is a hand's first line in either generation."""
    return started.is_first_line(line) or numbered.is_first_line(line)


def read_hand(page: HandLines) -> HandBuilder:
    """Read one hand of either generation."""
    if started.is_first_line(page.lines.text[page.head_line]):
        return started.read_hand(replace(page, first_line=page.head_line))
    return numbered.read_hand(page)


_FOREIGN: Final = list_foreign_heads("Game Hand #", "Game started at:", _INFORMATION)
_FORMAT: Final = build_text_format(
    "wpn",
    "Winning Poker Network text",
    TextGrammar(is_first_line, (*_FOREIGN, _INFORMATION), read_hand, _PREFACE, initials="GH\ufeff \t"),
    ("Game started at:", "Game Hand #", "Hand #"),
    sniff=build_sniffer(is_first_line, _FOREIGN),
)


def find_cut(buffer: bytes, encoding: str) -> int:
    """Return the offset at which the last hand of a buffer begins, including its preface."""
    last_hand = _FORMAT.find_cut(buffer, encoding)
    preface_start = buffer.rfind(_INFORMATION.encode(), max(0, last_hand - _MAX_PREFACE_BYTES), last_hand)
    if preface_start <= 0:
        return last_hand
    preface_lines = buffer[preface_start:last_hand].decode("latin-1").splitlines()
    is_preface = all(not line or line.startswith(_PREFACE) for line in preface_lines)
    return preface_start if is_preface else last_hand


FORMAT: Final = replace(_FORMAT, find_cut=find_cut)
