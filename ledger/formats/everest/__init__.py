"""The XML of Everest Poker, as its client stored it.

`docs/formats/everest.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.everest.reading import cut, read, sniff
from ledger.notation import Format

FORMAT: Final = Format(
    name="everest",
    title="Everest Poker XML",
    suffixes=(".xml", ".txt"),
    sniff=sniff,
    read=read,
    cut=cut,
    appended=False,
)
