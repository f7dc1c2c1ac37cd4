"""Open Hand History: the JSON that tracker vendors ask rooms for, version 1.4.7.

`docs/formats/ohh.md` has the table from member to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.ohh.documents import cut, sniff
from ledger.formats.ohh.reading import read
from ledger.formats.ohh.writing import SAYS, write
from ledger.notation import Format
from ledger.readers.utf16 import narrowed

FORMAT: Final = Format(
    name="ohh",
    title="Open Hand History",
    suffixes=(".ohh",),
    sniff=sniff,
    read=narrowed(read),
    cut=cut,
    write=write,
    says=SAYS,
    between="\n",
)
