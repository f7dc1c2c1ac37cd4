"""Cake's text (Cake Poker, Doyle's Room and others; later Lock Poker, closed): no rake, amounts with blanks and commas.

`docs/formats/cake.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.cake.header import HEAD, begins
from ledger.formats.cake.reading import tell
from ledger.telling import reading
from ledger.telling.heads import others

_FOREIGN: Final = others(HEAD)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="H\ufeff\xef \t")


FORMAT: Final = reading.text_format("cake", "Cake text", _GRAMMAR, (HEAD,))
