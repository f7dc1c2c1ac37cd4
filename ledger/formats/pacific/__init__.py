"""888poker's text, of its older names Pacific and Cassava too, in every language of its client.

`docs/formats/888poker.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.pacific.header import begins
from ledger.formats.pacific.reading import read, sniff
from ledger.notation import Format
from ledger.readers.cutting import cutter

FORMAT: Final = Format(
    name="888poker",
    title="888poker text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter((" Hand History for Game ", " Hand History For Game "), begins),
)
