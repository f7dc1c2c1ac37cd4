"""partypoker's text: both generations, the form that is sent by mail, and programs that imitate it.

`docs/formats/partypoker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.partypoker.header import begins
from ledger.formats.partypoker.reading import read, sniff
from ledger.notation import Format
from ledger.readers.cutting import cutter

FORMAT: Final = Format(
    name="partypoker",
    title="partypoker text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter(("***** Hand History for Game", "***** Hand History For Game"), begins),
)
