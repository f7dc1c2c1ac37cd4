"""Full Tilt's own text of 2004 to 2014, its archives and French site too.

`docs/formats/fulltilt.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.fulltilt.header import begins
from ledger.formats.fulltilt.reading import read, sniff
from ledger.notation import Format
from ledger.readers.cutting import cutter

FORMAT: Final = Format(
    name="fulltilt",
    title="Full Tilt text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter((" Game #", "FullTiltPoker Game #", " Tournament Summary "), begins, head=60),
)
