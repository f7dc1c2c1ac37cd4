"""PHH, the open poker hand history notation (TOML): `.phh` holds one hand, `.phhs` many."""

from __future__ import annotations

from ledger.formats.phh.chunks import cut, read, sniff
from ledger.formats.phh.writing import SAYS, write
from ledger.notation import Format


def numbered(number: int, hand: str) -> str:
    """Return one of several hands of a `.phhs` text; one hand alone is a `.phh` text."""
    return f"[{number}]\n{hand}"


FORMAT = Format(
    name="phh",
    title="PHH (Poker Hand History, TOML)",
    suffixes=(".phh", ".phhs"),
    sniff=sniff,
    read=read,
    cut=cut,
    write=write,
    says=SAYS,
    between="\n",
    numbered=numbered,
)
