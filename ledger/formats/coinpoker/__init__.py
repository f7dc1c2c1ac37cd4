"""CoinPoker's own stream of a table, as its client gets it: `[name, game id, body]` in JSON.

`docs/formats/coinpoker.md` has the table from message to event, what is proven by what, and what the
format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.coinpoker.documents import read, sniff
from ledger.notation import Format
from ledger.readers.cutting import whole
from ledger.readers.utf16 import narrowed

FORMAT: Final = Format(
    name="coinpoker",
    title="CoinPoker event stream (JSON)",
    suffixes=(".json", ".jsonl"),
    sniff=sniff,
    read=narrowed(read),
    cut=whole,
    appended=False,
)
