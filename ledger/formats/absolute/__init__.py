"""Absolute Poker's and UltimateBet's text (the Cereus network, closed in 2011), as collectors keep it.

`docs/formats/absolute.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.absolute.header import begins
from ledger.formats.absolute.reading import tell
from ledger.readers import reading
from ledger.readers.signatures import others

_FOREIGN: Final = others("Stage #")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="S\ufeff \t")


FORMAT: Final = reading.text_format("absolute", "Absolute Poker text", _GRAMMAR, ("Stage #",))
