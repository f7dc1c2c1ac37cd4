"""Entraction's text (24hPoker, NoiQ and others, closed in 2012): columns of names, acts and amounts.

`docs/formats/entraction.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.entraction.header import HEAD, begins
from ledger.formats.entraction.reading import tell
from ledger.telling import reading
from ledger.telling.heads import others

_FOREIGN: Final = others(HEAD)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="G\ufeff \t")


FORMAT: Final = reading.text_format("entraction", "Entraction text", _GRAMMAR, (HEAD,))
