"""Unibet's text (Relax Gaming): the form of 2021 to 2023 and that of 2026.

`docs/formats/unibet.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.unibet.header import HEADS, PREFACE, begins
from ledger.formats.unibet.reading import tell
from ledger.telling import reading
from ledger.telling.heads import others

_FOREIGN: Final = others("Unibet Hand #")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, PREFACE, initials="UG\ufeff \t")


FORMAT: Final = reading.text_format("unibet", "Unibet text (Relax Gaming)", _GRAMMAR, HEADS)
