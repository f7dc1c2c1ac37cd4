"""Hands that PokerTracker exported: rooms that are gone, in the tracker's frames of their words.

`docs/formats/pokertracker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.pokertracker.header import begins
from ledger.formats.pokertracker.reading import tell
from ledger.formats.pokertracker.words import HEADS
from ledger.readers import reading
from ledger.readers.signatures import others

_FOREIGN: Final = others(*HEADS)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="EGM*\ufeff \t")


FORMAT: Final = reading.text_format("pokertracker", "PokerTracker export", _GRAMMAR, tuple(HEADS))
