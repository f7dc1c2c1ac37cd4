"""The Big Game: the calls in which PokerStars' site replayed a televised cash game, hand by hand.

`docs/formats/biggame.md` has the table from member to event, what is concluded, and what the calls
cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.biggame.documents import cut, read, sniff
from ledger.notation import Format
from ledger.readers.utf16 import narrowed

FORMAT: Final = Format(
    name="biggame",
    title="The Big Game's calls (JavaScript)",
    suffixes=(".txt", ".js"),
    sniff=sniff,
    read=narrowed(read),
    cut=cut,
)
