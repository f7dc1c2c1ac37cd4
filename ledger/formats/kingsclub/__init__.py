"""KingsClub's text: mixed games, end stacks in every summary, streets of stud named one too low.

`docs/formats/kingsclub.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.kingsclub.header import begins
from ledger.formats.kingsclub.reading import tell
from ledger.telling import reading
from ledger.telling.heads import others

_FOREIGN: Final = others("#")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="#\ufeff \t")


FORMAT: Final = reading.text_format(
    "kingsclub", "KingsClub text", _GRAMMAR, (": Limit ", ": Pot Limit ", ": No Limit ")
)
