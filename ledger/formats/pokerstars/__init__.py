"""PokerStars' text: what trackers, solvers and replayers read, and most converters imitate.

`docs/formats/pokerstars.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ledger.formats.pokerstars.header import begins, is_rule
from ledger.formats.pokerstars.languages import LOCAL_HEADS
from ledger.formats.pokerstars.reading import GRAMMAR, sniff
from ledger.formats.pokerstars.writing import SAYS, write
from ledger.notation import Format
from ledger.readers.cutting import cutter
from ledger.readers.reading import read

FORMAT: Final = Format(
    name="pokerstars",
    title="PokerStars text",
    suffixes=(".txt",),
    sniff=sniff,
    read=partial(read, GRAMMAR),
    cut=cutter(("Hand #", "Game #", "HAND #", "GAME #", *LOCAL_HEADS), begins, rule=is_rule),
    write=write,
    says=SAYS,
    between="\n\n\n",
)
