"""PHH, the open poker hand history notation (TOML): `.phh` holds one hand, `.phhs` many."""

from __future__ import annotations

from ledger.formats.phh.chunks import cut, read, sniff
from ledger.formats.phh.writing import write
from ledger.notation import Format

FORMAT = Format(
    name="phh",
    title="PHH (Poker Hand History, TOML)",
    suffixes=(".phh", ".phhs"),
    sniff=sniff,
    read=read,
    cut=cut,
    write=write,
    between="\n",
)
