"""OnGame's text (bwin and others, closed in 2015): end stacks in every summary, pots before the rake.

`docs/formats/ongame.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.ongame.header import begins
from ledger.formats.ongame.reading import tell
from ledger.readers import reading
from ledger.readers.signatures import others

_FOREIGN: Final = others("***** History for hand")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="*\ufeff \t")


FORMAT: Final = reading.text_format("ongame", "OnGame text", _GRAMMAR, ("History for hand ",))
