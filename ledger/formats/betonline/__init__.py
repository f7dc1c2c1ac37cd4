"""BetOnline's text of 2011 to 2016, and that of its network's other rooms (Chico).

`docs/formats/betonline.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.betonline.header import HEADS, PREFACE, begins
from ledger.formats.betonline.reading import tell
from ledger.telling import reading
from ledger.telling.heads import others

_FOREIGN: Final = others(*HEADS)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, preface=PREFACE)


FORMAT: Final = reading.text_format(
    "betonline", "BetOnline text (Chico network)", _GRAMMAR, (" Game #",)
)
