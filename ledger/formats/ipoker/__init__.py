"""iPoker's XML: what the network's clients store, and what archives and trackers make of it.

`docs/formats/ipoker.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.ipoker.reading import cut, read, sniff
from ledger.notation import Format

FORMAT: Final = Format(
    name="ipoker", title="iPoker XML", suffixes=(".xml", ".txt"), sniff=sniff, read=read, cut=cut, appended=False
)
