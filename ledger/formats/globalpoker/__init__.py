"""Global Poker's own record of a hand, in JSON: timed acts, balances, transfers, rake.

`docs/formats/globalpoker.md` has the table from member to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.globalpoker.documents import read, sniff
from ledger.notation import Format
from ledger.readers.cutting import whole
from ledger.readers.utf16 import narrowed

FORMAT: Final = Format(
    name="globalpoker",
    title="Global Poker JSON",
    suffixes=(".json",),
    sniff=sniff,
    read=narrowed(read),
    cut=whole,
    appended=False,
)
