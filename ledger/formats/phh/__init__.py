"""PHH, the open poker hand history notation (TOML): `.phh` holds one hand, `.phhs` many."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.formats.phh.chunks import cut, read, sniff
from ledger.formats.phh.writing import write
from ledger.notation import Format


def join(hands: Sequence[str]) -> str:
    """Return several written hands as one `.phhs` text; one hand stays a `.phh` text."""
    if len(hands) == 1:
        return hands[0]
    return "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, 1))


FORMAT = Format(
    name="phh",
    title="PHH (Poker Hand History, TOML)",
    suffixes=(".phh", ".phhs"),
    sniff=sniff,
    read=read,
    cut=cut,
    write=write,
    between="\n",
    join=join,
)
