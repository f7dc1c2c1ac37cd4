"""Counts of the house between the hands of a night: boxes, the tray, fills and credits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.handscript import interpreter, tokens
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.phrasebook import BOOK
from ledger.people import People
from ledger.table.money_events import BoxCounted, ChipsCredited, ChipsFilled, TrayCounted

_COUNTS: Final = (BoxCounted, ChipsFilled, ChipsCredited, TrayCounted)
"""Events that name nobody: notes call a player by many names, and a payment goes to just one."""


_WORDS: Final = re.compile(r"\b(?:box|tray|fill|credit)\b", re.IGNORECASE)
"""A line about the house's money has one of these: a quick look, before the grammar reads it."""


def read_counts(text: str, scale: int) -> list[str]:
    """Return the lines of a text about the house's money as the strict grammar has them; none if it's no such text.

    `scale`: decimals of the night's unit.
    """
    if not _WORDS.search(text):
        return []
    context = Context(People(b""), Settings(exponent=scale))
    try:
        words = tokens.placed(text.strip(" .;,"))[0]
        events, _ = interpreter.read_events(words, context) if words else ((), None)
    except UnreadableHandError:
        return []
    is_counted = all(isinstance(event, _COUNTS) for event in events)
    return [BOOK.line(event, context) for event in events] if is_counted else []


def take_money(line: ScriptLine, text: str, scale: int, add_to_block: Callable[[ScriptLine, str], Block]) -> bool:
    """Write a line about the house's money as the strict grammar has it; return whether it is one.

    `add_to_block` returns the block of facts that the line belongs to.
    """
    count_lines = read_counts(text, scale)
    if count_lines:
        add_to_block(line, "table").canonical_lines += [CanonicalLine(count_line, line) for count_line in count_lines]
    return bool(count_lines)
