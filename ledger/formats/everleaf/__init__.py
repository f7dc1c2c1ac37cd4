"""Everleaf's text (and Partouche's, in French): chips added by each act, no rake, no returned bets.

`docs/formats/everleaf.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.everleaf.header import begins
from ledger.formats.everleaf.reading import tell
from ledger.readers import reading
from ledger.readers.signatures import others

_FOREIGN: Final = others("Everleaf Gaming", "Partouche Poker")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="EP\ufeff \t")


FORMAT: Final = reading.text_format("everleaf", "Everleaf text", _GRAMMAR, ("Everleaf Gaming", "Partouche Poker"))
