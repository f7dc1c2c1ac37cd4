"""The XML of the Merge network: what its clients stored, in both versions.

`docs/formats/merge.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.merge.reading import cut, read, sniff
from ledger.notation import Format

FORMAT: Final = Format(
    name="merge", title="Merge network XML", suffixes=(".xml", ".txt"), sniff=sniff, read=read, cut=cut, appended=False
)
