"""PokerNow: the log of a private online game, with every act, every word of the host and their times.

`docs/formats/pokernow.md` has the table from row to event, and what a log cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.pokernow.log import read
from ledger.formats.pokernow.rows import cut, sniff
from ledger.notation import Format
from ledger.readers.utf16 import narrowed

FORMAT: Final = Format(
    name="pokernow",
    title="PokerNow log (CSV) and export (JSON)",
    suffixes=(".csv", ".json"),
    sniff=sniff,
    read=narrowed(read),
    cut=cut,
    appended=False,
    named_by_file=True,
)
