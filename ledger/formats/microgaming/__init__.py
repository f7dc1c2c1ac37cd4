"""The XML of the Microgaming network (Prima), as trackers and its clients stored it.

`docs/formats/microgaming.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.microgaming.reading import cut, read, sniff
from ledger.notation import Format

FORMAT: Final = Format(
    name="microgaming",
    title="Microgaming (Prima) XML",
    suffixes=(".xml", ".txt"),
    sniff=sniff,
    read=read,
    cut=cut,
    appended=False,
)
