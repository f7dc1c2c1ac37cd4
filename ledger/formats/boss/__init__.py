"""The XML of the Boss Media network (later IGT and GTECH), as its clients stored it.

`docs/formats/boss.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.boss.reading import cut, read, sniff
from ledger.notation import Format

FORMAT: Final = Format(
    name="boss", title="Boss Media XML", suffixes=(".xml", ".txt"), sniff=sniff, read=read, cut=cut, appended=False
)
