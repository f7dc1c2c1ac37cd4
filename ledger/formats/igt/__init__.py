"""The IGT poker network's own record of a hand, in JSON: timed acts with the balance behind each.

`docs/formats/igt.md` has the table from member to event, what is concluded, and what the record
cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.igt.documents import read, sniff
from ledger.notation import Format
from ledger.readers.cutting import whole
from ledger.readers.utf16 import narrowed

FORMAT: Final = Format(
    name="igt",
    title="IGT network JSON",
    suffixes=(".json", ".txt"),
    sniff=sniff,
    read=narrowed(read),
    cut=whole,
    appended=False,
)
