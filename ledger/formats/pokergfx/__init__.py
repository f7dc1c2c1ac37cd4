"""PokerGFX 3: the export of a live table whose cards and chips a video system recorded.

`docs/formats/pokergfx.md` has the table from value to event, what is concluded, and what a file
cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.pokergfx.document import read, sniff
from ledger.notation import Format
from ledger.readers.cutting import whole
from ledger.readers.utf16 import narrowed

FORMAT: Final = Format(
    name="pokergfx",
    title="PokerGFX export (JSON)",
    suffixes=(".json", ".txt"),
    sniff=sniff,
    read=narrowed(read),
    cut=whole,
    appended=False,
)
