"""Poker Mavens' text: Seals with Clubs and the private rooms that run this software.

`docs/formats/mavens.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.mavens.header import HEAD, begins
from ledger.formats.mavens.reading import tell
from ledger.telling import reading
from ledger.telling.heads import others

_FOREIGN: Final = others(HEAD)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="H\ufeff \t")


FORMAT: Final = reading.text_format(
    "mavens", "Poker Mavens text (Seals with Clubs and private rooms)", _GRAMMAR, (HEAD,)
)
