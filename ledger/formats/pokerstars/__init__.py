"""PokerStars' text: what trackers, solvers and replayers read, and most converters imitate.

`docs/formats/pokerstars.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.pokerstars.cutting import cut, sniff
from ledger.formats.pokerstars.reading import read
from ledger.formats.pokerstars.writing import SAYS, write
from ledger.notation import Format

FORMAT: Final = Format(
    name="pokerstars",
    title="PokerStars text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cut,
    write=write,
    says=SAYS,
    between="\n\n\n",
)
